// Narrowing a list by what a field of its records holds: anything at all, nothing, or a text that begins or ends in a certain way.

import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { isAkin, isStopWord, stem, words } from "../../tools/search/terms.js";
import { negationsIn } from "../prompt/negation.js";
import type { PromptText } from "../prompt/prompt.js";
import { statesIn } from "../prompt/states.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";

/** The switch of an object that says whether there is such a thing: `hut: { available: false, beds: 0 }`. */
const SWITCH = /^(?:is_?)?(?:available|enabled|present|included|installed|fitted|provided|exists)$/i;

/** Whether an object says by its only switch that there is no such thing. */
const isSwitchedOff = (value: JsonObject): boolean => {
  const switches = Object.entries(value).filter(([, inner]) => typeof inner === "boolean");
  const [only] = switches;
  return switches.length === 1 && only !== undefined && SWITCH.test(only[0]) && only[1] === false;
};

const isEmpty = (value: JsonValue | undefined): boolean =>
  (isObject(value) && isSwitchedOff(value)) ||
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0);

/** What says of the value of a field no more than that it is there: "no known maker". */
const KNOWN = /^(?:known|recorded|registered|listed|given|stated|assigned|specified|particular)$/;

/** "without an assignee": the records with nothing in the field that the prompt names. */
export function narrowByAbsence(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  const keys = fieldNamesOf(rows);
  for (const negation of negationsIn(prompt)) {
    const reached = prompt.tokens.filter(({ start, end }) => start >= negation.start && end <= negation.end).slice(1);
    const said = reached.filter(({ word }) => !isVague(word)).map(({ term }) => term);
    const termsOf = (one: string, left: RegExp): string =>
      words(one)
        .filter((word) => !left.test(word))
        .map(stem)
        .join(" ");
    // "without a driver" is without a `driver_id`.
    const known = reached.filter(({ word }) => !isVague(word) && !KNOWN.test(word)).map(({ term }) => term);
    const key = [said, known].flatMap((some) =>
      [/^$/, /^(?:id|name)$/].flatMap((left) => keys.filter((one) => termsOf(one, left) === some.join(" "))),
    )[0];
    if (!negation.absence || key === undefined) continue;
    out.rows = out.rows.filter((row) => isEmpty(row[key]));
    out.negations.add(negation);
    out.conditions.push(`no ${key}`);
    out.fields.add(key);
  }
}

/** "unassigned tickets": the records with nothing in the field of who or what it was done to, `assignee` or `assigned_to`. */
export function narrowByUndone(out: Narrowed, { rows, prompt, noun }: NarrowedBy): void {
  for (const { word } of statesIn(prompt, noun)) {
    const done = /^un(\p{L}{3,}ed)$/u.exec(word)?.[1];
    const isMet = out.understood.includes(word) || out.conditions.some((one) => one.toLowerCase().endsWith(word));
    if (done === undefined || isMet) continue;
    const called = fieldNamesOf(rows).filter((one) => isAkin(stem(done), stem(words(one)[0] ?? "")));
    const [key, ...others] = called.filter((one) => rows.some((row) => isEmpty(row[one])));
    // What is no more than a number says nothing of that.
    if (key === undefined || others.length > 0 || rows.some((row) => typeof row[key] === "boolean")) continue;
    if (!/(?:ee|er|or|_to|_by|_id|To|By|Id)$/.test(key)) continue;
    out.rows = out.rows.filter((row) => isEmpty(row[key]));
    out.conditions.push(`no ${key}`);
    out.understood.push(word);
    out.fields.add(key);
  }
}

const WITH =
  /\b(?:with|(?:that|who|which)\s+ha(?:ve|s))\s+(?:an?\s+|any\s+|some\s+)?(\p{L}+(?:[\s_]\p{L}+)?)(?=\s*(?:$|[?.!,]))/giu;

/** "with an email": the records with something in the field that the prompt names and gives no value for. */
export function narrowByPresence(out: Narrowed, { rows, prompt, args }: NarrowedBy): void {
  const keys = fieldNamesOf(rows);
  const termsOf = (name: string): string => words(name).map(stem).join(" ");
  for (const [whole, said = ""] of prompt.text.matchAll(WITH)) {
    const term = termsOf(said);
    const isDone = [...Object.keys(args), ...out.fields].some((name) => termsOf(name).includes(term));
    if (isDone || out.conditions.some((one) => one.toLowerCase().includes(said.toLowerCase()))) continue;
    const key = keys.find((one) => termsOf(one) === term);
    if (key === undefined) {
      // A part of a field's name would pass for a condition that was met.
      if (keys.some((one) => words(one).map(stem).includes(term))) out.unmet.push(whole.trim());
      continue;
    }
    out.rows = out.rows.filter((row) => !isEmpty(row[key]));
    out.conditions.push(`${key} present`);
    out.fields.add(key);
  }
}

/** The field of the day on which something was done: `closed_at`, `returnedOn`. */
const DONE_ON = /^(\p{L}+)(?:_(?:at|on|date|time)|(?:At|On|Date|Time))$/u;
const DAY = /^\d{4}-\d{2}-\d{2}/;
/** The field of the year in which something came to its end: `closed: 1998`. */
const ENDED = /^(?:closed|retired|dissolved|abandoned|demolished|scrapped|discontinued|cancelled|ended)$/;
const YEAR = /^\d{4}$/;

/** Whether a word within a negation adds nothing to its state: "not returned yet". */
const isVague = (word: string): boolean =>
  isStopWord(word) || /^(?:yet|already|still|now|today|anymore|far)$/.test(word);

/** "closed tickets", "open tickets", "loans that haven't been returned": the records with a day in such a field, or without one. */
export function narrowByDone(out: Narrowed, { rows, prompt, args, noun }: NarrowedBy): void {
  const taken = new Set([...Object.keys(args), ...out.fields, ...Object.values(args).map(String)].flatMap(words));
  for (const condition of out.conditions) taken.add(condition.split(" ").at(-1)?.toLowerCase() ?? "");
  for (const key of fieldNamesOf(rows)) {
    const ended = ENDED.test(key) ? key : undefined;
    const done = DONE_ON.exec(key)?.[1]?.toLowerCase() ?? ended;
    const values = rows.map((row) => row[key]);
    const isDay = (value: JsonValue | undefined): boolean =>
      DAY.test(String(value)) || (ended !== undefined && YEAR.test(String(value)));
    if (done === undefined || !values.every((value) => isEmpty(value) || isDay(value))) continue;
    if (ended !== undefined && values.every(isEmpty)) continue;
    const isOpposite = (word: string): boolean => word === `un${done}` || (word === "open" && done === "closed");
    const state = statesIn(prompt, noun).find(({ word }) => word === done || isOpposite(word));
    if (!state || [state.word, done].some((word) => taken.has(word))) continue;
    const denied = negationsIn(prompt).find(({ start, end }) => state.start >= start && state.start < end);
    if (denied) {
      out.negations.add(denied);
      const beyond = prompt.tokens.filter(
        ({ start, word }) => start > state.start && start < denied.end && !isVague(word),
      );
      out.unmet.push(...beyond.map(({ start, end }) => prompt.text.slice(start, end)));
    }
    const isWithout = isOpposite(state.word) !== (denied !== undefined);
    out.rows = out.rows.filter((row) => isEmpty(row[key]) === isWithout);
    out.conditions.push(isWithout ? `no ${key}` : `${key} present`);
    out.understood.push(state.word);
    out.fields.add(key);
  }
}

const PART =
  /\b(?:(\p{L}+)\s+)?(\p{L}+)\s+(starts?|starting|begins?|beginning|ends?|ending)\s+(?:with|(?<=end(?:s|ing)?\s+)in)\s+(?:the\s+letters?\s+)?["“'‘]?([\p{L}\p{N}@](?:[^\s"”'’,;?!]*[\p{L}\p{N}])?)/iu;

/** The text that the values of a field are to begin or end with, and where it stands; undefined without one. */
function partIn({ text }: PromptText): { fields: string[]; part: string; atEnd: boolean; text: string } | undefined {
  const found = PART.exec(text);
  if (!found) return undefined;
  const [whole, first = "", second = "", verb = "", part = ""] = found;
  return { fields: [`${first} ${second}`.trim(), second], part, atEnd: /^end/i.test(verb), text: whole };
}

/** "whose last name starts with W": a field called so, or any whose name has the word. */
export function narrowByPart(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  const asked = partIn(prompt);
  if (!asked) return;
  const keys = fieldNamesOf(rows).filter((key) => rows.some((row) => typeof row[key] === "string"));
  const termsOf = (name: string): string => words(name).map(stem).join(" ");
  const [whole = "", last = ""] = asked.fields;
  const called = [whole, last].flatMap((one) => keys.filter((key) => termsOf(key) === termsOf(one)));
  const fields =
    called.length > 0 ? called.slice(0, 1) : keys.filter((key) => words(key).map(stem).includes(stem(last)));
  if (fields.length === 0) {
    out.unmet.push(asked.text);
    return;
  }
  const part = asked.part.toLowerCase();
  const has = (row: JsonObject): boolean =>
    fields.some((key) =>
      textsOfField(row[key]).some((one) => (asked.atEnd ? one.endsWith(part) : one.startsWith(part))),
    );
  out.rows = out.rows.filter(has);
  out.conditions.push(`${fields.join(" or ")} ${asked.atEnd ? "ending" : "beginning"} with ${asked.part}`);
  out.understood.push(asked.text);
  for (const key of fields) out.fields.add(key);
}
