// The first half of a call, before anything is written or sent: found, judged, validated, prepared. A refusal is a value the
// model can read. The verdict on the modes is taken here, once, and travels with the prepared call.
import { CallError, type PreparedCall, type Transport } from "../applications/transport.js";
import { messageOf } from "../domain/error.js";
import type { ToolCall } from "../domain/message.js";
import { judge, type Verdict } from "../domain/policy.js";
import type { FinalStatus } from "../domain/record.js";
import type { Action } from "../domain/schema-document.js";
import type { JsonObject } from "../lib/json.js";
import { builtinAction } from "../tools/builtin-tools.js";
import type { PrepareContext } from "./context.js";
import { redactArguments } from "./redact-arguments.js";

/** A call that may go on, in the way its verdict says. */
export interface ReadyCall {
  action: Action;
  transport: Transport;
  /** Valid, with the conversions that `ArgumentChecks` allows. */
  arguments: JsonObject;
  /** The same as they may be stored and displayed. */
  shownArguments: JsonObject;
  /** What is doubtful about the arguments, a sentence each. */
  warnings: readonly string[];
  prepared: PreparedCall;
  verdict: Exclude<Verdict, { kind: "refuse" }>;
}

/** Why a call goes no further, for the model and the record. */
export interface Refusal {
  status: FinalStatus;
  code: string;
  message: string;
}

/** For arguments that cannot be read. */
const MALFORMED =
  "the arguments were not a whole JSON object, or more than one reply may hold, or the reply was cut before they were whole; send them again";

/** Characters of a reason: it may quote what the model sent, which may be of any length. */
const MAX_REASON_CHARS = 2_000;

function refusal(code: string, reason: string, status: FinalStatus = "error"): Refusal {
  const short = `${reason.slice(0, MAX_REASON_CHARS).toWellFormed()}… (${reason.length - MAX_REASON_CHARS} more characters)`;
  return { status, code, message: reason.length > MAX_REASON_CHARS ? short : reason };
}

async function prepare(
  call: Pick<ToolCall, "name" | "arguments" | "malformed">,
  context: PrepareContext,
): Promise<ReadyCall | Refusal> {
  const { catalogue, policy, target, argumentChecks } = context;
  // The application's tools come first; one named like a tool of the daemon's own is renamed when its document is loaded.
  const own = context.builtinTransport && builtinAction(call.name);
  const action = catalogue.action(call.name) ?? own;
  if (!action) return refusal("unknown_tool", catalogue.unknown(call.name));
  if (call.malformed !== undefined) return refusal("invalid_arguments", MALFORMED);
  // Judged before validation: a forbidden tool is refused whatever its arguments look like.
  const verdict = judge(policy, action);
  if (verdict.kind === "refuse") return refusal("refused", verdict.reason, "blocked");
  const { kind } = action.transport;
  const transport = action === own ? context.builtinTransport : await context.transport(kind);
  if (!transport)
    return refusal(
      "unsupported_transport",
      `${action.name} uses the transport "${kind}", which this daemon does not know`,
    );
  const checked = await argumentChecks.check(action, call.arguments, policy.strict);
  if (checked.kind === "invalid")
    return refusal("invalid_arguments", checked.reason, policy.strict ? "blocked" : "error");
  try {
    const sent = checked.arguments;
    const shown = redactArguments(sent, action, context.redactor);
    const prepared = transport.prepare(action, { sent, shown }, target);
    const warnings = (checked.warnings ?? []).map((warning) => context.redactor.text(warning));
    return { action, transport, arguments: sent, shownArguments: shown, warnings, prepared, verdict };
  } catch (error) {
    return refusal(error instanceof CallError ? "invalid_arguments" : "transport_failed", messageOf(error));
  }
}

/** Finds, judges, validates and prepares a call; nothing is sent. Throws what the loading of a transport throws. */
export async function prepareCall(
  call: Pick<ToolCall, "name" | "arguments" | "malformed">,
  context: PrepareContext,
): Promise<ReadyCall | Refusal> {
  const outcome = await prepare(call, context);
  // A sentence about arguments may repeat them.
  return isRefusal(outcome) ? { ...outcome, message: context.redactor.text(outcome.message) } : outcome;
}

/** Whether a call was refused before anything was prepared. */
export function isRefusal(outcome: ReadyCall | Refusal): outcome is Refusal {
  return "code" in outcome;
}
