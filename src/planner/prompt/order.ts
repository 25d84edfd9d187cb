// The order a prompt asks for: "the cheapest three", "latest orders", "sorted by name". Either the target sorts, by an option
// its tool has for that, or the records are sorted for the answer.

import { isPlural } from "../../lib/plural.js";
import { NUMBER_WORDS } from "./entities.js";
import { oncePerPrompt } from "./prompt.js";
import { SUPERLATIVES, superlative } from "./superlatives.js";

/** An order, and how many of its first are wanted. */
export interface Order {
  /** As written in the prompt. */
  text: string;
  descending: boolean;
  /** The word after "sorted by". */
  field?: string;
  /** The word is only near the field's name: "voted" for votes. */
  loose?: true;
  /** By time; otherwise by an amount. */
  byTime: boolean;
  /** Words in the names of the fields that it is by: "weight" of the heaviest. */
  measures?: readonly string[];
  count?: number;
  /** The first or the last few as the target lists them; `noun` is what they are called. */
  asListed?: "first" | "last";
  noun?: string;
}

/** "sorted by hourly rate, cheapest first": a second word is of the field where nothing else follows. */
const SORTED = new RegExp(
  String.raw`\b(?:sort(?:ed)?\b[^.?!]*?|order(?:ed)?) by (?:the )?(\w+(?: (?!desc|asc|from\b|highest\b|lowest\b)\w+(?=\s*(?:[,.?!;(]|$)))?)(?:\s+(desc\w*|from high\w*)|[\s,(]+(?:the |with the )?(${SUPERLATIVES})(?: ones?)? (?:first|on top))?`,
  "i",
);
const SUPERLATIVE = new RegExp(`\\b(${SUPERLATIVES})\\b`, "i");
const COUNT = `(\\d{1,3}|${NUMBER_WORDS.slice(1).join("|")})`;
/** "the cheapest one" counts nothing. */
const COUNTED = new RegExp(
  `\\b${COUNT} (?:${SUPERLATIVE.source})|(?:${SUPERLATIVE.source}) (?!one\\b)${COUNT}\\b`,
  "i",
);

/** "the top 3 products by stock", "the last 2 by birth date". */
const TOP = new RegExp(`\\b(top|first|last) ${COUNT} [^.?!]*?\\bby (?:the )?(\\p{L}\\w*(?: \\p{L}+)?)\\s*$`, "iu");
/** "the most popular show by subscribers". */
const MOST_BY = /\b(?:most|least) \p{L}+ [^.?!]*?\bby (?:the )?(\p{L}+)\s*$/iu;
/** "the most voted", "with the fewest clicks"; a bound is none. */
const MOST = /(?<!\bat )\b(?:the )?(most|fewest|least) (?!recent|expensive|of|the|common|likely|all)(\p{L}+)/iu;
/** "the first 2 trips", "show 3 trips", "the last trip". */
const AS_LISTED = new RegExp(
  `(?:\\b(first|last)|^(?:please )?(?:show|list|get|give|find|display)(?: me)?(?: the| only)?|^(?:the )?) ?\\b${COUNT} (\\p{L}+)\\b`,
  "iu",
);
const ONE_AS_LISTED = /\bthe (first|last) (?!one\b)(\p{L}+)|^(?:show (?:me )?)?(first|last) (?!one\b)(\p{L}+)$/iu;

const SPAN = /^(?:second|minute|hour|day|week|month|quarter|year)s$/i;

function countOf(digits: string | undefined): number {
  if (digits === undefined) return Number.NaN;
  return /^\d/.test(digits) ? Number(digits) : NUMBER_WORDS.indexOf(digits.toLowerCase());
}

function asListed(text: string): Order | undefined {
  const few = AS_LISTED.exec(text);
  // "the last 7 days" are a time.
  if (few?.[2] && isPlural((few[3] ?? "").toLowerCase()) && !SPAN.test(few[3] ?? "")) {
    const end = /last/i.test(few[1] ?? "") ? "last" : "first";
    return { text: few[0].trim(), descending: false, byTime: false, count: countOf(few[2]), asListed: end };
  }
  const one = ONE_AS_LISTED.exec(text);
  if (!one) return undefined;
  const end = /last/i.test(one[1] ?? one[3] ?? "") ? "last" : "first";
  return { text: one[0], descending: false, byTime: false, count: 1, asListed: end, noun: one[2] ?? one[4] };
}

/** The order a prompt asks for, if any. */
export const orderIn = oncePerPrompt((prompt): Order | undefined => {
  const sorted = SORTED.exec(prompt.text);
  if (sorted?.[1]) {
    const [text, field, down, first] = sorted;
    const descending = first === undefined ? down !== undefined : superlative(first.toLowerCase()).descending;
    return { text, descending, field, byTime: false };
  }
  const top = TOP.exec(prompt.text.replace(/[?.!\s]+$/, ""));
  if (top?.[3])
    return {
      text: top[0],
      descending: top[1]?.toLowerCase() !== "first",
      field: top[3],
      byTime: false,
      count: countOf(top[2]),
    };
  const mostBy = MOST_BY.exec(prompt.text.replace(/[?.!\s]+$/, ""));
  if (mostBy?.[1])
    return { text: mostBy[0], descending: /^most/i.test(mostBy[0]), field: mostBy[1], loose: true, byTime: false };
  const most = MOST.exec(prompt.text);
  if (most?.[2])
    return { text: most[0], descending: /^most$/i.test(most[1] ?? ""), field: most[2], loose: true, byTime: false };
  const word = SUPERLATIVE.exec(prompt.text)?.[0].toLowerCase();
  if (word === undefined) return asListed(prompt.text);
  const counted = COUNTED.exec(prompt.text);
  const count = countOf(counted?.[1] ?? counted?.at(-1));
  return { ...superlative(word), text: word, count: count > 0 ? count : undefined };
});
