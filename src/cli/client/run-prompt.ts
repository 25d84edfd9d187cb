// One prompt from the terminal's side: its turn's events are passed on, its confirmations are answered.

import { AppError } from "../../domain/error.js";
import type { HeldCall, TurnEvent } from "../../domain/event.js";
import type { AgentClient, ClientPrompt } from "./client.js";

/** Decides a held call, undefined when it cannot; the signal aborts once the call was decided elsewhere. */
export type Confirm = (held: HeldCall, signal: AbortSignal) => Promise<"approve" | "deny" | undefined>;

/** Runs one turn to its end. Returns whether it ended without an `error` event. */
export async function runPrompt(
  client: AgentClient,
  prompt: Omit<ClientPrompt, "interactive">,
  io: { signal: AbortSignal; render(event: TurnEvent): void; confirm?: Confirm | undefined },
): Promise<boolean> {
  const { signal, render, confirm } = io;
  const questions = new Map<string, AbortController>();
  const settle = async (held: HeldCall, question: AbortController, decide: Confirm): Promise<void> => {
    const decision = await decide(held, question.signal);
    if (decision === undefined) return;
    await client.decide(held.id, decision).catch((error: unknown) => {
      // Decided elsewhere while the person was typing: that one counts.
      if (!(error instanceof AppError)) throw error;
    });
  };
  const withdraw = (id: string): void => questions.get(id)?.abort();
  const pending: Promise<void>[] = [];
  let failure: unknown;
  let ok = true;
  try {
    for await (const event of client.prompt({ ...prompt, interactive: confirm !== undefined }, signal)) {
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
