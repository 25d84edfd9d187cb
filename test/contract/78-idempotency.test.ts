// A prompt with an Idempotency-Key runs once, however often it is sent, and whatever dies meanwhile.
// Source: docs/reference.md, "Sending a prompt once".

import { expect } from "chai";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { TurnEvent } from "../../src/domain/event.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { readStream } from "../support/streams.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const JSON_TYPE = "application/json";
const SSE = "text/event-stream";
const NDJSON = "application/x-ndjson";

const TURNS = [
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Made." }] },
  { prompt: "wait", replies: [{ deltas: ["so ", "long"], delay_ms: 250 }] },
  { prompt: "hang", replies: [{ deltas: ["half ", "a ", "never"], delay_ms: 60_000 }] },
];

interface Answer {
  status: number;
  turn_id: string | null;
  isReplayed: boolean;
  kinds: string[];
  body: { result?: string; session_id?: string; events?: TurnEvent[]; error?: { code: string; message: string } };
}

async function answerOf(response: Response): Promise<Answer> {
  const isJson = response.headers.get("content-type") === JSON_TYPE;
  const body = (isJson ? await response.json() : {}) as Answer["body"];
  const all = isJson ? (body.events ?? []) : (await readStream(response)).events.map(({ event }) => event);
  // As every replay, a stored answer has a message in place of its deltas.
  const events = all.filter(({ kind }) => kind !== "assistant_delta");
  if (isJson && body.events) body.events = events;
  return {
    status: response.status,
    turn_id: response.headers.get("x-turn-id"),
    isReplayed: response.headers.get("idempotency-replayed") === "true",
    kinds: events.map(({ kind }) => kind),
    body,
  };
}

const send = (url: string, key: string, body: object, init: { accept?: string; signal?: AbortSignal } = {}) =>
  postJson(`${url}/run`, body, {
    headers: { "idempotency-key": key, accept: init.accept ?? JSON_TYPE },
    ...(init.signal ? { signal: init.signal } : {}),
  });

/** How often everything is killed at a moment of its own. */
const ROUNDS = 12;

describe("Sending a prompt once", () => {
  let target: RecordingTarget;
  let daemon: Daemon;

  const begin = async (config: Record<string, unknown> = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, turns: TURNS, config });
  };
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }));
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });
  const ask = async (key: string, body: object, accept?: string): Promise<Answer> =>
    answerOf(await send(daemon.url, key, body, accept === undefined ? {} : { accept }));
  const turnsOf = async (id: string): Promise<string[]> =>
    ((await transcriptOf(daemon.agent, id)) ?? []).map(({ status }) => status);

  const WHOLE = ["user_prompt", "tool_call", "tool_result", "assistant_message", "done"];

  for (const first of [JSON_TYPE, SSE, NDJSON])
    it(`answers ${first} once, and every form after it from the record`, async () => {
      await begin();
      const body = { message: "create", session_id: "s" };
      const one = await ask("k", body, first);
      expect([one.status, one.isReplayed, one.kinds]).to.deep.equal([200, false, WHOLE]);
      for (const accept of [JSON_TYPE, SSE, NDJSON]) {
        const again = await ask("k", body, accept);
        expect([again.status, again.isReplayed, again.turn_id]).to.deep.equal([200, true, one.turn_id]);
        expect(again.kinds).to.deep.equal(WHOLE);
        if (accept === first) expect(again.body).to.deep.equal(one.body);
      }
      expect(target.requests.length).to.equal(1);
      expect(await turnsOf("s")).to.deep.equal(["done"]);
    });

  it("answers a detached prompt with the names of the same turn", async () => {
    await begin();
    const body = { message: "create", session_id: "s", detach: true };
    const names = async (): Promise<[number, unknown]> => {
      const response = await send(daemon.url, "k", body);
      return [response.status, await response.json()];
    };
    const first = await names();
    expect(first[0]).to.equal(202);
    expect(await names()).to.deep.equal(first);
    await until(async () => (await turnsOf("s"))[0] === "done");
    expect(await names()).to.deep.equal(first);
    expect((await ask("k", body, SSE)).kinds).to.deep.equal(WHOLE);
    expect(target.requests.length).to.equal(1);
  });

  it("makes one turn of requests that come at the same instant", async () => {
    await begin();
    const accepts = [JSON_TYPE, SSE, NDJSON, JSON_TYPE, SSE, NDJSON];
    const answers = await Promise.all(accepts.map((accept) => ask("k", { message: "create" }, accept)));
    expect(new Set(answers.map(({ turn_id }) => turn_id)).size).to.equal(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed).length).to.equal(1);
    for (const { kinds } of answers) expect(kinds).to.deep.equal(WHOLE);
    expect(target.requests.length).to.equal(1);
  });

  for (const accept of [JSON_TYPE, SSE, NDJSON])
    it(`goes on when a client of ${accept} is lost, and the next one waits for its end`, async () => {
      await begin();
      const gone = new AbortController();
      const lost = send(daemon.url, "k", { message: "wait", session_id: "s" }, { accept, signal: gone.signal });
      await until(() => daemon.agent.load().running === 1);
      gone.abort();
      await lost.then(
        (response) => response.text().catch(() => ""),
        () => "",
      );
      const { status, isReplayed, kinds } = await ask("k", { message: "wait", session_id: "s" }, accept);
      expect([status, isReplayed]).to.deep.equal([200, true]);
      expect(kinds).to.deep.equal(["user_prompt", "assistant_message", "done"]);
      expect(await turnsOf("s")).to.deep.equal(["done"]);
    });

  it("refuses another prompt under the key with 422, and takes what means the same", async () => {
    await begin();
    const { turn_id } = await ask("k", { message: "create" });
    for (const other of [
      { message: "create it" },
      { message: "create", dry_run: true },
      { message: "create", detach: true },
    ]) {
      const { status, body } = await ask("k", other);
      expect([status, body.error?.code]).to.deep.equal([422, "idempotency_mismatch"]);
    }
    expect((await ask("k", { strict: false, message: "create" })).turn_id).to.equal(turn_id);
    expect(target.requests.length).to.equal(1);
  });

  it("counts a key in its session, and without one in the daemon", async () => {
    await begin();
    const bodies = [
      { message: "create" },
      { message: "create", session_id: "a" },
      { message: "create", session_id: "b" },
    ];
    const turns = await Promise.all(bodies.map(async (body) => (await ask("k", body)).turn_id));
    expect(new Set(turns).size).to.equal(3);
    expect(target.requests.length).to.equal(3);
  });

  it("takes a structured string and bare text as the same key, and refuses what is none", async () => {
    await begin();
    const { turn_id } = await ask("8e03978e-40d5", { message: "create" });
    expect((await ask('"8e03978e-40d5"', { message: "create" })).turn_id).to.equal(turn_id);
    expect((await ask('"with a \\"space\\""', { message: "create" })).status).to.equal(200);
    for (const key of ["", '""', "a b", '"open', '"a"b', "k".repeat(256), '"a", "b"', "\u00e4"]) {
      const { status, body } = await ask(key, { message: "create" });
      expect([key, status, body.error?.code]).to.deep.equal([key, 400, "bad_request"]);
    }
    expect((await ask("k".repeat(255), { message: "create" })).status).to.equal(200);
  });

  it("frees the key of a prompt that was refused, for all who wait with it", async () => {
    await begin({ max_turns: 1 });
    const busy = send(daemon.url, "other", { message: "wait", session_id: "busy" });
    await until(() => daemon.agent.load().running === 1);
    const refused = await Promise.all([1, 2, 3].map(() => ask("k", { message: "create" })));
    for (const { status, body } of refused) expect([status, body.error?.code]).to.deep.equal([503, "busy"]);
    await busy;
    await until(() => daemon.agent.load().running === 0);
    expect((await ask("k", { message: "create" })).kinds).to.deep.equal(WHOLE);
  });

  for (const detach of [false, true])
    it(`never runs a ${detach ? "detached prompt" : "prompt"} that was cancelled while it waited`, async () => {
      await begin();
      const hanging = send(daemon.url, "other", { message: "hang", session_id: "s" });
      await until(() => daemon.agent.load().running === 1);
      const body = { message: "create", session_id: "s", detach };
      const first = ask("k", body, SSE);
      await until(() => daemon.agent.load().waiting === 1);
      await daemon.agent.cancel("s", LOCAL_CALLER);
      const { kinds, turn_id } = await first;
      expect(kinds).to.deep.equal(["user_prompt", "error", "done"]);
      await hanging;
      await until(async () => (await turnsOf("s")).length === 2);
      const again = await ask("k", body, SSE);
      expect([again.isReplayed, again.turn_id, again.kinds]).to.deep.equal([true, turn_id, kinds]);
      expect(await turnsOf("s")).to.deep.equal(["cancelled", "cancelled"]);
      expect(target.requests.length).to.equal(0);
    });

  it("gives the answer of a cancelled turn again, and 409 once its session was deleted", async () => {
    await begin();
    const body = { message: "hang", session_id: "s" };
    const first = ask("k", body);
    await until(() => daemon.agent.load().running === 1);
    await until(async () => (await turnsOf("s")).length === 1);
    await daemon.agent.cancel("s", LOCAL_CALLER);
    const { kinds } = await first;
    expect(kinds.slice(-2)).to.deep.equal(["error", "done"]);
    expect((await ask("k", body)).kinds.slice(-2)).to.deep.equal(["error", "done"]);
    expect(await daemon.agent.deleteSession("s")).to.equal(true);
    const deleted = await ask("k", body);
    expect([deleted.status, deleted.body.error?.code]).to.deep.equal([409, "conflict"]);
    expect(await turnsOf("s")).to.deep.equal([]);
  });
});

describe("Sending a prompt once: what dies meanwhile", function () {
  this.timeout(120_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }));
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });
  const start = (): Promise<Served> => serve(["--data-dir", home.dir]);

  it("J20 answers interrupted after a crash, running or waiting, and never runs it again", async () => {
    const daemon = await start();
    const [running, waiting] = [
      { message: "hang", session_id: "s" },
      { message: "create", session_id: "s", detach: true },
    ];
    const lost = send(daemon.url, "running", running).catch(() => undefined);
    await until(async () => (await getJson<unknown[]>(`${daemon.url}/-/sessions`)).length === 1);
    const { turn_id } = await answerOf(await send(daemon.url, "waiting", waiting));
    await daemon.kill();
    await lost;
    const again = await start();
    for (let round = 0; round < 2; round++) {
      const one = await answerOf(await send(again.url, "running", running));
      expect([one.status, one.isReplayed, one.kinds]).to.deep.equal([200, true, ["user_prompt", "error", "done"]]);
      expect(JSON.stringify(one.body.events)).to.include("interrupted");
      const two = await answerOf(await send(again.url, "waiting", waiting, { accept: SSE }));
      expect([two.turn_id, two.kinds]).to.deep.equal([turn_id, ["user_prompt", "error", "done"]]);
    }
    expect(target.requests.length).to.equal(0);
    await again.stop();
  });

  it("J20 makes at most one call for a key, however clients and daemon are killed @all", async () => {
    let daemon = await start();
    for (let round = 0; round < ROUNDS; round++) {
      const body = { message: "create", session_id: `s${round % 3}` };
      const before = target.requests.length;
      let answer: Answer | undefined;
      for (let attempt = 0; !answer; attempt++) {
        const gone = new AbortController();
        const asked = [JSON_TYPE, SSE].map(async (accept) =>
          answerOf(await send(daemon.url, `key-${round}`, body, { accept, signal: gone.signal })),
        );
        const all = Promise.all(asked).catch(() => undefined);
        // The first attempts end early: the client goes, or the daemon dies under it.
        const fate = attempt > 2 ? "answered" : Math.random() < 0.5 ? "client" : "daemon";
        if (fate !== "answered") await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        if (fate === "client") gone.abort();
        if (fate === "daemon") {
          await daemon.kill();
          daemon = await start();
        }
        const answers = await all;
        answer = fate === "answered" ? answers?.[0] : undefined;
      }
      expect(answer.status).to.equal(200);
      expect(answer.kinds.at(-1)).to.equal("done");
      expect(target.requests.length - before).to.be.at.most(1);
    }
    await daemon.stop();
  });
});
