// What may be asked of the result of a recorded call: which of its rows, in which order, counted and summed how. Types, and the short
// texts they are written in (`-price,name`, `created_at:month`, `sum:amount`), for every entry point. Pure.
// Source: docs/reference.md, "Whole results"
import type { z } from "zod";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type * as schemas from "./schemas/result.js";

/** How a field is compared with a value. */
export const FILTER_OPS = [
  "eq",
  "ne",
  "lt",
  "le",
  "gt",
  "ge",
  "contains",
  "starts",
  "empty",
  "not_empty",
  "in",
] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

/** The parts of a date that rows are grouped by. */
const GRANULARITIES = ["year", "quarter", "month", "week", "day", "hour"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What is computed of rows. */
const AGGREGATE_KINDS = ["count", "sum", "avg", "min", "max", "distinct"] as const;

/** The forms a result is sent in. */
export const RESULT_FORMATS = ["json", "csv", "tsv", "xlsx", "ndjson"] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** The media type of each form. */
export const RESULT_MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = {
  json: "application/json",
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ndjson: "application/x-ndjson",
};

/** One condition on a field. */
export interface FieldCondition {
  field: string;
  op: FilterOp;
  /** A list for `in`; none for `empty` and `not_empty`. */
  value?: JsonValue | undefined;
}

export interface SortField {
  field: string;
  descending: boolean;
}

export interface GroupField {
  field: string;
  by?: Granularity | undefined;
}

export interface Aggregate {
  /** As it was asked for, such as `sum:amount`. */
  name: string;
  kind: (typeof AGGREGATE_KINDS)[number];
  /** None for `count` of all rows. */
  field?: string | undefined;
}

/** Which rows of a list are meant: all conditions hold. */
export interface RowChoice {
  /** Values by field, each equal to the row's. */
  where?: JsonObject | undefined;
  /** Texts by field, each somewhere in the row's, in small or capital letters. */
  contains?: JsonObject | undefined;
  filter?: readonly FieldCondition[] | undefined;
  /** A text anywhere in the row. */
  q?: string | undefined;
}

/** A question to a result. Source: docs/reference.md, "Whole results" */
export interface ResultQuery extends RowChoice {
  /** A JSON Pointer; the list the result is about without it. */
  path?: string | undefined;
  offset: number;
  limit: number;
  sort: readonly SortField[];
  /** Undefined for all. */
  fields?: readonly string[] | undefined;
  /** Only the counts. */
  count: boolean;
  group: readonly GroupField[];
  aggregate: readonly Aggregate[];
  /** Whether the columns of the rows are described. */
  columns: boolean;
  /** Plain decimals whose places in the rows are asked for. */
  numbers?: readonly string[] | undefined;
}

/** The answer as JSON. */
export type ResultAnswer = z.infer<typeof schemas.ResultAnswerSchema>;
/** The page of a list. */
export type ResultPage = z.infer<typeof schemas.ResultPageSchema>;

/** What the values of one column are like. */
export type ResultColumn = z.infer<typeof schemas.ResultColumnSchema>;
/** Where one number stands in the rows. */
export type ResultNumber = z.infer<typeof schemas.ResultNumberSchema>;
/** One group of rows. */
export type ResultGroup = z.infer<typeof schemas.ResultGroupSchema>;

/** A result as a file. */
export interface ResultFile {
  tool: string;
  format: ResultFormat;
  /** Read once; ends with an error when the result is gone meanwhile, or the signal aborts. */
  chunks: AsyncIterable<string | Uint8Array>;
  /** Lets go of the rows, also of a file that was not read. */
  close(): Promise<void>;
}

/** Order and fields are written this long at most. */
const MAX_NAMES = 100;

/** The names in a text: separated by commas, or a JSON array of them for names that hold a comma. Throws SyntaxError. */
export function parseNames(text: string): string[] {
  const names = text.trimStart().startsWith("[") ? namesInJson(text) : text.split(",").map((name) => name.trim());
  const used = names.filter((name) => name !== "");
  if (used.length > MAX_NAMES) throw new SyntaxError(`must name at most ${MAX_NAMES}`);
  return used;
}

function namesInJson(text: string): string[] {
  let names: unknown;
  try {
    names = JSON.parse(text);
  } catch {
    names = undefined;
  }
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new SyntaxError("must be names separated by commas, or a JSON array of names");
  return names;
}

/** `-price,name` as the fields rows are ordered by. Throws SyntaxError. */
export function parseSort(text: string): SortField[] {
  return parseNames(text).map((name) => {
    const descending = name.startsWith("-");
    return { field: descending ? name.slice(1) : name, descending };
  });
}

/** `status` or `created_at:month`, several separated by commas. Throws SyntaxError. */
export function parseGroup(text: string): GroupField[] {
  const fields = parseNames(text).map((name): GroupField => {
    const at = name.lastIndexOf(":");
    const by = at < 0 ? undefined : GRANULARITIES.find((one) => one === name.slice(at + 1));
    return by === undefined ? { field: name } : { field: name.slice(0, at), by };
  });
  if (new Set(fields.map(({ field }) => field)).size < fields.length)
    throw new SyntaxError("must name a field once: its values are the key of a group");
  return fields;
}

/** `count,sum:amount` as what is computed. Throws SyntaxError. */
export function parseAggregates(text: string): Aggregate[] {
  return [...new Set(parseNames(text))].map((name): Aggregate => {
    const [first = "", ...rest] = name.split(":");
    const kind = AGGREGATE_KINDS.find((one) => one === first);
    const field = rest.length > 0 ? rest.join(":") : undefined;
    if (kind === undefined || (kind !== "count" && !field))
      throw new SyntaxError(
        `must be count, or one of ${AGGREGATE_KINDS.slice(1).join(", ")} with a field, as in sum:amount; ${JSON.stringify(name)} is neither`,
      );
    return { name, kind, field };
  });
}
