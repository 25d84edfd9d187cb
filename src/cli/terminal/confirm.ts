// Asks at the terminal whether a held call may run: all of it is displayed, and an empty answer denies it.
import type { HeldCall } from "../../domain/event.js";
import { codePoint, DECEPTIVE } from "../../lib/invisible-characters.js";
import { toJson } from "../../lib/json.js";

/** Asks one question and resolves with the line typed; rejects when the signal aborts. */
type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** The text with whatever hides or passes for something else as its code point. JSON has line breaks of its own only. */
function marked(text: string): string {
  const escaped = (character: string): string => `\\u{${codePoint(character).padStart(2, "0")}}`;
  return text.replace(DECEPTIVE, (character) => (character === "\n" ? character : escaped(character)));
}

/** Everything that is to be confirmed, with characters that hide or pass for others made visible. */
export function describeHeld(held: HeldCall): string {
  const indent = (value: unknown): string => marked(toJson(value, 2)).replaceAll("\n", "\n  ");
  return [
    "",
    `${marked(held.tool)} (${held.safety}) needs your yes.`,
    `  arguments: ${indent(held.arguments)}`,
    `  request: ${indent(held.request)}`,
    "Run it? [y/N] ",
  ].join("\n");
}

/** The person's decision. Undefined when the question was aborted. */
export async function askToConfirm(
  held: HeldCall,
  ask: Ask,
  signal: AbortSignal,
): Promise<"approve" | "deny" | undefined> {
  try {
    const answer = await ask(describeHeld(held), signal);
    return /^\s*y(es)?\s*$/i.test(answer) ? "approve" : "deny";
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
