// A database whose changes are shown before they are made and taken back afterwards, as its owner sees it: the command line, the
// routes and the file itself. Source: docs/reference.md, "Effects" and "Undo".
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { agentd, dataDir, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { answer, itOnTerminal, onTerminal, typedTerminal } from "../support/terminal.js";

const TURNS = [
  ["lower", "update_stock", { id: 1, amount: 3 }],
  ["raise", "update_stock", { id: 1, amount: 9 }],
  ["clear", "delete_shelves", { id: 1 }],
  ["undo that", "undo", {}],
] as const;

describe("Undo of a database", () => {
  let dir: string;
  let daemon: Served | undefined;

  const inFile = <T>(work: (db: InstanceType<typeof SqliteDatabase>) => T): T => {
    const db = new SqliteDatabase(join(dir, "warehouse.db"));
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const amounts = (): unknown => inFile((db) => db.prepare("SELECT amount FROM stock ORDER BY id").pluck().all());
  const cli = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", dir]);
  const history = () => getJson<HistoryEntry[]>(`${daemon?.url}/history`);
  const run = (message: string, modes: object = {}) =>
    ask(daemon?.url ?? "", { message, session_id: "mine", ...modes });

  beforeEach(async () => {
    const turns = TURNS.map(([prompt, name, args]) => ({
      prompt,
      replies: [
        { calls: [{ id: `c-${prompt}`, name: name === "undo" ? name : `warehouse_${name}`, arguments: args }] },
        { text: "done" },
      ],
    }));
    ({ dir } = dataDir({ turns, schema: { version: 1, resources: [] } }));
    inFile((db) =>
      db.exec(`CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE stock (id INTEGER PRIMARY KEY, shelf_id INTEGER REFERENCES shelves (id) ON DELETE CASCADE, amount INTEGER NOT NULL);
        INSERT INTO shelves VALUES (1, 'A'); INSERT INTO stock VALUES (1, 1, 4), (2, 1, 7)`),
    );
    const { code, stderr } = await cli("sync", "sql", join(dir, "warehouse.db"), "--name", "warehouse");
    expect(code, stderr).to.equal(0);
    daemon = await serve(["--data-dir", dir]);
  });
  afterEach(async () => {
    await daemon?.stop();
    await stopAll();
  });

  it("takes back what a cascade deleted, too, at the terminal and by the model @all", async () => {
    await run("lower");
    await run("clear");
    expect(amounts()).to.deep.equal([]);
    const [deleted] = await history();
    expect(deleted?.effect?.tables).to.deep.equal([
      { name: "shelves", inserted: 0, updated: 0, deleted: 1 },
      { name: "stock", inserted: 0, updated: 0, deleted: 2 },
    ]);
    expect((await cli("history")).stdout).to.match(/ID +TIME +STATUS +UNDO[^\n]*\n2 .* possible /);
    const { code, stdout, stderr } = await cli("undo", "--yes");
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "undone: call 2\n" });
    expect(stderr).to.contain('new in shelves {"id":1}').and.to.contain("does:  shelves: 1 new; stock: 2 new");
    expect(amounts()).to.deep.equal([3, 7]);
    await run("undo that");
    expect(amounts()).to.deep.equal([4, 7]);
    expect((await history()).map(({ tool, undo }) => `${tool} ${undo}`)).to.deep.equal([
      "undo impossible",
      "undo impossible",
      "warehouse_delete_shelves done",
      "warehouse_update_stock done",
    ]);
    const nothing = await cli("undo", "--yes");
    expect(nothing).to.deep.include({ code: 1, stdout: "" });
    expect(nothing.stderr).to.contain("there is no change that can be undone");
    expect((await cli("history", "verify")).stdout).to.contain("ok");
  });

  itOnTerminal("takes Ctrl-C at the question of a chat's /undo for a no @all", async () => {
    await run("lower");
    const size = { rows: 40, columns: 200 };
    const there = ["chat", "--session", "mine", "--data-dir", dir];
    const terminal = typedTerminal(start(onTerminal(there, size), { env: { TERM: "xterm" } }), size);
    await terminal.shows(/\n>$/);
    terminal.type("/undo\r");
    await terminal.shows("Undo it? [y/N]");
    terminal.type("\u0003");
    await terminal.shows(/nothing was undone\n>$/);
    terminal.type("/quit\r");
    expect((await terminal.ended).code).to.equal(0);
    expect(amounts()).to.deep.equal([3, 7]);
    expect((await history()).map(({ tool, status }) => `${tool} ${status}`)).to.deep.equal([
      "undo denied",
      "warehouse_update_stock ok",
    ]);
  });

  it("undoes a conversation newest first, and nothing over what another program wrote since @all", async () => {
    await run("lower");
    await run("raise");
    const before = await cli("undo", "1", "--yes");
    expect(before.code).to.equal(1);
    expect(before.stderr).to.contain("refused");
    expect(amounts()).to.deep.equal([9, 7]);
    inFile((db) => db.exec("UPDATE stock SET amount = 100 WHERE id = 1"));
    expect((await cli("undo", "--session", "mine", "--yes")).code).to.equal(1);
    expect(amounts()).to.deep.equal([100, 7]);
    inFile((db) => db.exec("UPDATE stock SET amount = 9 WHERE id = 1"));
    expect((await cli("undo", "--session", "mine", "--yes")).stdout).to.equal("undone: call 2\nundone: call 1\n");
    expect(amounts()).to.deep.equal([4, 7]);
  });

  it("holds a yes to the rows that were shown, at the terminal too @all", async () => {
    await run("lower", { confirm: true });
    const [held] = await getJson<Confirmation[]>(`${daemon?.url}/-/confirmations`);
    expect(held).to.deep.include({ undo: "possible" }).and.to.have.nested.property("effect.changes[0].after.amount", 3);
    expect((await cli("approvals", "--long")).stdout)
      .to.contain("amount: 4 -> 3")
      .and.to.contain("1 changed; can be undone");
    inFile((db) => db.exec("UPDATE stock SET amount = 5 WHERE id = 1"));
    const refused = await postJson(`${daemon?.url}/-/confirmations/${held?.id}`, { decision: "approve" });
    expect(refused.status).to.equal(409);
    const { error } = (await refused.json()) as { error: { code: string; details: string[] } };
    expect(error.code).to.equal("changed");
    expect(amounts()).to.deep.equal([5, 7]);
    expect((await cli("approvals", "--long")).stdout).to.contain("amount: 5 -> 3");
    expect((await cli("approvals", "approve", error.details[0] ?? "")).code).to.equal(0);
    expect(amounts()).to.deep.equal([3, 7]);
  });

  itOnTerminal("asks before it undoes, and no is the default @all", async () => {
    await run("lower");
    for (const [typed, code, left] of [
      ["", 1, 3],
      ["y", 0, 4],
    ] as const) {
      const ended = await answer(start(onTerminal(["undo", "--data-dir", dir])), typed);
      expect(ended.stdout + ended.stderr).to.contain("amount: 3 -> 4");
      expect(ended.code).to.equal(code);
      expect(amounts()).to.deep.equal([left, 7]);
    }
  });

  it("works without a daemon, and not where config.json keeps nothing to undo with @all", async () => {
    await run("lower");
    await daemon?.stop();
    expect((await cli("undo", "--yes")).stdout).to.equal("undone: call 1\n");
    const off = {
      applications: { warehouse: { undo: false } },
      providers: { played: { type: "scripted", file: "turns.json" } },
    };
    writeFileSync(join(dir, "config.json"), JSON.stringify(off));
    daemon = await serve(["--data-dir", dir]);
    await run("lower");
    expect((await history())[0]).to.deep.include({ status: "ok", undo: "impossible" });
    expect((await cli("undo", "3", "--yes")).stderr).to.contain("was not kept");
  });

  it("F7 is judged as its tool is: by strict, and by what config.json says of it under a new name or when it is hidden @all", async () => {
    await run("lower");
    const file = join(dir, "schemas", "warehouse.json");
    const document = readFileSync(file, "utf8");
    const undo = async (modes: object = {}) => (await postJson(`${daemon?.url}/-/history/1/undo`, modes)).json();
    const again = async (config: object, overrides: object, schema = document): Promise<void> => {
      await daemon?.stop();
      writeFileSync(file, schema);
      mkdirSync(join(dir, "overrides"), { recursive: true });
      writeFileSync(join(dir, "overrides", "warehouse.json"), JSON.stringify(overrides));
      const providers = { played: { type: "scripted", file: "turns.json" } };
      writeFileSync(join(dir, "config.json"), JSON.stringify({ providers, ...config }));
      daemon = await serve(["--data-dir", dir]);
    };
    const renamed = { update_stock: { name: "change_amount" } };
    await again({}, {}, document.replaceAll(/"provenance": *"\w+"/g, '"provenance":"inferred"'));
    expect(await undo({ strict: true })).to.deep.include({ status: "blocked" });
    await again({ permissions: { "*change_amount": "deny" } }, renamed);
    expect(await undo()).to.deep.include({ status: "blocked" });
    await again({ permissions: { "*change_amount": "ask" } }, renamed);
    expect(await undo()).to.deep.include({ status: "held" });
    await again({}, { update_stock: { hidden: true } });
    expect(await undo())
      .to.have.nested.property("error.message")
      .that.matches(/not there any more/);
    expect(amounts()).to.deep.equal([3, 7]);
    await again({}, renamed);
    expect(await undo()).to.deep.include({ status: "ok" });
    expect(amounts()).to.deep.equal([4, 7]);
  });
});
