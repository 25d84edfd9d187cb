// One turn from the terminal's side: its events are passed on, its confirmations are answered.

import { setTimeout as sleep } from "node:timers/promises";
import type { Decision } from "../../domain/decision.js";
import { AppError } from "../../domain/error.js";
import type { HeldCall, TurnEvent } from "../../domain/event.js";
import type { AgentClient } from "./client.js";

/** Decides a held call, undefined when it cannot; the signal aborts once the call was decided elsewhere. */
export type Confirm = (held: HeldCall, signal: AbortSignal) => Promise<Decision | undefined>;

/** How long the next question waits for what becomes of the call before it. A slower call is told of after the question. */
const OUTCOME_MS = 5_000;

/** What is done with the events of a turn. */
interface TurnReader {
  render(event: TurnEvent): void;
  /** Called before a question is asked: nothing is drawn any more. */
  rest?(): void;
  confirm?: Confirm | undefined;
}

/**
 * Asks one question at a time, in the order they came, each once it has been shown what became of the call before it; what happens
 * while one is asked is shown after it.
 */
class Questions {
  private readonly open = new Map<string, AbortController>();
  private readonly later: TurnEvent[] = [];
  private isAsking = false;
  private last: Promise<void> = Promise.resolve();
  private failure: unknown;
  /** Called with the call that something became of; "" at the end of the turn. */
  private settled: (call_id: string) => void = () => {};
  private readonly reader: TurnReader;

  constructor(reader: TurnReader) {
    this.reader = reader;
  }

  show(event: TurnEvent): void {
    if (this.isAsking) this.later.push(event);
    else this.render(event);
  }

  /** Runs beside the stream, so that an expiry or another person's answer can take the question back. */
  add(held: HeldCall, settle: (signal: AbortSignal) => Promise<void>): void {
    const question = new AbortController();
    const { signal } = question;
    this.open.set(held.id, question);
    this.last = this.last
      .then(() => (signal.aborted ? undefined : this.ask(held, settle, signal)))
      .catch((error: unknown) => void (this.failure ??= error))
      .then(() => void this.open.delete(held.id));
  }

  withdraw(id: string): void {
    this.open.get(id)?.abort();
  }

  /** Withdraws what nobody has answered. Throws what a question threw. */
  async end(): Promise<void> {
    for (const question of this.open.values()) question.abort();
    this.settled("");
    await this.last;
    if (this.failure !== undefined) throw this.failure;
  }

  private async ask(
    { call_id, input }: HeldCall,
    settle: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    this.reader.rest?.();
    this.isAsking = true;
    // A call that asks something itself goes on, and may ask again.
    const isOver = input ? undefined : this.outcomeOf(call_id);
    try {
      await settle(signal);
    } finally {
      this.isAsking = false;
      for (const event of this.later.splice(0)) this.render(event);
    }
    if (this.open.size > 1 && isOver) await Promise.race([isOver, sleep(OUTCOME_MS, undefined, { ref: false })]);
  }

  /** Resolves once it has been shown what became of a call, or that it is asked about anew; or when that takes too long. */
  private outcomeOf(call_id: string): Promise<void> {
    return new Promise((resolve) => {
      this.settled = (settled) => {
        if (settled === call_id || settled === "") resolve();
      };
    });
  }

  private render(event: TurnEvent): void {
    this.reader.render(event);
    if (event.kind === "tool_result") this.settled(event.id);
    if (event.kind === "confirmation_required") this.settled(event.call_id);
  }
}

/** Takes one turn's events to their end. Returns whether there was no `error` among them. */
export async function readTurn(
  client: Pick<AgentClient, "decide">,
  events: AsyncGenerator<TurnEvent, void, void>,
  reader: TurnReader,
): Promise<boolean> {
  const { render, confirm } = reader;
  const questions = new Questions(reader);
  const settle = async (held: HeldCall, signal: AbortSignal, decide: Confirm): Promise<void> => {
    for (;;) {
      const decision = await decide(held, signal);
      if (decision === undefined) return;
      try {
        return await client.decide(held.id, decision);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Decided elsewhere while the person was typing: that one counts.
        if (error.code !== "invalid_body" || !held.input) return;
        render({ kind: "notice", message: error.message });
      }
    }
  };
  let ok = true;
  try {
    for await (const event of events) {
      if (event.kind === "error") ok = false;
      questions.show(event);
      if (event.kind === "confirmation_required" && confirm)
        questions.add(event, (signal) => settle(event, signal, confirm));
      if (event.kind === "confirmation_resolved") questions.withdraw(event.id);
    }
  } finally {
    await questions.end();
  }
  return ok;
}
