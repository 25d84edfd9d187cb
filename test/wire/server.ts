// The judges' side of the proof, in a process of its own: one real HTTP server on a loopback port, the document unchanged, and
// a judge for each group of operations. Takes orders as messages and reports what arrived of each request and the verdict on it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express, Request } from "express";
import type { JsonObject } from "../../src/lib/json.js";
import type { Arrived } from "./arrival.js";
import { cutTo } from "./cut.js";
import { type Judged, type JudgeMessage, MEANT_FOR, type Order } from "./messages.js";
import { type JudgedRequest, type Opinion, secondOpinion } from "./second.js";
import { createJudge, filesOf, loadOriginal } from "./validate.js";

/** Orders and requests take different ways, so that a request may arrive before its judge is made. */
interface Awaited {
  judge: Promise<Express>;
  made(judge: Promise<Express>): void;
}

const judges = new Map<string, Awaited>();
let original: Promise<JsonObject> = Promise.resolve({});

const send = (message: JudgeMessage): void => void process.send?.(message);

/** A request as it arrived: the first judge changes what it is given. */
interface Received extends Pick<JudgedRequest, "method" | "headers"> {
  n: number;
  /** The number of its operation among its judge's. */
  nth: number;
  /** Path and query. */
  url: string;
  /** What of the body has been read. */
  body: Buffer[];
}

/** Requests without a verdict yet, by the object their judge was given. */
const open = new WeakMap<object, Received>();

function awaited(name: string): Awaited {
  let one = judges.get(name);
  if (!one) {
    let made: Awaited["made"] = () => {};
    const judge = new Promise<Express>((resolve) => (made = resolve));
    judges.set(name, (one = { judge, made }));
  }
  return one;
}

function arrivedOf({ method, url, headers, body }: Received): Arrived {
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const own = { contentType: String(headers["content-type"] ?? ""), headers: Object.fromEntries(texts) };
  return { url: `${method} ${url}`, ...own, body: Buffer.concat(body) };
}

/** Reports the first judge's verdict on a request or, where it has no means to judge, the second one's. */
async function report(
  [received, request]: readonly [Received, Request],
  first: Pick<Judged, "verdict" | "read">,
  askSecond: () => Promise<Opinion>,
) {
  const { verdict, read } = first;
  // A judge need not read what it has no means for.
  if (!request.readableEnded) await once(request.resume(), "end");
  const judged = { kind: "judged" as const, n: received.n, arrived: arrivedOf(received) };
  const limit = verdict.kind === "unjudged" ? verdict.limit : undefined;
  if (limit === undefined) return send({ ...judged, ...first });
  const failed = (error: unknown): Opinion => ({ verdict: { kind: "unjudged", reason: String(error) }, read: {} });
  const second = await askSecond().catch(failed);
  send({ ...judged, verdict: second.verdict, read: { ...read, ...second.read }, passedOn: limit });
}

function onOrder(order: Order): void {
  if (order.kind === "document") {
    for (const name of judges.keys()) if (!name.startsWith(order.name)) judges.delete(name);
    original = loadOriginal(order.file);
    return;
  }
  const { operations, base, reading } = order;
  const made = original.then((document) =>
    createJudge(cutTo(document, operations, base), reading, (request, verdict, read) => {
      const received = open.get(request);
      const operation = operations[received?.nth ?? -1];
      if (!received || !operation) return;
      const whole = { ...received, path: received.url.slice(base.length), body: read.body, files: filesOf(request) };
      report([received, request], { verdict, read }, () => secondOpinion(cutTo(document, [operation], base), whole));
    }),
  );
  // Its callers get the failure; here it must not end the process.
  made.catch(() => {});
  awaited(order.name).made(made);
}

const server = createServer((request, response) => {
  const [name = "", nth = "", n = ""] = String(request.headers[MEANT_FOR]).split(" ");
  delete request.headers[MEANT_FOR];
  const { method = "", url = "", headers } = request;
  const received: Received = { n: Number(n), nth: Number(nth), method, url, headers: { ...headers }, body: [] };
  open.set(request, received);
  // Seen on its way to whatever reads it: the judge is not ready yet, and a listener would start the stream.
  const emit = request.emit.bind(request);
  request.emit = (event: string, ...rest: unknown[]) => {
    if (event === "data") received.body.push(rest[0] as Buffer);
    return emit(event, ...rest);
  };
  const failed = (error: unknown): void => {
    const read = { path: {}, query: {}, headers: {}, cookies: {}, body: null };
    const verdict = { kind: "unjudged" as const, reason: String(error) };
    send({ kind: "judged", n: received.n, arrived: arrivedOf(received), verdict, read });
    response.end();
  };
  awaited(name)
    .judge.then((judge) => judge(request, response))
    .catch(failed);
});
// A judge that takes long to be made holds the event loop; connections that waited meanwhile are not given up.
server.keepAliveTimeout = 0;
server.headersTimeout = 0;
server.requestTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  send({ kind: "listening", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("message", onOrder);
process.on("disconnect", () => process.exit());
