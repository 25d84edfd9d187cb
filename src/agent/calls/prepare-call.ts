// The first half of a call, before anything is written or sent: found, judged, validated, prepared. A refusal is a value the
// model can read. The verdict on the modes is taken here, once, and travels with the prepared call.
import { CallError, type PreparedCall, type Target, type Transport } from "../../applications/transport.js";
import type { PromptRequest } from "../../domain/agent.js";
import type { ArgumentFault } from "../../domain/argument-fault.js";
import { BUILTIN_KIND } from "../../domain/builtin-kind.js";
import { messageOf } from "../../domain/error.js";
import type { ToolCall } from "../../domain/message.js";
import { judge, type Policy, permitted, tighten, type Verdict } from "../../domain/policy.js";
import type { FinalStatus } from "../../domain/record.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { createSlices } from "../../lib/slices.js";
import { builtinAction, UNDO } from "../../tools/builtin-tools.js";
import type { PrepareContext, SendContext } from "../context.js";
import { redactArguments } from "./redact-arguments.js";
import { recordUndoTransport } from "./undo-record.js";
import { findUndone } from "./undone.js";

/** A call that may go on, in the way its verdict says. */
export interface ReadyCall {
  action: Action;
  /** The modes it was judged by: those of its application, too. */
  policy: Policy;
  /** Where it goes. */
  target: Target;
  transport: Transport;
  /** Valid, with the conversions that `ArgumentChecks` allows. */
  arguments: JsonObject;
  /** The same as they may be stored and displayed. */
  shownArguments: JsonObject;
  /** What is doubtful about the arguments, a sentence each. */
  warnings: readonly string[];
  prepared: PreparedCall;
  verdict: Exclude<Verdict, { kind: "refuse" }>;
  /** The row that it undoes; missing for every other call. */
  undoes?: number;
}

/** Why a call goes no further, for the model and the record. */
export interface Refusal {
  status: FinalStatus;
  code: string;
  message: string;
  /** What is wrong with its arguments, each at its place. */
  details?: readonly ArgumentFault[] | undefined;
  /** What it was to do, where that is not the tool's own action. */
  action?: Action;
}

/** The modes of a request on top of those of the daemon: those it asks for, and what its token may do. */
export function requestPolicy(startup: Policy, { policy, caller }: Pick<PromptRequest, "policy" | "caller">): Policy {
  return tighten(tighten(startup, policy), { read_only: caller.readOnly });
}

/** The modes that a call is judged by. The daemon's own tools belong to no application. */
export function policyFor(
  action: Action | undefined,
  { policy, modes, isConfirmFirm }: Pick<PrepareContext, "policy" | "modes" | "isConfirmFirm">,
): Policy {
  const isOwn = action === undefined || action.transport.kind === BUILTIN_KIND;
  return isOwn ? policy : permitted(tighten(policy, modes(action.application)), action.permission, isConfirmFirm);
}

/** For arguments that cannot be read. */
const MALFORMED =
  "the arguments were not a whole JSON object, or more than one reply may hold, or the reply was cut before they were whole; send them again";

/** Characters of a reason: it may quote what the model sent, which may be of any length, and a schema may list thousands of values. */
const MAX_REASON_CHARS = 2_000;

/** A reason in a length that a model and a record can take, without secrets. */
export function shownReason(reason: string, { text }: Pick<Redactor, "text">): string {
  const clean = text(reason);
  if (clean.length <= MAX_REASON_CHARS) return clean;
  return `${clean.slice(0, MAX_REASON_CHARS).toWellFormed()}… (${clean.length - MAX_REASON_CHARS} more characters)`;
}

function refusal(code: string, message: string, status: FinalStatus = "error"): Refusal {
  return { status, code, message };
}

/** A call of `undo`: one of the tool whose call it takes back, under the modes and permissions of that. */
async function prepareUndo(tool: Action, args: JsonObject, context: PrepareContext): Promise<ReadyCall | Refusal> {
  const checked = await context.argumentChecks.check(tool, args, true);
  if (checked.kind === "invalid") return { ...refusal("invalid_arguments", checked.reason), details: checked.faults };
  const { history_id } = checked.arguments;
  const found = await findUndone(typeof history_id === "number" ? history_id : undefined, context);
  if ("reason" in found) return refusal("cannot_undo", found.reason);
  const { entry, action: undone, images } = found;
  const { application, transport: description, permission, provenance } = undone;
  const stricter = permission?.is === "allow" ? undefined : permission;
  const action = { ...tool, application, transport: description, permission: stricter, provenance };
  const policy = policyFor(action, context);
  const verdict = judge(policy, action);
  if (verdict.kind === "refuse") return { ...refusal("refused", verdict.reason, "blocked"), action };
  try {
    const inner = await context.transport(description.kind);
    const transport =
      inner && !inner.prepareUndo
        ? recordUndoTransport(found, { inner, mayRead: verdict.kind !== "dry_run" }, context)
        : inner;
    const target = context.target(application);
    const prepared = transport?.prepareUndo?.(undone, images, target);
    if (!transport || !prepared)
      return { ...refusal("cannot_undo", `${entry.tool} cannot be undone any more`), action };
    const sent = { history_id: entry.id };
    // Not what the transport shows: the images hold rows as they are.
    const { method, url } = prepared.request ?? {};
    // Where it goes is displayed as the row has it, whose arguments were redacted, and only while that is where it goes.
    const isThere = typeof method === "string" && typeof url === "string" && url === entry.request?.["url"];
    const request = { undo: entry.id, tool: entry.tool, ...(isThere && { method, url }) };
    const shown = { ...prepared, request, preview: { ...request, arguments: entry.arguments } };
    const call = { arguments: sent, shownArguments: sent, warnings: [], prepared: shown, undoes: entry.id };
    return { action, policy, target, transport, verdict, ...call };
  } catch (error) {
    return { ...refusal("cannot_undo", messageOf(error)), action };
  }
}

/** What an action is called by; the refusal of a kind that is not known, or cannot be loaded. */
async function transportOf(
  { name, transport: { kind } }: Action,
  context: PrepareContext,
): Promise<Transport | Refusal> {
  const reason = `${name} uses the transport "${kind}", which this daemon does not know`;
  try {
    return (await context.transport(kind)) ?? refusal("unsupported_transport", reason);
  } catch (error) {
    return refusal("transport_failed", messageOf(error));
  }
}

async function prepare(
  call: Pick<ToolCall, "name" | "arguments" | "malformed">,
  context: PrepareContext,
): Promise<ReadyCall | Refusal> {
  const { catalogue, argumentChecks } = context;
  // The application's tools come first; one named like a tool of the daemon's own is renamed when its document is loaded.
  const isUndo = call.name === UNDO.name && catalogue.action(call.name) === undefined;
  const own = context.builtinTransport || isUndo ? builtinAction(call.name) : undefined;
  const action = catalogue.action(call.name) ?? own;
  if (!action) return refusal("unknown_tool", catalogue.unknown(call.name));
  if (call.malformed !== undefined) return refusal("invalid_arguments", MALFORMED);
  if (isUndo) return prepareUndo(action, call.arguments, context);
  // Judged before validation: a forbidden tool is refused whatever its arguments look like.
  const policy = policyFor(action, context);
  const verdict = judge(policy, action);
  if (verdict.kind === "refuse") return refusal("refused", verdict.reason, "blocked");
  const transport = (action === own && context.builtinTransport) || (await transportOf(action, context));
  if ("code" in transport) return transport;
  const checked = await argumentChecks.check(action, call.arguments, policy.strict);
  if (checked.kind === "invalid")
    return {
      ...refusal("invalid_arguments", checked.reason, policy.strict ? "blocked" : "error"),
      details: checked.faults,
    };
  try {
    const sent = checked.arguments;
    // Each step goes through all of long arguments.
    const slices = createSlices();
    const shown = redactArguments(sent, action, context.redactor);
    if (slices.isOver()) await slices.pause();
    const target = context.target(action.application);
    const prepared = transport.prepare(action, { sent, shown }, target);
    if (slices.isOver()) await slices.pause();
    const warnings = (checked.warnings ?? []).map((warning) => context.redactor.text(warning));
    return { action, policy, target, transport, arguments: sent, shownArguments: shown, warnings, prepared, verdict };
  } catch (error) {
    return refusal(error instanceof CallError ? "invalid_arguments" : "transport_failed", messageOf(error));
  }
}

/** Finds, judges, validates and prepares a call; nothing is sent. */
export async function prepareCall(
  call: Pick<ToolCall, "name" | "arguments" | "malformed">,
  context: PrepareContext,
): Promise<ReadyCall | Refusal> {
  const outcome = await prepare(call, context);
  // A sentence about arguments may repeat them.
  if (!isRefusal(outcome)) return outcome;
  const { text } = context.redactor;
  const details = outcome.details?.map(({ pointer, message }) => ({ pointer: text(pointer), message: text(message) }));
  return { ...outcome, message: shownReason(outcome.message, context.redactor), details };
}

/** Whether a call is answered by the daemon itself: it counts against no limit. */
export function isOwn({ action }: ReadyCall): boolean {
  return action.transport.kind === BUILTIN_KIND;
}

/** Counts a call that is about to be sent; the refusal of one that a limit forbids. Throws AppError when it cannot be counted. */
export async function countCall({ useLimits }: SendContext, session_id: string): Promise<Refusal | undefined> {
  const message = await useLimits.refusalOf("calls", session_id);
  return message === undefined ? undefined : { status: "blocked", code: "limit_reached", message };
}

/** Whether a call was refused before anything was prepared. */
export function isRefusal(outcome: ReadyCall | Refusal): outcome is Refusal {
  return "code" in outcome;
}
