// Tokens with names: whose word a call and a decision were, and what a read-only token may do on every route and entry point.
// Source: docs/reference.md, "Named tokens".
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Confirmation, HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { openSqliteReader } from "../../src/store/sqlite/open-reader.js";
import { builtUi } from "../support/built-ui.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { chat, entryPoints, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { routeTable } from "../support/routes.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const MAIN = "main-token-0123456789";
const LAPTOP = "laptop-token-0123456789";
const CI = "ci-token-0123456789";
const TOKENS = { laptop: LAPTOP, ci: { token: CI, read_only: true } };
/** The calls of the table that are not GET and may be used by a read-only token. */
const PERMITTED = [
  "post /run",
  "post /-/signin",
  "post /-/sessions/{id}/cancel",
  "post /-/turns/{turn_id}/calls/{call_id}/cancel",
  "post /-/tools/{name}/call",
  "post /-/mcp",
  "post /-/tools/{name}/call",
  "delete /-/mcp",
  "post /-/v1/chat/completions",
  "post /-/v1/responses",
  "post /-/v1/responses/{id}/cancel",
];

const CREATE = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
const TURNS = [
  { prompt: "create", replies: [CREATE, { text: "Done." }] },
  { prompt: "list", replies: [{ calls: [{ name: "list_pets", arguments: {} }] }, { text: "Two." }] },
  { prompt: "slow", replies: [{ text: "late", deltas: ["late"], delay_ms: 60_000 }] },
];

const auth = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

function startWithTokens(target: string): Promise<Daemon> {
  const config = { token: MAIN, tokens: TOKENS };
  const tokens = { laptop: { token: LAPTOP, readOnly: false }, ci: { token: CI, readOnly: true } };
  return startDaemon({ target, turns: TURNS, config, listen: { token: MAIN, tokens } });
}

describe("Named tokens: the routes of a read-only token", () => {
  let daemon: Daemon;
  before(async () => {
    daemon = await startWithTokens("http://127.0.0.1:9");
  });
  after(() => daemon.close());

  for (const { method, path } of routeTable()) {
    const name = `${method} ${path}`;
    const isPermitted = method === "get" || PERMITTED.includes(name);
    it(`A22 ${isPermitted ? "may use" : "gets 403 from"} ${name}`, async () => {
      const ask = (token: string): Promise<Response> =>
        fetch(daemon.url + path.replace("{id}", "unknown"), {
          method: method.toUpperCase(),
          headers: { ...auth(token), "Content-Type": "application/json" },
        });
      const codes = async (response: Response): Promise<string> =>
        response.status < 400 ? "" : ((await response.json()) as { error: { code: string } }).error.code;
      const [full, limited] = [await ask(MAIN), await ask(CI)];
      expect(full.status).to.not.equal(403);
      if (isPermitted) expect(limited.status).to.equal(full.status);
      else expect([limited.status, await codes(limited)]).to.deep.equal([403, "read_only_token"]);
    });
  }
});

describe("Named tokens", function () {
  this.timeout(30_000);
  let daemon: Daemon;
  let target: RecordingTarget;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    daemon = await startWithTokens(target.url);
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  const get = async <T>(path: string, token = MAIN): Promise<T> => {
    const response = await fetch(daemon.url + path, { headers: auth(token) });
    expect(response.status, path).to.equal(200);
    return (await response.json()) as T;
  };
  const run = (body: object, token: string): Promise<Response> =>
    postJson(`${daemon.url}/run`, body, { headers: auth(token) });
  const codeOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { error: { code: string } }).error.code;
  const running = async (): Promise<boolean> => daemon.agent.load().running === 1;

  describe("whose word it was", () => {
    it("keeps the name of the token with every row, turn and confirmation, and who decided", async () => {
      await run({ message: "create", session_id: "s", confirm: true }, LAPTOP);
      const [held] = await get<Confirmation[]>("/-/confirmations");
      expect(held).to.include({ asked_by: "laptop", decided_by: "", status: "pending" });
      await postJson(`${daemon.url}/-/confirmations/${held?.id}`, { decision: "approve" }, { headers: auth(MAIN) });
      const [decided] = await get<Confirmation[]>("/-/confirmations");
      expect(decided).to.include({ asked_by: "laptop", decided_by: "default", status: "approved" });
      const [row] = await get<HistoryEntry[]>("/history");
      expect(row).to.include({ asked_by: "laptop", status: "ok" });
      const { turns } = await get<{ turns: TranscriptTurn[] }>("/-/sessions/s");
      expect(turns.map(({ asked_by }) => asked_by)).to.deep.equal(["laptop"]);
    });

    it("keeps it through every entry point, and filters the history by it", async () => {
      for (const { ask } of entryPoints) await ask(daemon.url, { message: "list" }, auth(CI));
      await run({ message: "list" }, MAIN);
      const names = async (query: string) => (await get<HistoryEntry[]>(`/history${query}`)).map((row) => row.asked_by);
      expect(await names("?asked_by=ci")).to.deep.equal(entryPoints.map(() => "ci"));
      expect(await names("?asked_by=default")).to.deep.equal(["default"]);
      expect(await names("?asked_by=nobody")).to.deep.equal([]);
      expect(await names("")).to.have.length(entryPoints.length + 1);
    });

    it("is part of the hash chain", async () => {
      await run({ message: "list" }, LAPTOP);
      const reader = openSqliteReader(daemon.dataDir);
      expect(await reader.verify()).to.deep.equal({ ok: true, rows: 1 });
      await reader.close();
    });

    it("says nobody for a call whose turn was cancelled", async () => {
      const socket = await openChat(`${daemon.url}/chat?events=extended`, auth(LAPTOP));
      socket.send({ message: "create", confirm: true });
      const asked = async () => (await get<Confirmation[]>("/-/confirmations")).length === 1;
      await until(asked, 10_000, "no confirmation");
      socket.send({ type: "cancel" });
      await socket.turns();
      socket.close();
      const [denied] = await get<Confirmation[]>("/-/confirmations");
      expect(denied).to.include({ status: "denied", asked_by: "laptop", decided_by: "" });
    });
  });

  describe("a read-only token", () => {
    for (const { name, ask } of entryPoints)
      it(`A22 changes nothing by a prompt over ${name}, even where it asks for no mode`, async () => {
        await ask(daemon.url, { message: "create", read_only: false }, auth(CI));
        const [row] = await get<HistoryEntry[]>("/history");
        expect(row).to.include({ status: "blocked", asked_by: "ci" });
        expect(row?.policy.read_only).to.equal(true);
        expect(target.requests).to.deep.equal([]);
        await ask(daemon.url, { message: "create" }, auth(LAPTOP));
        expect(target.requests).to.have.length(1);
      });

    it("A22 decides nothing on /chat", async () => {
      await run({ message: "create", confirm: true }, MAIN);
      const [held] = await get<Confirmation[]>("/-/confirmations");
      const frame = JSON.stringify({ type: "confirm", id: held?.id, decision: "approve" });
      const [error = ""] = await chat(daemon.url, frame, auth(CI));
      expect(JSON.parse(error)).to.have.property("message").that.includes('"ci" is read-only');
      expect(await get<Confirmation[]>("/-/confirmations")).to.have.nested.property("[0].status", "pending");
      expect(target.requests).to.deep.equal([]);
    });

    it("A23 goes on in its own sessions and in no other", async () => {
      await run({ message: "list", session_id: "theirs" }, MAIN);
      expect((await run({ message: "list", session_id: "own" }, CI)).status).to.equal(200);
      expect((await run({ message: "list", session_id: "own" }, CI)).status).to.equal(200);
      const refused = await run({ message: "list", session_id: "theirs" }, CI);
      expect([refused.status, await codeOf(refused)]).to.deep.equal([403, "read_only_token"]);
      const [error = ""] = await chat(daemon.url, JSON.stringify({ message: "x", session_id: "theirs" }), auth(CI));
      expect(JSON.parse(error)).to.have.property("message").that.includes("session of another token");
      const { turns } = await get<{ turns: TranscriptTurn[] }>("/-/sessions/theirs", CI);
      expect(turns).to.have.length(1);
    });

    it("A23 waits in no queue of another token: it is refused while a turn runs there", async () => {
      const slow = run({ message: "slow", session_id: "theirs" }, MAIN);
      await until(running);
      const refused = await run({ message: "list", session_id: "theirs" }, CI);
      expect([refused.status, await codeOf(refused)]).to.deep.equal([403, "read_only_token"]);
      await postJson(`${daemon.url}/-/sessions/theirs/cancel`, {}, { headers: auth(MAIN) });
      await slow;
    });

    it("A23 steers no turn of another token by opening its session first, nor once it is not configured any more", async () => {
      for (const session_id of ["opened", "reopened"])
        expect((await run({ message: "list", session_id }, CI)).status).to.equal(200);
      const refusals = async (session_id: string): Promise<void> => {
        for (const token of [MAIN, LAPTOP]) {
          const refused = await run({ message: "create", session_id }, token);
          expect([refused.status, await codeOf(refused)]).to.deep.equal([409, "conflict"]);
        }
        const frame = JSON.stringify({ message: "create", session_id });
        const [error = ""] = await chat(daemon.url, frame, auth(LAPTOP));
        expect(JSON.parse(error))
          .to.have.property("message")
          .that.matches(/"ci".*Start another session/);
      };
      await refusals("opened");
      await daemon.reload({ token: MAIN, tokens: { laptop: LAPTOP } });
      await refusals("reopened");
      expect(target.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET"]);
      // Tokens that may change things go on in each other's sessions.
      for (const token of [MAIN, LAPTOP])
        expect((await run({ message: "list", session_id: "shared" }, token)).status).to.equal(200);
    });

    it("A23 takes no Idempotency-Key from another token", async () => {
      const keyed = (token: string): Promise<Response> =>
        postJson(`${daemon.url}/run`, { message: "list" }, { headers: { ...auth(token), "Idempotency-Key": "k" } });
      expect((await keyed(CI)).status).to.equal(200);
      expect((await keyed(CI)).headers.get("Idempotency-Replayed")).to.equal("true");
      const own = await keyed(LAPTOP);
      expect([own.status, own.headers.get("Idempotency-Replayed")]).to.deep.equal([200, null]);
      expect((await keyed(MAIN)).status).to.equal(422);
    });

    it("A23 cancels its own turns and no others, by the route and on /chat", async () => {
      const cancel = async (session: string, token: string): Promise<unknown> =>
        (await postJson(`${daemon.url}/-/sessions/${session}/cancel`, {}, { headers: auth(token) })).json();
      const theirs = run({ message: "slow", session_id: "theirs" }, MAIN);
      await until(running, 10_000, "no turn");
      expect(await cancel("theirs", CI)).to.deep.equal({ cancelled: 0 });
      const socket = await openChat(`${daemon.url}/chat?session_id=theirs&events=extended`, auth(CI));
      socket.send({ type: "follow" });
      await socket.until((frames) => frames.length >= 2);
      socket.send({ type: "cancel" });
      await socket.until((frames) => frames.some(({ message }) => String(message).includes("is read-only")));
      socket.close();
      expect(await running()).to.equal(true);
      expect(await cancel("theirs", LAPTOP)).to.deep.equal({ cancelled: 1 });
      await theirs;
      const own = run({ message: "slow", session_id: "own" }, CI);
      await until(running, 10_000, "no turn");
      expect(await cancel("own", CI)).to.deep.equal({ cancelled: 1 });
      await own;
    });

    it("A22 signs in to the web UI's files, and to nothing else", async () => {
      const tokens = { laptop: { token: LAPTOP, readOnly: false }, ci: { token: CI, readOnly: true } };
      const other = await startDaemon({ listen: { tokens, staticDir: await builtUi() } });
      try {
        const signIn = async (token: string): Promise<string> => {
          const response = await fetch(`${other.url}/-/signin`, { method: "POST", headers: auth(token) });
          expect(response.status).to.equal(204);
          return response.headers.get("set-cookie")?.split(";")[0] ?? "";
        };
        const [ci, laptop] = [await signIn(CI), await signIn(LAPTOP)];
        expect(ci).to.not.equal(laptop);
        const status = async (path: string, cookie: string): Promise<number> =>
          (await fetch(other.url + path, { headers: { cookie, accept: "text/html" } })).status;
        expect([await status("/", ci), await status("/", laptop), await status("/", "")]).to.deep.equal([
          200, 200, 401,
        ]);
        expect([await status("/history", ci), await status("/history", laptop)]).to.deep.equal([401, 401]);
      } finally {
        await other.close();
      }
    });
  });
});

describe("Named tokens of a daemon that was started", function () {
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
  const configure = (config: Record<string, unknown>): void => {
    const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ providers, ...config }));
  };

  it("needs none but the named ones, whose names the commands have, and says none of them @all", async () => {
    mkdirSync(join(home.dir, "secrets"));
    writeFileSync(join(home.dir, "secrets", "laptop"), `${LAPTOP}\n`);
    configure({ tokens: { laptop: "file:secrets/laptop", ci: { token: "env:CI_TOKEN", read_only: true } } });
    const env = { CI_TOKEN: CI };
    const daemon = await serve(["--data-dir", home.dir], { env });
    const without = await agentd(["run", "list", "--data-dir", home.dir], { env });
    expect(without.code).to.equal(1);
    expect(without.stderr).to.include("needs its token");
    const limited = await agentd(["run", "create", "--data-dir", home.dir], { env: { ...env, AGENTD_TOKEN: CI } });
    expect(limited.stdout + limited.stderr).to.include("Done.");
    expect(target.requests).to.deep.equal([]);
    await agentd(["run", "create", "--data-dir", home.dir], { env: { ...env, AGENTD_TOKEN: LAPTOP } });
    expect(target.requests).to.have.length(1);
    const list = (...args: string[]) =>
      agentd(["history", "--json", ...args, "--data-dir", home.dir], { env: { ...env, AGENTD_TOKEN: LAPTOP } });
    const rows = JSON.parse((await list()).stdout) as HistoryEntry[];
    expect(rows.map(({ asked_by, status }) => [asked_by, status])).to.deep.equal([
      ["laptop", "ok"],
      ["ci", "blocked"],
    ]);
    const filtered = JSON.parse((await list("--asked-by", "ci")).stdout) as HistoryEntry[];
    expect(filtered.map(({ asked_by }) => asked_by)).to.deep.equal(["ci"]);
    const config = await agentd(["config", "--json", "--data-dir", home.dir], { env });
    const { stderr } = await daemon.stop();
    for (const secret of [LAPTOP, CI]) expect(stderr + config.stdout + config.stderr).to.not.include(secret);
    expect(stderr).to.include('"asked_by":"laptop"');
  });

  it("keeps nobody's name for a command without a daemon @all", async () => {
    configure({ tokens: TOKENS });
    await agentd(["run", "list", "--data-dir", home.dir]);
    const { stdout } = await agentd(["history", "--json", "--data-dir", home.dir]);
    expect((JSON.parse(stdout) as HistoryEntry[]).map(({ asked_by }) => asked_by)).to.deep.equal([""]);
  });

  it("A24 refuses to start with two names for one token, with a name that stands for another, and with a bad one @all", async () => {
    const refused: [Record<string, unknown>, string][] = [
      [{ tokens: { a: LAPTOP, b: LAPTOP } }, 'the tokens "a" and "b" are the same'],
      [{ token: LAPTOP, tokens: { a: LAPTOP } }, 'the tokens "default" and "a" are the same'],
      [{ tokens: { default: LAPTOP } }, "is the name of the one `token`"],
      [{ tokens: { "a b": LAPTOP } }, "is no name of a token"],
      [{ tokens: { a: "two words" } }, "holds a space"],
      [{ tokens: { a: "env:NOT_SET" } }, "NOT_SET"],
      [{ tokens: { a: { token: LAPTOP, readonly: true } } }, "readonly"],
      [{ host: "0.0.0.0", tokens: { a: "short" } }, 'the token "a" must have'],
    ];
    for (const [config, text] of refused) {
      configure(config);
      const { code, stderr } = await agentd(["serve", "--port", "0", "--data-dir", home.dir]);
      expect(code, text).to.be.oneOf([1, 2]);
      expect(stderr).to.include(text).and.not.include(LAPTOP);
    }
  });

  it("A19 closes on SIGHUP what was opened with a token that is not valid any more, and leaves the others open", async () => {
    configure({ tokens: TOKENS });
    const daemon = await serve(["--data-dir", home.dir], { detached: true });
    const [laptop, ci] = [
      await openChat(`${daemon.url}/chat`, auth(LAPTOP)),
      await openChat(`${daemon.url}/chat`, auth(CI)),
    ];
    const reload = async (count: number): Promise<void> => {
      daemon.child.kill("SIGHUP");
      const lines = (): number => daemon.stderr().split("documents reloaded").length - 1;
      await until(() => lines() === count, 20_000, daemon.stderr());
    };
    configure({ tokens: { laptop: LAPTOP, ci: { token: `${CI}-renewed`, read_only: true } } });
    await reload(1);
    expect((await ci.closed).code).to.equal(1008);
    laptop.send("list");
    await laptop.turns();
    configure({ tokens: {} });
    await reload(2);
    expect((await postJson(`${daemon.url}/run`, { message: "list" })).status).to.equal(401);
    expect(daemon.stderr()).to.include("does not take the last tokens away");
    laptop.close();
    rmSync(join(home.dir, "config.json"));
    await daemon.stop();
  });
});
