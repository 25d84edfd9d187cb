// What `read_result` answers: a page of an earlier result, filtered, narrowed to some fields, or counted. Rows that are not in
// memory are gone through once, as far as the question needs.

import type { RowChoice } from "../domain/result-query.js";
import { isObject, type JsonObject, type JsonValue, parseJson, toJson } from "../lib/json.js";
import { forModel, type Result, resultShape, toResult } from "./result.js";
import { fieldReader, rowFilter } from "./row-filter.js";
import { type RowList, rowsAt } from "./rows-at.js";

/** What a model asks of an earlier result; every field is optional. */
export interface ReadQuery extends Pick<RowChoice, "where" | "contains"> {
  path?: string;
  offset?: number;
  limit?: number;
  fields?: string[];
  count?: boolean;
}

/** Items of a page when the model names no limit. */
const DEFAULT_PAGE = 50;
/** Characters of a page when the value is a text. */
const DEFAULT_TEXT_PAGE = 8_000;

/** A whole number that a list may be long; models may write more digits than any list has items. */
function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" || typeof value === "bigint"
    ? Math.min(Number(value), Number.MAX_SAFE_INTEGER)
    : undefined;
}

/** Reads a query out of arguments that fit the schema of `read_result`. */
export function toReadQuery(args: JsonObject): ReadQuery {
  const { path, where, contains, fields, count } = args;
  return {
    path: typeof path === "string" ? path : undefined,
    offset: numberOf(args["offset"]),
    limit: numberOf(args["limit"]),
    where: isObject(where) ? where : undefined,
    contains: isObject(contains) ? contains : undefined,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === "string") : undefined,
    count: count === true,
  };
}

/** Keeps only these fields of an object. */
function picker(fields: readonly string[]): (item: JsonValue) => JsonValue {
  const readers = fields.map((field) => ({ field, read: fieldReader(field) }));
  return (item) => {
    if (!isObject(item)) return item;
    return Object.fromEntries(
      readers.flatMap(({ field, read }) => {
        const found = read(item);
        return found === undefined ? [] : [[field, found] as const];
      }),
    );
  };
}

/** How much an answer may hold, and how long it may take. */
interface ReadLimits {
  /** Characters of the answer. */
  budget: number;
  signal?: AbortSignal;
}

/** As many whole items of the page as fit into the budget, the counts, and where the next page starts. */
async function readPage(list: RowList, query: ReadQuery, { budget, signal }: ReadLimits): Promise<string> {
  const { fields, count, limit = DEFAULT_PAGE, offset = 0 } = query;
  const matches = rowFilter(query);
  const pick = fields && picker(fields);
  const more = { ...(list.truncated && { incomplete: true }) };
  if (count && !matches) return toJson({ count: list.count, total_items: list.count, ...more });
  const items: JsonValue[] = [];
  let matching = matches ? 0 : offset;
  let used = 200;
  let tooLong: JsonValue | undefined;
  // Without a filter the count is known, so reading ends with the page.
  const isFull = (): boolean => items.length === limit || used > budget;
  for await (const batch of list.read(matching)) {
    signal?.throwIfAborted();
    for (const item of batch) {
      if (matches && !matches(item)) continue;
      if (matching++ < offset || count || isFull()) continue;
      const picked = pick ? pick(item) : item;
      used += toJson(picked).length + 1;
      if (used <= budget) items.push(picked);
      else if (items.length === 0) tooLong = picked;
    }
    if (!matches && isFull()) break;
  }
  if (count) return toJson({ count: matching, total_items: list.count, ...more });
  const matching_items = matches ? matching : list.count;
  const counts = { matching_items, total_items: list.count, ...more, offset };
  const next = offset + (tooLong === undefined ? items.length : 1);
  const after = next < matching_items && { next_offset: next };
  if (tooLong === undefined) return toJson({ ...counts, items, ...after });
  return toJson({ ...counts, item: parseJson(forModel(toResult(tooLong), budget - 200, "").text), ...after });
}

function readValue(value: JsonValue, query: ReadQuery, budget: number): string {
  if (typeof value === "string") {
    const offset = query.offset ?? 0;
    const text = value.slice(offset, offset + Math.min(query.limit ?? DEFAULT_TEXT_PAGE, budget / 2)).toWellFormed();
    const next = offset + text.length;
    return toJson({ total_characters: value.length, offset, text, ...(next < value.length && { next_offset: next }) });
  }
  if (query.count) return toJson({ count: isObject(value) ? Object.keys(value).length : 1 });
  return forModel(toResult(query.fields ? picker(query.fields)(value) : value), budget, "").text;
}

/**
 * The answer to a query, at most `budget` characters of valid JSON; an object with `error` when the path names nothing.
 * Throws the signal's reason, and Error when the rows have been let go.
 */
export async function readResult(result: Result, query: ReadQuery, limits: ReadLimits): Promise<string> {
  const found = await rowsAt(result, query.path);
  if (found === undefined)
    return toJson({
      error: "no_such_path",
      message: `there is nothing at ${query.path}; the result is: ${resultShape(result)}`,
    });
  if ("value" in found && (query.where || query.contains))
    return toJson({
      error: "not_a_list",
      message: `where and contains choose items of a list, and this is none; the result is: ${resultShape(result)}`,
    });
  return "value" in found ? readValue(found.value, query, limits.budget) : readPage(found.list, query, limits);
}
