// The confirmations this page knows of, wherever their turns run: in this page, before a reload, or in a script. One that
// expires changes its status here at that moment, without waiting for the daemon's event.

import { computed, signal } from "@preact/signals";
import type { ExtendedEvent, HeldCall } from "../../src/domain/event.js";
import type { Confirmation } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { callLine } from "../turn/call-line.js";
import { announce } from "./announcement.js";
import { requestJson, requestList } from "./api.js";
import { msUntil, syncClockToEvent } from "./clock.js";
import { applicationName, isAmbiguous } from "./daemon.js";

/** A confirmation as an event or a list of them describes it, with its present status. */
export type TrackedConfirmation = HeldCall & { status: Confirmation["status"] };

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const tracked = signal<ReadonlyMap<string, TrackedConfirmation>>(new Map());
const expiryTimers = new Map<string, ReturnType<typeof setTimeout>>();

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
function resolveConfirmation(id: string, status: TrackedConfirmation["status"]): void {
  clearTimeout(expiryTimers.get(id));
  expiryTimers.delete(id);
  const confirmation = tracked.peek().get(id);
  if (confirmation !== undefined) tracked.value = new Map(tracked.peek()).set(id, { ...confirmation, status });
}

/** Adds or updates a confirmation. */
function trackConfirmation(confirmation: TrackedConfirmation): void {
  const { id, status, expires_at } = confirmation;
  tracked.value = new Map(tracked.peek()).set(id, confirmation);
  if (status !== "pending" || expiryTimers.has(id)) return;
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
    resolveConfirmation(event.id, event.decision);
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
  const to = isAmbiguous(event.application) ? ` of ${applicationName(event.application)}` : "";
  announce(`Approval needed: ${event.tool}${to} (${event.safety}), ${method} ${short}`);
}

/** Loads the pending confirmations, and the outcome of those pending here that were decided elsewhere or have expired. */
export async function loadConfirmations(): Promise<void> {
  const pendingHere = new Set(pendingConfirmations.peek().map(({ id }) => id));
  const list = await requestList<Confirmation>("/-/confirmations?limit=100&details=pending", "confirmations");
  for (const one of list) if (one.status === "pending" || pendingHere.has(one.id)) trackConfirmation(one);
}

/** Sends a decision. Throws ApiError when it was decided elsewhere or the edited arguments are invalid. */
export async function decideConfirmation(id: string, decision: "approve" | "deny", edited?: JsonObject): Promise<void> {
  const body: JsonObject = edited === undefined ? { decision } : { decision, arguments: edited };
  await requestJson(`/-/confirmations/${encodeURIComponent(id)}`, { method: "POST", body });
  resolveConfirmation(id, decision === "approve" ? "approved" : "denied");
}
