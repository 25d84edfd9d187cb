// A conversation under a number of tokens: the oldest turns are left out, then results of the present turn that the model has
// answered already. A call is never parted from its result, and the prompt stays. Pure.
import type { Message } from "../../domain/message.js";
import { toJson } from "../../lib/json.js";
import { tokensOfMessage, tokensOfMessages } from "./estimate.js";

/** What stays of a conversation. */
export interface Shortened {
  messages: readonly Message[];
  /** Turns left out. */
  turns: number;
  /** Results of the present turn whose text was replaced. */
  results: number;
}

const RESULT_LEFT_OUT = toJson({
  left_out: "This result was left out to fit the model's context. Call the tool again for what is still needed.",
});

/** Where each turn begins: at its prompt, the first one at the very front. */
function turnStarts(messages: readonly Message[]): number[] {
  const prompts = messages.flatMap(({ role }, at) => (role === "user" ? [at] : []));
  return prompts.length > 0 ? [0, ...prompts.slice(1)] : [0];
}

/** The present turn with the texts of its older results replaced, oldest first, until `budget` is kept. */
function withoutOldResults(messages: readonly Message[], budget: number): { messages: Message[]; results: number } {
  const shortened = [...messages];
  const newest = messages.findLastIndex(({ role }) => role === "assistant");
  let total = tokensOfMessages(messages);
  let results = 0;
  for (const [at, message] of messages.entries()) {
    if (total <= budget || at > newest) break;
    if (message.role !== "tool" || message.text.length <= RESULT_LEFT_OUT.length) continue;
    const replaced = { ...message, text: RESULT_LEFT_OUT };
    shortened[at] = replaced;
    total -= tokensOfMessage(message) - tokensOfMessage(replaced);
    results++;
  }
  return { messages: shortened, results };
}

/** The newest part of a conversation that takes at most `budget` tokens, or the nearest to it. */
export function leaveOut(messages: readonly Message[], budget: number): Shortened {
  let total = tokensOfMessages(messages);
  if (total <= budget) return { messages, turns: 0, results: 0 };
  const starts = turnStarts(messages);
  let turns = 0;
  while (turns < starts.length - 1 && total > budget) {
    total -= tokensOfMessages(messages.slice(starts[turns], starts[turns + 1]));
    turns++;
  }
  const kept = messages.slice(starts[turns]);
  if (total <= budget) return { messages: kept, turns, results: 0 };
  return { turns, ...withoutOldResults(kept, budget) };
}
