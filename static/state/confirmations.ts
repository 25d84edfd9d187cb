// The confirmations this page knows of, wherever their turns run: in this page, before a reload, or in a script. One that
// expires changes its status here at that moment, without waiting for the daemon's event.

import { batch, computed, signal } from "@preact/signals";
import type { Decided } from "../../src/domain/agent.js";
import type { ExtendedEvent, HeldCall } from "../../src/domain/event.js";
import type { Confirmation } from "../../src/domain/record.js";
import { type JsonObject, type JsonValue, objectOf, toJson } from "../../src/lib/json.js";
import { callLine } from "../turn/call-line.js";
import { announce } from "./announcement.js";
import { ApiError, errorText, requestJson, requestList } from "./api.js";
import { msUntil, syncClockToEvent } from "./clock.js";
import { nameBeside } from "./daemon.js";

/** Who decided, when and why, as far as this page knows. */
type Outcome = Partial<Pick<Confirmation, "decided_at" | "decided_by" | "reason">>;

/** A confirmation as an event or a list of them describes it, with its present status. */
export type TrackedConfirmation = HeldCall & Outcome & { status: Confirmation["status"] };

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Rows of a page of the record. */
export const PAGE_SIZE = 50;

const tracked = signal<ReadonlyMap<string, TrackedConfirmation>>(new Map());
const expiryTimers = new Map<string, ReturnType<typeof setTimeout>>();

/** Why nothing, or not what was meant, came of what was approved in this page, by the id of the confirmation. */
const failures = signal<ReadonlyMap<string, string>>(new Map());

/** Why an approval of this page came to nothing; undefined for every other. */
export const failureOf = (id: string): string | undefined => failures.value.get(id);

function noteFailure(id: string, message: string): void {
  failures.value = new Map(failures.peek()).set(id, message);
  announce(message);
}

/** Every known confirmation, oldest first. */
export const confirmations = computed(() => [...tracked.value.values()]);
/** Those without a decision. */
export const pendingConfirmations = computed(() => confirmations.value.filter(({ status }) => status === "pending"));

/** The confirmation of a tool call, if it needed one. */
export function confirmationOf(turn_id: string, call_id: string): TrackedConfirmation | undefined {
  return confirmations.value.find((one) => !one.input && one.turn_id === turn_id && one.call_id === call_id);
}

/** What the application of a tool call asks at the moment. */
export function questionsOf(turn_id: string, call_id: string): TrackedConfirmation[] {
  return pendingConfirmations.value.filter((one) => one.input && one.turn_id === turn_id && one.call_id === call_id);
}

/** Ends a confirmation with its outcome. */
function resolveConfirmation(id: string, status: TrackedConfirmation["status"], outcome: Outcome = {}): void {
  clearTimeout(expiryTimers.get(id));
  expiryTimers.delete(id);
  const confirmation = tracked.peek().get(id);
  if (confirmation !== undefined)
    tracked.value = new Map(tracked.peek()).set(id, { ...confirmation, ...outcome, status });
}

/** Adds or updates a confirmation. Its expiry is only ever put off: a turn is replayed with the one of before. */
function trackConfirmation(given: TrackedConfirmation): void {
  const { id, status } = given;
  const before = tracked.peek().get(id);
  const expires_at = before && before.expires_at > given.expires_at ? before.expires_at : given.expires_at;
  tracked.value = new Map(tracked.peek()).set(id, { ...given, expires_at });
  if (status === "pending" && expiryTimers.has(id) && before?.expires_at === expires_at) return;
  clearTimeout(expiryTimers.get(id));
  expiryTimers.delete(id);
  if (status !== "pending") return;
  const left = Math.min(Math.max(0, msUntil(expires_at)), MAX_TIMER_MS);
  expiryTimers.set(
    id,
    setTimeout(() => resolveConfirmation(id, "expired"), left),
  );
}

/** Adds or ends a confirmation as an event says. A turn is replayed with its questions, also with those that have an answer. */
export function noteConfirmation(
  event: Extract<ExtendedEvent, { kind: "confirmation_required" | "confirmation_resolved" }>,
): void {
  if (event.kind === "confirmation_resolved") {
    resolveConfirmation(event.id, event.decision, { reason: event.reason ?? "" });
    return;
  }
  syncClockToEvent(event.created_at);
  if ((tracked.peek().get(event.id)?.status ?? "pending") !== "pending") return;
  trackConfirmation({ ...event, status: "pending" });
  if (event.input) {
    announce(`${event.application || "The application"} asks: ${event.input.message}`);
    return;
  }
  const { method, short } = callLine(event.request);
  const name = nameBeside(short, event.application);
  announce(`Approval needed: ${event.tool}${name && ` of ${name}`} (${event.safety}), ${method} ${short}`);
}

/** Loads the pending confirmations, and the outcome of those pending here that were decided elsewhere or have expired. */
export async function loadConfirmations(): Promise<void> {
  const list = await requestList<Confirmation>("/-/confirmations?limit=100&details=pending", "confirmations");
  batch(() => {
    for (const one of list) {
      const known = tracked.peek().get(one.id);
      if (one.status === "pending") trackConfirmation(one);
      // The details of what was decided stay as they were known.
      else if (known && !known.decided_at) resolveConfirmation(one.id, one.status, outcomeOf(one));
    }
  });
}

function outcomeOf({ decided_at, decided_by, reason }: Confirmation): Outcome {
  return { decided_at, decided_by, reason };
}

/** What a person decides, and says about it. */
export interface PersonsDecision {
  decision: "approve" | "deny";
  /** For the model and the record. */
  reason?: string | undefined;
  /** In place of the call's own. */
  arguments?: JsonObject | undefined;
}

const pathOfOne = (id: string): string => `/-/confirmations/${encodeURIComponent(id)}`;

/** What the result of a failed call says. */
function textOfFailure(result: JsonValue): string {
  const { message } = objectOf(result);
  return typeof message === "string" ? message : toJson(result);
}

/** Sends a decision. Throws ApiError when it was decided elsewhere or the edited arguments are invalid. */
export async function decideConfirmation(id: string, decision: PersonsDecision): Promise<void> {
  const body = Object.fromEntries(Object.entries(decision).filter(([, value]) => value !== undefined && value !== ""));
  try {
    const decided = (await requestJson(pathOfOne(id), { method: "POST", body })) as unknown as Decided;
    const { outcome } = decided;
    if (outcome?.status === "error") noteFailure(id, textOfFailure(outcome.result));
    resolveConfirmation(id, decision.decision === "approve" ? "approved" : "denied", outcomeOf(decided));
  } catch (error) {
    // A conflict without details is another's decision, which its row says.
    if (
      error instanceof ApiError &&
      (error.code === "changed" || (error.code === "conflict" && error.details.length > 0))
    )
      noteFailure(id, errorText(error));
    throw error;
  }
}

/** Gives a held call more time, in seconds. Throws ApiError when it has been decided. */
export async function extendConfirmation(id: string, seconds: number): Promise<void> {
  const extended = await requestJson(`${pathOfOne(id)}/extend`, { method: "POST", body: { seconds } });
  trackConfirmation(extended as unknown as Confirmation);
}

/** A page of confirmations, the newest first, from the daemon's record; behind one of them with `before`. */
export function loadPage(status: Confirmation["status"] | "decided", before?: string): Promise<Confirmation[]> {
  const from = before === undefined ? "" : `&before=${encodeURIComponent(before)}`;
  return requestList<Confirmation>(`/-/confirmations?status=${status}&limit=${PAGE_SIZE}${from}`, "confirmations");
}
