// What a call would do, or did, for a person at a terminal: what happens to each row, as a difference, and how many there are of each
// kind. Values are others' words: whoever prints them puts them behind a bar.
// Source: docs/reference.md, "Effects".
import { differencesBetween, type Effect, type RowChange } from "../../domain/effect.js";
import type { UndoState } from "../../domain/undo-state.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { counted } from "../../lib/plural.js";

/** What each state means, in words. */
const UNDO_WORDS: Readonly<Record<UndoState, string>> = {
  possible: "can be undone",
  partial: "cannot be undone exactly",
  impossible: "cannot be undone",
  done: "was undone",
};

function fieldLines(row: JsonObject, key: JsonObject): string[] {
  return Object.entries(row)
    .filter(([name]) => !Object.hasOwn(key, name))
    .map(([name, value]) => `    ${name}: ${toJson(value)}`);
}

const sideText = (value: JsonValue | undefined): string => (value === undefined ? "nothing" : toJson(value));

function changedLines(before: JsonObject, after: JsonObject): string[] {
  return differencesBetween(before, after).map(
    (one) => `    ${one.path}: ${sideText(one.before)} -> ${sideText(one.after)}`,
  );
}

function changeLines({ resource, key, before, after }: RowChange): string[] {
  const of = `${resource} ${toJson(key)}`;
  if (before && after) return [`  changed in ${of}`, ...changedLines(before, after)];
  if (after) return [`  new in ${of}`, ...fieldLines(after, key)];
  return [`  gone from ${of}`, ...fieldLines(before ?? {}, key)];
}

/** Every change that is known, one line for each column that differs. */
export function effectLines({ changes, note }: Effect): string[] {
  return [...changes.flatMap(changeLines), ...(note ? [`  note: ${note}`] : [])];
}

/** How much a call does, and whether it can be undone, in one sentence each. */
export function effectSummary({ tables = [], changes, complete }: Effect, undo: UndoState | undefined): string[] {
  const counts = tables.map(({ name, inserted, updated, deleted }) => {
    const parts = [
      [inserted, "new"],
      [updated, "changed"],
      [deleted, "gone"],
    ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
    return `${name}: ${parts.join(", ") || "nothing"}`;
  });
  const all = counts.length > 0 ? counts.join("; ") : `${counted(changes.length, "change")} known`;
  const rows = complete ? all : `${all}; there may be more`;
  return undo ? [rows, UNDO_WORDS[undo]] : [rows];
}
