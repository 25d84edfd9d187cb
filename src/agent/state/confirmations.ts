// Confirmations: calls held until a person decides, which survive everything. A held call is on disk before any client sees it;
// deciding it is a claim that exactly one caller wins, whether a turn waits for it or not.

import { randomUUID } from "node:crypto";
import { MAX_TIMER_MS } from "../../config/kinds.js";
import { type Decision, MAX_EXTENSION_SECONDS, unknownHeldCall } from "../../domain/decision.js";
import type { Foreseen } from "../../domain/effect.js";
import { AppError } from "../../domain/error.js";
import type { HeldCall } from "../../domain/event.js";
import type { InputRequest } from "../../domain/input.js";
import { type CallIntent, type Confirmation, EXPIRED_REASON, EXPIRED_RESULT } from "../../domain/record.js";
import type { JsonObject } from "../../lib/json.js";
import type { Redactor } from "../../lib/redact/redact.js";
import type { Claim, Store } from "../../store/store.js";

/** What an approval with edited arguments comes to; the caller has checked them. */
export interface EditedCall {
  arguments: JsonObject;
  /** The same without secrets, for the history. */
  shownArguments: JsonObject;
  /** Short form, for the history. */
  request: JsonObject | null;
  /** The whole request, for people. */
  preview: JsonObject;
  /** What it would do, where that is known. */
  foreseen: Foreseen | undefined;
}

/** What a person is to say yes to. */
interface Shown {
  /** The whole request. */
  preview: JsonObject;
  /** What it would do, where that is known. */
  foreseen: Foreseen | undefined;
  /** For a question of an application. */
  input?: InputRequest;
}

/** An answer to a question: as it was given, and as it may be stored. */
interface Answer {
  values: JsonObject;
  shownValues: JsonObject;
  reason?: string | undefined;
  decided_by: string;
}

/** How a wait ended. */
interface Awaited {
  confirmation: Confirmation;
  /** What a question was answered with; `{}` for every other decision. */
  values: JsonObject;
  /** Says whether the approved call is held anew, in place of being made; whoever decided waits for that. */
  onTried(again: Confirmation | undefined): void;
}

/** A decision that was taken. */
interface Settled {
  confirmation: Confirmation;
  /** Set when a turn was waiting: what the turn says by `onTried`. */
  tried?: Promise<Confirmation | undefined>;
}

/** A decision, and the name of the token it came with; missing when it is nobody's. */
type SignedDecision = Decision & { decided_by?: string };

export interface Confirmations {
  /** Puts a call on hold; durable when it resolves. */
  hold(intent: CallIntent, args: JsonObject, shown: Shown): Promise<Confirmation>;
  /** Resolves when it is decided or expires; with undefined when the signal aborts first and the call stays held. */
  wait(id: string, signal: AbortSignal): Promise<Awaited | undefined>;
  /**
   * Decides a held call; `edited` are checked new arguments. Throws AppError not_found or conflict.
   */
  decide(id: string, decision: SignedDecision, edited?: EditedCall): Promise<Settled>;
  /** Puts the expiry of a held call off, and says by how much. Throws AppError not_found or conflict. */
  extend(id: string, seconds: number): Promise<{ confirmation: Confirmation; addedMs: number }>;
  /** Answers a question, for the call that waits for it; the caller has checked the values. Throws AppError conflict. */
  answer(id: string, answer: Answer): Promise<Confirmation>;
  /** The part of a held call that people see. */
  publicView(confirmation: Confirmation): HeldCall;
  /** Sets the expiry timers of the calls that an earlier run of the daemon left held. */
  resume(): Promise<void>;
  close(): void;
}

/** An expiry that cannot be written, because the disk is full, is tried again. */
const RETRY_MS = 1_000;
/** Held calls watched after a restart: far more than a person would answer. */
const MOST_HELD = 10_000;

interface ConfirmationParts {
  store: Store;
  redactor: Redactor;
  ttlMs: number;
  /** Called once a call is held, on disk; must not throw. */
  onHeld(held: Confirmation): void;
}

/** Held calls over a store; each expires `ttlMs` after it was made. */
export function createConfirmations(parts: ConfirmationParts): Confirmations {
  return new StoredConfirmations(parts);
}

class StoredConfirmations implements Confirmations {
  private readonly store: Store;
  private readonly redactor: Redactor;
  private readonly ttlMs: number;
  private readonly onHeld: (held: Confirmation) => void;
  private readonly waiters = new Map<string, (decided: Awaited) => void>();
  /** The questions of calls under way. */
  private readonly questions = new Set<string>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private isClosed = false;

  constructor({ store, redactor, ttlMs, onHeld }: ConfirmationParts) {
    this.store = store;
    this.redactor = redactor;
    this.ttlMs = ttlMs;
    this.onHeld = onHeld;
  }

  async hold(intent: CallIntent, args: JsonObject, { preview, foreseen, input }: Shown): Promise<Confirmation> {
    const { session_id, turn_id, call_id, application, tool, safety } = intent;
    const seen = { ...intent, effect: foreseen?.effect };
    const id = randomUUID();
    // Before anyone can see it: an answer may come before this one does.
    if (input) this.questions.add(id);
    const confirmation = await this.store.hold(seen, {
      id,
      session_id,
      turn_id,
      call_id,
      application,
      tool,
      safety,
      arguments: args,
      request: this.redactor.known(preview),
      expires_at: new Date(Date.now() + this.ttlMs).toISOString(),
      foreseen,
      input,
    });
    this.watch(confirmation.id, this.ttlMs);
    this.onHeld(confirmation);
    return confirmation;
  }

  wait(id: string, signal: AbortSignal): Promise<Awaited | undefined> {
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.waiters.delete(id);
        resolve(undefined);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiters.set(id, (decided) => {
        signal.removeEventListener("abort", onAbort);
        resolve(decided);
      });
    });
  }

  async decide(
    id: string,
    { decision, reason = "", decided_by }: SignedDecision,
    edited?: EditedCall,
  ): Promise<Settled> {
    const current = await this.store.confirmation(id);
    if (!current) throw unknownHeldCall();
    if (current.status === "pending" && Date.parse(current.expires_at) <= Date.now()) await this.expire(id);
    const refusal = { error: "denied", message: reason || "a person refused the call" };
    if (decision === "deny")
      return this.settle({ id, decision: "denied", reason: refusal.message, decided_by }, refusal);
    const changes = edited && {
      arguments: edited.arguments,
      history_arguments: edited.shownArguments,
      history_request: edited.request ? this.redactor.known(edited.request) : undefined,
      request: this.redactor.known(edited.preview),
      foreseen: edited.foreseen,
    };
    return this.settle({ id, decision: "approved", reason, decided_by, ...changes }, null);
  }

  async answer(id: string, { values, shownValues, reason = "", decided_by }: Answer): Promise<Confirmation> {
    // Without a call that takes it an answer would be lost.
    if (!this.questions.has(id))
      throw new AppError("conflict", "This question has been answered, or the call that asked has ended.");
    const claim: Claim = { id, decision: "approved", reason, decided_by, arguments: shownValues };
    return (await this.settle(claim, shownValues, values)).confirmation;
  }

  async extend(id: string, seconds: number): Promise<{ confirmation: Confirmation; addedMs: number }> {
    const current = await this.store.confirmation(id);
    if (!current) throw unknownHeldCall();
    const before = Date.parse(current.expires_at);
    const now = Date.now();
    const end = Math.max(before, Math.min(before + seconds * 1000, now + MAX_EXTENSION_SECONDS * 1000));
    const confirmation = await this.store.extend(id, new Date(end).toISOString());
    if (!confirmation)
      throw new AppError("conflict", "This call has already been decided, or has expired; it gets no more time.");
    // Decided while this was written: that has ended the timer.
    const later = Date.parse(confirmation.expires_at);
    if (confirmation.status === "pending") this.watch(id, later - now);
    return { confirmation, addedMs: later - before };
  }

  // An arrow, because it is handed on as a function.
  publicView = (confirmation: Confirmation): HeldCall => {
    const { id, session_id, turn_id, call_id, application, tool, safety } = confirmation;
    const { arguments: args, request, created_at, expires_at, effect, undo, input } = confirmation;
    const call = { id, session_id, turn_id, call_id, application, tool, safety };
    const held = { ...call, arguments: this.redactor.known(args), request, created_at, expires_at };
    if (input) return { ...held, input };
    return effect ? { ...held, effect, undo } : held;
  };

  async resume(): Promise<void> {
    for (const { id, created_at, expires_at } of await this.store.confirmations({
      status: "pending",
      limit: MOST_HELD,
    })) {
      const expires = Date.parse(expires_at);
      // One that was made, or is looked at, by a wrong clock waits no longer than it was given.
      this.watch(id, Math.min(expires - Date.now(), expires - Date.parse(created_at)));
    }
  }

  close(): void {
    this.isClosed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  /** Wins the claim and resolves the wait for it. Throws AppError conflict when another caller won it. */
  private async settle(claim: Claim, result: JsonObject | null, values: JsonObject = {}): Promise<Settled> {
    const confirmation = await this.store.claim(claim, result);
    if (!confirmation) throw new AppError("conflict", "This call has already been decided, or has expired.");
    clearTimeout(this.timers.get(claim.id));
    this.timers.delete(claim.id);
    this.questions.delete(claim.id);
    const waiter = this.waiters.get(claim.id);
    this.waiters.delete(claim.id);
    if (!waiter) return { confirmation };
    return { confirmation, tried: new Promise((onTried) => waiter({ confirmation, values, onTried })) };
  }

  private async expire(id: string): Promise<void> {
    try {
      await this.settle({ id, decision: "expired", reason: EXPIRED_REASON }, EXPIRED_RESULT);
    } catch (error) {
      // Losing this claim means that it was decided at the last moment, which is fine.
      if (!(error instanceof AppError && error.code === "conflict")) this.watch(id, RETRY_MS);
    }
  }

  private watch(id: string, leftMs: number): void {
    clearTimeout(this.timers.get(id));
    if (this.isClosed) return;
    const timer = setTimeout(() => void this.expire(id), Math.min(Math.max(leftMs, 0), MAX_TIMER_MS));
    this.timers.set(id, timer.unref());
  }
}
