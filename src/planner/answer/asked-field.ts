// The fields of a record that a prompt asks for, said before the record: "phone: 555 31". A record and a prompt in, text out; where the
// prompt asks for nothing in particular, none.

import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { askedDeed, isAgentField } from "../prompt/agents.js";
import { isPersonNoun } from "../prompt/person-nouns.js";
import { saysWhere } from "../prompt/places.js";
import { asksHowMuch, PRICE_WORD } from "../prompt/price-times.js";
import type { PromptText } from "../prompt/prompt.js";
import { measuresOfAdjective } from "../prompt/superlatives.js";
import { asksHowManyLeft } from "../prompt/supply.js";
import { withoutUnit } from "../prompt/units.js";
import { plainForm } from "../prompt/verb-forms.js";
import { asksWhen, asksWhoOrWhere, DEED_AT, TIME_VALUE } from "../prompt/when.js";
import { KEY_NAME } from "../slots/slot.js";
import { brief, recordText } from "./markdown.js";
import { withAskedFields } from "./nested.js";
import { recordName } from "./rows.js";
import { supplyField } from "./supply.js";

/** Of more fields than these none is what a prompt asks for. */
const MOST_FIELDS = 3;
/** Times of the record itself, and none of what it is about. */
const OF_RECORD = /^(?:created|updated|modified|deleted|inserted|added)(?:_|$|[A-Z])/;

/** Fields of the state of a record. */
const STATE = /^(?:status|state)$/i;
/** "is order 5 paid", "has lot 7 been sold yet". */
const ASKS_STATE =
  /^\s*(?:(?:and|so)\s+)?(?:is|was|has|are|were)\s+(?!(?:there|it|he|she|this|that|any)\b)\S+(?:\s+\S+){0,4}?\s+(?:been\s+)?(?<state>\p{L}+(?:ed|pen|aid|ent|old|one|ost))(?:\s+(?:yet|already|now))?[\s?.!]*$/iu;

/** The state that a question asks for, whether a record is in it or not. */
export const asksState = ({ text }: PromptText): string | undefined => ASKS_STATE.exec(text)?.groups?.["state"];

/** Where the name of the record stands in a prompt: its words name no fields. */
interface NamePlace {
  start: number;
  end: number;
}

/** The names of the fields that a prompt asks for, in the order of the record. */
function askedFields(row: JsonObject, prompt: PromptText, place?: NamePlace): string[] {
  const places = [place, placeOf(recordName(row), prompt)].filter((one) => one !== undefined);
  const tokens = prompt.tokens.filter(
    ({ start, word }) =>
      !places.some((one) => start >= one.start && start < one.end) && !(asksWhen(prompt) && /^days?$/.test(word)),
  );
  const said = new Set(tokens.map(({ term }) => term));
  const isOther = (name: string): boolean => asksWhoOrWhere(prompt) && TIME_VALUE.test(String(row[name]));
  const names = Object.keys(row).filter((name) => name !== "id" && !isList(row[name]) && !isOther(name));
  const partsOf = (name: string): string[] => withoutUnit(words(name.split(".").at(-1) ?? "")).map(stem);
  const deed = askedDeed(prompt);
  const measures = tokens.flatMap(({ word }) => measuresOfAdjective(word)).map(stem);
  // When it was packed is no answer to "when was it collected".
  const isOfDeed = asksWhen(prompt) && deedIn(prompt)?.done !== undefined;
  const isTime = (name: string): boolean =>
    TIME_VALUE.test(String(row[name])) && !OF_RECORD.test(name) && !(isOfDeed && DEED_AT.test(name));
  const isWhole = (name: string): boolean => partsOf(name).every((part) => said.has(part));
  const known = new Set(["name", ...names.filter(isWhole).flatMap(partsOf)]);
  // Who teaches a pupil is not asked what else they teach.
  const done = tokens.find(({ word }) => word === deed)?.term;
  // "phone" is the phone number, and "status" no payment status where there is a status.
  const isPart = (name: string): boolean =>
    !KEY_NAME.test(name) &&
    partsOf(name).some((part) => part.length > 2 && part !== done && said.has(part) && !known.has(part));
  const ways: readonly (false | undefined | "" | ((name: string) => boolean))[] = [
    asksHowManyLeft(prompt) && ((name) => name === supplyField([row])),
    (name) => isWhole(name) || isPart(name),
    asksState(prompt) && ((name) => STATE.test(name)),
    deed !== undefined && ((name) => isAgentField(deed, name)),
    asksHowMuch(prompt) && ((name) => partsOf(name).some((part) => PRICE_WORD.test(part))),
    (name) => partsOf(name).some((part) => measures.includes(part)),
    asksHowMuch(prompt) && ((name) => partsOf(name).some((part) => tokens.some((one) => isAkin(one.term, part)))),
    asksWhen(prompt) && isTime,
  ];
  for (const way of ways) {
    const found = typeof way === "function" ? names.filter(way) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function placeOf(name: string | undefined, { text }: PromptText): NamePlace | undefined {
  const start = name === undefined ? -1 : text.toLowerCase().indexOf(name.toLowerCase());
  return name === undefined || name === "" || start < 0 ? undefined : { start, end: start + name.length };
}

const isList = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.some(isObject);

/** The fields that a prompt asks for, each in a line of its own, with an empty line behind; empty where it asks for none. */
function askedFieldsText(row: JsonObject, prompt: PromptText, place?: NamePlace): string {
  const fields = askedFields(row, prompt, place);
  if (fields.length === 0 || fields.length > MOST_FIELDS) return "";
  return `${fields.map((name) => `${name}: ${brief(row[name]) || "(empty)"}`).join("\n")}\n\n`;
}

/** The same for the only record that is left of a list, where the prompt calls it by its name. */
export function askedOfOnly(rows: readonly JsonObject[], prompt: PromptText): string {
  const [row, ...others] = rows;
  const place = row && others.length === 0 ? placeOf(recordName(row), prompt) : undefined;
  return row && place ? askedFieldsText(row, prompt, place) : "";
}

/** "who restored …", "where was … restored": a question for whom, where or when a deed was done. */
const DEED =
  /^\s*(?:(?:and|so)\s+)?(?:(?<who>who)\s+(?:(?:has|had)\s+)?(?<did>\p{L}{3,})\b|(?:(?<where>where)|(?<when>when))\s+(?:was|were|is|are|has|have|had)\b.*?\b(?<done>\p{L}{3,})[\s?.!]*$)/iu;
/** Whether a word says that something was done. */
const isDone = (word: string): boolean => word.endsWith("ed") || plainForm(word) !== undefined;

/** What a prompt asks of a deed; undefined where it asks of none. */
function deedIn({ text }: PromptText): Record<string, string | undefined> | undefined {
  const found = DEED.exec(text)?.groups;
  return found && isDone((found["did"] ?? found["done"] ?? "").toLowerCase()) ? found : undefined;
}

/** The remark where a prompt asks by whom, where or when something was done, and no field of the record says it, or several may. */
export function untoldNote(row: JsonObject, prompt: PromptText): string {
  const asked = deedIn(prompt);
  if (!asked) return "";
  const { who, did, when, where, done } = asked;
  const deed = (did ?? done ?? "").toLowerCase();
  // Another day of it is no answer.
  if (when !== undefined) return askedFieldsText(row, prompt) === "" ? "I found no field that says when.\n\n" : "";
  const told = Object.keys(row).filter((name) => !TIME_VALUE.test(String(row[name])));
  const isOfDeed = (name: string): boolean =>
    words(name).includes(deed) || (who !== undefined && isAgentField(deed, name));
  // Whose record it is may be who did it.
  const isPerson = (name: string): boolean => who !== undefined && isPersonNoun(words(name).at(-1) ?? "");
  if (told.some((name) => isOfDeed(name) || isPerson(name))) return "";
  const places = where === undefined ? [] : told.filter((name) => saysWhere(words(name)));
  if (places.length > 1) return `More than one field may say where: ${places.join(", ")}.\n\n`;
  return places.length === 1 ? "" : `I found no field that says ${who === undefined ? "where" : "who"}.\n\n`;
}

/** A record as text, what the prompt asks for of it first. */
export function askedRecordText(record: JsonObject, prompt: PromptText, place?: NamePlace): string {
  const row = withAskedFields(record, prompt);
  const text = recordText(row);
  return text === "" ? "" : `${askedFieldsText(row, prompt, place)}${text}`;
}
