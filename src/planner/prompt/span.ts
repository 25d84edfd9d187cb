// How a day, a month or a year of a prompt bounds what is asked for: "after 2020", "until Friday", "in May 2026". Text in; knows
// nothing of tools and records.

import { isPlural } from "../../lib/plural.js";
import { isStopWord, stem } from "../../tools/search/terms.js";
import { type Entity, GOES_ON } from "./entities.js";
import { oncePerEntity, oncePerPrompt, type PromptText, type Token, textBefore } from "./prompt.js";

/** Where the records asked for are, seen from a day or a period; "at" is on the day, or within the period. */
export type TimeRelation = "after" | "since" | "before" | "until" | "at";

const SECOND = /\b(?:between|from)\s+\S+(?:\s+\S+){0,2}\s+(?:and|to)\s+$/i;
const RELATIONS: readonly [RegExp, TimeRelation][] = [
  [SECOND, "until"],
  [/\b(?:after|later than)\s+(?:the\s+)?$/i, "after"],
  [/\b(?:since|from|between|starting|as of)\s+(?:the\s+)?$/i, "since"],
  [/\b(?:before|earlier than|prior to)\s+(?:the\s+)?$/i, "before"],
  [/\b(?:until|till|through|by|up to)\s+(?:the\s+)?$/i, "until"],
];

/** Whether a value of a prompt is a day, a month or a year. */
export const isTime = ({ kind, day }: Entity): boolean => kind === "date" || (kind === "number" && day !== undefined);

/** Whether a value of a prompt is several days: "last month". */
export const isPeriod = ({ kind, through }: Entity): boolean => kind === "date" && through !== undefined;

/** Whether a month or a year behind "from" is all that is meant: "films from 2019", but not "from 2019 on". */
export function isFromWithin({ start, end, through }: Entity, prompt: PromptText): boolean {
  return through !== undefined && FROM.test(textBefore(prompt, start)) && !GOES_ON.test(prompt.text.slice(end));
}

const FROM = /(?<!\bstarting\s)\bfrom\s+(?:the\s+)?$/i;

/** How the records asked for stand to a day, a month or a year. */
export function timeRelationOf(entity: Entity, prompt: PromptText): TimeRelation {
  // "before the end of May" has that day in it.
  if (/^end of/i.test(entity.text))
    return /\bafter\s+(?:the\s+)?$/i.test(textBefore(prompt, entity.start)) ? "after" : "until";
  if (isFromWithin(entity, prompt)) return "at";
  const before = textBefore(prompt, entity.start);
  return RELATIONS.find(([pattern]) => pattern.test(before))?.[1] ?? "at";
}

/** What a verb before a date calls the field of that date by, beside its own stem. */
const CALLED: Readonly<Record<string, string>> = {
  born: "birth",
  leaving: "out departure",
  departing: "out departure",
  arriving: "in arrival",
  joined: "since member registered signup",
  sent: "send",
  got: "acquired received bought purchased obtained",
  bought: "purchased acquired",
  purchased: "bought acquired",
  came: "in arrival arrived received reported created submitted added",
  coming: "in arrival arrived received reported created submitted added",
  happened: "start begin took",
  occurred: "start begin took",
  expires: "expiry expiration until valid end",
  expired: "expiry expiration until valid end",
  lapses: "expiry expiration until valid end",
  lapsed: "expiry expiration until valid end",
  "run out": "expiry expiration until valid end",
  built: "year",
  made: "year",
  published: "year",
  due: "deadline",
  placed: "created ordered submitted",
  ordered: "created placed order",
  starting: "start begin in arrival from open",
  started: "start begin in arrival from open",
  began: "start begin in arrival from open",
  ended: "end out departure until close",
  starts: "start begin in arrival from open",
  beginning: "start begin in arrival from open",
  ending: "end out departure until close",
  ends: "end out departure until close",
};
const VERB =
  /(?:ed|ing)$|^(?:due|born|built|sent|made|paid|seen|left|begun|held|sold|bought|got|written|taken|came|expires?|lapses?|starts?|ends?)$/;
/** Of "the insurance ran out" the first word alone says something else. */
const RUN_OUT = /^(?:ran|runs?|running)$/;
/** Verbs that say of no field in particular that it is the day of them. */
export const VAGUE_VERB = /^(?:came|coming|happened|occurred)$/;

/** The verb before a date that says which field it is of: "due after", "born in"; undefined without one. */
export const fieldVerbOf = oncePerEntity((prompt, { start }): Token | undefined => {
  const before = prompt.tokens.filter(({ end }) => end <= start);
  const token = before.findLast(
    ({ word }) => !isStopWord(word) && !/^(?:before|after|since|until|till|through|during)$/.test(word),
  );
  if (token && RUN_OUT.test(token.word)) return /^\s+out\b/i.test(prompt.text.slice(token.end)) ? token : undefined;
  const isVerb = token && before.indexOf(token) >= before.length - 3 && VERB.test(token.word);
  return isVerb && (!isPlural(token.word) || /^(?:expires|lapses|starts|ends)$/.test(token.word)) ? token : undefined;
});

/** "when was order 7 paid": what is asked for is the day of that. */
const WHEN =
  /^\s*(?:\p{L}+\s+){0,5}?(?:when|(?:on\s+)?(?:which|what)\s+(?:day|date))\s+(?:is|are|was|were|has|have|had)\b.*?(\p{L}+)[\s?.!]*$/iu;

/** The verb of which a prompt asks for the day, "when was order 7 paid"; undefined where it asks for none. */
export const verbAskedWhen = oncePerPrompt((prompt): Token | undefined => {
  const asked = WHEN.exec(prompt.text)?.[1]?.toLowerCase();
  const last = asked !== undefined && VERB.test(asked) ? prompt.tokens.at(-1) : undefined;
  return last?.word === asked ? last : undefined;
});

/** The stems that the field of a date is called by, by the verb before it; undefined without a verb. */
export const fieldTermsOf = oncePerEntity((prompt, entity): ReadonlySet<string> | undefined => {
  const token = fieldVerbOf(prompt, entity);
  if (!token) return undefined;
  const verb = RUN_OUT.test(token.word) ? "run out" : token.word;
  const others = Object.hasOwn(CALLED, verb) ? (CALLED[verb] ?? "") : "";
  return new Set([token.term, ...others.split(" ").filter(Boolean).map(stem)]);
});

/** Stems of the name of a field that say no more than that it is a time. */
export const PLAIN_TIME: ReadonlySet<string> = new Set(
  "date day time on at is year month start from to end since until after before min max gte lte gt lt"
    .split(" ")
    .map(stem),
);
