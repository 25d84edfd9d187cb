// What a prompt says of records that is not so now: what once was, will be, may be or is wanted. "Members who used to live in Leek" are none
// of those whose town is Leek. Text in, stretches of it out.

import { oncePerPrompt, type PromptText } from "./prompt.js";
import { isTime } from "./span.js";

/** Verbs that go with a field of what is so. */
const STAYS =
  "live|reside|work|study|learn|teach|train|play|speak|drive|run|own|belong|sit|stay|stand|sponsor|coach|hold|have";
const BE = String.raw`be\s+\p{L}+`;
/** Of whom, or of what, it is said; "is used to" says what something is for. */
const OF = String.raw`(?:who|that|which|ones|people|children|(?!(?:is|was|has|does|this)\b)\p{L}{2,}s)`;

/** What once was is over. */
const ONCE = new RegExp(String.raw`\b${OF}\s+(?<said>used\s+to\s+(?:${BE}|\p{L}+))`, "giu");
/** What will be, may be or is wanted; a day beside it is what the records have. */
const TO_BE = new RegExp(
  String.raw`\b${OF}\s+(?<said>(?:(?:will|would|might|may|could)\s+(?:(?:soon|probably|also|still|one\s+day)\s+)?|(?:(?:are|is|were|was|have|has)\s+)?(?:(?:still|yet|about|waiting|ready|supposed|meant|planning|hoping|going|wanting|due)\s+to|wants?\s+to|hopes?\s+to|plans?\s+to|wish(?:es)?\s+to|(?:would|['’]d)\s+like\s+to)\s+)(?:${BE}|(?:${STAYS})(?!\p{L})))`,
  "giu",
);
const BARE = new RegExp(String.raw`\b${OF}\s+(?<said>to\s+${BE})`, "giu");

/** A stretch of a prompt that says so. */
interface Unreal {
  text: string;
  start: number;
  end: number;
}

/** Those of a prompt, outside quoted texts. */
export const unrealIn = oncePerPrompt((prompt: PromptText): Unreal[] => {
  const patterns = prompt.entities.some(isTime) ? [ONCE] : [ONCE, TO_BE, BARE];
  return patterns.flatMap((pattern) =>
    [...prompt.text.matchAll(pattern)].flatMap(({ index, 0: whole, groups }) => {
      const text = groups?.["said"] ?? "";
      const start = index + whole.length - text.length;
      const isQuoted = prompt.entities.some((one) => one.kind === "quoted" && start >= one.start && start < one.end);
      return isQuoted ? [] : [{ text, start, end: start + text.length }];
    }),
  );
});
