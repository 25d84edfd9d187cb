// Narrowing by what a field says in other words than its name: "closed to the public" of `open_to_public`, "still alive" of `died`, "whose maker
// is unknown" of `maker_id`. Rows in, fewer out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { isAgentField } from "../prompt/agents.js";
import { isNegated, negationsIn } from "../prompt/negation.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === "" || value === false || value === 0;

/** Whether a field holds nothing but yes and no. */
function isSwitch(rows: readonly JsonObject[], key: string): boolean {
  const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "boolean" || value === 0 || value === 1);
}

/** What is not so where the other is. */
const OPPOSITES: readonly (readonly [is: string, not: string])[] = [
  ["open", "closed"],
  ["open", "shut"],
  ["public", "private"],
  ["active", "retired"],
  ["working", "broken"],
  ["allowed", "forbidden"],
  ["required", "optional"],
  ["full", "empty"],
];

/** The words of a prompt that say the opposite of a switch: "closed to the public" of `open_to_public`. */
function oppositeOf(key: string, { tokens }: PromptText): Token[] | undefined {
  const own = words(key).filter((word) => !isStopWord(word));
  for (const [said, meant] of OPPOSITES.flatMap(([is, not]) => [[not, is] as const, [is, not] as const])) {
    if (!own.includes(meant)) continue;
    const wanted = own.map((word) => stem(word === meant ? said : word));
    const found = wanted.map((term) => tokens.find((token) => token.term === term));
    if (found.every((token) => token !== undefined)) return found;
  }
  return undefined;
}

/** "closed to the public": the records whose switch says the opposite. */
export function narrowByOpposite(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  for (const key of fieldNamesOf(rows)) {
    if (out.fields.has(key) || !isSwitch(rows, key)) continue;
    const said = oppositeOf(key, prompt);
    const first = said?.[0];
    if (!said || !first || said.some(({ word }) => isTextOf(word, rows))) continue;
    if (said.some(({ start }) => isNegated(start, prompt))) continue;
    out.rows = out.rows.filter((row) => isEmpty(row[key]));
    out.conditions.push(`${key} = no`);
    out.understood.push(said.map(({ word }) => word).join(" "));
    out.fields.add(key);
  }
}

/** Whether a word is the whole text of some field, which then says it better. */
const isTextOf = (word: string, rows: readonly JsonObject[]): boolean =>
  rows.some((row) => Object.values(row).some((value) => textsOfField(value).includes(word)));

/** When something is open, or is done, and what else the name of a switch for that has. */
const HOURS = /^(?:weekend|weekday|night|evening|morning|afternoon|holiday|lunch|winter|summer)$/;
const OPENING = /^(?:is|on|at|open|opens|opening|hours|service|available|availability|access|operation)$/;

/** "open on weekends", "shut at night": the records whose switch says so, such as `weekendService`. */
export function narrowByHours(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  for (const key of fieldNamesOf(rows)) {
    const own = words(key).filter((word) => !OPENING.test(word));
    const [hours = "", ...others] = own.map(singularOf);
    if (others.length > 0 || !HOURS.test(hours) || out.fields.has(key) || !isSwitch(rows, key)) continue;
    const said = prompt.tokens.find(({ word }) => singularOf(word) === hours);
    const before = /\b(?:(open|closed|shut)\s+)?(?:on|at|over|during|in)\s+(?:the\s+)?$|\b(open|closed|shut)\s+$/i.exec(
      prompt.text.slice(0, said?.start ?? 0),
    );
    if (!said || !before) continue;
    const denied = negationsIn(prompt).filter(({ start, end }) => said.start >= start && said.start < end);
    for (const one of denied) out.negations.add(one);
    const isOpen = /^(?:closed|shut)$/i.test(before[1] ?? before[2] ?? "") === denied.length > 0;
    out.rows = out.rows.filter((row) => isEmpty(row[key]) !== isOpen);
    out.conditions.push(`${key} = ${isOpen ? "yes" : "no"}`);
    out.understood.push(before[0].trim(), said.word);
    out.fields.add(key);
  }
}

const DIED = /^(?:died|death|deceased)$/;
const ALIVE = /^(?:alive|living)$/;
const DEAD = /^(?:dead|deceased)$/;

/** "still alive": the records with nothing in the field of the day or the year of a death. */
export function narrowByLife(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  const said = prompt.tokens.find(({ word }) => ALIVE.test(word) || DEAD.test(word));
  const keys = fieldNamesOf(rows).filter((key) => words(key).some((word) => DIED.test(word)));
  const [key, ...others] = keys.filter((one) => rows.some((row) => isEmpty(row[one])));
  if (!said || key === undefined || others.length > 0 || out.fields.has(key) || isTextOf(said.word, rows)) return;
  if (isNegated(said.start, prompt)) return;
  const isAlive = ALIVE.test(said.word);
  out.rows = out.rows.filter((row) => isEmpty(row[key]) === isAlive);
  out.conditions.push(isAlive ? `no ${key}` : `${key} present`);
  out.understood.push(said.word);
  out.fields.add(key);
}

const UNKNOWN =
  /\bunknown\s+(\p{L}+)|(?<=\b(?:whose|with|the)\s+)(\p{L}+)\s+(?:is|are|was|were)?\s*(?:unknown|not known)\b/giu;

/** "by an unknown maker": the records with nothing in that field. */
export function narrowByUnknown(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  for (const { 0: whole, 1: before, 2: behind } of prompt.text.matchAll(UNKNOWN)) {
    const term = stem((before ?? behind ?? "").toLowerCase());
    const keys = fieldNamesOf(rows).filter((key) => {
      const own = words(key).filter((word) => !/^(?:id|name|of|on|at|date)$/.test(word));
      return own.length === 1 && stem(own[0] ?? "") === term;
    });
    const [key, ...others] = keys;
    if (key === undefined || others.length > 0 || isTextOf("unknown", rows)) continue;
    out.rows = out.rows.filter((row) => isEmpty(row[key]));
    out.conditions.push(`no ${key}`);
    out.understood.push(whole);
    out.fields.add(key);
  }
}

const NOBODY =
  /\b(?:nobody|no[ -]one)(?:['’]s|\s+(?:is|are|was))?\s+(?:currently\s+)?(\p{L}{2,}(?:ing|s))\b[\s?.!]*$/iu;

/** "that nobody is playing": the records with nothing in the field of who does it. */
export function narrowByNobody(out: Narrowed, { rows, prompt }: NarrowedBy): void {
  const found = NOBODY.exec(prompt.text);
  const verb = found?.[1];
  const [key, ...others] = verb === undefined ? [] : fieldNamesOf(rows).filter((one) => isAgentField(verb, one));
  if (key === undefined || others.length > 0 || out.fields.has(key)) return;
  out.rows = out.rows.filter((row) => isEmpty(row[key]));
  for (const one of negationsIn(prompt)) if (one.start === found?.index) out.negations.add(one);
  out.conditions.push(`no ${key}`);
  out.understood.push(found?.[0] ?? "");
  out.fields.add(key);
}
