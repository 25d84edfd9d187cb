// Cancelling a turn, or leaving it, stops the model at once and every call that was not sent yet; a call already sent is awaited
// and recorded, and the session goes on as if the turn had been a short one.
// Source: docs/reference.md, "Limits and promises" and "Sessions and turns".

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { type ChatMessage, incoherence, messagesOf } from "../support/conversation.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { type DatabaseDaemon, startDatabaseDaemon } from "../support/database.js";
import { postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor, type VendorRequest, type VendorTurn } from "../support/vendor.js";

/** Milliseconds from the stop to the end of the model's connection; the best attempt shows that the daemon waits for nothing. */
const AT_ONCE_MS = 100;
/** No attempt may take longer, however busy the machine is. */
const LONGEST_MS = 3_000;

/** A turn under way, and how its client stops it. */
interface Started {
  stop(): unknown;
}
type StartTurn = (url: string, session_id: string, message: string) => Promise<Started>;

const post = (url: string, body: object, init: RequestInit = {}): Promise<Response> =>
  postJson(`${url}/run`, body, init);

const leaving =
  (accept: string): StartTurn =>
  async (url, session_id, message) => {
    const gone = new AbortController();
    const answer = post(url, { message, session_id }, { headers: { accept }, signal: gone.signal });
    answer.then((response) => response.text()).catch(() => {});
    return { stop: () => gone.abort() };
  };

const chatting =
  (stop: (chat: Awaited<ReturnType<typeof openChat>>) => void): StartTurn =>
  async (url, session_id, message) => {
    const chat = await openChat(`${url}/chat?session_id=${session_id}`);
    chat.send({ message });
    return { stop: () => stop(chat) };
  };

const WAYS: Record<string, StartTurn> = {
  "POST /-/sessions/{id}/cancel": async (url, session_id, message) => {
    post(url, { message, session_id }).catch(() => {});
    return { stop: () => fetch(`${url}/-/sessions/${session_id}/cancel`, { method: "POST" }) };
  },
  "a cancel frame on /chat": chatting((chat) => chat.send({ type: "cancel" })),
  "the client of /chat closing its socket": chatting((chat) => chat.ws.close()),
  "the client of /chat breaking its connection": chatting((chat) => chat.close()),
  "the client of POST /run going away": leaving("application/json"),
  "the client of a stream of server-sent events going away": leaving("text/event-stream"),
  "the client of a stream of lines going away": leaving("application/x-ndjson"),
};

/** What the model is doing when it is stopped. */
const STAGES: Record<string, VendorTurn> = {
  "has not answered yet": { trouble: "hang" },
  "has stopped in the middle": { text: "half an ans", trouble: "stall" },
  "streams on and on": { deltas: Array<string>(5_000).fill("word "), delayMs: 2 },
};

const TWO_CALLS: VendorTurn = {
  calls: [
    { name: "create_pet", arguments: { name: "Rex" } },
    { name: "create_pet", arguments: { name: "Max" } },
  ],
};

const rolesOf = (messages: readonly ChatMessage[]): string => messages.map(({ role }) => role).join();
const lastPrompt = (request: VendorRequest): string =>
  JSON.stringify(messagesOf(request).findLast(({ role }) => role === "user")?.content);

describe("Limits and promises: nothing runs for a client that left", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon;
  let dir: string;
  /** Connections of requests the target has not answered. */
  let unanswered: Socket[];

  beforeEach(async () => {
    vendor = await startVendor();
    unanswered = [];
    target = await startTarget(() => (socket) => void unanswered.push(socket));
    dir = temporaryFolder("cancel");
  });
  afterEach(async () => {
    await daemon.close();
    await vendor.close();
    await target.close();
  });

  const start = async (options: DaemonOptions = {}): Promise<void> => {
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m", max_retries: 2 };
    const config = { default_provider: "fake", providers: { fake } };
    daemon = await startDaemon({ target: target.url, dataDir: dir, config, ...options });
  };
  const idle = (): Promise<void> => until(() => daemon.agent.load().running === 0);
  const rows = (): Promise<HistoryEntry[]> => daemon.agent.history({ limit: 10 });
  const statuses = async (id: string): Promise<string[]> =>
    ((await transcriptOf(daemon.agent, id)) ?? []).map(({ status }) => status);
  const answerAll = (): void => {
    for (const socket of unanswered.splice(0)) socket.write(json({ id: 1 }));
  };
  /** Sends one more prompt to the session; the messages the model receives for it. */
  const afterwards = async (session_id: string): Promise<ChatMessage[]> => {
    vendor.script([{ text: "fine" }]);
    expect((await post(daemon.url, { message: "and now?", session_id })).status).to.equal(200);
    const sent = messagesOf(vendor.requests[0]);
    expect(incoherence(sent)).to.equal("");
    return sent;
  };

  for (const [index, [name, way]] of Object.entries(WAYS).entries()) {
    it(`C24 ends the model's connection at once on ${name}${allOnly(index > 0)}`, async () => {
      await start();
      const took: number[] = [];
      for (const [stage, turn] of [...Object.entries(STAGES), ...Object.entries(STAGES)]) {
        const session_id = `session-${took.length}`;
        vendor.script([turn]);
        const started = await way(daemon.url, session_id, "go");
        await until(() => vendor.requests.length === 1);
        await sleep(30);
        const begun = performance.now();
        void started.stop();
        await vendor.requests[0]?.gone;
        took.push(performance.now() - begun);
        await idle();
        expect(await statuses(session_id), stage).to.deep.equal(["cancelled"]);
        expect(vendor.requests, "a stopped turn tries nothing again").to.have.length(1);
        expect(rolesOf(await afterwards(session_id)), stage).to.match(/^user(,assistant)?,user$/);
      }
      expect(Math.min(...took), `all: ${took.map(Math.round).join(", ")} ms`).to.be.below(AT_ONCE_MS);
      expect(Math.max(...took)).to.be.below(LONGEST_MS);
    });

    it(`C24 awaits and records the call in flight, and makes no other, on ${name}`, async () => {
      await start();
      vendor.script([TWO_CALLS, { text: "this is not asked for" }]);
      const started = await way(daemon.url, "s", "create two");
      await until(() => target.requests.length === 1);
      await started.stop();
      await sleep(100);
      expect((await rows()).map(({ status }) => status)).to.deep.equal(["pending"]);
      answerAll();
      await idle();
      expect((await rows()).map(({ status, result }) => ({ status, result }))).to.deep.equal([
        { status: "ok", result: { id: 1 } },
      ]);
      expect(await statuses("s")).to.deep.equal(["cancelled"]);
      expect(vendor.requests).to.have.length(1);
      const sent = await afterwards("s");
      expect(target.requests).to.have.length(1);
      expect(rolesOf(sent)).to.equal("user,assistant,tool,tool,user");
      expect(JSON.stringify(sent[2]?.content)).to.contain("id").and.not.contain("not_called");
      expect(JSON.stringify(sent[3]?.content)).to.contain("not_called");
      // The session has the same messages from the record as from memory.
      await daemon.close();
      await start();
      expect((await afterwards("s")).slice(0, 4)).to.deep.equal(sent.slice(0, 4));
    });
  }

  it("keeps what the model had streamed when it was stopped", async () => {
    await start();
    vendor.script([{ text: "half an ans", trouble: "stall" }]);
    const chat = await openChat(`${daemon.url}/chat?session_id=s`);
    chat.send("go");
    await chat.until((frames) => frames.some(({ kind }) => kind === "assistant_delta"));
    chat.send({ type: "cancel" });
    await chat.turns();
    const sent = await afterwards("s");
    expect(rolesOf(sent)).to.equal("user,assistant,user");
    expect(JSON.stringify(sent[1]?.content)).to.contain("half an ans");
    chat.close();
  });

  it("ends the pause before another model call, and makes none", async () => {
    await start();
    vendor.script([{ status: 429, headers: { "retry-after": "15" } }, { text: "this is not asked for" }]);
    const started = await WAYS["a cancel frame on /chat"]?.(daemon.url, "s", "go");
    await until(() => vendor.requests.length === 1);
    await sleep(50);
    const begun = performance.now();
    started?.stop();
    await idle();
    expect(performance.now() - begun).to.be.below(LONGEST_MS);
    expect(await statuses("s")).to.deep.equal(["cancelled"]);
    expect(vendor.requests).to.have.length(1);
  });

  it("M8 ends a turn that takes too long once the call in flight is recorded @all", async () => {
    await start({ settings: { turnTimeoutMs: 4_000 } });
    vendor.script([TWO_CALLS, { text: "this is not asked for" }]);
    const answer = post(daemon.url, { message: "create two", session_id: "s" });
    await until(() => target.requests.length === 1);
    await sleep(4_200);
    answerAll();
    const { events } = (await (await answer).json()) as { events: { kind: string; message?: string }[] };
    expect(events.map(({ kind }) => kind).slice(-3)).to.deep.equal(["tool_result", "error", "done"]);
    expect(events.at(-2)?.message).to.include("too long");
    expect((await rows()).map(({ status }) => status)).to.deep.equal(["ok"]);
    expect(target.requests).to.have.length(1);
    expect(await statuses("s")).to.deep.equal(["failed"]);
    await afterwards("s");
  });

  it("E3 M6 runs the prompts of a session in order of arrival, drops those whose client left, and gives 429 beyond the queue", async () => {
    await start({ settings: { maxQueue: 3 } });
    vendor.script((_, n) => (n === 0 ? TWO_CALLS : { text: "fine" }));
    const left = new AbortController();
    const waiting: Promise<number>[] = [];
    for (const message of ["one", "two", "left", "four"]) {
      const more = message === "left" ? { signal: left.signal } : {};
      waiting.push(
        post(daemon.url, { message, session_id: "s" }, more).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      const before = { running: 1, waiting: waiting.length - 1 };
      await until(() => JSON.stringify(daemon.agent.load()) === JSON.stringify(before));
    }
    const refused = await post(daemon.url, { message: "five", session_id: "s" });
    expect(refused.status).to.equal(429);
    expect(refused.headers.get("retry-after")).to.match(/^\d+$/);
    expect(await refused.json()).to.have.nested.property("error.code", "too_many_turns");
    const beside = await post(daemon.url, { message: "beside", session_id: "another" });
    expect(beside.status).to.equal(200);
    left.abort();
    await until(() => daemon.agent.load().waiting === 2);
    target.answer(() => json({ id: 2 }));
    answerAll();
    expect(await Promise.all(waiting)).to.deep.equal([200, 200, 0, 200]);
    const prompts = (await transcriptOf(daemon.agent, "s"))?.map(({ prompt }) => prompt);
    expect(prompts).to.deep.equal(["one", "two", "four"]);
    expect(vendor.requests.map(lastPrompt)).to.deep.equal(['"one"', '"beside"', '"one"', '"two"', '"four"']);
    for (const request of vendor.requests) expect(incoherence(messagesOf(request))).to.equal("");
  });
});

describe("Limits and promises: what a stopped turn asks a database", () => {
  const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
  let vendor: Vendor;
  let daemon: DatabaseDaemon;
  before(async () => {
    vendor = await startVendor();
    const fake = { type: "openai-compatible", base_url: vendor.url, model: "m" };
    const config = { default_provider: "fake", providers: { fake } };
    daemon = await startDatabaseDaemon("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (7)", { config });
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
  });

  for (const [at, name] of ["POST /-/sessions/{id}/cancel", "the client of POST /run going away"].entries())
    it(`ends at the database on ${name}, is recorded, and the next is answered`, async () => {
      vendor.script([{ calls: [{ name: "query", arguments: { sql: ENDLESS } }] }, { text: "this is not asked for" }]);
      const session_id = `session-${at}`;
      const started = await WAYS[name]?.(daemon.url, session_id, "count");
      const newest = async (): Promise<HistoryEntry | undefined> => (await daemon.agent.history({ limit: 1 }))[0];
      await until(async () => (await newest())?.status === "pending");
      await sleep(300);
      const begun = performance.now();
      void started?.stop();
      await until(() => daemon.agent.load().running === 0);
      expect(performance.now() - begun).to.be.below(LONGEST_MS);
      const message = "the turn was stopped before this had been read";
      expect(await newest()).to.deep.include({ status: "error", result: { error: "cancelled", message } });
      expect((await transcriptOf(daemon.agent, session_id))?.map(({ status }) => status)).to.deep.equal(["cancelled"]);
      expect(vendor.requests).to.have.length(1);
      expect(await daemon.result("query", { sql: "SELECT id FROM t" })).to.deep.equal([{ id: 7 }]);
    });
});
