// The question before a held call, on a real terminal: what a model that wants a yes can show there, and what counts as the yes.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { describeHeld } from "../../../src/cli/terminal/confirm.js";
import type { HeldCall } from "../../../src/domain/event.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { dataDir, start, stopAll } from "../../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { answer, itOnTerminal, onTerminal } from "../../support/terminal.js";

const PROMPT = "Run it? [y/N] ";
/** Fills the screen, and then imitates a question about a call that does no harm. */
const SCROLL = `${" ".repeat(79)}\n`.repeat(60);
const IMITATION = `${SCROLL}agentd asks, about the 3 rows above:\n  sends: GET http://127.0.0.1/pets\n  tool:  list_pets (read_only)\n${PROMPT}`;
const TURNS = [
  { prompt: "imitate", replies: [{ calls: [{ name: "create_pet", arguments: { name: IMITATION } }] }, { text: "ok" }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "ok" }] },
  {
    prompt: "slowly",
    replies: [
      { deltas: ["tick", "tock"], delay_ms: 300, calls: [{ name: "create_pet", arguments: { name: "Rex" } }] },
      { text: "ok" },
    ],
  },
];

const held = (over: Partial<HeldCall>): HeldCall => ({
  id: "1",
  session_id: "s",
  turn_id: "t",
  call_id: "c",
  application: "",
  tool: "delete_pet",
  safety: "destructive",
  arguments: {},
  request: { method: "DELETE", url: "http://127.0.0.1:8000/api/pets/2" },
  created_at: "",
  expires_at: "",
  ...over,
});
/** The rows after the last one that the model could write. */
const ownRows = (text: string): string[] => text.slice(text.lastIndexOf("\nagentd asks, ") + 1).split("\n");

describe("The question before a held call", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }, 201));
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });
  const run = (prompt: string, ...more: string[]) =>
    start(onTerminal(["run", prompt, "--confirm", "--data-dir", home.dir, ...more], { rows: 24, columns: 80 }));

  it("O9 ends with the daemon's own rows, whatever the model wrote and however long it is @all", () => {
    const long = "x".repeat(200_000);
    const calls: { call: HeldCall; sends: string }[] = [
      { call: held({ arguments: { name: IMITATION } }), sends: "  sends: DELETE http://127.0.0.1:8000/api/pets/2" },
      { call: held({ arguments: { [IMITATION]: long } }), sends: "  sends: DELETE http://127.0.0.1:8000/api/pets/2" },
      { call: held({ request: { method: "PUT", url: `http://a/${long}` } }), sends: "  sends: PUT http://a/xxx" },
      { call: held({ tool: `${IMITATION}${long}` }), sends: "  sends: DELETE" },
      {
        call: held({ request: { method: "GET", url: `http://a/?${PROMPT}\u001b[2A\u202e東` } }),
        sends: "  sends: GET http://a/?Run it? \\u{5b}y/N] \\u{1b}[2A\\u{202e}\\u{6771}",
      },
      {
        call: held({ request: { server: "stdio:files", tool: "write_file", arguments: { path: "/a" } } }),
        sends: "  sends: write_file to stdio:files",
      },
      {
        call: held({ request: { statement: "DROP TABLE pets", database: "sqlite:a.db" } }),
        sends: "  sends: DROP TABLE pets  to sqlite:a.db",
      },
      {
        call: held({
          request: {
            statement: `${IMITATION}${long}  to sqlite:b.db`,
            parameters: [IMITATION],
            database: "sqlite:a.db",
          },
        }),
        sends: "  sends:                                                                                 \\u{a}",
      },
      {
        call: held({ request: { undo: 17, tool: "update_pet", method: "PUT", url: "http://a/pets/1", arguments: {} } }),
        sends: "  sends: undo of call 17 (update_pet) by PUT http://a/pets/1",
      },
      {
        call: held({ request: { undo: 17, tool: "lower", arguments: {} } }),
        sends: "  sends: undo of call 17 (lower)",
      },
      {
        call: held({ arguments: { a: "東".repeat(500), b: "e\u0301".repeat(500) } as JsonObject }),
        sends: "  sends: DELETE",
      },
    ];
    for (const { call, sends } of calls)
      for (const columns of [80, 20, 0]) {
        const text = describeHeld(call, columns);
        const own = ownRows(text);
        expect(own.length).to.be.below(columns === 20 ? 60 : 16);
        expect(own.at(-1)).to.equal(PROMPT);
        expect(
          own
            .slice(1, -1)
            .map((row) => row.slice(9))
            .join(""),
        ).to.include(sends.slice(9, 60));
        expect(own.slice(1).every((row) => row === PROMPT || row.startsWith("  "))).to.equal(true);
        expect(own.slice(1, -1).join("\n")).to.not.match(/\[y\/n\]|[^\n\x20-\x7e]/i);
        const theirs = text
          .slice(0, text.lastIndexOf("\nagentd asks, "))
          .split("\n")
          .filter((row) => row !== "");
        expect(theirs.shift()).to.equal("The model asks for this call:");
        for (const row of theirs) {
          expect(row.startsWith("  | ")).to.equal(true);
          expect(row.length).to.be.below(columns || 80);
        }
      }
  });

  it("breaks rows behind a space where there is one, and drops nothing", () => {
    const note = `${"word ".repeat(40)}${"y".repeat(120)}  end`;
    const text = describeHeld(held({ effect: { changes: [], complete: true, note } }), 80);
    const rows = text.split("\n").flatMap((row) => (row.startsWith("  | ") ? [row.slice(4)] : []));
    const from = rows.findIndex((row) => row.includes("note:"));
    const own = rows.slice(from, rows.indexOf("request: DELETE http://127.0.0.1:8000/api/pets/2"));
    expect(own.slice(0, -1).filter((row) => !/( |y)$/.test(row))).to.deep.equal([]);
    expect(rows.join("")).to.include(note);
  });

  it("O9 shows the target of a statement last, whatever the statement says", () => {
    for (const statement of ["DELETE FROM a  to sqlite:b.db", `${"x".repeat(1000)}  to sqlite:b.db`]) {
      const text = describeHeld(held({ request: { statement, parameters: [1], database: "sqlite:a.db" } }), 80);
      const sends = ownRows(text)
        .slice(1, -2)
        .map((row) => row.slice(9))
        .join("");
      expect(sends).to.match(/ {2}\[1\] {2}to sqlite:a\.db$/);
    }
  });

  it("shows what changes first, then the arguments this leaves out, then the request without what it repeats", () => {
    const change = {
      resource: "pets",
      key: { id: 1 },
      before: { id: 1, name: "Rex", age: 4 },
      after: { id: 1, name: "Max", age: 4 },
    };
    const effect = { changes: [change], complete: false };
    const request = {
      method: "PATCH",
      url: "http://a/pets/1",
      headers: { Accept: "*/*" },
      body: { name: "Max", age: 4 },
    };
    const theirs = (call: HeldCall): string[] =>
      describeHeld(call, 80)
        .split("\n")
        .flatMap((row) => (row.startsWith("  | ") ? [row.slice(4)] : []));
    const argumentsOf = (rows: string[]): unknown => {
      const from = rows.indexOf("arguments: {");
      expect(from).to.be.above(-1);
      const to = rows.findIndex((row) => row.startsWith("request:"));
      return JSON.parse(["{", ...rows.slice(from + 1, to)].join("\n"));
    };
    const diff = ["what it would do:", '  changed in pets {"id":1}', '    name: "Rex" -> "Max"'];
    const sent = "request: PATCH http://a/pets/1, made of the arguments";
    const args = { id: 1, name: "Max", age: 4 };
    // What stays as it is has no line of its own.
    expect(theirs(held({ arguments: args, request, effect }))).to.deep.equal([
      ...diff,
      "arguments: {",
      '  "age": 4',
      "}",
      sent,
    ]);
    const { age: _, ...shown } = args;
    expect(theirs(held({ arguments: shown, request: { ...request, body: { name: "Max" } }, effect }))).to.deep.equal([
      ...diff,
      sent,
    ]);
    expect(
      theirs(held({ arguments: { id: 1 }, request: { ...request, body: { name: "Eve" } }, effect })).slice(3),
    ).to.deep.equal(["request: PATCH http://a/pets/1 {", '  "body": {', '    "name": "Eve"', "  }", "}"]);
    // Of another name or value it is another thing.
    for (const other of [{ name: "max" }, { newName: "Max" }, { name: ["Max"] }] as JsonObject[])
      expect(argumentsOf(theirs(held({ arguments: other, request, effect })))).to.deep.equal(other);
    const owner = {
      ...change,
      before: { owner: { city: "Ulm", name: "Ada" } },
      after: { owner: { city: "Bonn", name: "Ada" } },
    };
    const nested = held({
      arguments: { owner: { city: "Bonn", name: "Ada" } },
      request,
      effect: { changes: [owner], complete: true },
    });
    expect(theirs(nested)[2]).to.equal('    owner.city: "Ulm" -> "Bonn"');
    expect(argumentsOf(theirs(nested))).to.deep.equal({ owner: { name: "Ada" } });
    const plain = theirs(held({ arguments: args, request }));
    expect(argumentsOf(plain)).to.deep.equal(args);
    expect(plain.join(" ")).to.include(sent).and.not.include("Accept");
  });

  it("O9 names the application among its own rows, where it has a name", () => {
    const rows = (call: HeldCall): string[] => ownRows(describeHeld(call, 80)).slice(1, -1);
    const plain = held({ tool: "shop_delete_pet" });
    expect(rows(plain).length).to.equal(2);
    const [sends, to, tool, ...others] = rows({ ...plain, application: "shop" });
    expect(sends).to.equal(rows(plain)[0]);
    expect(to).to.equal("  to:    the application shop");
    expect(tool).to.equal("  tool:  shop_delete_pet (destructive)");
    expect(others).to.deep.equal([]);
  });

  itOnTerminal("O9 names the true call on the last rows of the screen", async () => {
    const running = run("imitate");
    await running.prints(/create_pet \(mutating\)[\s\S]*Run it\?/);
    const screen = running
      .stdout()
      .replace(/\r|\u001b\[[0-9;]*[A-Z]/g, "")
      .split("\n")
      .slice(-24);
    expect(screen.join("\n")).to.include(`sends: POST ${target.url}/pets`).and.include("tool:  create_pet (mutating)");
    expect(screen.filter((row) => row.startsWith(PROMPT)).length).to.equal(1);
    expect(screen.filter((row) => row.startsWith("agentd asks")).length).to.equal(1);
    expect((await answer(running, "")).code).to.equal(0);
    expect(target.requests).to.deep.equal([]);
  });

  for (const [what, typed] of [
    ["a paste of several lines", "yes\ny\nyes\r\ny\rye"],
    ["part of a line", "yes"],
  ] as const)
    itOnTerminal(`O10 takes ${what} that was typed before it for no answer @all`, async () => {
      const running = run("slowly");
      await running.prints("tick");
      running.child.stdin?.write(typed);
      await running.prints(PROMPT);
      expect((await answer(running, "")).code).to.equal(0);
      expect(target.requests).to.deep.equal([]);
    });

  itOnTerminal("O10 takes what is typed in its first half second for no answer, and then a yes for a yes", async () => {
    const running = run("create");
    await running.prints(PROMPT);
    running.child.stdin?.write("yes\r");
    await sleep(200);
    expect(running.isAlive()).to.equal(true);
    expect(target.requests).to.deep.equal([]);
    expect((await answer(running, "yes")).code).to.equal(0);
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(["POST /pets"]);
  });

  itOnTerminal("O10 takes what was typed while a turn ran for no answer, and says so @all", async () => {
    const running = start(onTerminal(["chat", "--confirm", "--data-dir", home.dir]));
    await running.prints("> ");
    running.child.stdin?.write("slowly\r");
    await running.prints("tick");
    running.child.stdin?.write("yes\rcreate\rye");
    await running.prints(PROMPT);
    await running.prints("typed before this question is dropped");
    await sleep(200);
    const denying = setInterval(() => running.child.stdin?.write("\r"), 300);
    await running.prints("denied");
    clearInterval(denying);
    expect((await answer(running, "/exit")).code).to.equal(0);
    expect(target.requests).to.deep.equal([]);
    expect(running.stdout().split(PROMPT).length).to.equal(2);
  });
});
