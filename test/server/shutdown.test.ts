import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { StartError } from "../../src/domain/error.js";
import { listen } from "../../src/server/listen.js";
import { type Daemon, keptLog, startDaemon } from "../support/daemon.js";
import { HANDSHAKE, hasResponse, openChat, openChatWire, openWire, request, send } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

/** Milliseconds until a promise resolves. */
async function elapsedMs(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

const runBody = (message: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message }),
});

describe("Graceful shutdown", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => (socket) => void setTimeout(() => socket.write(json({ ok: true })), 400));
    daemon = await startDaemon({
      target: target.url,
      turns: [
        { prompt: "call", replies: [{ calls: [{ name: "list_pets" }] }, { text: "answered" }] },
        { prompt: "endless", replies: [{ deltas: Array(1000).fill("x"), delay_ms: 20 }] },
      ],
    });
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("L1 ends at once when nothing runs", async () => {
    await (await fetch(`${daemon.url}/tools`)).text();
    expect(await elapsedMs(daemon.close(10_000))).to.be.below(1500);
  });

  it("L2 closes each socket with 1001", async () => {
    const chats = await Promise.all([1, 2, 3].map(() => openChat(`${daemon.url}/chat`)));
    await daemon.close();
    for (const chat of chats) expect((await chat.closed).code).to.equal(1001);
  });

  it("L3 cuts off a client that does not answer the close", async () => {
    await openChatWire(daemon.port);
    expect(await elapsedMs(daemon.close())).to.be.within(1500, 5000);
  });

  it("L4 is not held up by silent connections", async () => {
    const wires = await Promise.all([openWire(daemon.port), openWire(daemon.port)]);
    wires[1]?.write("GET /tools HT");
    expect(await elapsedMs(daemon.close(10_000))).to.be.below(1500);
    for (const wire of wires) expect((await wire.wait(1000)).closed).to.equal(true);
  });

  it("L5 gives a running turn its grace, and its client the whole answer", async () => {
    const run = fetch(`${daemon.url}/run`, runBody("call")).then((answer) => answer.json());
    while (target.requests.length === 0) await sleep(10);
    await daemon.close(5000);
    expect(((await run) as { result: string }).result).to.equal("answered");
  });

  it("L5 cancels a turn that outlives the grace, and says so", async () => {
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send("endless");
    await chat.until((frames) => frames.length > 3);
    const closing = daemon.close(100);
    const frames = await chat.turns();
    expect(frames.at(-2)?.kind).to.equal("error");
    expect(String(frames.at(-2)?.["message"])).to.include("shutting down");
    expect((await chat.closed).code).to.equal(1001);
    await closing;
  });

  it("L5 leaves a call that outlives the grace, on record as interrupted, and its client is answered", async () => {
    target.answer(() => () => {});
    const run = fetch(`${daemon.url}/run`, runBody("call")).then((answer) => answer.json());
    while (target.requests.length === 0) await sleep(10);
    const closing = daemon.agent.drain(100);
    const { events } = (await run) as { events: { kind: string; status?: string; message?: string }[] };
    expect(events.map(({ kind }) => kind).slice(-3)).to.deep.equal(["tool_result", "error", "done"]);
    expect(events.at(-2)?.message).to.include("shutting down");
    await closing;
    const [row] = await daemon.agent.history({ limit: 1 });
    expect(row).to.deep.include({ tool: "list_pets", status: "interrupted" });
    expect(row).to.have.nested.property("result.error", "interrupted");
  });

  it("L6 answers new work with 503 while running turns end", async () => {
    const kept = await openWire(daemon.port);
    const run = fetch(`${daemon.url}/run`, runBody("call")).then((answer) => answer.json());
    while (target.requests.length === 0) await sleep(10);
    const closing = daemon.close(5000);
    kept.write(request(daemon.port, "GET /tools"));
    const response = await kept.wait(2000, hasResponse);
    expect(response.status).to.equal(503);
    expect(response.text)
      .to.match(/\r\nConnection: close\r\n/i)
      .and.match(/\r\nRetry-After: \d+\r\n/i);
    expect((await send(daemon.port, request(daemon.port, "GET /-/readyz"))).status).to.equal(503);
    const upgrade = await send(daemon.port, request(daemon.port, "GET /chat", HANDSHAKE));
    expect(upgrade.status).to.equal(503);
    expect(((await run) as { result: string }).result).to.equal("answered");
    await closing;
  });

  it("C24 L5 cancels every turn of a connection that closes, also of requests sent ahead of their answers", async () => {
    const wire = await openWire(daemon.port);
    const body = '{"message":"endless"}';
    const post = request(daemon.port, "POST /run", [
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ]);
    wire.write(`${post}${body}`.repeat(3));
    while (daemon.agent.load().running < 3) await sleep(10);
    wire.end();
    while (daemon.agent.load().running > 0) await sleep(10);
    const ended = (await daemon.agent.sessions({ limit: 9 })).map(({ status }) => status);
    expect(ended).to.deep.equal(["cancelled", "cancelled", "cancelled"]);
    const logged = daemon.log.filter(({ fields }) => fields["path"] === "/run");
    expect(logged.map(({ fields }) => fields["unfinished"])).to.deep.equal([true, true, true]);
    // Answers whose client has gone are not waited for.
    expect(await elapsedMs(daemon.close(10_000))).to.be.below(1500);
  });

  it("L9 names the port that is in use, and leaves the daemon that uses it alone", async () => {
    const options = { host: "127.0.0.1", port: daemon.port, log: keptLog().log };
    const failed = await listen(daemon.agent, options).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(StartError);
    expect((failed as Error).message)
      .to.include(String(daemon.port))
      .and.include("--port");
    expect((await fetch(`${daemon.url}/tools`)).status).to.equal(200);
  });
});
