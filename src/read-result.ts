// What `read_result` answers: a page of an earlier result, filtered, narrowed to some fields, or counted. Pure.
import { isObject, type JsonObject, type JsonValue, parseJson, toJson } from "./json.js";
import { forModel, shapeOf } from "./result.js";

/** What a model asks of an earlier result; every field is optional. */
export interface ResultQuery {
  path?: string;
  offset?: number;
  limit?: number;
  where?: JsonObject;
  fields?: string[];
  count?: boolean;
}

/** Items of a page when the model names no limit. */
const DEFAULT_PAGE = 50;
/** Characters of a page when the value is a text. */
const DEFAULT_TEXT_PAGE = 8_000;

/** Reads a query out of a model's arguments, ignoring what has the wrong type. */
export function toResultQuery(args: JsonObject): ResultQuery {
  const { path, offset, limit, where, fields, count } = args;
  return {
    ...(typeof path === "string" && { path }),
    ...(typeof offset === "number" && { offset: Math.max(0, Math.floor(offset)) }),
    ...(typeof limit === "number" && { limit: Math.max(1, Math.floor(limit)) }),
    ...(isObject(where) && { where }),
    ...(Array.isArray(fields) && { fields: fields.filter((field) => typeof field === "string") }),
    ...(count === true && { count }),
  };
}

/** The value a JSON Pointer (RFC 6901) names, undefined when there is none. */
export function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const raw of pointer.split("/").slice(1)) {
    const key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Where the rows are: the value itself, or the one array inside an object that wraps it. */
function rowsOf(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const arrays = Object.values(value).filter(Array.isArray);
  return arrays.length === 1 && arrays[0] ? arrays[0] : value;
}

function matches(item: JsonValue, where: JsonObject): boolean {
  return Object.entries(where).every(([field, wanted]) => {
    const found = at(item, `/${field.replaceAll(".", "/")}`);
    if (found === undefined) return false;
    if (typeof found === "string" && typeof wanted === "string")
      return found.toLowerCase().includes(wanted.toLowerCase());
    return toJson(found) === toJson(wanted) || String(found) === String(wanted);
  });
}

function pick(item: JsonValue, fields: readonly string[]): JsonValue {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const found = at(item, `/${field.replaceAll(".", "/")}`);
      return found === undefined ? [] : [[field, found] as const];
    }),
  );
}

/** The answer to a query, at most `budget` characters of valid JSON; an object with `error` when the path names nothing. */
export function readResult(value: JsonValue, query: ResultQuery, budget: number): string {
  const found = query.path ? at(value, query.path) : rowsOf(value);
  if (found === undefined)
    return toJson({
      error: "no_such_path",
      message: `there is nothing at ${query.path}; the result is: ${shapeOf(value)}`,
    });
  const offset = query.offset ?? 0;
  if (typeof found === "string") {
    const text = found.slice(offset, offset + Math.min(query.limit ?? DEFAULT_TEXT_PAGE, budget / 2)).toWellFormed();
    return toJson({ total_characters: found.length, offset, text });
  }
  if (!Array.isArray(found)) {
    if (query.count) return toJson({ count: isObject(found) ? Object.keys(found).length : 1 });
    return forModel(query.fields ? pick(found, query.fields) : found, budget, "").text;
  }
  const { where, fields } = query;
  const kept = where ? found.filter((item) => matches(item, where)) : found;
  if (query.count) return toJson({ count: kept.length, total_items: found.length });
  const page = kept
    .slice(offset, offset + (query.limit ?? DEFAULT_PAGE))
    .map((item) => (fields ? pick(item, fields) : item));
  return fit(page, { matching_items: kept.length, total_items: found.length, offset }, budget);
}

/** As many whole items of the page as fit, and where the next page starts. */
function fit(
  page: JsonValue[],
  counts: { matching_items: number; total_items: number; offset: number },
  budget: number,
): string {
  const items: JsonValue[] = [];
  let used = 200;
  for (const item of page) {
    used += toJson(item).length + 1;
    if (used > budget) break;
    items.push(item);
  }
  const first = page[0];
  if (items.length === 0 && first !== undefined)
    return toJson({
      ...counts,
      item: parseJson(forModel(first, budget - 200, "").text),
      next_offset: counts.offset + 1,
    });
  const next = counts.offset + items.length;
  return toJson({ ...counts, items, ...(next < counts.matching_items && { next_offset: next }) });
}
