// Filling a tool's arguments from a prompt: every slot gets the value the prompt says is its own; what is needed and not said
// stays missing, to be asked for. Pure.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { Entity } from "../prompt/entities.js";
import { orderIn } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import { normalise } from "../slots/normalise.js";
import { keysOf, pathNames, replacesWhole, type Slot, setValueAt, slotsFor } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { isEnd, isStart, LIMIT } from "../slots/traits.js";
import { candidateAssignments, entityRuns, isTopic, ownerTerms } from "./assignments.js";
import { cannotBeKey, isKeyOfOther, labelsOf } from "./evidence.js";
import { givenMaps, withoutMaps } from "./maps.js";
import { chooseOption, chooseOptions, readSwitch } from "./options.js";
import { searchTextIn } from "./search-text.js";
import { isSortSlot, sortOption } from "./sort-option.js";

/** A tool's arguments, as far as the prompt gives them. */
export interface FilledSlots {
  args: JsonObject;
  /** Needed, and not in the prompt. */
  missing: Slot[];
  /** The values that went into arguments. */
  used: Set<Entity>;
  /** Slots that got a value for a reason in the prompt, not for want of another. */
  certain: Set<Slot>;
  /** Every slot that has a value. */
  filled: Set<Slot>;
}

/** Never guessed: a word of the prompt must not be sent as somebody's key. */
const SECRET = /api_?key|access_?key|secret|password|token|app_?id|credential/i;
function overlaps(a: Entity, b: Entity): boolean {
  return a.start < b.end && b.start < a.end;
}

function isKey(slot: Slot, tool: Tool, value: Entity, prompt: PromptText): boolean {
  if (cannotBeKey(slot, tool, value, prompt)) return false;
  return !isKeyOfOther(slot, value, prompt, labelsOf(slot, ownerTerms(slot, tool)));
}

function leftovers(slots: readonly Slot[], tool: Tool, prompt: PromptText, filled: FilledSlots): void {
  const free = prompt.entities.filter(
    (value) => ![...filled.used].some((used) => overlaps(used, value)) && !isTopic(value, tool),
  );
  const open = slots.filter((slot) => slot.required && !filled.filled.has(slot) && !SECRET.test(slot.name));
  const taken = new Set<Entity>();
  const keys = new Set(keysOf(tool));
  for (const slot of open) {
    const order: Entity["kind"][] =
      slot.type === "number" || slot.type === "integer"
        ? ["number"]
        : slot.type === "array"
          ? ["list", "quoted", "name", "number", "id"]
          : ["quoted", "name", "id", "url", "email"];
    const plain = free.some(({ kind, text }) => kind === "number" && /\d/.test(text));
    const candidates = free
      .filter((value) => value.kind !== "number" || !plain || /\d/.test(value.text))
      .filter((value) => !keys.has(slot) || isKey(slot, tool, value, prompt))
      .filter((value) => !taken.has(value) && order.includes(value.kind));
    const strings = open.filter(({ type }) => type === "string" || type === "any").length;
    // Several texts and several names: which goes where would be a guess.
    if ((slot.type === "string" || slot.type === "any") && strings > 1 && candidates.length < strings - taken.size)
      continue;
    const value = candidates
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.start - b.start)
      .find((one) => toSlotValue(slot, one.value) !== undefined);
    if (!value) continue;
    taken.add(value);
    const run = slot.type === "array" ? entityRuns(prompt, slot).find((one) => one.includes(value)) : undefined;
    put(filled, slot, toSlotValue(slot, run ? run.map((one) => one.value) : normalise(slot, value)));
    for (const one of run ?? [value]) {
      taken.add(one);
      filled.used.add(one);
    }
  }
}

/** "in March 2026" ends with its last day, where there is a parameter for the end; a beginning alone would say "since". */
function throughEnd(slots: readonly Slot[], filled: FilledSlots): void {
  const span = [...filled.used].find(({ through, day, kind }) => through !== undefined && (kind === "date" || day));
  const begun = [...filled.certain].find((slot) => isStart(slot) && slot.type === "string");
  if (span?.through === undefined || !begun) return;
  const end = slots.find((slot) => !filled.filled.has(slot) && slot.type === "string" && isEnd(slot));
  if (end) {
    put(filled, end, toSlotValue(end, normalise(end, { ...span, value: span.through, day: span.through })));
    filled.certain.add(end);
  } else if (!begun.required && !slots.some((slot) => isEnd(slot) && filled.filled.has(slot))) {
    delete filled.args[begun.name];
    filled.filled.delete(begun);
    filled.certain.delete(begun);
    filled.used.delete(span);
  }
}

function put(filled: FilledSlots, slot: Slot, value: JsonValue | undefined): void {
  if (value === undefined) return;
  setValueAt(filled.args, slot.path, value);
  filled.filled.add(slot);
}

function optionOf(slot: Slot, tool: Tool, prompt: PromptText): JsonValue | undefined {
  if (slot.type === "boolean") return readSwitch(slot, tool, prompt);
  if (slot.type !== "array") return chooseOption(slot, tool, prompt);
  const all = chooseOptions(slot, tool, prompt);
  return all.length > 0 ? all : undefined;
}

/** Slots whose object is named right before them first ("parent genre crime"), then the outer ones. */
function byPlace(slots: readonly Slot[], prompt: PromptText): Slot[] {
  const terms = prompt.tokens.map(({ term }) => term).join(" ");
  const called = ({ enclosing, label }: Slot): boolean =>
    enclosing.length > 0 && ` ${terms} `.includes(` ${[...enclosing, ...label].join(" ")} `);
  const rank = (slot: Slot): number => (called(slot) ? 0 : slot.path.length);
  return [...slots].sort((a, b) => rank(a) - rank(b));
}

/**
 * Fills what the prompt says. `guess` also gives leftover values to needed slots, in order; `reserved` goes nowhere, because it
 * says which record is meant.
 */
export function fillSlots(
  tool: Tool,
  said: PromptText,
  options: { guess: boolean; reserved?: Entity | undefined },
): FilledSlots {
  const slots = slotsFor(tool, said);
  const filled: FilledSlots = { args: {}, missing: [], used: new Set(), certain: new Set(), filled: new Set() };
  const given = givenMaps(slots, said);
  for (const { slot, value } of given) {
    put(filled, slot, value.value);
    filled.used.add(value);
    filled.certain.add(slot);
  }
  const prompt = withoutMaps(said, given);
  const order = orderIn(prompt);
  let sorted = false;
  const chosen = new Set<string>();
  for (const slot of byPlace(slots, prompt)) {
    if (slot.options.length === 0 && slot.type !== "boolean") continue;
    if (isSortSlot(slot) && !slot.required && tool.safety === "read_only") {
      const option = order && sortOption(slot, order, prompt);
      if (option !== undefined) put(filled, slot, slot.type === "array" ? [option] : option);
      sorted ||= option !== undefined;
      continue;
    }
    const option = optionOf(slot, tool, prompt);
    // The words that chose here choose nothing of the same name further out or in.
    const key = slot.type === "boolean" ? slot.name : `${slot.name} ${String(option)}`;
    if (option === undefined || chosen.has(key)) continue;
    chosen.add(key);
    put(filled, slot, option);
    filled.certain.add(slot);
  }
  if (tool.safety === "read_only" && order?.count !== undefined) {
    // The first few of an order that the target does not know are picked from all there are.
    const limit =
      sorted && slots.find(({ name, type }) => LIMIT.test(name) && (type === "integer" || type === "number"));
    if (limit) put(filled, limit, toSlotValue(limit, order.count));
    const count = prompt.entities.find(({ value }) => value === order.count);
    if (count) filled.used.add(count);
  }
  const search = searchTextIn(prompt, tool);
  if (search) {
    const { slot, text, start } = search;
    const value: Entity = { kind: "quoted", value: text, text, start, end: start + text.length };
    put(filled, slot, toSlotValue(slot, text));
    filled.used.add(value);
    filled.certain.add(slot);
  }
  for (const { slot, value } of candidateAssignments(slots, tool, prompt)) {
    if (options.reserved && overlaps(value, options.reserved)) continue;
    if (filled.filled.has(slot)) continue;
    const same = [...filled.used].some((used) => overlaps(used, value) && used.value === value.value);
    const other = [...filled.used].some((used) => overlaps(used, value) && value.kind !== "path");
    if (same || other) continue;
    const run = slot.type === "array" ? entityRuns(prompt, slot).find((one) => one.includes(value)) : undefined;
    put(filled, slot, toSlotValue(slot, run ? run.map((one) => one.value) : normalise(slot, value)));
    for (const one of run ?? [value]) filled.used.add(one);
    filled.certain.add(slot);
  }
  throughEnd(slots, filled);
  if (options.guess) leftovers(slots, tool, prompt, filled);
  for (const slot of slots) {
    if (!slot.required || filled.filled.has(slot)) continue;
    // What a replacement needs beyond the change comes from the record as it is.
    if (replacesWhole(tool) && !pathNames(tool).has(slot.name)) continue;
    const preset = slot.schema["default"];
    if (preset !== undefined && preset !== null && !pathNames(tool).has(slot.name)) put(filled, slot, preset);
    else filled.missing.push(slot);
  }
  // What was found first says nothing to whoever reads the call.
  const places = slots.map(({ path }) => path[0]);
  const entries = Object.entries(filled.args).sort(([a], [b]) => places.indexOf(a) - places.indexOf(b));
  return { ...filled, args: Object.fromEntries(entries) };
}
