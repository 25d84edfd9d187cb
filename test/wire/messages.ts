// What the two processes of the proof say to each other: the sender (record.ts) and the server with its judges (server.ts).
import type { Place } from "./cut.js";
import type { Read, Reading, Verdict } from "./validate.js";

/** The header that names the judge, the operation by its number there, and the request; it is taken off before anyone judges. */
export const MEANT_FOR = "x-wire-operation";

/** Tells the server to read a document, or to judge some of its operations under a name that begins with the document's. */
export type Order =
  | { kind: "document"; name: string; file: string }
  | { kind: "judge"; name: string; places: Place[]; base: string; reading: Reading };

/** A request that arrived. */
export interface Heard {
  /** Method, path and query as they came. */
  url: string;
  verdict: Verdict;
  read: Read;
  /** Why the second judge was asked; absent when the first one judged. */
  passedOn?: string;
}

/** What the server tells: where it listens, and what came of request `n`. */
export type News = { kind: "listening"; url: string } | ({ kind: "heard"; n: number } & Heard);
