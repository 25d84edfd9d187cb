// Whose word each admitted request is, from its admission to its answer.
import type { IncomingMessage } from "node:http";
import type { Caller } from "../../domain/caller.js";

const callers = new WeakMap<IncomingMessage, Caller>();

/** Notes the caller of a request that was admitted. */
export function setCaller(req: IncomingMessage, caller: Caller): void {
  callers.set(req, caller);
}

/** The caller of a request that was admitted. Throws Error for any other: no rights follow from a missing answer. */
export function callerOf(req: IncomingMessage): Caller {
  const caller = callers.get(req);
  if (!caller) throw new Error("a request that was not admitted reached a route");
  return caller;
}
