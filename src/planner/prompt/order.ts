// The order a prompt asks for: "the cheapest three", "latest orders", "sorted by name". Either the target sorts, by an option
// its tool has for that, or the records are sorted for the answer.

import { isPlural, singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { NUMBER_WORDS } from "./entities.js";
import { oncePerPrompt, type PromptText } from "./prompt.js";
import { measuresOfVerb, SUPERLATIVES, superlative } from "./superlatives.js";

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
  /** What is still to come is none of them: "when was the last test". */
  past?: true;
  /** What is over is none of them: "the next lesson". */
  next?: true;
  /** Words in the names of the fields that it is by: "weight" of the heaviest. */
  measures?: readonly string[];
  count?: number;
  /** The place that is wanted in the order: 2 for the second cheapest. */
  place?: number;
  /** The word for the day or the deed of which it is by the time: "service" of "has its service first". */
  of?: string;
  /** The first or the last few as the target lists them; `noun` is what they are called, and so is what is next. */
  asListed?: "first" | "last";
  noun?: string;
}

/** What begins the name of a field that records are put in order by. */
const SORTED_BY = /\b(?:sort(?:ed)?\b[^.?!]*?|order(?:ed)?|ranked|arranged) by (?:the |their )?/i;
/** Words of which the first or the last in an order are the greatest; superlatives are known beside them. */
const GREATEST = "most|greatest|maximum|max|farthest|furthest";
const LEAST = "fewest|least|minimum|min|nearest|closest|soonest";
const FIRST = `(?:the )?((?:most|least) (?!first)\\p{Ll}+|${GREATEST}|${LEAST}|${SUPERLATIVES})(?: ones?| values?)? (?:first|on top|at the top)`;
const FROM_TO =
  "(?:from )?(?:the )?(high\\p{L}*|low\\p{L}*|larg\\p{L}*|small\\p{L}*|big\\p{L}*|most|few\\p{L}*|least|new\\p{L}*|old\\p{L}*|late\\p{L}*|earli\\p{L}*|long\\p{L}*|short\\p{L}*|cheap\\p{L}*|[az])(?: ?- ?| to (?:the )?)(?:\\p{L}+)";
/** A direction behind the name of a field: "descending", "largest first", "from high to low". */
const DIRECTION = new RegExp(
  `[\\s,;:(–-]+(?:(?:in |with |and )?(?:${FIRST})|(?:in |with )?(?:an? )?(desc\\w*|asc\\w*|rev\\w*)\\b(?: order)?|${FROM_TO})(?![\\p{L}-])`,
  "iu",
);
/** The words of a field's name, of which the ones beyond it may say something else. */
const FIELD =
  /^(?!(?:descending|ascending)\b)[\p{L}\p{N}_]+(?: (?!(?:in|on|at|of|for|from|to|with|that|which|who|and|or|please|descending|ascending|desc|asc|first)\b)[\p{L}\p{N}_]+){0,2}/iu;

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
/** "the most voted", "with the fewest clicks", "with the most seats left"; a bound is none. */
const MOST =
  /(?<!\bat )\b(?:the )?(most|fewest|least) (?:(?<=\bthe (?:most|fewest|least) )of (?:our|the|their) )?(?!recent|expensive|of|the|our|their|common|likely|all)(\p{L}+(?: (?:\p{L}{2,}[^e]ed|sold|sent|lent|left|paid|won|lost|held|made|taken)(?!\p{L}))?)/iu;
/** "which of those cost the most", "what weighs least": what is measured is said by the verb. "At least" ends no such thing. */
const BY_VERB =
  /\b(?<verb>(?!has\b|have\b|had\b|the\b|and\b|are\b|was\b|were\b|does\b)\p{L}{3,}) (?:(?:us|me|them) )?(?:the )?(?<most>most|least)(?=[?.!]*\s*$|\s+(?:of (?:all|them|those|these)|in|on|at|for|among|from|per|and)\b)/iu;
/** The first words of what is put in order from the greatest to the least. */
const FROM_GREATEST = /^(?:high|larg|big|most|new|late|long|z)/i;

/** Whether the greatest come first, by the words of a direction. */
function isDescending([, first, order, from]: RegExpExecArray, field: string): boolean {
  if (order !== undefined) return !/^asc/i.test(order);
  if (from !== undefined) return FROM_GREATEST.test(from);
  const word = (first ?? "").toLowerCase();
  // Who is the oldest was born first, and has the greatest age.
  if (/\bage\b/i.test(field) && /^(?:oldest|youngest)$/.test(word)) return word === "oldest";
  if (word === "most recent" || !/^(?:most|least) /.test(word)) {
    if (new RegExp(`^(?:${GREATEST})$`).test(word)) return true;
    return !new RegExp(`^(?:${LEAST})$`).test(word) && superlative(word).descending;
  }
  return word.startsWith("most");
}

/** "sorted by hourly rate, cheapest first", "ordered by seats descending", "by value, largest first". */
function sortedIn(text: string): Order | undefined {
  const head = SORTED_BY.exec(text);
  const [bare] = head ? [] : [...text.matchAll(/\bby (?:the |their )?(?=[^,.?!;]{1,40}[,(\s])/giu)].slice(-1);
  const begin = head ?? bare;
  if (!begin) return undefined;
  const start = begin.index + begin[0].length;
  const clause = /^[^.?!;]*/.exec(text.slice(start))?.[0] ?? "";
  const way = DIRECTION.exec(clause);
  const name = FIELD.exec(way ? clause.slice(0, way.index) : clause)?.[0];
  if (name === undefined) return undefined;
  // Without "sorted" only a direction right behind the name says that it is an order.
  if (!head && way?.index !== name.length) return undefined;
  const end = way ? start + way.index + way[0].length : start + name.length;
  const descending = way !== null && isDescending(way, name);
  return { text: text.slice(begin.index, end), descending, field: name, byTime: false };
}

/** "the second most expensive", "the 3rd oldest". */
const ORDINALS = ["second|2nd", "third|3rd", "fourth|4th", "fifth|5th"].map((one) => `(${one})`).join("|");
const PLACE = new RegExp(String.raw`\b(?:${ORDINALS})[\s-]+(?:${SUPERLATIVES})\b`, "i");

/** The place in an order that a prompt wants; undefined where it wants none, or the first. */
export function placeIn({ text }: PromptText): number | undefined {
  const found = PLACE.exec(text);
  return found ? found.slice(1).findIndex((one) => one !== undefined) + 2 : undefined;
}

/** "the first 2 trips", "show 3 trips", "the last trip". */
const AS_LISTED = new RegExp(
  `(?:\\b(first|last)|^(?:please )?(?:show|list|get|give|find|display)(?: me)?(?: the| only)?|^(?:the )?) ?\\b${COUNT} (\\p{L}+)\\b`,
  "iu",
);
/** "the last 3 open trips". */
const LAST_DESCRIBED = new RegExp(`\\b(last) ${COUNT} (?:\\p{L}+ ){1,2}?(\\p{L}+s)\\b`, "iu");
/** "the last trip", "last open trip of boat 3", "Ada's first trip": what it is of stands behind. */
const ONE_AS_LISTED =
  /(?:(?<lead>\bthe|['’]s?|^(?:show (?:me )?)?) ?)\b(?<end>first|last) (?!one\b)(?<noun>\p{L}+(?: (?!(?:of|for|at|in|on|by|from|to|with|and|or|was|is)\b)\p{L}+)?)(?: (?<of>of|for|at|in|on|by|from|to|with)\b)?/iu;

const SPAN = /^(?:second|minute|hour|day|week|month|quarter|year)s?$/i;

function countOf(digits: string | undefined): number {
  if (digits === undefined) return Number.NaN;
  return /^\d/.test(digits) ? Number(digits) : NUMBER_WORDS.indexOf(digits.toLowerCase());
}

function asListed(text: string): Order | undefined {
  const plain = AS_LISTED.exec(text);
  const few = isPlural((plain?.[3] ?? "").toLowerCase()) ? plain : (LAST_DESCRIBED.exec(text) ?? plain);
  // "the last 7 days" are a time.
  if (few?.[2] && isPlural((few[3] ?? "").toLowerCase()) && !SPAN.test(few[3] ?? "")) {
    const end = /last/i.test(few[1] ?? "") ? "last" : "first";
    return { text: few[0].trim(), descending: false, byTime: false, count: countOf(few[2]), asListed: end };
  }
  const one = ONE_AS_LISTED.exec(text);
  const { lead = "", end = "", noun, of } = one?.groups ?? {};
  const isWhole = of !== undefined || /^[\s?.!]*$/.test(text.slice((one?.index ?? 0) + (one?.[0].length ?? 0)));
  if (!one || !(isWhole || /the|['’]/i.test(lead))) return undefined;
  const asked = end.toLowerCase() === "last" ? "last" : "first";
  return { text: end, descending: false, byTime: false, count: 1, asListed: asked, noun };
}

/** How many records a prompt begins with: "top 3 most valuable items", "show 5 trips". */
const FIRST_COUNT = new RegExp(
  `^(?:please )?(?:(?:show|list|get|give|find|display|what are|which are)(?: me)? )?(?:the |our |my )?(?:top |first )?${COUNT} (?=\\p{L})`,
  "iu",
);

const countIn = (text: string): number | undefined => {
  const count = countOf(FIRST_COUNT.exec(text)?.[1]);
  return count > 0 ? count : undefined;
};

/** "when was the last test done": the one of the greatest time is meant, not the last of the list. */
const WHEN_LAST =
  /^\s*(?:when|(?:on\s+)?(?:what|which)\s+(?:day|date))\b[^.?!]*?(?:\bthe|['’]s?)\s+((?:very\s+)?(last|first))\s+(?!time\b|one\b|of\b|\d|day|week|month|year|quarter)\p{L}+/iu;

function timeAsked(text: string): Order | undefined {
  const [, said, end = ""] = WHEN_LAST.exec(text) ?? [];
  if (said === undefined) return undefined;
  const order: Order = { text: said.toLowerCase(), descending: /last/i.test(end), byTime: true };
  return /\b(?:was|were|did|has|have)\b/i.test(text) ? { ...order, past: true } : order;
}

/** "which van has its service first", "who was hired last": the verb, or the noun, before it says by what time. */
const AT_END =
  /^\s*(?:(?:and|so)\s+)?(?:who|which|what)\b[^.?!,]*?\s(?<of>\p{L}{2,})\s+(?<end>first|last|soonest)(?:\s+of\s+all)?[\s?.!]*$/iu;
function endOf(text: string): Order | undefined {
  const { of = "", end = "" } = AT_END.exec(text)?.groups ?? {};
  if (/^(?:|the|very|at|for|and|or|from|to|in|on|names?|\p{L}+est|most|least)$/iu.test(of)) return undefined;
  return { text: end.toLowerCase(), descending: /^last$/i.test(end), byTime: true, of: of.toLowerCase() };
}

/** "the next lesson", "Ada's next 2 swimming lessons": words behind it are those of the records, and not of a time or of a page. */
const NEXT =
  /(?:\b(?:the|our|my|his|her|their|its)|['’]s?|,|^(?:(?:please|show|me|give|list|get|find|when|what|is|['’]s)\s+)*)\s*\bnext\s+(?:(\d{1,2}|two|three|four|five)\s+)?(?!(?:of|time|page|few|step)s?\b)(\p{L}+(?:\s+\p{L}+){0,2})/iu;

/** Whether a next one is wanted of the records of this noun; "the next service" of a boat is a field of it. */
export const isNextOf = ({ noun = "" }: Order, records: string): boolean =>
  words(noun).some((word) => word === "one" || stem(singularOf(word)) === stem(records.split(" ").at(-1) ?? records));

function nextIn({ text, entities }: PromptText): Order | undefined {
  const found = NEXT.exec(text);
  const [said = "", count, noun] = found ?? [];
  const at = (found?.index ?? 0) + said.toLowerCase().lastIndexOf("next");
  // "next Friday" is a day, and "the next 5 years" are a time.
  if (
    noun === undefined ||
    SPAN.test(noun.split(/\s/)[0] ?? "") ||
    entities.some(({ start, end }) => at >= start && at < end)
  )
    return undefined;
  const order: Order = { text: "next", descending: false, byTime: true, next: true, noun };
  return count === undefined ? order : { ...order, count: countOf(count) };
}

function byVerb(text: string): Order | undefined {
  const found = BY_VERB.exec(text);
  const { verb = "", most = "" } = found?.groups ?? {};
  if (!found) return undefined;
  const order = { text: found[0].toLowerCase(), descending: /^most$/i.test(most), byTime: false, count: countIn(text) };
  const measures = measuresOfVerb(verb);
  if (/^cost/i.test(verb)) return order;
  return measures ? { ...order, measures } : { ...order, field: verb.toLowerCase(), loose: true };
}

/** The order a prompt asks for, if any. */
export const orderIn = oncePerPrompt((prompt): Order | undefined => {
  const sorted = sortedIn(prompt.text);
  if (sorted) return { ...sorted, count: countIn(prompt.text) };
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
  const worth = /\bworth the (most|least)\b/i.exec(prompt.text);
  if (worth) return { text: worth[0], descending: /most/i.test(worth[0]), byTime: false, count: countIn(prompt.text) };
  const measured = byVerb(prompt.text);
  if (measured) return measured;
  const most = MOST.exec(prompt.text);
  if (most?.[2])
    return {
      text: most[0],
      descending: /^most$/i.test(most[1] ?? ""),
      field: most[2],
      loose: true,
      byTime: false,
      count: countIn(prompt.text),
    };
  const word = SUPERLATIVE.exec(prompt.text)?.[0].toLowerCase();
  if (word === undefined)
    return nextIn(prompt) ?? timeAsked(prompt.text) ?? endOf(prompt.text) ?? asListed(prompt.text);
  const counted = COUNTED.exec(prompt.text);
  const count = countOf(counted?.[1] ?? counted?.at(-1));
  const place = placeIn(prompt);
  if (place !== undefined)
    return { ...superlative(word), text: PLACE.exec(prompt.text)?.[0].toLowerCase() ?? word, place };
  return { ...superlative(word), text: word, count: count > 0 ? count : undefined };
});
