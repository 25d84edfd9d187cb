// The judges' side of the proof, in a process of its own: one real HTTP server on a loopback port, the document as it came, and
// a judge for each group of operations. Told what to judge by messages; tells of each request what came and what it is worth.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import type { JsonObject } from "../../src/json.js";
import { cutTo } from "./cut.js";
import { MEANT_FOR, type News, type Order } from "./messages.js";
import { createJudge, loadOriginal } from "./validate.js";

/** Orders and requests come by different ways, so that a request may come before its judge is there. */
interface Awaited {
  judge: Promise<Express>;
  made(judge: Promise<Express>): void;
}

const judges = new Map<string, Awaited>();
let original: Promise<JsonObject> = Promise.resolve({});

const tell = (news: News): void => void process.send?.(news);

/** Requests whose judge has not spoken yet, by the object it was given. */
const open = new WeakMap<object, { n: number; url: string }>();

function awaited(name: string): Awaited {
  let one = judges.get(name);
  if (!one) {
    let made: Awaited["made"] = () => {};
    const judge = new Promise<Express>((resolve) => (made = resolve));
    judges.set(name, (one = { judge, made }));
  }
  return one;
}

function obey(order: Order): void {
  if (order.kind === "document") {
    for (const name of judges.keys()) if (!name.startsWith(order.name)) judges.delete(name);
    original = loadOriginal(order.file);
    return;
  }
  const made = original.then((document) =>
    createJudge(cutTo(document, order.places, order.base), order.reading, (request, verdict, read) => {
      const came = open.get(request);
      if (came) tell({ kind: "heard", ...came, verdict, read });
    }),
  );
  // Who asks for it hears of a failure; here it must not end the process.
  made.catch(() => {});
  awaited(order.name).made(made);
}

const server = createServer((request, response) => {
  const [name = "", n = ""] = String(request.headers[MEANT_FOR]).split(" ");
  delete request.headers[MEANT_FOR];
  const came = { n: Number(n), url: `${request.method} ${request.url}` };
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
