// Held calls: a person's yes that survives everything. A held call is on disk before anyone hears of it; deciding it is a
// claim that exactly one caller wins, whether a turn waits for it or not.
import { randomUUID } from "node:crypto";
import type { Decision } from "./agent.js";
import { AppError } from "./error.js";
import type { HeldCall } from "./event.js";
import type { JsonObject } from "./json.js";
import type { Redactor } from "./redact.js";
import type { CallIntent, Claim, Confirmation, Store } from "./store/store.js";

/** What an approval with edited arguments comes to, checked by whoever knows the tools. */
export interface Edited {
  arguments: JsonObject;
  /** Short form, for the history. */
  request: JsonObject;
  /** The whole request, for people. */
  preview: JsonObject;
}

export interface Confirmations {
  /** Puts a call on hold; durable when it resolves. */
  hold(intent: CallIntent, args: JsonObject, preview: JsonObject): Promise<Confirmation>;
  /** Resolves when somebody decides it or it expires; with undefined when the signal aborts first and the call stays held. */
  wait(id: string, signal: AbortSignal): Promise<Confirmation | undefined>;
  /**
   * Decides a held call; `edited` are checked new arguments. Returns the decided call and whether a turn was waiting for it.
   * Throws AppError not_found or conflict.
   */
  decide(id: string, decision: Decision, edited?: Edited): Promise<{ confirmation: Confirmation; awaited: boolean }>;
  /** The part of a held call that people see. */
  shown(confirmation: Confirmation): HeldCall;
  /** Sets the expiry timers of the calls that an earlier run of the daemon left held. */
  resume(): Promise<void>;
  close(): void;
}

/** setTimeout's largest delay, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Held calls over a store; each expires `ttlMs` after it was made. */
export function createConfirmations(parts: { store: Store; redactor: Redactor; ttlMs: number }): Confirmations {
  const { store, redactor, ttlMs } = parts;
  const waiters = new Map<string, (decided: Confirmation) => void>();
  const timers = new Map<string, NodeJS.Timeout>();

  const settle = async (
    claim: Claim,
    result: JsonObject | null,
  ): Promise<{ confirmation: Confirmation; awaited: boolean }> => {
    const confirmation = await store.claim(claim, result);
    if (!confirmation) throw new AppError("conflict", "This call has already been decided.");
    clearTimeout(timers.get(claim.id));
    timers.delete(claim.id);
    const waiter = waiters.get(claim.id);
    waiters.delete(claim.id);
    waiter?.(confirmation);
    return { confirmation, awaited: waiter !== undefined };
  };

  const expire = (id: string): Promise<unknown> => {
    const reason = "nobody answered in time";
    return settle({ id, decision: "expired", reason }, { error: "confirmation_expired", message: reason }).catch(
      () => undefined,
    );
  };

  const watch = (confirmation: Confirmation): void => {
    const left = Date.parse(confirmation.expires_at) - Date.now();
    const timer = setTimeout(() => void expire(confirmation.id), Math.min(Math.max(left, 0), LONGEST_TIMER));
    timers.set(confirmation.id, timer.unref());
  };

  return {
    async hold(intent, args, preview) {
      const confirmation = await store.hold(intent, {
        id: randomUUID(),
        session_id: intent.session_id,
        turn_id: intent.turn_id,
        call_id: intent.call_id,
        tool: intent.tool,
        safety: intent.safety,
        arguments: args,
        request: redactor.known(preview),
        expires_at: new Date(Date.now() + ttlMs).toISOString(),
      });
      watch(confirmation);
      return confirmation;
    },

    wait: (id, signal) =>
      new Promise((resolve) => {
        const onAbort = (): void => {
          waiters.delete(id);
          resolve(undefined);
        };
        if (signal.aborted) return onAbort();
        signal.addEventListener("abort", onAbort, { once: true });
        waiters.set(id, (decided) => {
          signal.removeEventListener("abort", onAbort);
          resolve(decided);
        });
      }),

    async decide(id, { decision, reason = "" }, edited) {
      const current = await store.confirmation(id);
      if (!current) throw new AppError("not_found", "There is no held call of this id.");
      if (current.status === "pending" && Date.parse(current.expires_at) <= Date.now()) await expire(id);
      const denied = { error: "denied", message: reason || "a person refused the call" };
      if (decision === "deny") return settle({ id, decision: "denied", reason: denied.message }, denied);
      const changes = edited && {
        arguments: edited.arguments,
        history_arguments: redactor.value(edited.arguments),
        history_request: redactor.known(edited.request),
        request: redactor.known(edited.preview),
      };
      return settle({ id, decision: "approved", reason, ...changes }, null);
    },

    shown(confirmation) {
      const { id, session_id, turn_id, call_id, tool, safety, request, created_at, expires_at } = confirmation;
      const args = redactor.known(confirmation.arguments);
      return { id, session_id, turn_id, call_id, tool, safety, arguments: args, request, created_at, expires_at };
    },

    async resume() {
      for (const confirmation of await store.confirmations({ status: "pending", limit: 10_000 })) watch(confirmation);
    },

    close() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
