// The judges' side of the proof, in a process of its own: one real HTTP server on a loopback port, the document as it came, and
// a judge for each group of operations. Told what to judge by messages; tells of each request what came and what it is worth.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import type { JsonObject } from "../../src/lib/json.js";
import { cutTo } from "./cut.js";
import { type Heard, MEANT_FOR, type News, type Order } from "./messages.js";
import { type Asked, type Opinion, secondOpinion } from "./second.js";
import { createJudge, filesOf, loadOriginal } from "./validate.js";

/** Orders and requests come by different ways, so that a request may come before its judge is there. */
interface Awaited {
  judge: Promise<Express>;
  made(judge: Promise<Express>): void;
}

const judges = new Map<string, Awaited>();
let original: Promise<JsonObject> = Promise.resolve({});

const tell = (news: News): void => void process.send?.(news);

/** A request as it came: the first judge changes what it is given. */
interface Came extends Pick<Asked, "method" | "headers"> {
  n: number;
  /** The number of its operation among its judge's. */
  nth: number;
  /** Path and query. */
  url: string;
}

/** Requests whose judge has not spoken yet, by the object it was given. */
const open = new WeakMap<object, Came>();

function awaited(name: string): Awaited {
  let one = judges.get(name);
  if (!one) {
    let made: Awaited["made"] = () => {};
    const judge = new Promise<Express>((resolve) => (made = resolve));
    judges.set(name, (one = { judge, made }));
  }
  return one;
}

/** Tells what the first judge says of a request or, where it has no means to judge, what the second one does. */
async function report({ n, method, url }: Came, first: Pick<Heard, "verdict" | "read">, ask: () => Promise<Opinion>) {
  const { verdict, read } = first;
  const heard = { kind: "heard" as const, n, url: `${method} ${url}` };
  const limit = verdict.kind === "unjudged" ? verdict.limit : undefined;
  if (limit === undefined) return tell({ ...heard, ...first });
  const failed = (error: unknown): Opinion => ({ verdict: { kind: "unjudged", reason: String(error) }, read: {} });
  const second = await ask().catch(failed);
  tell({ ...heard, verdict: second.verdict, read: { ...read, ...second.read }, passedOn: limit });
}

function obey(order: Order): void {
  if (order.kind === "document") {
    for (const name of judges.keys()) if (!name.startsWith(order.name)) judges.delete(name);
    original = loadOriginal(order.file);
    return;
  }
  const { places, base, reading } = order;
  const made = original.then((document) =>
    createJudge(cutTo(document, places, base), reading, (request, verdict, read) => {
      const came = open.get(request);
      const place = places[came?.nth ?? -1];
      if (!came || !place) return;
      const asked = { ...came, path: came.url.slice(base.length), body: read.body, files: filesOf(request) };
      report(came, { verdict, read }, () => secondOpinion(cutTo(document, [place], base), asked));
    }),
  );
  // Who asks for it hears of a failure; here it must not end the process.
  made.catch(() => {});
  awaited(order.name).made(made);
}

const server = createServer((request, response) => {
  const [name = "", nth = "", n = ""] = String(request.headers[MEANT_FOR]).split(" ");
  delete request.headers[MEANT_FOR];
  const { method = "", url = "", headers } = request;
  const came = { n: Number(n), nth: Number(nth), method, url, headers: { ...headers } };
  open.set(request, came);
  const failed = (error: unknown): void => {
    const read = { path: {}, query: {}, headers: {}, cookies: {}, body: null };
    tell({ kind: "heard", ...came, verdict: { kind: "unjudged", reason: String(error) }, read });
    response.end();
  };
  awaited(name)
    .judge.then((judge) => judge(request, response))
    .catch(failed);
});
server.listen(0, "127.0.0.1", () => {
  tell({ kind: "listening", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("message", obey);
process.on("disconnect", () => process.exit());
