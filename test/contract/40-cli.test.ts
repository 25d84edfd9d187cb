// The real command line: every test starts the program itself.
// Source: docs/reference.md, "Command line" and "Starting and stopping".

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { COMMANDS } from "../../src/cli/commands.js";
import type { HistoryEntry, SessionSummary } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { getJson, postJson } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { answer, itOnTerminal, onTerminal, typedTerminal } from "../support/terminal.js";

const LIST = { calls: [{ name: "list_pets", arguments: {} }] };
const CREATE = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
const createNamed = (name: string) => ({ id: name, name: "create_pet", arguments: { name } });
const TURNS = [
  { prompt: "list", replies: [LIST, { deltas: ["Two ", "pets."] }] },
  { prompt: "create", replies: [CREATE, { text: "Created." }] },
  { prompt: "several", replies: [{ calls: ["Ada", "Bob", "Cleo"].map(createNamed) }, { text: "Done." }] },
  { prompt: "fail", replies: [{ error: "the model is away" }] },
  { prompt: "stuck", replies: [LIST, { deltas: ["tick"], delay_ms: 60_000 }] },
  { prompt: "slow", replies: [{ deltas: ["tick", "tock", "tick"], delay_ms: 60_000 }] },
];

const kindsOf = (ndjson: string): string[] =>
  ndjson
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { kind: string }).kind);

describe("Command line", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const here = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", home.dir]);
  const serveHere = (...args: string[]): Promise<Served> => serve([...args, "--data-dir", home.dir]);

  describe("Usage", () => {
    for (const name of Object.keys(COMMANDS))
      it(`describes ${name} with --help${allOnly(name !== "serve")}`, async () => {
        const { code, stdout } = await agentd([name, "--help"]);
        expect(code).to.equal(0);
        expect(stdout)
          .to.match(new RegExp(`^agentd ${name}\\b`))
          .and.include("--data-dir");
      });

    it("takes help as a word, too, before a command and alone @all", async () => {
      for (const [word, option] of [
        [
          ["help", "run"],
          ["run", "--help"],
        ],
        [["help"], ["--help"]],
      ] as const)
        expect(await agentd([...word])).to.deep.equal({ ...(await agentd([...option])), code: 0 });
    });

    it("lists the commands when none is given, with exit code 2", async () => {
      const { code, stdout, stderr } = await agentd([]);
      expect([code, stdout]).to.deep.equal([2, ""]);
      for (const name of Object.keys(COMMANDS)) expect(stderr).to.include(`agentd ${name} `);
    });

    const wrong: [args: string[], message: string][] = [
      [["srve"], "agentd: unknown command srve. Did you mean serve? See agentd --help.\n"],
      [["serve", "--readonly"], "agentd: unknown option --readonly. Did you mean --read-only?\n"],
      [["run", "hi", "--no-strct"], "agentd: unknown option --no-strct. Did you mean --no-strict?\n"],
      [
        ["serve", "--read-only=yes"],
        "agentd: --read-only is on or off; write --read-only or --no-read-only, not --read-only=yes.\n",
      ],
      [["serve", "--port", "http"], "agentd: --port takes a whole number from 0 to 65535.\n"],
      [["serve", "--port"], "agentd: --port needs a value.\n"],
      [["serve", "--host", "a", "--bind", "b"], "agentd: --host is given twice.\n"],
      [["run"], "agentd: agentd run needs <prompt..>. See agentd run --help.\n"],
      [["status", "old"], 'agentd: agentd status does not know what to do with "old". See agentd status --help.\n'],
      [
        ["history", "--status", "failed"],
        "agentd: --status takes one of ok, error, blocked, denied, dry_run, held, pending, interrupted.\n",
      ],
      [
        ["sync", "mcp2", "x"],
        "agentd: unknown kind of description: mcp2. Did you mean mcp? Known: openapi, sql, graphql, mcp.\n",
      ],
      [
        ["sync", "shop.yaml"],
        "agentd: unknown kind of description: shop.yaml. Its kind comes first: agentd sync KIND shop.yaml. Known: openapi, sql, graphql, mcp.\n",
      ],
    ];
    for (const [index, [args, message]] of wrong.entries())
      it(`refuses "${args.join(" ")}" with exit code 2 and says why${allOnly(index > 1)}`, async () => {
        const { code, stdout, stderr } = await here(...args);
        expect({ code, stdout, stderr }).to.deep.equal({ code: 2, stdout: "", stderr: message });
      });
  });

  it("names the command that a beginning, swapped letters or another program's word mean @all", async () => {
    for (const [word, meant] of [
      ["rnu", "run"],
      ["hist", "history"],
      ["app", "applications or approvals"],
      ["version", "agentd --version"],
      ["rm", "agentd applications remove"],
      ["hsitory", "history"],
    ] as const) {
      const { code, stderr } = await agentd([word]);
      expect([code, stderr]).to.deep.equal([
        2,
        `agentd: unknown command ${word}. Did you mean ${meant}? See agentd --help.\n`,
      ]);
    }
    expect((await agentd(["walrus"])).stderr).to.not.include("mean");
  });

  for (const [flag, value] of [
    ["--from", "2h"],
    ["--to", "yesterday"],
    ["--safety", "nope"],
    ["--search", "x".repeat(300)],
    ["--tool-contains", "x".repeat(300)],
  ] as const)
    it(`names a flag whose value cannot be used as it was typed: ${flag}${allOnly(flag !== "--from")}`, async () => {
      const { code, stderr } = await here("history", `${flag}=${value}`);
      expect([code, stderr.slice(0, 8 + flag.length + 1)], stderr).to.deep.equal([2, `agentd: ${flag} `]);
    });

  describe("run --detach and --follow", () => {
    it("leaves a turn to the daemon and reads it from its beginning to its end, whoever reads it @all", async () => {
      const daemon = await serveHere();
      const { code, stdout, stderr } = await here("run", "list", "--session", "s", "--detach");
      expect(code, stderr).to.equal(0);
      const turn_id = stdout.trim();
      expect(stderr).to.equal(`session s; agentd run --follow ${turn_id} reads it\n`);
      for (let i = 0; i < 2; i++) {
        const followed = await here("run", "--follow", turn_id);
        expect([followed.code, followed.stdout]).to.deep.equal([0, "Two pets.\n"]);
        expect(followed.stderr).to.match(/^→ list_pets \{\}\n {2}ok, \d+ ms\n$/);
      }
      const names = await here("run", "list", "--detach", "--json");
      expect(Object.keys(JSON.parse(names.stdout) as object)).to.deep.equal(["turn_id", "session_id"]);
      await daemon.stop();
      // The record has it without a daemon, too.
      const json = await here("run", "--follow", turn_id, "--json");
      expect(kindsOf(json.stdout)).to.deep.equal([
        "user_prompt",
        "tool_call",
        "tool_result",
        "assistant_message",
        "done",
      ]);
    });

    it("refuses what cannot be followed or detached @all", async () => {
      const alone = await here("run", "list", "--detach");
      expect([alone.code, alone.stdout]).to.deep.equal([1, ""]);
      expect(alone.stderr).to.include("no daemon runs on this data directory");
      const both = await here("run", "list", "--follow", "x");
      expect([both.code, both.stderr]).to.deep.equal([
        2,
        "agentd: --follow TURN reads a turn that is there: it takes no prompt, --session or --detach.\n",
      ]);
      const unknown = await here("run", "--follow", "x");
      expect([unknown.code, unknown.stdout]).to.deep.equal([1, ""]);
      expect(unknown.stderr).to.include("there is no turn x");
    });
  });

  describe("serve", () => {
    it("prints exactly one line to stdout when it accepts connections, and logs to stderr as JSON", async () => {
      const daemon = await serveHere();
      expect((await fetch(`${daemon.url}/config/public`)).status).to.equal(200);
      const { code, stdout, stderr } = await daemon.stop();
      expect(code).to.equal(0);
      expect(stdout).to.equal(`agentd listening on ${daemon.url}\n`);
      for (const line of stderr.trim().split("\n")) expect(JSON.parse(line)).to.include.keys("level", "time", "msg");
      expect(stderr).to.include("provider played (scripted, played-1), as configured");
    });

    it("A8 refuses an empty token instead of running without one @all", async () => {
      for (const token of ["", "   "]) {
        const { code, stderr } = await here("serve", "--port", "0", "--token", token);
        expect(code).to.equal(2);
        expect(stderr).to.equal("agentd: --token is empty. Give a token, or leave it out to run without one.\n");
      }
      const { code, stderr } = await agentd(["serve", "--port", "0", "--data-dir", home.dir], {
        env: { AGENTD_TOKEN: "" },
      });
      expect(code).to.equal(1);
      expect(stderr).to.include("AGENTD_TOKEN is empty");
    });

    it("A17 refuses to listen beyond loopback without a token, unless --insecure-no-token is given", async () => {
      const { code, stderr } = await here("serve", "--port", "0", "--host", "0.0.0.0");
      expect(code).to.equal(2);
      expect(stderr).to.include("--token").and.include("--insecure-no-token");
      const daemon = await serveHere("--host", "0.0.0.0", "--insecure-no-token");
      expect(daemon.stderr()).to.include("INSECURE");
      await daemon.stop();
    });

    it("A20 refuses a token that not every client sends the same way", async () => {
      const { code, stderr } = await here("serve", "--port", "0", "--token", "pässword");
      expect(code).to.equal(2);
      expect(stderr).to.include("Use printable ASCII");
    });

    it("J7 refuses a second daemon on the same data directory and names the first one's pid @all", async () => {
      const daemon = await serveHere();
      const { code, stderr } = await here("serve", "--port", "0");
      expect(code).to.equal(1);
      expect(stderr).to.include(`pid ${daemon.child.pid}`).and.include(home.dir);
      await daemon.stop();
    });

    it("K11 keeps running when its output is closed", async () => {
      const daemon = await serveHere();
      daemon.child.stdout?.destroy();
      daemon.child.stderr?.destroy();
      for (let i = 0; i < 5; i++) expect((await fetch(`${daemon.url}/tools`)).status).to.equal(200);
      expect((await daemon.stop()).code).to.equal(0);
    });

    it("K12 answers when there is no space for its log", async () => {
      const full = ["sh", "-c", '"$@" 2>/dev/full', "sh", ...PROGRAM, "serve", "--port", "0", "--data-dir", home.dir];
      const running = start(full);
      await running.prints(/listening on \S+\n/);
      const url = /listening on (\S+)/.exec(running.stdout())?.[1] ?? "";
      for (let i = 0; i < 5; i++) expect((await fetch(`${url}/tools`)).status).to.equal(200);
      const { pid } = JSON.parse(readFileSync(join(home.dir, "daemon.json"), "utf8")) as { pid: number };
      process.kill(pid, "SIGTERM");
      expect((await running.ended).code).to.equal(0);
    });

    it("L1 ends with exit code 0 on SIGTERM and leaves no write-ahead log", async () => {
      const daemon = await serveHere();
      expect((await daemon.stop()).code).to.equal(0);
      expect(existsSync(join(home.dir, "history.db"))).to.equal(true);
      expect(existsSync(join(home.dir, "history.db-wal"))).to.equal(false);
    });

    it("L7 exits at once on a second signal", async () => {
      const daemon = await serveHere("--grace", "600");
      const answer = postJson(`${daemon.url}/run`, { message: "slow" }).catch(() => undefined);
      await expectRunning(daemon.url);
      daemon.child.kill("SIGINT");
      await daemon.prints('"msg":"stopping"');
      daemon.child.kill("SIGTERM");
      expect((await daemon.ended).code).to.equal(143);
      await answer;
    });

    it("L9 names the port that is in use", async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => other.once("listening", resolve));
      const address = other.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const { code, stderr } = await here("serve", "--port", String(port));
      other.close();
      expect(code).to.equal(1);
      expect(stderr).to.include(`Port ${port} on 127.0.0.1 is in use`).and.not.include("    at ");
    });

    it("L9 names the daemon of this account that has the port @all", async () => {
      const first = await serve(["--data-dir", home.dir]);
      const second = dataDir();
      const { code, stderr } = await agentd(["serve", "--port", String(first.port), "--data-dir", second.dir]);
      expect(code).to.equal(1);
      expect(stderr).to.include(`in use by the agentd of ${home.dir} (pid ${first.pid})`).and.include("--port");
      expect(stderr).to.include(`agentd status --data-dir ${home.dir}`);
      expect(first.isAlive()).to.equal(true);
      await first.stop();
    });

    itOnTerminal("L10 takes SIGHUP as SIGTERM while a terminal controls it", async () => {
      const running = start(onTerminal(["serve", "--port", "0", "--data-dir", home.dir]));
      await running.prints("agentd listening");
      const { pid } = JSON.parse(readFileSync(join(home.dir, "daemon.json"), "utf8")) as { pid: number };
      process.kill(pid, "SIGHUP");
      expect((await running.ended).code).to.equal(0);
      expect(running.stdout()).to.include("stopped");
    });

    it("N1 keeps the token out of what it prints, also in addresses", async () => {
      const token = "canary-token-4711";
      const daemon = await serveHere("--token", token);
      await fetch(`${daemon.url}/tools?token=${token}`, { headers: { Authorization: `Bearer ${token}` } });
      await fetch(`${daemon.url}/tools?token=wrong-but-secret`);
      const { stdout, stderr } = await daemon.stop();
      expect(stdout + stderr)
        .to.not.include(token)
        .and.not.include("wrong-but-secret");
    });

    const broken: [file: string, content: string, message: RegExp][] = [
      ["config.json", '{"safty":{}}', /config\.json.*\n.*unknown key safty\. Did you mean safety\?/],
      ["schema.json", "{", /schema\.json/],
      ["config.json", "{,}", /config\.json is not JSON/],
      ["history.db", "not a database, but long enough to be looked at as one", /history\.db/],
    ];
    for (const [index, [file, content, message]] of broken.entries())
      it(`names ${file} with ${content}, without a stack trace, with exit code 1${allOnly(index > 0)}`, async () => {
        writeFileSync(join(home.dir, file), content);
        const { code, stdout, stderr } = await here("serve", "--port", "0");
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
        expect(stderr)
          .to.match(message)
          .and.not.match(/^\s+at /m);
      });

    it("serves a sample application with --demo, in a data directory that is removed with it @all", async () => {
      const daemon = await serve(["--demo"]);
      const tools = await getJson<{ name: string }[]>(`${daemon.url}/tools`);
      expect(tools.map(({ name }) => name)).to.include.members(["listProducts", "warehouse_list_stock"]);
      const dir = /"data_dir":"([^"]+)"/.exec(daemon.stderr())?.[1] ?? "";
      expect(existsSync(dir)).to.equal(true);
      expect((await daemon.stop()).code).to.equal(0);
      expect(existsSync(dir)).to.equal(false);
    });
  });

  describe("run", () => {
    it("prints the text to stdout and the progress to stderr", async () => {
      const { code, stdout, stderr } = await here("run", "list", "the", "pets");
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Two pets.\n" });
      expect(stderr).to.match(/^session [0-9a-f-]{36}\n→ list_pets \{\}\n {2}ok, \d+ ms\n$/);
    });

    it("prints the event stream as NDJSON with --json", async () => {
      const { code, stdout } = await here("run", "list", "--json");
      expect(code).to.equal(0);
      expect(kindsOf(stdout)).to.deep.equal([
        "user_prompt",
        "tool_call",
        "tool_result",
        "assistant_delta",
        "assistant_delta",
        "assistant_message",
        "done",
      ]);
    });

    it("reads the prompt from stdin when it is - @all", async () => {
      const { stdout } = await agentd(["run", "-", "--data-dir", home.dir], { input: "list\nthe pets\n" });
      expect(stdout).to.equal("Two pets.\n");
    });

    it("ends with exit code 1 when the turn ended in an error", async () => {
      const { code, stdout, stderr } = await here("run", "fail");
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
      expect(stderr).to.include("error: the model is away");
    });

    it("continues a session by name, in a process of its own @all", async () => {
      await here("run", "list", "--session", "mine");
      await here("run", "list again", "--session", "mine");
      const { stdout } = await here("sessions", "--json");
      const [only, ...others] = JSON.parse(stdout) as SessionSummary[];
      expect(others).to.deep.equal([]);
      expect(only).to.include({ session_id: "mine", turns: 2, title: "list" });
    });

    it("sends nothing with --dry-run and refuses what changes with --read-only", async () => {
      await here("run", "create", "--dry-run");
      await here("run", "create", "--read-only");
      expect(target.requests).to.deep.equal([]);
      const { stdout } = await here("history", "--json");
      expect((JSON.parse(stdout) as HistoryEntry[]).map((entry) => entry.status)).to.deep.equal(["blocked", "dry_run"]);
    });

    it("holds a call that needs confirmation when there is no terminal, and says how to approve it", async () => {
      const { code, stderr } = await here("run", "create", "--confirm");
      expect(code).to.equal(0);
      expect(stderr).to.match(/held until .*--yes.*agentd approvals approve \S+/);
      expect(target.requests).to.deep.equal([]);
    });

    it("approves with --yes, and the call runs exactly once", async () => {
      const { code, stdout } = await here("run", "create", "--confirm", "--yes");
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Created.\n" });
      expect(target.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(["POST /pets"]);
    });

    for (const [typed, requests] of [
      ["y", 1],
      ["", 0],
      ["yikes", 0],
    ] as const)
      itOnTerminal(
        `asks on its terminal with the full arguments; "${typed}" sends ${requests} requests${allOnly(typed !== "y")}`,
        async () => {
          const running = start(onTerminal(["run", "create", "--confirm", "--data-dir", home.dir]));
          await running.prints("Run it? [y/N]");
          expect(running.stdout()).to.include('"name": "Rex"').and.include(`${target.url}/pets`);
          const { code } = await answer(running, typed);
          expect(code).to.equal(0);
          expect(target.requests.length).to.equal(requests);
        },
      );

    itOnTerminal(
      "asks about the changes of one reply one by one, each once it has told what became of the one before @all",
      async () => {
        const size = { rows: 60, columns: 80 };
        const args = onTerminal(["run", "several", "--confirm", "--data-dir", home.dir], size);
        const terminal = typedTerminal(start(args, { env: { TERM: "xterm" } }), size);
        for (const [name, typed] of [
          ["Ada", "y"],
          ["Bob", "n"],
          ["Cleo", "y"],
        ] as const) {
          await terminal.shows(`"name": "${name}"`);
          // Nothing of the call before is told later than this.
          const own = terminal.lines().filter((line) => /^. create_pet/.test(line)).length;
          expect(own, name).to.equal(["Ada", "Bob", "Cleo"].indexOf(name));
          await terminal.reply(/Run it\? \[y\/N\] *$/, typed);
        }
        expect((await terminal.ended).code).to.equal(0);
        expect(target.requests.map(({ body }) => String(body))).to.deep.equal(['{"name":"Ada"}', '{"name":"Cleo"}']);
        const told = terminal.lines().filter((line) => /^. create_pet/.test(line));
        expect(told.map((line) => line.replace(/,.*/, ""))).to.deep.equal([
          '✓ create_pet {"name":"Ada"} ok',
          '⊘ create_pet {"name":"Bob"} refused',
          '✓ create_pet {"name":"Cleo"} ok',
        ]);
        expect(terminal.lines().filter((line) => line.includes("a person refused the call"))).to.have.length(1);
      },
    );

    itOnTerminal("takes no line for an answer that was typed before the question @all", async () => {
      const running = start(onTerminal(["run", "create", "--confirm", "--data-dir", home.dir]));
      running.child.stdin?.write("y\r");
      await running.prints("Run it? [y/N]");
      expect((await answer(running, "")).code).to.equal(0);
      expect(target.requests).to.deep.equal([]);
    });

    it("is cancelled by the first Ctrl-C, says so, and ends with error and done", async () => {
      const running = start([...PROGRAM, "run", "slow", "--json", "--data-dir", home.dir], { input: "" });
      await running.prints("user_prompt");
      running.child.kill("SIGINT");
      const { code, stdout, stderr } = await running.ended;
      expect(code).to.equal(1);
      expect(stderr).to.include("stopping; Ctrl-C again leaves\n");
      expect(kindsOf(stdout)).to.deep.equal(["user_prompt", "error", "done"]);
      expect(stdout).to.include("cancelled");
    });

    it("is cancelled by SIGTERM with exit code 1, without a word about Ctrl-C @all", async () => {
      const running = start([...PROGRAM, "run", "slow", "--json", "--data-dir", home.dir], { input: "" });
      await running.prints("user_prompt");
      running.child.kill("SIGTERM");
      const { code, stdout, stderr } = await running.ended;
      expect([code, kindsOf(stdout)]).to.deep.equal([1, ["user_prompt", "error", "done"]]);
      expect(stderr)
        .to.match(/^stopping$/m)
        .and.not.include("Ctrl-C");
    });

    it("O6 escapes every control character that a model or a target writes", async () => {
      const evil = dataDir({
        target: target.url,
        turns: [{ prompt: "x", replies: [{ text: "a\u001b]52;c;AAAA\u0007\u009b2Jb" }] }],
      });
      const text = await agentd(["run", "x", "--data-dir", evil.dir]);
      const ndjson = await agentd(["run", "x", "--json", "--data-dir", evil.dir]);
      expect(text.stdout).to.equal("a\\u{1b}]52;c;AAAA\\u{07}\\u{9b}2Jb\n");
      expect(ndjson.stdout).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(ndjson.stdout).to.include("\\u009b2Jb");
    });
  });

  it("O6 escapes every control character that a description brings, and JSON stays the same JSON @all", async () => {
    const nasty = "a\u001b]52;c;AAAA\u0007\u009b2J\u202e\u2066\u200b\u007f\ud800b";
    const acts = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/;
    const document = join(home.dir, "api.json");
    const get = { operationId: `list${nasty}`, summary: nasty, responses: { 200: { description: "ok" } } };
    const broken = { operationId: "broken", parameters: [{ name: nasty, in: "nowhere" }], responses: {} };
    const paths = { "/pets": { get }, [`/broken/${nasty}`]: { post: broken } };
    const info = { title: nasty, version: nasty };
    writeFileSync(document, JSON.stringify({ openapi: "3.1.0", info, servers: [{ url: target.url }], paths }));
    const schema = join(home.dir, "schema.json");
    rmSync(schema);
    const commands = [
      ["sync", "openapi", document],
      ["sync", "openapi", document, "--json"],
      ["tools"],
      ["tools", "--json"],
      ["config", "--json", "--base-url", `${target.url}/\u009b`],
      ["tools", `\u009b2J`],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await here(...args);
      expect(stdout + stderr, args.join(" ")).to.not.match(acts);
      if (args.includes("--json")) expect(() => JSON.parse(stdout), stderr).to.not.throw();
    }
    const actions = [{ name: "list", description: nasty, transport: { kind: "http", path: "/" } }];
    writeFileSync(schema, JSON.stringify({ resources: [{ name: nasty, actions }] }));
    const { stdout } = await here("tools", "--json");
    expect(stdout).to.not.match(acts);
    expect((JSON.parse(stdout) as { description: string }[])[0]?.description).to.equal(nasty);
  });

  describe("chat", () => {
    it("runs one turn a line in one session @all", async () => {
      const { code, stdout, stderr } = await agentd(["chat", "--data-dir", home.dir, "--session", "talk"], {
        input: "list\n\ncreate\n",
      });
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Two pets.\nCreated.\n" });
      expect(stderr).to.include("session talk");
      const sessions = JSON.parse((await here("sessions", "--json")).stdout) as SessionSummary[];
      expect(sessions.map(({ session_id, turns }) => [session_id, turns])).to.deep.equal([["talk", 2]]);
    });

    it("ends with exit code 1 when a turn of piped prompts ended in an error, and not for a command @all", async () => {
      const given = (input: string) => agentd(["chat", "--data-dir", home.dir], { input });
      for (const [input, code] of [
        ["fail\nlist\n", 1],
        ["list\n/model nope\n", 0],
        ["list\n", 0],
      ] as const)
        expect((await given(input)).code, input).to.equal(code);
    });

    it("J7 is named to every command that needs the directory it holds, with what to do; what only reads works @all", async () => {
      await here("run", "create", "--confirm");
      const chat = start([...PROGRAM, "chat", "--data-dir", home.dir]);
      await chat.prints("Ctrl-D leaves");
      const who = `in use by "agentd chat" (pid ${chat.pid})`;
      const all = [
        ["run", "list"],
        ["chat"],
        ["undo", "--yes"],
        ["approvals", "approve"],
        ["serve", "--port", "0"],
        ["stop"],
        ["status"],
      ];
      const listed = await here("approvals", "--json");
      const [held] = JSON.parse(listed.stdout) as { id: string; tool: string }[];
      expect(held?.tool, listed.stderr).to.equal("create_pet");
      for (const args of all) {
        const { code, stdout, stderr } = await here(...args, ...(args[1] === "approve" ? [held?.id ?? ""] : []));
        expect(code, args[0]).to.equal({ stop: 0, status: 3 }[args[0] ?? ""] ?? 1);
        expect(stdout + stderr, args[0])
          .to.include(who)
          .and.include(`once "agentd serve" runs`);
        expect(stderr, args[0]).to.not.include(`"agentd stop"`);
      }
      for (const args of [["history"], ["sessions"], ["tools"], ["approvals"]])
        expect((await here(...args)).code, args[0]).to.equal(0);
      await chat.kill();
    });

    it("is refused at its start without the daemon's token, or with a wrong one", async () => {
      const daemon = await serveHere("--token", "s3cret-token");
      for (const token of [[], ["--token", "wrong-token"]]) {
        const { code, stderr } = await agentd(["chat", "--data-dir", home.dir, ...token], { input: "" });
        expect(code).to.equal(1);
        expect(stderr).to.include("AGENTD_TOKEN").and.not.include("session");
      }
      await daemon.stop();
    });

    itOnTerminal("cancels the turn with the first Ctrl-C and leaves with a second @all", async () => {
      const running = start(onTerminal(["chat", "--data-dir", home.dir]));
      await running.prints("> ");
      running.child.stdin?.write("stuck\r");
      await running.prints("list_pets");
      running.child.stdin?.write("\u0003");
      // A second one while the turn still ends would end the program: the prompt is waited for.
      await running.prints(/error: cancelled[\s\S]*> /);
      running.child.stdin?.write("\u0003");
      expect((await running.ended).code).to.equal(130);
    });
  });

  describe("With a daemon on the data directory", () => {
    it("J8 run, history and sessions go through it, and the events are the same as in process", async () => {
      const alone = await here("run", "list", "--json");
      const daemon = await serveHere();
      const through = await here("run", "list", "--json");
      const plain = await here("run", "list", "--session", "remote");
      const history = JSON.parse((await here("history", "--json")).stdout) as HistoryEntry[];
      const sessions = JSON.parse((await here("sessions", "--json")).stdout) as SessionSummary[];
      await daemon.stop();
      expect(kindsOf(through.stdout)).to.deep.equal(kindsOf(alone.stdout));
      expect(plain.stdout).to.equal("Two pets.\n");
      expect(history.map(({ tool, client }) => [tool, client])).to.deep.equal(Array(3).fill(["list_pets", "cli"]));
      expect(sessions[0]?.session_id).to.equal("remote");
    });

    it("sends the token of a file, and names the ways when it is missing @all", async () => {
      const file = join(home.dir, "token");
      writeFileSync(file, "s3cret-token\n");
      const daemon = await serveHere("--token-file", file);
      const none = await here("run", "list");
      const given = await here("run", "list", "--token-file", file);
      await daemon.stop();
      expect(none.code).to.equal(1);
      expect(none.stderr).to.include("AGENTD_TOKEN").and.include(daemon.url);
      expect(given.stdout).to.equal("Two pets.\n");
    });

    it("sends the token of a flag or the environment @all", async () => {
      const daemon = await serveHere("--token", "s3cret-token");
      const flag = await here("run", "list", "--token", "s3cret-token");
      const env = await agentd(["run", "list", "--data-dir", home.dir], { env: { AGENTD_TOKEN: "s3cret-token" } });
      await daemon.stop();
      expect([flag.stdout, env.stdout]).to.deep.equal(["Two pets.\n", "Two pets.\n"]);
    });

    it("asks for confirmation through the daemon, and adds modes @all", async () => {
      const daemon = await serveHere();
      const held = await here("run", "create", "--confirm");
      const approved = await here("run", "create", "--confirm", "--yes");
      const refused = await here("run", "create", "--read-only");
      await daemon.stop();
      expect(held.stderr).to.include("held until");
      expect(approved.stdout).to.equal("Created.\n");
      expect(refused.stderr).to.include("read_only is in force");
      expect(target.requests.length).to.equal(1);
    });

    it("goes through the daemon also when config.json has become unreadable, and says so @all", async () => {
      const daemon = await serveHere();
      writeFileSync(join(home.dir, "config.json"), "{,}");
      for (const command of [["run", "list"], ["history"], ["sessions"]]) {
        const { code, stderr } = await here(...command);
        expect(code, stderr).to.equal(0);
        expect(stderr).to.match(/^agentd: warning: .*config\.json is not JSON/m);
      }
      await daemon.stop();
    });

    it("refuses options that only the daemon can choose @all", async () => {
      const daemon = await serveHere();
      const { code, stderr } = await here("run", "list", "--base-url", "http://127.0.0.1:9");
      await daemon.stop();
      expect(code).to.equal(2);
      expect(stderr).to.include("--base-url").and.include(`pid ${daemon.child.pid}`);
    });

    it("says so when the daemon takes the connection and does not answer, and names no session @all", async () => {
      const daemon = await serveHere();
      const { pid } = daemon.child;
      process.kill(Number(pid), "SIGSTOP");
      const all = await Promise.all([here("history"), here("sessions"), here("run", "list")]);
      for (const { code, stdout, stderr } of all) {
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
        expect(stderr).to.match(new RegExp(`^agentd: the daemon at \\S+ \\(pid ${pid}\\) does not answer: .*\\n$`));
      }
      process.kill(Number(pid), "SIGCONT");
      await daemon.stop();
      expect(target.requests).to.deep.equal([]);
    });

    it("cancels the turn in the daemon on Ctrl-C @all", async () => {
      const daemon = await serveHere();
      const running = start([...PROGRAM, "run", "slow", "--json", "--data-dir", home.dir], { input: "" });
      await running.prints("user_prompt");
      running.child.kill("SIGINT");
      const { code, stdout } = await running.ended;
      expect(code).to.equal(1);
      expect(kindsOf(stdout)).to.deep.equal(["user_prompt", "error", "done"]);
      await daemon.prints('"status":"cancelled"');
      await daemon.stop();
    });
  });

  describe("Importing a description: sync", () => {
    const api = (paths: object, url: string): object => ({
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      servers: [{ url }],
      paths,
    });
    const get = (operationId: string): object => ({ get: { operationId, responses: { 200: { description: "ok" } } } });
    let folder: string;
    let file: string;
    beforeEach(() => {
      folder = temporaryFolder("sync");
      file = join(folder, "api.json");
      writeFileSync(file, JSON.stringify(api({ "/pets": get("listPets") }, target.url)));
    });
    const syncHere = (...args: string[]): Promise<Ended> =>
      agentd(["sync", "openapi", file, "--data-dir", join(folder, "data"), ...args]);
    const document = (): string => readFileSync(join(folder, "data", "schema.json"), "utf8");

    it("writes the schema document and prints what it imported, what it skipped and why", async () => {
      const broken = { get: { operationId: "broken", parameters: [{ $ref: "#/components/parameters/nowhere" }] } };
      writeFileSync(file, JSON.stringify(api({ "/pets": get("listPets"), "/broken/{id}": broken }, target.url)));
      const { code, stdout } = await syncHere();
      expect(code).to.equal(0);
      expect(stdout).to.equal(
        `1 of 2 operations are tools now: ${join(folder, "data", "schema.json")}\n1 skipped:\n  GET /broken/{id}: ${stdout.split("GET /broken/{id}: ")[1]?.split("\n")[0]}\ntools: listPets\nRequests go to ${target.url}.\nSafety: 1 read only, 0 mutating, 0 destructive.\n`,
      );
      expect(JSON.parse(document())).to.include({ source: "openapi", base_url: target.url });
    });

    it("shows the difference to the document it replaces @all", async () => {
      await syncHere();
      expect((await syncHere()).stdout).to.include("Nothing changed.");
      writeFileSync(file, JSON.stringify(api({ "/dogs": get("listDogs") }, target.url)));
      expect((await syncHere()).stdout).to.include("added: listDogs\nremoved: listPets\n");
    });

    it("takes an address where there was none, without --force @all", async () => {
      writeFileSync(file, JSON.stringify(api({ "/pets": get("listPets") }, "/")));
      expect(JSON.parse((await syncHere("--json")).stdout)).to.include({ base_url: "" });
      const named = await syncHere("--base-url", target.url);
      expect(named, named.stderr).to.have.property("code", 0);
      expect(JSON.parse(document())).to.include({ base_url: target.url });
      expect((await syncHere("--base-url", "http://127.0.0.1:1")).stderr).to.include(
        `of ${target.url}, not of http://127.0.0.1:1`,
      );
    });

    it("replaces the document of another application only with --force @all", async () => {
      await syncHere();
      const before = document();
      const refused = await syncHere("--base-url", "http://127.0.0.1:1/other");
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.include("--force");
      expect(document()).to.equal(before);
      const forced = await syncHere("--base-url", "http://127.0.0.1:1/other", "--force");
      expect(forced).to.have.property("code", 0);
      expect(forced.stdout)
        .to.include(`changed: base_url ${target.url} → http://127.0.0.1:1/other\n`)
        .and.not.include("Nothing changed.");
      expect(JSON.parse(document())).to.include({ base_url: "http://127.0.0.1:1/other" });
    });

    it("names a description it cannot read and keeps the document @all", async () => {
      await syncHere();
      const before = document();
      writeFileSync(file, "{ not json");
      const { code, stderr } = await syncHere();
      expect(code).to.equal(1);
      expect(stderr)
        .to.include(file)
        .and.not.match(/^\s+at /m);
      expect(document()).to.equal(before);
    });

    it("is used by a running daemon at once @all", async () => {
      await syncHere();
      const daemon = await serve(["--data-dir", join(folder, "data"), "--provider", "offline"]);
      writeFileSync(file, JSON.stringify(api({ "/dogs": get("listDogs") }, target.url)));
      expect((await syncHere()).code).to.equal(0);
      const tools = await getJson<{ name: string }[]>(`${daemon.url}/tools`);
      expect(tools.map(({ name }) => name)).to.deep.equal(["listDogs"]);
      await daemon.stop();
    });
  });

  describe("tools", () => {
    it("lists the tools, or those that match a query", async () => {
      const all = await here("tools");
      expect(all.stdout.trim().split("\n").length).to.equal(5);
      expect(all.stdout)
        .to.match(/^TOOL +SAFETY +REQUEST +DESCRIPTION\n/)
        .and.match(/delete_pet +destructive +DELETE \/pets\/\{id\}/);
      const found = await here("tools", "delete a pet", "--json");
      expect((JSON.parse(found.stdout) as { name: string }[])[0]?.name).to.equal("delete_pet");
    });
  });

  describe("tools and applications", () => {
    it("list what the daemon on the data directory has in force, and the files without one @all", async () => {
      const folder = temporaryFolder("demo-test");
      const there = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", folder]);
      const daemon = await serve(["--demo", "--data-dir", folder]);
      const listed = await there("tools");
      expect(listed.stdout)
        .to.match(/^TOOL +APPLICATION +SAFETY/)
        .and.match(/\nlistProducts +- +read_only/)
        .and.match(/\nwarehouse_list_stock +warehouse +read_only/);
      expect((await there("tools", "list products", "--application", "-")).stdout)
        .to.include("listProducts")
        .and.not.include("warehouse_");
      const named = await there("tools", "--application", "warehouse", "--json");
      const ofWarehouse = await getJson<object[]>(`${daemon.url}/tools?application=warehouse`);
      expect(JSON.parse(named.stdout)).to.deep.equal(ofWarehouse);
      expect((await there("tools", "--application", "warehose")).stderr).to.include("Did you mean warehouse?");
      expect((await there("applications")).stdout)
        .to.match(/\n- +openapi +http:\S+ +\d+/)
        .and.match(/\nwarehouse +sql +\S+ +\d+/);
      expect((await there("__complete", "applications")).stdout).to.equal("-\nwarehouse\n");
      expect((await there("__complete", "tools")).stdout).to.include("warehouse_list_stock\n");
      await daemon.stop();
      for (const command of ["tools", "applications"])
        expect((await there(command)).stderr).to.include("No application is connected yet.");
    });
  });

  describe("history", () => {
    it("prints the calls newest first, filtered and limited @all", async () => {
      await here("run", "list", "--session", "one");
      await here("run", "create", "--session", "two");
      const { stdout } = await here("history");
      expect(stdout).to.match(
        /^ID +TIME +STATUS +TOOL +TOOK +ARGUMENTS\n2 .* ok +create_pet .*"name":"Rex".*\n1 .* ok +list_pets/,
      );
      const one = JSON.parse((await here("history", "--json", "--tool", "list_pets")).stdout) as HistoryEntry[];
      expect(one.map(({ id, session_id }) => [id, session_id])).to.deep.equal([[1, "one"]]);
      const newest = JSON.parse((await here("history", "--json", "--limit", "1")).stdout) as HistoryEntry[];
      expect(newest.map(({ id }) => id)).to.deep.equal([2]);
    });
  });

  describe("Precedence of settings: config", () => {
    const value = async (name: string, args: string[], env: Record<string, string> = {}): Promise<unknown[]> => {
      const { stdout } = await agentd(["config", "--json", "--data-dir", home.dir, ...args], { env });
      const lines = JSON.parse(stdout) as { name: string; value: unknown; from: string }[];
      const line = lines.find((one) => one.name === name);
      return [line?.value, line?.from];
    };

    it("lets flags win over AGENTD_* variables, those over config.json, those over defaults @all", async () => {
      expect(await value("port", [])).to.deep.equal([4242, "default"]);
      writeFileSync(join(home.dir, "config.json"), JSON.stringify({ port: 1000 }));
      expect(await value("port", [])).to.deep.equal([1000, "config.json"]);
      expect(await value("port", [], { AGENTD_PORT: "2000" })).to.deep.equal([2000, "AGENTD_PORT"]);
      expect(await value("port", ["--port", "3000"], { AGENTD_PORT: "2000" })).to.deep.equal([3000, "flag"]);
    });

    it("shows no secret", async () => {
      writeFileSync(
        join(home.dir, "config.json"),
        JSON.stringify({
          token: "env:T",
          providers: { p: { type: "openai", api_key: "literal-canary" } },
          target: { headers: { Authorization: "env:T" }, auth: { key: "file:missing" } },
        }),
      );
      const { code, stdout, stderr } = await agentd(["config", "--data-dir", home.dir], { env: { T: "env-canary" } });
      expect(code).to.equal(0);
      expect(stdout + stderr).to.not.match(/canary/);
      expect(stdout)
        .to.match(/^token +\[set\] +config\.json$/m)
        .and.match(/^provider\.api_key +\[set\] /m);
      expect(stderr).to.include("plain text").and.include("missing");
    });
  });
});

async function expectRunning(url: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const text = await (await fetch(`${url}/-/metrics`)).text();
    if (/agentd_turns_running 1/.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the turn never started");
}
