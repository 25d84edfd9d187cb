import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import {
  closeCode,
  HANDSHAKE,
  hasResponse,
  kinds,
  openChat,
  openChatWire,
  openWire,
  request,
  send,
} from "../../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { transcriptOf } from "../../support/transcript.js";

/** A client frame with an all-zero mask: the payload is as written. */
function frame(first: number, payload: Buffer | string): Buffer {
  const body = Buffer.from(payload);
  const length =
    body.length < 126 ? Buffer.from([0x80 | body.length]) : Buffer.from([0xfe, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([first]), length, Buffer.alloc(4), body]);
}

describe("WebSocket upgrade", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  const expectAlive = async (): Promise<void> => {
    expect((await send(daemon.port, request(daemon.port, "GET /-/healthz"))).status).to.equal(200);
  };
  const handshake = (line: string, replace: Record<string, string | undefined> = {}, more: string[] = []) => {
    const headers = HANDSHAKE.map((header) => {
      const name = header.slice(0, header.indexOf(":"));
      return name in replace ? replace[name] : header;
    });
    return send(
      daemon.port,
      request(daemon.port, line, [...headers.filter((header) => header !== undefined), ...more]),
    );
  };

  before(async () => {
    target = await startTarget(() => (socket) => void setTimeout(() => socket.write(json([])), 150));
    daemon = await startDaemon({
      target: target.url,
      turns: [
        { prompt: "slow", replies: [{ deltas: ["a", "b", "c", "d"], delay_ms: 100 }] },
        {
          prompt: "two calls",
          replies: [{ calls: [{ name: "list_pets" }] }, { calls: [{ name: "list_pets" }] }, { text: "x" }],
        },
        { prompt: "stuck", replies: [{ deltas: ["tick"], delay_ms: 60_000 }] },
        { prompt: "broken", replies: [{ error: "the model spoke garbage" }] },
      ],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("C1 C2 refuses with a real 401 or 403 and hangs up", async () => {
    const guarded = await startDaemon({ listen: { token: "t0ken" } });
    const refusals = [
      [[], "HTTP/1.1 401 Unauthorized\r\n"],
      [["Authorization: wrong"], "HTTP/1.1 401 Unauthorized\r\n"],
      [["Origin: https://evil.example"], "HTTP/1.1 403 Forbidden\r\n"],
    ] as const;
    for (const [headers, line] of refusals) {
      const wire = await openWire(guarded.port);
      wire.write(request(guarded.port, "GET /chat", [...HANDSHAKE, ...headers]));
      const response = await wire.wait();
      expect(response.text.startsWith(line), response.text).to.equal(true);
      expect(response.closed).to.equal(true);
      expect(response.text).to.include("\r\nConnection: close\r\n").and.include('{"error":{"code":"');
    }
    await guarded.close();
  });

  it("C3 upgrades /chat and nothing else", async () => {
    for (const path of ["/", "/tools", "/nope", "/chat/.websocket", "/chat/../x", "/chat/", "/CHAT", "/-/sessions"]) {
      const response = await handshake(`GET ${path}`);
      expect(response.status, path).to.equal(404);
    }
  });

  it("C4 answers a plain GET with 426", async () => {
    const response = await send(daemon.port, request(daemon.port, "GET /chat"));
    expect(response.status).to.equal(426);
    expect(response.text)
      .to.match(/\r\nUpgrade: websocket\r\n/i)
      .and.include('"code":"upgrade_required"');
  });

  it("C5 C6 C9 closes on broken frames with the right code and keeps running", async () => {
    const broken = [
      ["f18000000000", 1002],
      ["810141", 1002],
      ["818200000000c328", 1007],
      ["88820000000003ee", 1002],
    ] as const;
    for (const [hex, code] of broken) {
      const wire = await openChatWire(daemon.port);
      wire.write(Buffer.from(hex, "hex"));
      expect(closeCode(await wire.wait()), hex).to.equal(code);
      wire.end();
      await expectAlive();
    }
  });

  it("C7 closes with 1009 when a frame announces more than 1 MiB, before it comes", async () => {
    for (const announced of ["81ff000000001000000000000000", "81ff000000000010000100000000"]) {
      const before = process.memoryUsage.rss();
      const wire = await openChatWire(daemon.port);
      wire.write(Buffer.from(announced, "hex"));
      expect(closeCode(await wire.wait())).to.equal(1009);
      expect(process.memoryUsage.rss() - before).to.be.below(32 * 1024 * 1024);
      wire.end();
    }
    await expectAlive();
  });

  it("C8 closes with 1008 on a message of endless fragments", async () => {
    const wire = await openChatWire(daemon.port);
    const empty = Buffer.concat(Array.from({ length: 140_000 }, () => Buffer.from("008000000000", "hex")));
    wire.write(Buffer.concat([Buffer.from("018000000000", "hex"), empty]));
    expect(closeCode(await wire.wait())).to.equal(1008);
    wire.end();
    await expectAlive();
  });

  it("C10 closes with 1003 on a binary frame", async () => {
    const wire = await openChatWire(daemon.port);
    wire.write(frame(0x82, '{"message":"hello"}'));
    expect(closeCode(await wire.wait(5000, (response) => closeCode(response) !== undefined))).to.equal(1003);
    wire.end();
    expect(daemon.agent.load().running).to.equal(0);
  });

  it("C14 keeps no socket of a refused peer that does not hang up", async () => {
    const wires = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const wire = await openWire(daemon.port);
        wire.socket.allowHalfOpen = true;
        wire.write(request(daemon.port, "GET /nope", HANDSHAKE));
        return wire;
      }),
    );
    for (const wire of wires) expect((await wire.wait(3000, hasResponse)).status).to.equal(404);
    await sleep(1200);
    // A write to a connection that the other side has closed fails; one that is still open would swallow it.
    for (let i = 0; i < 2; i++) {
      for (const wire of wires) wire.write("x");
      await sleep(50);
    }
    for (const wire of wires) expect((await wire.wait(3000)).closed).to.equal(true);
  });

  it("C15 survives a reset in the middle of the handshake", async () => {
    for (let i = 0; i < 50; i++) {
      const wire = await openWire(daemon.port);
      wire.write(request(daemon.port, i % 2 ? "GET /chat" : "GET /nope", HANDSHAKE));
      wire.socket.resetAndDestroy();
    }
    await expectAlive();
  });

  it("C15 survives a reset right after CONNECT, which needs no token", async () => {
    for (let i = 0; i < 50; i++) {
      const wire = await openWire(daemon.port);
      wire.write(request(daemon.port, "CONNECT x:1"));
      if (i % 2) await sleep(1);
      wire.socket.resetAndDestroy();
    }
    await expectAlive();
  });

  it("C16 answers a turn that fails with error and done, and keeps running", async () => {
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send({ message: "broken" });
    expect(kinds(await chat.turns())).to.deep.equal(["user_prompt", "error", "done"]);
    chat.send({ message: "hello" });
    expect(kinds(await chat.turns())).to.deep.equal(["user_prompt", "assistant_delta", "assistant_message", "done"]);
    chat.close();
  });

  it("C17 serves a request that offers h2c as if it had not", async () => {
    const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"];
    const response = await send(daemon.port, request(daemon.port, "GET /tools", h2c));
    expect(response.status).to.equal(200);
    expect(response.text).to.include("list_pets");
    const evil = await send(daemon.port, request(daemon.port, "GET /tools", [...h2c, "Origin: https://evil.example"]));
    expect(evil.status).to.equal(403);
    const post = await send(daemon.port, request(daemon.port, "POST /run", [...h2c, "Content-Length: 2"]));
    expect(post.status).to.equal(400);
    await expectAlive();
  });

  it("C18 refuses odd handshakes, each with its own status", async () => {
    expect((await handshake("POST /chat")).status).to.equal(405);
    expect((await handshake("GET /chat", {}, ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="])).status).to.equal(400);
    expect((await handshake("GET /chat", { "Sec-WebSocket-Key": "Sec-WebSocket-Key: short" })).status).to.equal(400);
    expect((await handshake("GET /chat", { "Sec-WebSocket-Key": undefined })).status).to.equal(400);
    const old = await handshake("GET /chat", { "Sec-WebSocket-Version": "Sec-WebSocket-Version: 8" });
    expect(old.status).to.equal(426);
    expect(old.text).to.include("\r\nSec-WebSocket-Version: 13\r\n");
    const http10 = request(daemon.port, "GET /chat", HANDSHAKE).replace("HTTP/1.1", "HTTP/1.0");
    expect((await send(daemon.port, http10)).status).to.equal(400);
    expect((await handshake("GET /chat?session_id=%00")).status).to.equal(400);
    expect((await handshake("GET /chat?events=everything")).status).to.equal(400);
  });

  it("C19 does not take up compression", async () => {
    const wire = await openChatWire(daemon.port, ["Sec-WebSocket-Extensions: permessage-deflate"]);
    expect(wire.received().status).to.equal(101);
    expect(wire.received().text).to.not.match(/sec-websocket-extensions/i);
    wire.end();
  });

  it("C20 M3 closes the connection of a client that no longer answers, and keeps one that does", async () => {
    const watched = await startDaemon({ listen: { pingMs: 100 } });
    const silent = await openChatWire(watched.port);
    const answering = await openChat(`${watched.url}/chat`);
    const response = await silent.wait(3000);
    expect(response.closed).to.equal(true);
    expect(answering.ws.readyState).to.equal(answering.ws.OPEN);
    answering.close();
    await watched.close();
  });

  it("C21 answers a flood of pings in bounded memory", async () => {
    const wire = await openChatWire(daemon.port);
    wire.socket.pause();
    const before = process.memoryUsage.rss();
    const pings = Buffer.concat(Array.from({ length: 100_000 }, () => frame(0x89, "x")));
    wire.write(pings);
    await sleep(300);
    await expectAlive();
    expect(process.memoryUsage.rss() - before).to.be.below(64 * 1024 * 1024);
    wire.end();
  });

  it("C22 answers 503 when all chat connections are taken, and still serves requests", async () => {
    const small = await startDaemon({ listen: { maxSockets: 20 } });
    const open = await Promise.all(Array.from({ length: 20 }, () => openChatWire(small.port)));
    const refused = await send(small.port, request(small.port, "GET /chat", HANDSHAKE));
    expect(refused.status).to.equal(503);
    expect(refused.text).to.match(/\r\nRetry-After: \d+\r\n/);
    expect((await send(small.port, request(small.port, "GET /tools"))).status).to.equal(200);
    for (const wire of open) wire.end();
    await small.close();
  });

  it("C23 queues a bounded number of prompts in order and refuses the rest as busy @all", async () => {
    const chat = await openChat(`${daemon.url}/chat`);
    const flood = 1000;
    chat.send({ message: "slow" });
    for (let i = 0; i < flood; i++) chat.send({ message: `prompt ${i}` });
    const frames = await chat.turns(1 + flood);
    chat.close();
    const prompts = frames.filter(({ kind }) => kind === "user_prompt").map(({ text }) => text);
    expect(prompts).to.deep.equal(["slow", ...prompts.slice(1).map((_, i) => `prompt ${i}`)]);
    expect(prompts.length).to.be.within(2, 100);
    const errors = frames.filter(({ kind }) => kind === "error");
    expect(errors).to.have.length(flood + 1 - prompts.length);
    expect(String(errors[0]?.message)).to.match(/^busy/);
  });

  it("C23 queues a bounded amount of text on all connections together, and frees what lost connections had waiting @all", async () => {
    const long = "x".repeat(1_000_000);
    const stuckWith = async (prompts: number): Promise<Awaited<ReturnType<typeof openChat>>> => {
      const chat = await openChat(`${daemon.url}/chat`);
      chat.send({ message: "stuck" });
      for (let i = 0; i < prompts; i++) chat.send({ message: long });
      // Answered when the frames before it were taken.
      const pong = once(chat.ws, "pong");
      chat.ws.ping();
      await pong;
      return chat;
    };
    for (const _ of ["full", "full again"]) {
      const full = [await stuckWith(16), await stuckWith(16)];
      const late = await stuckWith(4);
      late.send({ type: "cancel" });
      const errors = (await late.turns(5)).filter(({ kind }) => kind === "error");
      expect(errors.map(({ message }) => String(message).slice(0, 20))).to.deep.equal([
        "cancelled",
        ...Array(3).fill("busy: too much text "),
      ]);
      for (const chat of [...full, late]) chat.close();
      const metrics = async (): Promise<string> =>
        (await send(daemon.port, request(daemon.port, "GET /-/metrics"))).text;
      while (!/^agentd_chat_sockets 0$/m.test(await metrics())) await sleep(5);
    }
  });

  it("C23 keeps a bounded number of wrong frames, in a few bytes each, and closes with 1008 beyond", async () => {
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send({ message: "slow" });
    for (let i = 0; i < 250; i++) chat.send({ message: "x", [`${i}${"x".repeat(100_000)}`]: true });
    expect((await chat.closed).code).to.equal(1008);
    expect(chat.frames.filter(({ kind }) => kind === "error")).to.have.length(0);
    const patient = await openChat(`${daemon.url}/chat`);
    patient.send({ message: "slow" });
    for (let i = 0; i < 20; i++) patient.send({ message: "x", [`${i}${"x".repeat(100_000)}`]: true });
    const errors = (await patient.turns(21)).filter(({ kind }) => kind === "error");
    patient.close();
    expect(errors).to.have.length(20);
    for (const error of errors) expect(JSON.stringify(error).length).to.be.below(300);
  });

  it("C24 starts no further tool for a client that has gone, and records the call in flight", async () => {
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send({ message: "two calls" });
    while (target.requests.length === 0) await sleep(5);
    chat.close();
    const ended = async (): Promise<string> => (await transcriptOf(daemon.agent, chat.session_id))?.[0]?.status ?? "";
    while ((await ended()) === "running") await sleep(10);
    expect(await ended()).to.equal("cancelled");
    const rows = await daemon.agent.history({ limit: 10, session_id: chat.session_id });
    expect(rows.map(({ status }) => status)).to.deep.equal(["ok"]);
    expect(target.requests).to.have.length(1);
  });
});
