// The records of a list while they are narrowed: which are left, by which conditions, and what was understood on the way.

import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { type Negation, negationsIn } from "../prompt/negation.js";
import type { PromptText } from "../prompt/prompt.js";
import { recordName } from "./rows.js";

/** The records that meet the prompt's conditions, and these in words. */
export interface Narrowed {
  rows: JsonObject[];
  /** All that meet the conditions, before as few of them were kept as are wanted: "the cheapest three". */
  matching: JsonObject[];
  /** One for each condition, such as `price < 20`. */
  conditions: string[];
  /** Whether they are in the order asked for. */
  ordered: boolean;
  /** The fields that the order may be by, where that is not clear. */
  orders?: readonly string[];
  /** The order in which the target returned them, in words. */
  sortedBy?: string;
  /** Fields of the conditions. */
  fields: Set<string>;
  /** The negations of the prompt that were understood. */
  negations: Set<Negation>;
  /** Words that were understood, beside those of the conditions. */
  understood: string[];
  /** Texts of the prompt that are no condition yet, though other words of it or of the call may look like it. */
  unmet: string[];
  /** Sentences that say for what words of the prompt were taken that may mean something else. */
  taken: string[];
}

/** What a list is narrowed by. */
export interface NarrowedBy {
  /** The records as they were returned. */
  rows: readonly JsonObject[];
  prompt: PromptText;
  /** The arguments of the call. */
  args: JsonObject;
  /** What one of the records is called. */
  noun: string;
}

const fold = (value: JsonValue | undefined): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value).toLowerCase().trim()
    : "";

/** The texts of a field: its own, those of a list, and of a record in it that record's name. */
export function textsOfField(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsOfField(one));
  return [fold(isObject(value) ? recordName(value) : value)].filter((text) => text !== "");
}

/** The names of all fields of some records. */
export const fieldNamesOf = (rows: readonly JsonObject[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** Keeps the records with a value, or those without it where the prompt denies the words at that position. */
export function keepRows(
  out: Narrowed,
  { key, value, at, prompt }: { key: string; value: string; at: number; prompt: PromptText },
  has: (row: JsonObject) => boolean,
): void {
  const reaching = negationsIn(prompt).filter(({ start, end }) => at >= start && at < end);
  for (const one of reaching) out.negations.add(one);
  // The "no" of "no shows" is a word of the value itself.
  const denied = reaching.some(({ start }) => start < at);
  out.rows = out.rows.filter((row) => has(row) === !denied);
  out.conditions.push(`${key} ${denied ? "≠" : "="} ${value}`);
  out.fields.add(key);
}
