// The messages between the two processes of the proof: the sender (record.ts) and the server with its judges (server.ts).
import type { Arrived } from "./arrival.js";
import type { OperationKey } from "./cut.js";
import type { Read, Reading, Verdict } from "./validate.js";

/** The header that names the judge, the operation by its number there, and the request; it is removed before the request is judged. */
export const MEANT_FOR = "x-wire-operation";

/** An order to the server: to read a document, or to judge some of its operations under a name that begins with the document's. */
export type Order =
  | { kind: "document"; name: string; file: string }
  | { kind: "judge"; name: string; operations: OperationKey[]; base: string; reading: Reading };

/** A request that arrived. */
export interface Judged {
  /** The request itself. */
  arrived: Arrived;
  verdict: Verdict;
  read: Read;
  /** Why the request was passed on to the second judge; absent when the first one judged. */
  passedOn?: string;
}

/** What the server reports: where it listens, and the verdict on request `n`. */
export type JudgeMessage = { kind: "listening"; url: string } | ({ kind: "judged"; n: number } & Judged);
