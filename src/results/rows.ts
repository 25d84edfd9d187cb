// A list too long for memory: how long it is, where it stands in its answer, and how to go through it again and again.
// Also finds the list a value in memory is about. Pure; where the rows are kept is a transport's business.
import { isObject, type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";
import type { Redactor } from "../lib/redact/redact.js";

/** The rows of an answer that were set aside while it was read. */
export interface Rows {
  /** Keys and indexes from the top of the answer to the list; empty when the answer is the list itself. */
  readonly path: readonly string[];
  readonly count: number;
  /** Their JSON text, in bytes. */
  readonly bytes: number;
  /** Whether the answer had more than was kept. */
  readonly truncated: boolean;
  /** The rows from number `from` on, in order, some at a time. Throws Error once they are let go. */
  read(from?: number): AsyncIterable<JsonValue[]>;
  /** The rows at these positions, in their order, or the first of them, one at least; missing where rows are only gone through. */
  pick?(positions: readonly number[]): Promise<JsonValue[]>;
  /** Releases them; no file is left behind. May be called twice, and during a read; never throws. */
  close(): Promise<void>;
}

/** The list of a result that is to be kept whole, as it may be stored. */
export interface ListToKeep extends Pick<Rows, "path" | "truncated"> {
  read(): AsyncIterable<readonly JsonValue[]>;
}

/** The same rows as they may be stored and shown. */
export function redactedRows(rows: Rows, redactor: Pick<Redactor, "text" | "value">): Rows {
  const { count, bytes, truncated } = rows;
  return {
    path: rows.path.map((key) => redactor.text(key)),
    count,
    bytes,
    truncated,
    close: () => rows.close(),
    async *read(from) {
      for await (const batch of rows.read(from)) yield redactor.value(batch);
    },
  };
}

/** Lists are looked for in objects this deep: `{ data: { items: [] } }` and no further. */
const DEEPEST = 3;

function* listsIn(value: JsonValue, path: string[]): Generator<{ path: string[]; list: JsonValue[] }> {
  if (Array.isArray(value)) yield { path, list: value };
  else if (isObject(value) && path.length < DEEPEST)
    for (const [key, inner] of Object.entries(value)) yield* listsIn(inner, [...path, key]);
}

/** The list a value is about: the value itself, or the longest list in the objects around it when it is most of the value. */
export function listIn(value: JsonValue): { path: readonly string[]; list: JsonValue[] } | undefined {
  let longest: { path: string[]; list: JsonValue[] } | undefined;
  for (const one of listsIn(value, [])) if (!longest || one.list.length > longest.list.length) longest = one;
  if (!longest || longest.path.length === 0) return longest;
  return toJson(longest.list).length * 2 >= toJson(value).length ? longest : undefined;
}

/** The value with no more than `count` items of the list at this path; only what leads to the list is copied. */
export function cutList(value: JsonValue, path: readonly string[], count: number): JsonValue {
  const [key, ...inner] = path;
  if (key === undefined) return Array.isArray(value) ? value.slice(0, count) : value;
  const found = valueAt(value, [key]);
  if (found === undefined) return value;
  const cut = cutList(found, inner, count);
  return Array.isArray(value) ? value.with(Number(key), cut) : { ...(value as JsonObject), [key]: cut };
}
