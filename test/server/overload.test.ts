import { type AddressInfo, Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { PROGRAM } from "../support/program.js";
import { kinds, openChat, openChatWire, openWire, request, send } from "../support/raw.js";
import { dataDir, start } from "../support/spawn.js";
import { until } from "../support/until.js";

describe("Overload and slow clients", () => {
  let daemon: Daemon;
  before(async () => {
    // Less than the limit of one reply, again and again.
    const much = { deltas: Array(15).fill("x".repeat(64 * 1024)), calls: [{ name: "no_such_tool" }], delay_ms: 1 };
    daemon = await startDaemon({
      settings: { maxTurns: 5, maxIterations: 30 },
      listen: { headersTimeoutMs: 300, requestTimeoutMs: 600, maxConnections: 60 },
      turns: [
        { prompt: "torrent", replies: Array(30).fill(much) },
        { prompt: "slow", replies: [{ deltas: ["a", "b"], delay_ms: 400 }] },
      ],
    });
  });
  after(() => daemon.close());
  const expectAlive = async (): Promise<void> => {
    expect((await send(daemon.port, request(daemon.port, "GET /-/healthz"))).status).to.equal(200);
  };
  const idle = async (): Promise<void> => {
    while (daemon.agent.load().running > 0) await sleep(20);
  };

  it("M1 gives up on headers that do not come", async () => {
    const wires = await Promise.all([openWire(daemon.port), openWire(daemon.port)]);
    wires[1]?.write("GET /tools HTTP/1.1\r\nHost: 127.0");
    for (const wire of wires) {
      const response = await wire.wait(5000);
      expect(response.closed).to.equal(true);
      expect(response.status).to.be.oneOf([0, 408]);
    }
    expect(wires[1]?.received().text).to.include('"code":"request_timeout"');
  });

  it("M2 gives up on a body that drips", async () => {
    const wire = await openWire(daemon.port);
    const headers = ["Content-Type: application/json", "Content-Length: 1000"];
    wire.write(request(daemon.port, "POST /run", headers));
    const drip = setInterval(() => wire.write(" "), 50);
    const response = await wire.wait(8000);
    clearInterval(drip);
    expect(response.status).to.equal(408);
    expect(response.closed).to.equal(true);
  });

  it("M3 leaves an idle chat connection alone @all", async () => {
    const wire = await openChatWire(daemon.port);
    await sleep(1500);
    expect(wire.received().closed).to.equal(false);
    wire.end();
  });

  it("M4 takes a bounded number of connections, and existing work goes on", async () => {
    const run = fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"message":"slow"}',
    });
    await sleep(100);
    const wires = await Promise.all(Array.from({ length: 200 }, () => openWire(daemon.port)));
    expect((await run).status).to.equal(200);
    for (const wire of wires) wire.end();
    await sleep(50);
    await expectAlive();
  });

  it("M5 drops a chat client that does not read, and its turn", async () => {
    const wire = await openChatWire(daemon.port);
    wire.socket.pause();
    const before = process.memoryUsage.rss();
    wire.write(Buffer.concat([Buffer.from("818700000000", "hex"), Buffer.from("torrent")]));
    await sleep(100);
    await idle();
    const [session] = await daemon.agent.sessions({ limit: 1 });
    expect(session?.status).to.equal("cancelled");
    expect(process.memoryUsage.rss() - before).to.be.below(96 * 1024 * 1024);
    wire.end();
    await expectAlive();
  });

  it("M5 drops a stream's client that does not read, and its turn", async () => {
    const wire = await openWire(daemon.port);
    wire.socket.pause();
    const body = '{"message":"torrent"}';
    const headers = ["Content-Type: application/json", "Accept: text/event-stream", `Content-Length: ${body.length}`];
    wire.write(request(daemon.port, "POST /run", headers) + body);
    await sleep(100);
    await idle();
    const [session] = await daemon.agent.sessions({ limit: 1 });
    expect(session?.status).to.equal("cancelled");
    wire.end();
    await expectAlive();
  });

  it("M6 runs as many turns as it may and refuses the rest whole, with Retry-After", async () => {
    const before = (await daemon.agent.sessions({ limit: 1000 })).length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${daemon.url}/run`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/x-ndjson" },
          body: '{"message":"slow"}',
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    await Promise.all(answers.map((answer) => answer.text()));
    const ran = statuses.filter((status) => status === 200).length;
    expect(ran).to.be.within(5, 19);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).to.equal(503);
      expect(answer.headers.get("retry-after")).to.match(/^\d+$/);
    }
    expect(await daemon.agent.sessions({ limit: 1000 })).to.have.length(before + ran);
  });

  it("M8 ends a turn whose model never stops writing, with error and done", async () => {
    const endless = [{ prompt: "go", replies: [{ deltas: Array<string>(10_000).fill("x"), delay_ms: 10 }] }];
    const patient = await startDaemon({ turns: endless, settings: { turnTimeoutMs: 300 } });
    const chat = await openChat(`${patient.url}/chat`);
    chat.send("go");
    const events = await chat.turns();
    await patient.close();
    expect(kinds(events).slice(-2)).to.deep.equal(["error", "done"]);
    expect(String(events.at(-2)?.["message"])).to.include("too long");
  });

  it("M9 goes on after connections that could not be accepted, and says so once", async () => {
    // Which libuv tells only when it cannot take back the descriptor that it holds in reserve.
    const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
    const servers = handles.filter((one) => one instanceof Server && one.listening);
    const own = (servers as Server[]).find((one) => (one.address() as AddressInfo | null)?.port === daemon.port);
    const failure = Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });
    for (let i = 0; i < 3; i++) own?.emit("error", failure);
    const said = daemon.log.filter(({ level, fields }) => level === "warn" && fields["cause"] === "accept EMFILE");
    expect(said, "once in a while").to.have.length(1);
    await expectAlive();
  });

  it("M9 recovers when it runs out of file descriptors", async () => {
    const { dir } = dataDir();
    const shell = 'ulimit -n 256; exec "$@"';
    const running = start(["sh", "-c", shell, "sh", ...PROGRAM, "serve", "--port", "0", "--data-dir", dir]);
    await running.prints(/listening on \S+\n/);
    const port = Number(/:(\d+)\n/.exec(running.stdout())?.[1]);
    const wires = await Promise.all(Array.from({ length: 400 }, () => openWire(port)));
    await sleep(200);
    for (const wire of wires) wire.end();
    // It sees their ends in its own time.
    await until(async () => (await send(port, request(port, "GET /tools"), 10_000)).status === 200);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).to.equal(0);
  });
});
