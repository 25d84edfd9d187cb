// One turn from the terminal's side: its events are passed on, its confirmations are answered.

import type { Decision } from "../../domain/decision.js";
import { AppError } from "../../domain/error.js";
import type { HeldCall, TurnEvent } from "../../domain/event.js";
import type { AgentClient } from "./client.js";

/** Decides a held call, undefined when it cannot; the signal aborts once the call was decided elsewhere. */
export type Confirm = (held: HeldCall, signal: AbortSignal) => Promise<Decision | undefined>;

/** Takes one turn's events to their end. Returns whether there was no `error` among them. */
export async function readTurn(
  client: Pick<AgentClient, "decide">,
  events: AsyncGenerator<TurnEvent, void, void>,
  { render, confirm }: { render(event: TurnEvent): void; confirm?: Confirm | undefined },
): Promise<boolean> {
  const questions = new Map<string, AbortController>();
  const settle = async (held: HeldCall, question: AbortController, decide: Confirm): Promise<void> => {
    for (;;) {
      const decision = await decide(held, question.signal);
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
  const withdraw = (id: string): void => questions.get(id)?.abort();
  const pending: Promise<void>[] = [];
  let failure: unknown;
  let ok = true;
  try {
    for await (const event of events) {
      if (event.kind === "error") ok = false;
      render(event);
      // The question runs beside the stream, so that an expiry or another person's answer can take it back.
      if (event.kind === "confirmation_required" && confirm) {
        const question = new AbortController();
        questions.set(event.id, question);
        const settled = settle(event, question, confirm);
        pending.push(settled.catch((error: unknown) => void (failure ??= error)));
      }
      if (event.kind === "confirmation_resolved") withdraw(event.id);
    }
  } finally {
    for (const id of questions.keys()) withdraw(id);
  }
  await Promise.all(pending);
  if (failure !== undefined) throw failure;
  return ok;
}
