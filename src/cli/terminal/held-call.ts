// A held call in words: what it would change first, then what is sent, without what stands there already. Values are others' words:
// whoever prints them puts them behind a bar. Pure.
// Source: docs/reference.md, "Confirmations".
import {
  type DisplayedValues,
  differencesBetween,
  type Effect,
  type RowChange,
  undisplayedFields,
} from "../../domain/effect.js";
import type { HeldCall } from "../../domain/event.js";
import { isObject, isSameJson, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { effectLines } from "./effect.js";

/** The values that the lines of a change display whole. */
function displayedBy({ key, before, after }: RowChange): DisplayedValues {
  if (!before || !after) return new Map(Object.entries({ ...before, ...after, ...key }));
  const whole = differencesBetween(before, after).flatMap(({ path, after: value }): [string, JsonValue][] =>
    value === undefined ? [] : [[path, value]],
  );
  return new Map([...whole, ...Object.entries(key)]);
}

/** The arguments that no line of an effect displays. */
const undisplayed = (args: JsonObject, effect: Effect | undefined): JsonObject =>
  (effect?.changes ?? []).reduce((left, change) => undisplayedFields(left, displayedBy(change)), args);

/** Whether a part of a request has nothing but arguments in it, under their own names. */
function repeats(part: JsonValue | undefined, args: JsonObject): boolean {
  if (isObject(part) && Object.entries(part).every(([name, value]) => isSameJson(args[name], value))) return true;
  return Object.values(args).some((value) => isSameJson(value, part));
}

/** The request without headers, and without parts that only repeat the arguments. */
function requestText(request: JsonObject, args: JsonObject): string {
  const { headers: _, method, url, ...more } = request;
  const kept = Object.entries(more).filter(
    ([name, value]) => !(["body", "variables", "arguments"].includes(name) && repeats(value, args)),
  );
  if (typeof method !== "string" || typeof url !== "string") return toJson(Object.fromEntries(kept), 2);
  const rest = kept.length === 0 ? "" : ` ${toJson(Object.fromEntries(kept), 2)}`;
  const how = "body" in more && rest === "" ? ", made of the arguments" : "";
  return `${method} ${url}${how}${rest}`;
}

/** What a held call would change, the arguments that this does not display, and what is sent. */
export function heldCallText({ arguments: args, request, effect }: HeldCall): string {
  const does = effect ? ["what it would do:", ...effectLines(effect)] : [];
  const others = undisplayed(args, effect);
  const isShort = effect !== undefined && Object.keys(others).length === 0;
  const told = isShort ? [] : [`arguments: ${toJson(others, 2)}`];
  return [...does, ...told, `request: ${requestText(request, args)}`].join("\n");
}

/** All that is known of a held call, nothing left out. */
export function heldCallWhole({ arguments: args, request, effect }: HeldCall): string {
  const does = effect ? `\nwhat it would do:\n${effectLines(effect).join("\n")}` : "";
  return `arguments: ${toJson(args, 2)}\nrequest: ${toJson(request, 2)}${does}`;
}
