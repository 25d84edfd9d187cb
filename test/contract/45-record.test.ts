// The record by command: list, follow, export, verify, backup and retention. Every test starts the program itself, and a daemon
// beside it where that matters. Source: docs/reference.md, "History", "History commands", "Hash chain" and "Retention".

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { HistoryEntry, SessionSummary } from "../../src/domain/record.js";
import { packageRoot } from "../../src/lib/package.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { APPLICATION_ID } from "../../src/store/sqlite/migrate.js";
import { allOnly } from "../support/all.js";
import { shiftedClock } from "../support/clock.js";
import { getJson, postJson } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const SECRET = "canary-target-4711";
const PASSWORD = "canary-password-0815";
const TURNS = [
  { prompt: "list", replies: [{ calls: [{ name: "list_pets", arguments: {} }] }, { text: "Listed." }] },
  {
    prompt: "create",
    replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Created." }],
  },
  {
    prompt: "secret",
    replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex", password: PASSWORD } }] }, { text: "Done." }],
  },
  {
    prompt: "many",
    replies: [
      { calls: Array.from({ length: 10 }, () => ({ name: "create_pet", arguments: { name: "x".repeat(9000) } })) },
      { text: "Done." },
    ],
  },
];
/** The commands that read every row. */
const WHOLE = ["export", "verify"].map((action) => ["history", action]);

const DAY_MS = 86_400_000;

const parse = (stdout: string): HistoryEntry[] => JSON.parse(stdout) as HistoryEntry[];
const lines = (ndjson: string): HistoryEntry[] =>
  ndjson
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as HistoryEntry);
const ids = (entries: readonly HistoryEntry[]): number[] => entries.map(({ id }) => id);

/** The database of a data directory, changed as with the sqlite3 shell. */
function tamper(dir: string, sql: string): void {
  const db = new SqliteDatabase(join(dir, "history.db"));
  db.exec(sql);
  db.close();
}

describe("History commands", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;
  let out: string;

  beforeEach(async () => {
    target = await startTarget(({ headers }) => json({ id: 1, seen: Object.fromEntries(headers) }));
    const config = { target: { headers: { Authorization: "env:TARGET_KEY" } } };
    home = dataDir({ target: target.url, turns: TURNS, config });
    out = temporaryFolder("out");
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const env = { TARGET_KEY: SECRET };
  const here = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", home.dir], { env });
  const serveHere = (): Promise<Served> => serve(["--data-dir", home.dir], { env });
  const follow = (...args: string[]) => start([...PROGRAM, "history", "--follow", ...args, "--data-dir", home.dir]);
  /** A copy of a record of one call, of which only the first page is as it was. */
  const makeTorn = async (file: string): Promise<void> => {
    await here("run", "list");
    writeFileSync(file, readFileSync(join(home.dir, "history.db")).fill(0x5a, 4096));
  };
  const prompt = (url: string, message: string, session_id = "s"): Promise<Response> =>
    postJson(`${url}/run`, { message, session_id });

  describe("history", () => {
    it("prints with --json the array that GET /history answers, with a daemon and without @all", async () => {
      const daemon = await serveHere();
      for (const message of ["list", "create", "list"]) await prompt(daemon.url, message);
      const answer = await getJson<HistoryEntry[]>(`${daemon.url}/history`);
      const beside = await here("history", "--json");
      await daemon.stop();
      const alone = await here("history", "--json");
      expect(ids(answer)).to.deep.equal([3, 2, 1]);
      expect(parse(beside.stdout)).to.deep.equal(answer);
      expect(alone).to.deep.equal(beside);
      const filtered = await here("history", "--json", "--tool", "list_pets", "--after", "1", "--status", "ok");
      expect(ids(parse(filtered.stdout))).to.deep.equal([3]);
    });

    it("says that nothing is recorded, and creates nothing @all", async () => {
      const missing = join(out, "missing");
      const empty = join(out, "empty");
      mkdirSync(empty);
      const plain = await agentd(["history", "--data-dir", empty]);
      expect([plain.code, plain.stdout, plain.stderr]).to.deep.equal([0, "", `No calls are recorded in ${empty}.\n`]);
      const array = await agentd(["history", "--json", "--data-dir", empty]);
      expect([array.code, array.stdout, array.stderr]).to.deep.equal([0, "[]\n", ""]);
      for (const args of [["history"], ["history", "--json"], ["history", "1"], ["sessions"], ["sessions", "s"]])
        for (const line of [
          [...args, "--data-dir", missing],
          ["--data-dir", missing, ...args],
        ]) {
          const { code, stdout, stderr } = await agentd(line);
          expect([code, stdout], line.join(" ")).to.deep.equal([1, ""]);
          expect(stderr).to.include(`there is no data directory ${missing}`);
        }
      const refused = [...WHOLE, ["history", "--follow"], ["backup", join(out, "copy.db")]];
      const sentences = new Map([
        [
          empty,
          `there is no record at ${join(empty, "history.db")} yet; the first agentd serve or agentd run makes it`,
        ],
        [missing, `there is no data directory ${missing}`],
      ]);
      for (const [dir, sentence] of sentences) {
        const refusals = await Promise.all(refused.map((args) => agentd([...args, "--data-dir", dir])));
        for (const [i, { code, stdout, stderr }] of refusals.entries()) {
          expect([code, stdout], refused[i]?.join(" ")).to.deep.equal([1, ""]);
          expect(stderr.startsWith(`agentd: ${sentence}. `), stderr).to.equal(true);
        }
      }
      expect(readdirSync(out)).to.deep.equal(["empty"]);
      expect(readdirSync(empty)).to.deep.equal([]);
    });

    it("shows what a killed daemon left in flight as interrupted, without another daemon @all", async () => {
      const daemon = await serveHere();
      target.answer(() => () => daemon.child.kill("SIGKILL"));
      await prompt(daemon.url, "create").catch(() => undefined);
      await daemon.ended;
      const { code, stdout, stderr } = await here("history", "--json", "--status", "interrupted");
      expect(code, stderr).to.equal(0);
      expect(parse(stdout).map(({ tool, status }) => [tool, status])).to.deep.equal([["create_pet", "interrupted"]]);
      expect((await here("history", "verify")).stdout).to.equal("1 completed rows checked: ok\n");
    });

    const wrong: [args: string[], message: string][] = [
      [
        ["history", "exprot"],
        'agentd history does not know what to do with "exprot". Did you mean export? See agentd history --help.',
      ],
      [["history", "verify", "--tool", "x"], "agentd history verify has no use for --tool. See agentd history --help."],
    ];
    for (const [index, [args, message]] of wrong.entries())
      it(`refuses "${args.join(" ")}" with exit code 2 and says why${allOnly(index > 0)}`, async () => {
        const { code, stdout, stderr } = await here(...args);
        expect({ code, stdout, stderr }).to.deep.equal({ code: 2, stdout: "", stderr: `agentd: ${message}\n` });
      });

    it("migrates a record of an older version when no daemon holds it @all", async () => {
      const first = readFileSync(join(packageRoot, "migrations", "0000_record.sql"), "utf8");
      tamper(home.dir, `${first}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`);
      const backup = await here("backup", join(out, "copy.db"));
      expect([backup.code, backup.stderr]).to.deep.equal([
        1,
        `agentd: ${join(home.dir, "history.db")} was written by an older agentd. Start agentd serve with this one, which brings it up to date.\n`,
      ]);
      const { code, stdout, stderr } = await here("history", "--json");
      expect([code, stdout, stderr]).to.deep.equal([0, "[]\n", ""]);
      expect((await here("history", "verify")).stdout).to.equal("0 completed rows checked: ok\n");
    });

    const damaged: [
      what: string,
      make: (file: string) => void | Promise<void>,
      message: RegExp,
      commands: string[][],
    ][] = [
      ["that is none", (file) => writeFileSync(file, "no ".repeat(2000)), /file is not a database/, [["history"]]],
      ["that is a directory", (file) => mkdirSync(file), /not a regular file/, WHOLE],
      ["whose pages are lost", makeTorn, /malformed|not a database/, [["history"], ...WHOLE]],
    ];
    for (const [index, [what, make, message, commands]] of damaged.entries())
      it(`names a record ${what}, without a stack trace${allOnly(index > 0)}`, async () => {
        await make(join(out, "history.db"));
        for (const args of commands) {
          const { code, stdout, stderr } = await agentd([...args, "--data-dir", out]);
          expect([code, stdout], stderr).to.deep.equal([1, ""]);
          expect(stderr)
            .to.match(message)
            .and.include(join(out, "history.db"))
            .and.not.match(/^\s+at /m);
        }
      });

    it("names a data directory that is a file @all", async () => {
      const file = join(home.dir, "config.json");
      const { code, stderr } = await agentd(["history", "--data-dir", file]);
      expect([code, stderr]).to.deep.equal([1, `agentd: ${file} is not a directory. Is --data-dir right?\n`]);
    });
  });

  describe("history --follow", () => {
    it("prints calls when they start and again when they are over, for two readers at once, beside a daemon @all", async () => {
      const daemon = await serveHere();
      await prompt(daemon.url, "list");
      const people = follow();
      const machine = follow("--json", "--tool", "create_pet");
      await people.prints(/^1 .* ok .*list_pets/m);
      const answers: (() => void)[] = [];
      target.answer(() => (socket) => answers.push(() => socket.write(json({ id: 1 }))));
      const answer = prompt(daemon.url, "create");
      await machine.prints('"status":"pending"');
      await people.prints(/^2 .* pending .*create_pet/m);
      answers[0]?.();
      await answer;
      await machine.prints('"status":"ok"');
      await people.prints(/^2 .* ok .*create_pet/m);
      people.child.kill("SIGINT");
      machine.child.kill("SIGTERM");
      expect((await people.ended).code).to.equal(0);
      const { code, stdout, stderr } = await machine.ended;
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(lines(stdout).map(({ id, status }) => [id, status])).to.deep.equal([
        [2, "pending"],
        [2, "ok"],
      ]);
      expect((await daemon.stop()).code).to.equal(0);
    });

    it("needs no daemon, and goes on when one starts and stops @all", async () => {
      await here("run", "list");
      const following = follow("--json", "--limit", "1");
      await following.prints('"id":1');
      await here("run", "create");
      await following.prints(/"id":2.*"status":"ok"/);
      const daemon = await serveHere();
      await prompt(daemon.url, "list");
      await following.prints(/"id":3.*"status":"ok"/);
      await daemon.stop();
      following.child.kill("SIGINT");
      expect((await following.ended).code).to.equal(0);
      expect(readdirSync(home.dir).filter((name) => name.startsWith("history"))).to.deep.equal(["history.db"]);
    });
  });

  describe("history export", () => {
    it("writes every row of one moment, oldest first, beside a working daemon @all", async () => {
      const daemon = await serveHere();
      await prompt(daemon.url, "many");
      const busy = Promise.all(Array.from({ length: 3 }, (_, i) => prompt(daemon.url, "many", `busy-${i}`)));
      const file = join(out, "calls.ndjson");
      const { code, stdout, stderr } = await here("history", "export", file);
      await busy;
      const rows = lines(readFileSync(file, "utf8"));
      expect({ code, stdout, stderr }).to.deep.equal({
        code: 0,
        stdout: "",
        stderr: `${rows.length} rows written to ${file}\n`,
      });
      expect(rows.length).to.be.at.least(10);
      expect(ids(rows)).to.deep.equal(rows.map((_, i) => i + 1));
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const again = await here("history", "export", file);
      expect([again.code, again.stderr]).to.deep.equal([
        1,
        `agentd: ${file} exists; the export overwrites nothing. Give another file name.\n`,
      ]);
      expect(lines(readFileSync(file, "utf8"))).to.deep.equal(rows);
      await daemon.stop();
      const answered = parse((await here("history", "--json", "--limit", "1000")).stdout).reverse();
      expect(lines((await here("history", "export")).stdout)).to.deep.equal(answered);
      const filters = ["--after", "5", "--before", "8", "--tool", "create_pet", "--status", "ok", "--session", "s"];
      expect(ids(lines((await here("history", "export", "-", ...filters)).stdout))).to.deep.equal([6, 7]);
    });

    it("K11 K1 ends without a message when its reader leaves, and with one when it cannot be written @all", async () => {
      await here("run", "many");
      const head = await start(
        ["sh", "-c", '"$@" | head -n 1', "sh", ...PROGRAM, "history", "export", "--data-dir", home.dir],
        { input: "" },
      ).ended;
      expect([head.stderr, lines(head.stdout).length]).to.deep.equal(["", 1]);
      const full = await start(
        ["sh", "-c", '"$@" >/dev/full', "sh", ...PROGRAM, "history", "export", "--data-dir", home.dir],
        { input: "" },
      ).ended;
      expect(full.code).to.equal(1);
      expect(full.stderr).to.match(/^agentd: cannot write to stdout: ENOSPC.*\n$/);
      const nowhere = await here("history", "export", join(out, "no", "such.ndjson"));
      expect(nowhere.code).to.equal(1);
      expect(nowhere.stderr).to.include(`there is no folder ${join(out, "no")}`);
      // Files of 50 or 100 KB at most, whatever a block is; the record is longer, what SQLite keeps beside it is not.
      for (const args of [["history", "export"], ["backup"]]) {
        const words = [...PROGRAM, ...args, join(out, "long"), "--data-dir", home.dir];
        const long = await start(["sh", "-c", 'ulimit -f 100; "$@"', "sh", ...words], { input: "" }).ended;
        expect([long.code, long.stdout]).to.deep.equal([1, ""]);
        expect(long.stderr).to.match(/^agentd: cannot write the (export|backup) .*long: .*\n$/);
      }
      expect(readdirSync(out)).to.deep.equal([]);
    });
  });

  describe("Hash chain: history verify", () => {
    it("counts the rows of an intact record, and names the first that was changed or removed", async () => {
      const daemon = await serveHere();
      for (const message of ["list", "create", "list", "create"]) await prompt(daemon.url, message);
      const whole = await here("history", "verify", "--json");
      expect([whole.code, whole.stdout]).to.deep.equal([0, '{"ok":true,"rows":4}\n']);
      await daemon.stop();

      tamper(home.dir, "UPDATE history SET tool = 'list_pets' WHERE id >= 2");
      const changed = await here("history", "verify");
      expect([changed.code, changed.stdout]).to.deep.equal([
        1,
        "NOT OK: row 2 was changed after it was completed. 1 completed rows before that are as they were written.\n",
      ]);
      tamper(home.dir, "DELETE FROM history WHERE id = 1");
      const removed = await here("history", "verify", "--json");
      expect(removed.code).to.equal(1);
      expect(JSON.parse(removed.stdout)).to.deep.equal({
        ok: false,
        rows: 0,
        first_bad: 2,
        reason: "1 completed row(s) before row 2 are missing",
      });
    });
  });

  describe("backup", () => {
    it("J12 copies the whole record while the daemon writes, overwrites nothing, and the copy can be served @all", async () => {
      const daemon = await serveHere();
      await prompt(daemon.url, "many", "before");
      let isOver = false;
      const writing = (async () => {
        for (let i = 0; !isOver; i++) await prompt(daemon.url, "many", `busy-${i}`);
      })();
      const folder = join(out, "safe");
      const copy = join(folder, "history.db");
      mkdirSync(folder);
      const made = await here("backup", copy);
      isOver = true;
      await writing;
      const message = `the record was copied to ${copy} (${statSync(copy).size} bytes)\n`;
      expect([made.code, made.stdout, made.stderr]).to.deep.equal([0, "", message]);
      expect(statSync(copy).mode & 0o777).to.equal(0o600);
      expect(readdirSync(folder)).to.deep.equal(["history.db"]);
      const again = await here("backup", copy);
      expect([again.code, again.stderr]).to.deep.equal([
        1,
        `agentd: ${copy} exists; the backup overwrites nothing. Give another file name.\n`,
      ]);
      await daemon.stop();

      const all = lines((await here("history", "export")).stdout);
      const copied = await agentd(["history", "verify", "--data-dir", folder]);
      expect(copied.stdout).to.match(/^\d+ completed rows checked: ok\n$/);
      const rows = lines((await agentd(["history", "export", "--data-dir", folder])).stdout);
      expect(rows.length).to.be.within(10, all.length);
      const final = rows.filter(({ status }) => status !== "interrupted");
      expect(final).to.deep.equal(all.filter(({ id }) => ids(final).includes(id)));
      for (const name of ["config.json", "schema.json", "turns.json"])
        writeFileSync(join(folder, name), readFileSync(join(home.dir, name)));
      const restored = await serve(["--data-dir", folder], { env });
      const sessions = await getJson<SessionSummary[]>(`${restored.url}/-/sessions`);
      expect(sessions.map(({ session_id }) => session_id)).to.include("before");
      expect((await restored.stop()).code).to.equal(0);
    });
  });

  describe("Retention: history_keep_days", () => {
    it("deletes older calls and decided confirmations, keeps conversations and a record that verifies @all", async () => {
      const then = (...args: string[]): Promise<Ended> =>
        agentd(["run", ...args, "--data-dir", home.dir], { env: { ...env, ...shiftedClock(-40 * DAY_MS) } });
      const confirmations = (): unknown => {
        const db = new SqliteDatabase(join(home.dir, "history.db"));
        const count = db.prepare("SELECT count(*) FROM confirmations").pluck().get();
        db.close();
        return count;
      };
      await then("list", "--session", "old");
      await then("create", "--session", "old", "--confirm", "--yes");
      await here("run", "list", "--session", "new");
      expect(confirmations()).to.equal(1);
      expect(ids(parse((await here("history", "--json")).stdout))).to.deep.equal([3, 2, 1]);

      const config = JSON.parse(readFileSync(join(home.dir, "config.json"), "utf8")) as object;
      writeFileSync(join(home.dir, "config.json"), JSON.stringify({ ...config, history_keep_days: 30 }));
      const daemon = await serveHere();
      const history = () => getJson<HistoryEntry[]>(`${daemon.url}/history`);
      await until(() => confirmations() === 0);
      expect(ids(await history())).to.deep.equal([3]);
      const old = await getJson<{ turns: unknown[] }>(`${daemon.url}/-/sessions/old`);
      expect(old.turns.length).to.equal(2);
      await prompt(daemon.url, "create");
      expect(ids(await history())).to.deep.equal([4, 3]);
      expect((await here("history", "verify")).stdout).to.equal("2 completed rows checked: ok\n");
      await daemon.stop();
      expect(ids(lines((await here("history", "export")).stdout))).to.deep.equal([3, 4]);
    });
  });

  describe("Retention: session_keep_days", () => {
    it("deletes conversations that were not used since, and keeps their calls and the others @all", async () => {
      const then = { ...env, ...shiftedClock(-40 * DAY_MS) };
      for (const id of ["old", "used again", "waits"]) {
        const modes = id === "waits" ? ["--confirm"] : [];
        const words = ["run", id === "waits" ? "create" : "list", "--session", id, ...modes];
        await agentd([...words, "--data-dir", home.dir], { env: then });
      }
      // A call held then has expired since: only one that still waits would keep its conversation.
      await here("run", "list", "--session", "used again");
      const config = JSON.parse(readFileSync(join(home.dir, "config.json"), "utf8")) as object;
      writeFileSync(join(home.dir, "config.json"), JSON.stringify({ ...config, session_keep_days: 30 }));
      const daemon = await serveHere();
      const sessions = async () =>
        (await getJson<SessionSummary[]>(`${daemon.url}/-/sessions`)).map(({ session_id }) => session_id);
      await until(async () => (await sessions()).length === 1);
      expect(await sessions()).to.deep.equal(["used again"]);
      expect((await getJson<HistoryEntry[]>(`${daemon.url}/history`)).length).to.equal(4);
      await daemon.stop();
      expect((await here("history", "verify")).code).to.equal(0);
    });
  });

  it("N1 N4 keeps the secrets of the configuration out of every byte of export and backup, and likely secrets out of the history @all", async () => {
    const parameters = { type: "object", properties: { name: { type: "string" }, password: { type: "string" } } };
    const transport = { kind: "http", method: "POST", path: "/pets" };
    const actions = [{ name: "create_pet", provenance: "declared", parameters, transport }];
    const document = { version: 1, base_url: target.url, resources: [{ name: "pets", actions }] };
    writeFileSync(join(home.dir, "schema.json"), JSON.stringify(document));
    await here("run", "secret");
    expect(target.requests[0]?.header("authorization")).to.equal(SECRET);
    expect(target.requests[0]?.body.toString()).to.include(PASSWORD);
    const copy = join(out, "copy.db");
    expect((await here("backup", copy)).code).to.equal(0);
    const { stdout } = await here("history", "export");
    const [row] = lines(stdout);
    expect(row?.arguments).to.deep.equal({ name: "Rex", password: "[redacted]" });
    expect(JSON.stringify(row?.result)).to.include("[redacted]");
    expect(stdout).to.not.include(SECRET).and.not.include(PASSWORD);
    expect(readFileSync(copy, "latin1")).to.include("create_pet").and.not.include(SECRET);
    // What the model wrote stays in its transcript, which the model receives again; the history does not have it.
    const db = new SqliteDatabase(copy);
    const kept = JSON.stringify(db.prepare("SELECT * FROM history").all());
    db.close();
    expect(kept).to.include("Rex").and.not.include(PASSWORD);
  });
});
