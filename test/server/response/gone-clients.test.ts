// Clients that are gone before their answer begins, or while it waits behind another of their connection.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Response } from "express";
import { EventStream } from "../../../src/server/response/event-stream.js";
import { onResponseEnd } from "../../../src/server/response/respond.js";

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const BEAT_MS = 2;

type Exchange = [req: IncomingMessage, res: ServerResponse];

describe("Clients that are gone", () => {
  let server: Server;
  /** In the order of the requests. */
  let exchanges: Exchange[];

  beforeEach(async () => {
    exchanges = [];
    server = createServer((req, res) => void exchanges.push([req, res]));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => void server.close());

  /** The exchanges of a client that sends so many requests at once; `leave` resolves once the daemon knows that it has gone. */
  const arrive = async (count: number): Promise<{ leave(): Promise<void> }> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {}).write(REQUEST.repeat(count));
    while (exchanges.length < count) await sleep(1);
    const { socket: own } = (exchanges[0] as Exchange)[0];
    return {
      async leave() {
        const closed = new Promise((resolve) => own.once("close", resolve));
        socket.destroy();
        await closed;
      },
    };
  };
  /** How often a stream that was begun for an exchange says that it is alive. */
  const beats = async (stream: EventStream): Promise<number> => {
    let count = 0;
    stream.open = () => void count++;
    await sleep(20 * BEAT_MS);
    return count;
  };
  const begin = ([, res]: Exchange): EventStream =>
    new EventStream(res as Response, { type: "text/event-stream", heartbeatMs: BEAT_MS });

  it("are known to be, also by what asks afterwards", async () => {
    const { leave } = await arrive(1);
    await leave();
    let ends = 0;
    onResponseEnd(...(exchanges[0] as Exchange), () => void ends++);
    expect(ends).to.equal(1);
  });

  it("and those that were answered are, too", async () => {
    const { leave } = await arrive(1);
    const [req, res] = exchanges[0] as Exchange;
    res.end("answer");
    await once(res, "close");
    let ends = 0;
    onResponseEnd(req, res, () => void ends++);
    expect(ends).to.equal(1);
    await leave();
  });

  it("leave no stream behind that goes on saying that it is alive", async () => {
    const { leave } = await arrive(2);
    const [first, second] = exchanges as [Exchange, Exchange];
    const waiting = begin(second);
    await leave();
    expect(await beats(waiting), "it waited behind another answer").to.equal(0);
    expect(await beats(begin(first)), "it began afterwards").to.equal(0);
  });
});
