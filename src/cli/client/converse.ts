// One turn from the terminal's side: events go to whoever shows them, held calls to whoever answers them.

import { AppError } from "../../domain/error.js";
import type { HeldCall, TurnEvent } from "../../domain/event.js";
import type { AgentClient, ClientPrompt } from "./client.js";

/** Answers held calls; the signal aborts when somebody else was faster. */
export type Answer = (held: HeldCall, signal: AbortSignal) => Promise<"approve" | "deny" | undefined>;

/** Runs one turn to its end. Returns whether it ended without an `error` event. */
export async function converse(
  desk: AgentClient,
  prompt: Omit<ClientPrompt, "interactive">,
  io: { signal: AbortSignal; show(event: TurnEvent): void; answer?: Answer | undefined },
): Promise<boolean> {
  const { signal, show, answer } = io;
  const questions = new Map<string, AbortController>();
  const settle = async (held: HeldCall, question: AbortController, decide: Answer): Promise<void> => {
    const decision = await decide(held, question.signal);
    if (decision === undefined) return;
    await desk.decide(held.id, decision).catch((error: unknown) => {
      // Decided elsewhere while the person was typing: that one counts.
      if (!(error instanceof AppError)) throw error;
    });
  };
  const withdraw = (id: string): void => questions.get(id)?.abort();
  const asking: Promise<void>[] = [];
  let failure: unknown;
  let ok = true;
  try {
    for await (const event of desk.prompt({ ...prompt, interactive: answer !== undefined }, signal)) {
      if (event.kind === "error") ok = false;
      show(event);
      // The question is asked beside the stream, so that an expiry or another person's answer can take it back.
      if (event.kind === "confirmation_required" && answer) {
        const question = new AbortController();
        questions.set(event.id, question);
        const asked = settle(event, question, answer);
        asking.push(asked.catch((error: unknown) => void (failure ??= error)));
      }
      if (event.kind === "confirmation_resolved") withdraw(event.id);
    }
  } finally {
    for (const id of questions.keys()) withdraw(id);
  }
  await Promise.all(asking);
  if (failure !== undefined) throw failure;
  return ok;
}
