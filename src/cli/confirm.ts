// Asks the person at the terminal about a held call: the whole of it, and no is the answer when they just press return.
import type { HeldCall } from "../event.js";
import { toJson } from "../json.js";
import { visible } from "../visible.js";

/** Asks one question and resolves with the line typed; rejects when the signal aborts. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** What a person must see before saying yes: everything, with hidden characters made visible. */
export function describeHeld(held: HeldCall): string {
  const indent = (value: unknown): string => visible(toJson(value, 2)).replaceAll("\n", "\n  ");
  return [
    "",
    `${visible(held.tool)} (${held.safety}) needs your yes.`,
    `  arguments: ${indent(held.arguments)}`,
    `  request: ${indent(held.request)}`,
    "Run it? [y/N] ",
  ].join("\n");
}

/** The person's decision. An aborted question is a no to nobody: undefined. */
export async function confirm(held: HeldCall, ask: Ask, signal: AbortSignal): Promise<"approve" | "deny" | undefined> {
  try {
    const answer = await ask(describeHeld(held), signal);
    return /^\s*y(es)?\s*$/i.test(answer) ? "approve" : "deny";
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
