// What of a prompt neither the call nor the narrowing of a list took into account, and whether the records are an answer all the same.

import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { words as allWords, terms } from "../../tools/search/terms.js";
import { unmatchedEntities, unmatchedStates, unmatchedWords } from "../match/unmatched.js";
import { isAgentField } from "../prompt/agents.js";
import { isChatter, isForWhom, isKindNoun, isOfHandling, isOfNow, isOfPlace } from "../prompt/chatter.js";
import { comparisonsIn } from "../prompt/comparison.js";
import type { Entity } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { type Negation, negationsIn } from "../prompt/negation.js";
import { isNextOf, orderIn } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import { measuresOfAdjective } from "../prompt/superlatives.js";
import { unrealIn } from "../prompt/unreal.js";
import { resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import type { Narrowed } from "./narrowed.js";
import { quoted } from "./sentences.js";

const SORTING = /^(?:sort|order|ordering)(?:_?(?:by|key|field|order))?$/i;
/** Arguments that leave no record out. */
const PAGING =
  /^(?:limit|offset|skip|first|page|per_?page|page_?size|cursor|after|sort|order|order_?by|direction|fields)$/i;

/** Whether the target sorts. */
export const isSorted = (args: JsonObject): boolean => Object.keys(args).some((name) => SORTING.test(name));

const COMPLETE = /complete|done|finish/i;

/** "which drivers are active and which vehicles are free". */
const SECOND_QUESTION =
  /(?<=^\s*(?:what|which|who|how many|how much|where|when)\b.*)\band (?:which|what|who|how many|how much|where|when)\b/i;

/** What a list leaves open. */
interface Unmet {
  /** Sentences that say so; empty where nothing is open. */
  note: string;
  /** The records are no answer: what may be a condition is open, or nothing of the prompt was taken into account. */
  isNoAnswer: boolean;
}

/** What of the prompt neither the call nor the narrowing took into account. */
export function unmetBy(
  rows: readonly JsonObject[],
  narrowed: Narrowed,
  { tool, args, prompt, lookupPhrase, aggregated = "" }: AnsweredCall & AnswerContext & { aggregated?: string },
): Unmet {
  const sorted = isSorted(args);
  const order = orderIn(prompt);
  const conditions = sorted ? [...narrowed.conditions, order?.text ?? ""] : narrowed.conditions;
  const list = { tool, args, rows, used: [...conditions, ...narrowed.understood, lookupPhrase, aggregated] };
  const denied = negationsIn(prompt).filter((one) => !narrowed.negations.has(one) && !isSent(one, { tool, args }));
  const compared = comparisonsIn(prompt).filter(({ sign, entity: { value } }) => {
    const held = `${toJson(args)} ${narrowed.conditions.join(" ")}`;
    return sign === undefined || !held.includes(String(value));
  });
  const met = comparisonsIn(prompt).filter((one) => !compared.includes(one));
  const filtered = new Set([...Object.keys(args), ...narrowed.fields].flatMap((name) => allWords(name)));
  // "at least 13 metres deep": the unit and the measure are those of the bound.
  const isOfBound = (word: string): boolean =>
    met.some(({ entity }) => entity.unit?.text.toLowerCase().split(/\s/).includes(word.toLowerCase())) ||
    (met.length > 0 && measuresOfAdjective(word.toLowerCase()).some((one) => filtered.has(one)));
  // The words of an operator are reported with it or were understood with it.
  const spans = [...negationsIn(prompt), ...comparisonsIn(prompt)];
  const isOff = Object.values(args).includes(false) || narrowed.conditions.some((one) => one.endsWith("= no"));
  const isSaid = (text: string): boolean =>
    !spans.some((span) => span.text.toLowerCase().includes(text.toLowerCase())) && !(isOff && /^(?:un|in)/i.test(text));
  // "completed" is done.
  const isDone = narrowed.conditions.some((one) => COMPLETE.test(one));
  const isNarrowed =
    narrowed.conditions.length > 0 || narrowed.understood.length > 0 || isFiltered(args) || lookupPhrase !== "";
  const isIdle = (word: string): boolean =>
    isChatter(word, prompt) ||
    isOfHandling(word, prompt) ||
    isBesideValue(word, prompt, list.used.concat(Object.values(args).map(String))) ||
    isBesideBound(
      word,
      prompt,
      met.map(({ text }) => ({ start: prompt.text.indexOf(text) })),
    ) ||
    isDoer(word, narrowed.conditions) ||
    (met.length > 0 && /^left$/i.test(word)) ||
    (isNarrowed && isOfNow(word, prompt)) ||
    ((isNarrowed || narrowed.ordered) && isOfPlace(word, prompt));
  const states = unmatchedStates(prompt, list);
  const words = [...new Set([...states, ...unmatchedWords(prompt, list)])].filter(
    (word) => isSaid(word) && !(isDone && COMPLETE.test(word)) && !isOfBound(word) && !isIdle(word),
  );
  const values = unmatchedEntities(prompt, list).filter(isSaid);
  const unreal = unrealIn(prompt).filter((one) => !narrowed.understood.includes(one.text));
  const isOfUnreal = (word: string): boolean => unreal.some(({ text }) => allWords(text).includes(word.toLowerCase()));
  const said = [
    ...new Set([...denied, ...compared, ...unreal].map(({ text }) => text)),
    ...words.filter((word) => !isOfUnreal(word)),
    ...values,
  ];
  const unmet = narrowed.unmet.filter(
    (text) => !said.includes(text) && !(/ \p{Lu}$/u.test(text) && said.includes(text.slice(-1))),
  );
  const unmatched = [...said, ...unmet];
  const only = onlyFor(prompt, args, narrowed.conditions);
  const open = unmatched.filter((text) => only?.left.includes(text) !== true);
  const note = open.length > 0 ? `I could not narrow this by ${quoted(open, "or")}.\n\n` : "";
  const isOther = order?.next === true && !isNextOf(order, resourceNoun(tool));
  const unsorted = sorted || narrowed.ordered || isOther ? undefined : order;
  const part = only
    ? `This is only for ${quoted(only.sent, "and")}: ask for ${quoted(only.left, "and")} by itself.\n\n`
    : "";
  const more = SECOND_QUESTION.exec(prompt.text)?.[0];
  const second =
    more === undefined ? "" : `I answer one question a prompt: ask for what is behind "${more}" by itself.\n\n`;
  return {
    note: second + part + note + (unsorted ? unsortedText(unsorted.text, narrowed.orders) : ""),
    isNoAnswer:
      second !== "" ||
      open.some((text) => !words.includes(text) || states.includes(text) || !isForWhom(text, prompt)) ||
      unsorted !== undefined ||
      (open.length > 0 && !isNarrowed),
  };
}

function unsortedText(order: string, fields: readonly string[] = []): string {
  const which = fields.length > 1 ? `${order} may be by ${fields.join(" or by ")}, say which` : order;
  return `I could not put this in order: ${which}.\n\n`;
}

/** Verbs that say no more of records than that they have the value, or the measure, behind them: "speaking dutch", "that burn oil". */
const HAVES =
  /^(?:using|having|doing|taking|speaking|learning|studying|playing|driving|riding|running|wearing|burning|(?:use|have|take|speak|burn|wear|eat|drink|contain|hold|last|weigh|measure|require|cost)s?|has)$/;

/** Whether a word is such a verb before a value that the records have. */
function isBesideValue(said: string, { tokens }: PromptText, used: readonly string[]): boolean {
  const word = said.toLowerCase();
  const at = tokens.findIndex((token) => token.word === word);
  const next = tokens[at + 1]?.word;
  const isUsed = (value: string): boolean => used.some((one) => one === value || one.endsWith(` = ${value}`));
  if (isKindNoun(singularOf(word))) return isUsed(tokens[at - 1]?.word ?? "");
  return HAVES.test(word) && next !== undefined && isUsed(next);
}

/** Whether a word is such a verb before a bound that was applied: "that take longer than 50 min", "weighing over 3 kg". */
const isBesideBound = (said: string, { tokens }: PromptText, met: readonly { start: number }[]): boolean =>
  tokens.some(
    ({ word }, at) =>
      word === said.toLowerCase() && HAVES.test(word) && met.some(({ start }) => start === tokens[at + 1]?.start),
  );

/** Whether a verb says what somebody does by whom the records were narrowed: "directing" beside `director = ines okoro`. */
const isDoer = (word: string, conditions: readonly string[]): boolean =>
  /ing$/i.test(word) && conditions.some((one) => isAgentField(word, one.split(" = ")[0] ?? ""));

/** Whether a call leaves records out. */
const isFiltered = (args: JsonObject): boolean => Object.keys(args).some((name) => !PAGING.test(name));

/** The same for plain words: "issues of project web and mob". */
function onlyWord(prompt: PromptText, values: ReadonlySet<string>): { sent: string[]; left: string[] } | undefined {
  const [, sent = "", left = ""] =
    /([\p{L}\p{N}_-]+)\s+(?:and|or)\s+([\p{L}\p{N}_-]+)\s*[?.!]*$/iu.exec(prompt.text) ?? [];
  // "2 or more" is one value.
  const isBound = comparisonsIn(prompt).some(({ text }) => text.endsWith(` ${left}`));
  return values.has(sent) && !values.has(left) && !isBound ? { sent: [sent], left: [left] } : undefined;
}

/** The values of which only some were sent, as the path of a list takes one, and that the narrowing left: "bookings of room 3 and room 4". */
function onlyFor(
  prompt: PromptText,
  args: JsonObject,
  conditions: readonly string[],
): { sent: string[]; left: string[] } | undefined {
  // "flag = NO or SE" are two values.
  const narrowed = conditions.flatMap((one) => one.split(" or ")).map((one) => one.split(" ").at(-1) ?? "");
  const values = new Set([...Object.values(args).map(String), ...narrowed]);
  const isSent = ({ value }: Entity): boolean => values.has(String(value));
  const all = prompt.entities
    .map((one) => joinedWith(prompt, one))
    .find((some) => some.length > 1 && some.some(isSent));
  if (!all) return onlyWord(prompt, values);
  if (all.every(isSent)) return undefined;
  const textOf = ({ text }: Entity): string => text;
  return { sent: all.filter(isSent).map(textOf), left: all.filter((one) => !isSent(one)).map(textOf) };
}

/** Whether a negation was sent with the call: a switch that is off, or a parameter for what is not wanted. */
function isSent({ text }: Negation, { tool, args }: Pick<AnsweredCall, "tool" | "args">): boolean {
  const said = terms(text);
  const isValue = (value: JsonValue | undefined): boolean =>
    text.toLowerCase().includes(allWords(String(value)).join(" "));
  return slotsOf(tool).some(({ name, label }) =>
    args[name] === false
      ? label.some((term) => said.includes(term)) || /\b(?:complete|done|finish)/i.test(text)
      : args[name] !== undefined && isValue(args[name]),
  );
}
