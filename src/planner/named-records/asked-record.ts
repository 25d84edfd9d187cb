// Whether a prompt that names a record asks for nothing but that record, or for fields that it has.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { askedRecordText, untoldNote } from "../answer/asked-field.js";
import { innerFields } from "../answer/nested.js";
import { supplyField } from "../answer/supply.js";
import { recordQuestion } from "../names/record-question.js";
import { listsPersons } from "../persons.js";
import { askedDeed, isAgentField } from "../prompt/agents.js";
import { PLACE } from "../prompt/places.js";
import { asksHowMuch, isPriceFor, priceTimesIn } from "../prompt/price-times.js";
import { contentTokens, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { measuresOfAdjective } from "../prompt/superlatives.js";
import { asksHowManyLeft } from "../prompt/supply.js";
import { asksWhen, asksWhoOrWhere, DEED_AT, TIME_VALUE, TIME_WORD } from "../prompt/when.js";
import { tellsWhen } from "../related/dated-lists.js";
import { resourceNoun } from "../resource-noun.js";
import { keyNoun } from "../slots/slot.js";

/** A record, and where its name stands in a prompt. */
interface NamedPlace {
  list: Tool;
  row: JsonObject;
  start: number;
  end: number;
}

/** Words of a question for a field that name none themselves. */
const ASKING =
  /^(?:who|whose|what|which|when|where|how|much|many|number|address|value|current|last|is|are|was|does|do|did|has|have|tell|show|give|get|find|display|see|look|me|us|about|happened|details?|info|information|everything|please|name|called)$/;

/** Verbs that say no more than that a record has so many of what it has. */
const HOLDS = /^(?:stay|staying|own|owning|hold|holding|carry|carrying|get|getting)$/;

const ARTICLE_BEFORE = /\b(?:the|an?|my|our|your|his|her|their)\s+$/i;

const CONTENTS = /^\s*what(?:['’]?s|\s+is|\s+are)?\s+(?:there\s+)?(?:in|inside)\s+(?!there\b|which\b)/i;

/** Whether a prompt asks what is in a record, which others tell unless it has a list of that itself: "what's in the Jungle House". */
export const asksForContents = ({ text }: PromptText, row: JsonObject): boolean =>
  CONTENTS.test(text) && !Object.values(row).some(Array.isArray);

/** Whether a word names a field. */
const isOfField = (term: string, fields: readonly string[][]): boolean =>
  fields.some((parts) => parts.some((part) => isAkin(term, part)));

/** Whether a prompt asks for nothing but the record, or for fields that it has. `nouns` are those of the lists. */
export function asksForRecord(
  prompt: PromptText,
  { row, start, end, list }: NamedPlace,
  nouns: ReadonlySet<string>,
): boolean {
  if (asksForContents(prompt, row)) return false;
  const others = contentTokens(prompt).filter(
    (token) => (token.start < start || token.start >= end) && singularOf(token.word) !== resourceNoun(list),
  );
  const said = new Set(others.map(({ term }) => term));
  const own = Object.keys(row).filter((field) => !asksWhoOrWhere(prompt) || !TIME_VALUE.test(String(row[field])));
  const fields = [...own, ...innerFields(row)].map((field) => words(field).map(stem));
  const named = fields.filter((parts) => parts.every((part) => said.has(part)));
  const deed = askedDeed(prompt);
  const isOfDeed = deed !== undefined && Object.keys(row).some((field) => isAgentField(deed, field));
  // "entries for the Avon Open" are no "entry fee" of it.
  // "how much is it a night" asks for the `daily_rate`.
  const times = (asksHowMuch(prompt) ? priceTimesIn(prompt.text) : []).filter((time) =>
    Object.keys(row).some((field) => isPriceFor(field, time)),
  );
  const isAsked = ({ word, term }: Token): boolean =>
    ASKING.test(word) ||
    times.some((time) => words(time).includes(word)) ||
    (asksHowManyLeft(prompt) &&
      supplyField([row]) !== undefined &&
      /^(?:left|remaining|stock|still|got)$/.test(word)) ||
    (asksWhen(prompt) && TIME_WORD.test(word)) ||
    (word === deed && isOfDeed) ||
    (word === "date" && said.has("birth")) ||
    (/^birth/.test(word) &&
      measuresOfAdjective(word).some((one) => fields.some((parts) => parts.includes(stem(one))))) ||
    isOfField(term, nouns.has(singularOf(word)) ? named : fields);
  if (!prompt.entities.every((one) => one.start < end && one.end > start)) return false;
  const open = others.filter((token) => !isAsked(token));
  // "where does Ada live" and "what shift does Ada work": one verb more, beside what is asked for.
  const isField = named.length > 0 && /^\s*(?:what|which)\b/i.test(prompt.text);
  // "how many nights is Ada staying": the verb says no more than that it has them, which "left" and "booked" do not.
  const isHeld = named.length > 0 && /^\s*how\s+many\b/i.test(prompt.text) && HOLDS.test(others.at(-1)?.word ?? "");
  const isMatter = /^\s*(?:where|when|how(?!\s+(?:many|much)))\b/i.test(prompt.text);
  const [verb, ...more] = open;
  // When it was made is no answer to "when was it delivered".
  const isOtherDeed =
    verb !== undefined &&
    asksWhen(prompt) &&
    /ed$/.test(verb.word) &&
    Object.keys(row).some((field) => DEED_AT.test(field));
  // "when is Dune screened" asks for screenings.
  const isOther = [...nouns].some((noun) => stem(noun) === verb?.term);
  // "when did Ada join the army" has an object of its own.
  const isObject = verb !== undefined && ARTICLE_BEFORE.test(textBefore(prompt, verb.start));
  if (isObject && !isField) return false;
  return !verb || (more.length === 0 && (isField || isMatter || isHeld) && !isOther && !isOtherDeed);
}

/** The only field that says where a record is: a place, or what it refers to that is no person. */
function placeLine({ row, list }: NamedPlace, tools: readonly Tool[]): string {
  const lists = tools.filter(
    (tool) => tool.verb === "list" && tool.application === list.application && !listsPersons(tool, tools),
  );
  const nouns = new Set(lists.map(resourceNoun).filter((noun) => noun !== resourceNoun(list)));
  const isPlace = (field: string): boolean => {
    const noun = keyNoun(field) ?? words(field).at(-1) ?? "";
    // "stock: 23" counts pieces, though there is a list of stock.
    const isNumber = keyNoun(field) === undefined && typeof row[field] === "number";
    return !isNumber && (PLACE.test(noun) || nouns.has(noun));
  };
  const [field, ...others] = Object.keys(row).filter(isPlace);
  const value = row[field ?? ""];
  const isOne = others.length === 0 && (typeof value === "string" || typeof value === "number");
  return field !== undefined && isOne ? `${field}: ${String(value)}\n\n` : "";
}

/** A record as the answer to a prompt that names it. */
export function namedRecordText(prompt: PromptText, named: NamedPlace, tools: readonly Tool[]): string {
  const { row, list } = named;
  const isOpen = asksWhen(prompt) && !tellsWhen(row, prompt);
  const text = askedRecordText(row, prompt, named);
  const place = recordQuestion(prompt)?.asks === "where" && /^- /.test(text) ? placeLine(named, tools) : "";
  const silent = isOpen ? `This ${resourceNoun(list)} does not say when.\n\n` : "";
  const open = silent || place || untoldNote(row, prompt);
  return `${open}${text}`;
}
