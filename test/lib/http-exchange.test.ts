// One HTTP exchange against a real server that answers in pieces, late, too much or not at all.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { Agent } from "undici";
import { chunksOf, dispatch } from "../../src/lib/http-exchange.js";
import { until } from "../support/until.js";

describe("HTTP exchange", () => {
  let agent: Agent;
  let server: Server;
  let answer: RequestListener;
  let requests = 0;

  before(async () => {
    server = createServer((req, res) => {
      requests++;
      answer(req, res);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    agent = new Agent();
    requests = 0;
  });
  afterEach(() => agent.destroy());

  const get = () =>
    dispatch(
      { dispatcher: agent, explain: (error) => error },
      {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        path: "/",
        method: "GET",
      },
    );
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it("gives status, headers and every byte in order, whether the reader is ahead or behind", async () => {
    answer = async (_req, res) => {
      res.writeHead(201, { "x-two": ["a", "b"] });
      for (const piece of ["one ", "two ", "three"]) {
        res.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      res.end();
    };
    const { status, headers, body } = await get().answer;
    expect(status).to.equal(201);
    expect(headers["x-two"]).to.deep.equal(["a", "b"]);
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(body)) chunks.push(chunk);
    expect(String(Buffer.concat(chunks))).to.equal("one two three");
    expect(await body.read()).to.equal(undefined);
  });

  it("waits for the answer behind a 1xx", async () => {
    answer = (_req, res) => {
      res.writeProcessing();
      res.end("done");
    };
    const { status, body } = await get().answer;
    expect(status).to.equal(200);
    expect(String(await body.read())).to.equal("done");
  });

  it("G18 gives up on a server that answers 1xx without end", async () => {
    answer = (req, res) => {
      const flood = setInterval(() => {
        for (let n = 0; n < 20; n++) res.writeProcessing();
      }, 1);
      req.socket.on("close", () => clearInterval(flood));
    };
    expect(await failureOf(get().answer)).to.have.property("code", "UND_ERR_RES_INTERIM");
  });

  it("G16 copies no more than it reads of a body in many small chunks whose reader takes its time @all", async () => {
    const chunks = 100_000;
    answer = (_req, res) => {
      // As one write: all of it waits in the socket.
      const body = `64\r\n${"x".repeat(100)}\r\n`.repeat(chunks);
      res.socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    };
    const { body } = await get().answer;
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let size = 0;
    let count = 0;
    for await (const chunk of chunksOf(body)) {
      size += chunk.length;
      if (++count % 10 === 0) await new Promise(setImmediate);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(size).to.equal(100 * chunks);
    expect(most).to.be.below(64 * 1024 * 1024);
  }).timeout(30_000);

  it("stops reading from a server that outruns its reader, and loses nothing", async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    let pauses = 0;
    const block = Buffer.alloc(64 * 1024, 1);
    answer = (_req, res) => {
      const fill = (): void => {
        while (written < total) {
          written += block.length;
          if (!res.write(block)) {
            pauses++;
            res.once("drain", fill);
            return;
          }
        }
        res.end();
      };
      fill();
    };
    const { body } = await get().answer;
    // It waits when what it has written does not leave for a while.
    let before = -1;
    while (before !== pauses) {
      before = pauses;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(written).to.be.lessThan(total);
    let size = 0;
    for await (const chunk of chunksOf(body)) size += chunk.length;
    expect(size).to.equal(total);
  });

  it("fails a waiting reader when the connection breaks", async () => {
    answer = (_req, res) => {
      res.writeHead(200, { "content-length": "100" });
      res.write("some");
      setTimeout(() => res.destroy(), 10);
    };
    const { body } = await get().answer;
    expect(String(await body.read())).to.equal("some");
    expect(await failureOf(body.read())).to.be.an("error");
  });

  it("ends with the abort's reason: before it is sent, while it waits, and in the middle of a body", async () => {
    answer = (_req, res) => void res.writeHead(200).write("some");
    const early = get();
    early.abort(new Error("changed my mind"));
    expect(await failureOf(early.answer)).to.have.property("message", "changed my mind");
    expect(requests).to.equal(0);

    const middle = get();
    const { body } = await middle.answer;
    await body.read();
    const next = failureOf(body.read());
    middle.abort(new Error("enough"));
    expect(await next).to.have.property("message", "enough");

    let closed = false;
    answer = (req) => void req.socket.on("close", () => (closed = true));
    const waiting = get();
    await until(() => requests === 2);
    waiting.abort(new Error("too late"));
    expect(await failureOf(waiting.answer)).to.have.property("message", "too late");
    await until(() => closed);
  });

  it("closes the connection of a body that is left, and keeps that of one that was read", async () => {
    const sockets = new Set<unknown>();
    let closed = 0;
    answer = (req, res) => {
      if (!sockets.has(req.socket)) req.socket.on("close", () => closed++);
      sockets.add(req.socket);
      res.write("some");
      if (requests > 1) res.end();
    };
    const left = await get().answer;
    left.body.destroy();
    await until(() => closed === 1);
    for (let i = 0; i < 9; i++) {
      const { body } = await get().answer;
      while (await body.read());
      body.destroy();
    }
    // undici rests a connection for one turn of the event loop, so two take turns.
    expect(sockets.size).to.be.at.most(3);
    expect(closed).to.equal(1);
  });
});
