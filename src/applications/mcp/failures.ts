// What can go wrong between here and an MCP server, as codes and sentences that a model and a person can act on.
import type { JsonObject } from "../../lib/json.js";
import type { Outcome } from "../transport.js";

/** A failure with its code; whether the server may have done what it was asked. */
export class ServerFailure extends Error {
  readonly code: string;
  readonly mayBeDone: boolean;

  constructor(code: string, message: string, options: { cause?: unknown; mayBeDone?: boolean } = {}) {
    super(message, options);
    this.name = "ServerFailure";
    this.code = code;
    this.mayBeDone = options.mayBeDone ?? false;
  }
}

/** The outcome of a call that failed; `changes` says whether it may have changed something. */
export function failureOutcome({ code, message, mayBeDone }: ServerFailure, changes: boolean): Outcome {
  const doubt = mayBeDone && changes ? ". The call may have been carried out: check before sending it again" : "";
  const value: JsonObject = { error: code, message: message.replace(/\.$/, "") + doubt };
  return { status: "error", value };
}
