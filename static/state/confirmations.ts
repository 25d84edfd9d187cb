// The calls that wait for a person's yes, wherever they were asked for: in this page, before a reload, or by a script.
// A call whose time is over is withdrawn here at that moment, without waiting for the daemon to say so.

import { computed, signal } from "@preact/signals";
import type { HeldCall } from "../../src/domain/event.js";
import type { Confirmation } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { ask } from "./api.js";
import { until } from "./clock.js";
import { listIn } from "./daemon.js";

/** A held call and what has become of it. */
export type Approval = HeldCall & { status: Confirmation["status"] };

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const known = signal<ReadonlyMap<string, Approval>>(new Map());
const expiries = new Map<string, ReturnType<typeof setTimeout>>();

/** Every held call this page knows of, oldest first. */
export const approvals = computed(() => [...known.value.values()]);
/** Those that still wait. */
export const waiting = computed(() => approvals.value.filter((approval) => approval.status === "pending"));

/** The held call of a tool call, if it was held. */
export function approvalOf(turn_id: string, call_id: string): Approval | undefined {
  return approvals.value.find((approval) => approval.turn_id === turn_id && approval.call_id === call_id);
}

/** Notes what became of a held call. */
export function settle(id: string, status: Approval["status"]): void {
  clearTimeout(expiries.get(id));
  expiries.delete(id);
  const approval = known.peek().get(id);
  if (approval !== undefined) known.value = new Map(known.peek()).set(id, { ...approval, status });
}

/** Notes a held call. */
export function note(approval: Approval): void {
  known.value = new Map(known.peek()).set(approval.id, approval);
  if (approval.status !== "pending" || expiries.has(approval.id)) return;
  const left = Math.min(Math.max(0, until(approval.expires_at)), LONGEST_TIMER_MS);
  expiries.set(
    approval.id,
    setTimeout(() => settle(approval.id, "expired"), left),
  );
}

/** Asks which calls wait now; one that no longer does was decided elsewhere, or ran out. */
export async function loadApprovals(): Promise<void> {
  const asked = new Set(waiting.peek().map((approval) => approval.id));
  const list = listIn<Confirmation>(await ask("/-/confirmations?limit=100"), "confirmations");
  for (const one of list) if (one.status === "pending" || asked.has(one.id)) note(one);
}

/** Decides a held call. Throws ApiError when it was decided elsewhere or the edited arguments do not fit. */
export async function decide(id: string, decision: "approve" | "deny", edited?: JsonObject): Promise<void> {
  const body: JsonObject = edited === undefined ? { decision } : { decision, arguments: edited };
  await ask(`/-/confirmations/${encodeURIComponent(id)}`, { method: "POST", body });
  settle(id, decision === "approve" ? "approved" : "denied");
}
