// A JSON value as the lines of a tree that folds: each line knows its depth, its key and its path. Pure.
import { isObject, type JsonValue } from "../../src/lib/json.js";
import { toPointer } from "../../src/lib/json-pointer.js";

/** A line of the tree. */
export interface JsonLine {
  /** The JSON Pointer of the value. */
  path: string;
  depth: number;
  /** The key or the index; null at the top. */
  key: string | null;
  value: JsonValue;
  /** How many members an object or a list has; -1 for a plain value. */
  size: number;
  isOpen: boolean;
}

/** Depth to which a tree is open at first, if it has no more lines than `FIRST_LINES` then. */
const FIRST_DEPTH = 3;
const FIRST_LINES = 200;

function sizeOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : -1;
}

/** What is open and what is folded, other than it was at first. */
export type Folds = ReadonlyMap<string, boolean>;

function* linesIn(value: JsonValue, { folds, depth: opens }: { folds: Folds; depth: number }): Generator<JsonLine> {
  const stack: { value: JsonValue; names: string[] }[] = [{ value, names: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, names } = next;
    const path = toPointer(names);
    const size = sizeOf(value);
    const isOpen = size > 0 && (folds.get(path) ?? names.length < opens);
    yield { path, depth: names.length, key: names.at(-1) ?? null, value, size, isOpen };
    if (!isOpen) continue;
    const inner = Object.entries(value as object) as [string, JsonValue][];
    for (const [name, one] of inner.reverse()) stack.push({ value: one, names: [...names, name] });
  }
}

/** How deep a tree is open at first: a large one less deep. */
export function firstDepth(value: JsonValue): number {
  for (let depth = FIRST_DEPTH; depth > 1; depth--) {
    let lines = 0;
    for (const _ of linesIn(value, { folds: new Map(), depth })) if (++lines > FIRST_LINES) break;
    if (lines <= FIRST_LINES) return depth;
  }
  return 1;
}

/** The lines that are visible. */
export function jsonLines(value: JsonValue, folds: Folds, depth: number): JsonLine[] {
  return [...linesIn(value, { folds, depth })];
}

/** Folds of everything or of nothing below the top. */
export function foldAll(value: JsonValue, isOpen: boolean): Folds {
  const folds = new Map<string, boolean>();
  for (const { path, size, depth } of linesIn(value, { folds: new Map(), depth: Number.POSITIVE_INFINITY }))
    if (size > 0) folds.set(path, isOpen || depth === 0);
  return folds;
}
