// Narrowing a list to a day, a month or a year, or to one side of it, where the target was not asked for just that.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { comparisonOf } from "../prompt/comparison.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { negationsIn } from "../prompt/negation.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import {
  fieldTermsOf,
  fieldVerbOf,
  isFromWithin,
  isTime,
  PLAIN_TIME,
  type TimeRelation,
  timeRelationOf,
  VAGUE_VERB,
} from "../prompt/span.js";
import { isStrictBound, sideOf } from "../slots/traits.js";
import { fieldNamesOf, keepRows, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";
import { isYearField } from "./year-fields.js";

const DAY = /^\d{4}-\d{2}-\d{2}(?![\d-])/;

/** The first and the last day that an entity stands for. */
function daysOf({ value, day, through }: Entity): { first: string; last: string } {
  const first = (day ?? String(value)).slice(0, 10);
  return { first, last: through ?? first };
}

/** Whether the arguments of the call say just this of the entity. */
function isSent(entity: Entity, relation: TimeRelation, args: JsonObject): boolean {
  const { first, last } = daysOf(entity);
  const forms = new Set([first, last, String(entity.value)]);
  const names = Object.entries(args).flatMap(([name, value]) => {
    const text = String(value);
    return forms.has(text) || forms.has(text.slice(0, 10)) ? [name] : [];
  });
  const has = (side: "above" | "below"): boolean => names.some((name) => sideOf(name) === side);
  const isStrict = names.some(isStrictBound);
  if (names.some((name) => sideOf(name) === undefined)) return true;
  if (relation === "at") return first !== last && has("above") && has("below");
  if (relation === "after" || relation === "since") return has("above") && (relation === "since" || isStrict);
  return has("below") && (relation === "until" || isStrict);
}

/** The year that an entity stands for, as a number or in words: "2019", "last year". */
function yearOf({ kind, value, through }: Entity): string | undefined {
  if (kind === "number") return String(value);
  const first = String(value);
  const year = first.slice(0, YEAR_DIGITS);
  return first === `${year}-01-01` && through === `${year}-12-31` ? year : undefined;
}

const YEAR_DIGITS = 4;

/** The fields of the records that hold days, or for a year the years. */
function timeFields(rows: readonly JsonObject[], entity: Entity): string[] {
  return fieldNamesOf(rows).filter((key) => {
    if (yearOf(entity) !== undefined && isYearField(rows, key)) return true;
    const known = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined && value !== "");
    return known.length > 0 && known.every((value) => typeof value === "string" && DAY.test(value));
  });
}

/** The field that a day of the prompt is one of: the one its words name, or the only one. */
function fieldFor(
  rows: readonly JsonObject[],
  entity: Entity,
  { prompt, isFilter }: { prompt: PromptText; isFilter: boolean },
): string | undefined {
  const all = timeFields(rows, entity);
  const termsOf = (key: string): string[] => words(key).map(stem);
  const own = (key: string): string[] => termsOf(key).filter((term) => !PLAIN_TIME.has(term));
  const verb = fieldTermsOf(prompt, entity);
  const only = (keys: readonly string[]): string | undefined => (keys.length === 1 ? keys[0] : undefined);
  if (verb) {
    const called = only(all.filter((key) => termsOf(key).some((term) => verb.has(term))));
    const akin = only(all.filter((key) => own(key).some((term) => [...verb].some((one) => isAkin(one, term)))));
    const isVague = VAGUE_VERB.test(fieldVerbOf(prompt, entity)?.word ?? "");
    return called ?? akin ?? only(all.filter((key) => isVague || own(key).length === 0));
  }
  const named = all.filter((key) => own(key).some((term) => prompt.terms.has(term)));
  const lasting = all.filter((key) => !/creat|updat|modif|chang/i.test(key));
  // A target that filters by "from" and "to" means when something begins.
  const begun = isFilter && all.length === 2 ? all.filter((key) => sideOf(key) === "above" || /start/i.test(key)) : [];
  // "bills from March" are those of which that is the day: none is from the day on which it is due.
  const made = isFromWithin(entity, prompt) ? lasting.filter((key) => !ENDS.test(key)) : [];
  return only(named) ?? only(all) ?? (named.length === 0 ? (only(lasting) ?? only(begun) ?? only(made)) : undefined);
}

/** Whether the verb before a day within which something is says its state too: its own day stands in no field (`delivery_date` may come). */
export function isStateBeside(rows: readonly JsonObject[], entity: Entity, prompt: PromptText): boolean {
  const verb = fieldVerbOf(prompt, entity);
  // What is to be delivered is not delivered.
  if (!verb || timeRelationOf(entity, prompt) !== "at" || /\bto be\s+$/i.test(textBefore(prompt, verb.start)))
    return false;
  return !timeFields(rows, entity).some((key) => words(key).includes(verb.word));
}

/** Fields of the days on which something ends, or has to be done. */
const ENDS = /due|end|expir|until|deadline|return|paid|clos|cancel/i;

const SIGNS: Readonly<Record<TimeRelation, string>> = { at: "=", after: ">", since: "≥", before: "<", until: "≤" };

function holds(value: JsonValue | undefined, entity: Entity, relation: TimeRelation): boolean {
  if (value === null || value === undefined || value === "") return false;
  const isYear = typeof value === "number" || typeof value === "bigint";
  const year = yearOf(entity) ?? "";
  const { first, last } = isYear ? { first: year, last: year } : daysOf(entity);
  const day = isYear ? String(value) : String(value).slice(0, 10);
  if (relation === "at") return day >= first && day <= last;
  // The day a year stands for is the right end of it already.
  if (relation === "after") return day > last;
  if (relation === "since") return day >= first;
  return relation === "before" ? day < first : day <= last;
}

const DENIED: Readonly<Record<TimeRelation, string>> = { at: "≠", after: "≤", since: "<", before: "≥", until: ">" };

/** The condition in words. */
function conditionText(
  field: string,
  entity: Entity,
  { relation, isYear, denied }: { relation: TimeRelation; isYear: boolean; denied: boolean },
): string {
  const { first, last } = daysOf(entity);
  if (relation === "at" && first !== last && !isYear)
    return `${field} ${denied ? DENIED.at : "from"} ${first} to ${last}`;
  const day = relation === "after" || relation === "until" ? last : first;
  return `${field} ${(denied ? DENIED : SIGNS)[relation]} ${isYear ? yearOf(entity) : day}`;
}

/** Keeps the records of which a field has the name of the day or the month itself: "classes on Friday" of a `weekday`. */
function keepCalled(out: Narrowed, entity: Entity, { rows, prompt }: Pick<NarrowedBy, "rows" | "prompt">): boolean {
  const said = entity.text.toLowerCase();
  const has = (row: JsonObject, key: string): boolean => textsOfField(row[key]).includes(said);
  const key = fieldNamesOf(rows).find((one) => rows.some((row) => has(row, one)));
  if (key === undefined || timeRelationOf(entity, prompt) !== "at") return false;
  const isKept = out.conditions.some((one) => one.endsWith(` ${entity.text}`));
  if (!isKept) keepRows(out, { key, value: entity.text, at: entity.start, prompt }, (row) => has(row, key));
  return true;
}

/** "needing a service before June", of `next_service`. */
const NEEDED = /\b(needing|requiring|due\s+for)\s+(?:an?\s+|the\s+|(?:its|their)\s+)?(\p{L}+)/iu;

/** Narrows to the days, months and years of the prompt. */
export function narrowByTime(out: Narrowed, { rows, prompt, args }: NarrowedBy): void {
  for (const entity of prompt.entities) {
    if (!isTime(entity) || comparisonOf(entity, prompt)) continue;
    const relation = timeRelationOf(entity, prompt);
    if (isSent(entity, relation, args)) continue;
    const { first } = daysOf(entity);
    const isFilter = Object.values(args).some((value) => String(value).startsWith(first) || value === entity.value);
    const field = fieldFor(rows, entity, { prompt, isFilter });
    if (field === undefined) {
      if (keepCalled(out, entity, { rows, prompt })) continue;
      // What was sent only in part would pass for a condition that was met.
      if (isFilter) out.unmet.push(entity.text);
      continue;
    }
    const denied = negationsIn(prompt).find((one) => isInside(entity.start, [one]));
    if (denied) out.negations.add(denied);
    out.rows = out.rows.filter((row) => holds(row[field], entity, relation) === !denied);
    const isYear = isYearField(rows, field);
    out.conditions.push(conditionText(field, entity, { relation, isYear, denied: denied !== undefined }));
    const needed = NEEDED.exec(prompt.text);
    if (needed && words(field).includes(needed[2]?.toLowerCase() ?? "")) out.understood.push(needed[1] ?? "");
    out.understood.push(entity.text, ...(fieldTermsOf(prompt, entity) ?? []));
    out.fields.add(field);
  }
}
