// "list them" and "which ones?" behind an answer that counted records, or showed them: the same list once more, as records. A situation in,
// the call out. Nothing is listed where no list was read right before.

import type { Tool } from "../../domain/tool.js";
import { renderAnswer } from "../answer/render.js";
import { readResultText } from "../answer/rows.js";
import type { CompletedCall, Situation } from "../conversation.js";
import { readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { commit, type Step } from "../step.js";

const LIST_THEM =
  /^\s*(?:(?:ok(?:ay)?|and|then|now|please|can you|could you)[\s,]+)*(?:(?:list|show|display|print|name|give|see)\s+(?:me\s+)?(?:all\s+(?:of\s+)?)?(?:them|those|these)(?:\s+all)?|which(?:\s+ones?)?(?:\s+(?:are|were)\s+(?:they|those|these))?|(?:who|what)\s+(?:are|were)\s+they)(?:\s+(?:to me|please))?[\s?.!]*$/i;
/** What asks for a number of records, and what asks for these. */
const COUNTS: readonly (readonly [RegExp, string])[] = [
  [/\bhow many\b/i, "which"],
  [/\b(?:what(?:['’]s| is)\s+)?(?:the\s+)?(?:total\s+)?(?:number|count)\s+of\b/i, "list"],
  [/^\s*(?:please\s+)?count\b/i, "list"],
];

/** The step that lists what an earlier prompt counted; undefined for any other prompt. */
export function listAgain(
  { conversation, tools, today }: Situation,
  { tool, last, base }: { tool: Tool; last: CompletedCall; base: string },
): Step | undefined {
  if (tool.verb !== "list" || last.pages !== undefined || !LIST_THEM.test(conversation.prompt)) return undefined;
  if (last.shown !== undefined || last.goal?.step !== "do") return undefined;
  const [count, instead] = COUNTS.find(([pattern]) => pattern.test(base)) ?? [];
  const prompt = count && instead !== undefined ? base.replace(count, instead) : base;
  const context = { prompt: readPrompt(prompt, today), lookupPhrase: "" };
  const answered = { tool, args: last.call.arguments, text: last.text, isError: false };
  const { text } = renderAnswer(answered, { ...context, request: readRequest(context.prompt) });
  // A total stays one.
  if (!/^(?:\||- )/m.test(text) && (readResultText(last.text).rows ?? []).length > 0) return undefined;
  return commit(tool, { args: last.call.arguments, prompt }, tools);
}
