// One turn from the terminal's side: its events are passed on, its confirmations are answered.

import type { Decision } from "../../domain/decision.js";
import { AppError } from "../../domain/error.js";
import type { HeldCall, TurnEvent } from "../../domain/event.js";
import type { AgentClient } from "./client.js";

/** Decides a held call, undefined when it cannot; the signal aborts once the call was decided elsewhere. */
export type Confirm = (held: HeldCall, signal: AbortSignal) => Promise<Decision | undefined>;

/** Asks one question at a time, in the order they came; what happens meanwhile is shown once none is open. */
class Questions {
  private readonly open = new Map<string, AbortController>();
  private readonly later: TurnEvent[] = [];
  private last: Promise<void> = Promise.resolve();
  private failure: unknown;
  private readonly render: (event: TurnEvent) => void;

  constructor(render: (event: TurnEvent) => void) {
    this.render = render;
  }

  show(event: TurnEvent): void {
    if (this.open.size > 0) this.later.push(event);
    else this.render(event);
  }

  /** Runs beside the stream, so that an expiry or another person's answer can take the question back. */
  add(id: string, settle: (signal: AbortSignal) => Promise<void>): void {
    const question = new AbortController();
    this.open.set(id, question);
    this.last = this.last
      .then(() => (question.signal.aborted ? undefined : settle(question.signal)))
      .catch((error: unknown) => void (this.failure ??= error))
      .then(() => this.close(id));
  }

  withdraw(id: string): void {
    this.open.get(id)?.abort();
  }

  /** Withdraws what nobody has answered. Throws what a question threw. */
  async end(): Promise<void> {
    for (const question of this.open.values()) question.abort();
    await this.last;
    if (this.failure !== undefined) throw this.failure;
  }

  private close(id: string): void {
    this.open.delete(id);
    if (this.open.size === 0) for (const event of this.later.splice(0)) this.render(event);
  }
}

/** Takes one turn's events to their end. Returns whether there was no `error` among them. */
export async function readTurn(
  client: Pick<AgentClient, "decide">,
  events: AsyncGenerator<TurnEvent, void, void>,
  { render, confirm }: { render(event: TurnEvent): void; confirm?: Confirm | undefined },
): Promise<boolean> {
  const questions = new Questions(render);
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
        questions.add(event.id, (signal) => settle(event, signal, confirm));
      if (event.kind === "confirmation_resolved") questions.withdraw(event.id);
    }
  } finally {
    await questions.end();
  }
  return ok;
}
