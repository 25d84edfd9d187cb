// Filling a tool's arguments from a prompt: every slot gets the entity that the prompt gives it; what is required and not in
// the prompt stays missing, to be asked for. Pure.

import type { Tool } from "../../domain/tool.js";
import { type JsonValue, objectOf, textsOf } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";
import { type Entity, overlaps } from "../prompt/entities.js";
import { type Order, orderIn } from "../prompt/order.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { boundOf } from "../slots/bounds.js";
import { momentOf } from "../slots/moment.js";
import { normalise } from "../slots/normalise.js";
import { KEY_NAME, pathNames, replacesWhole, type Slot, slotsFor, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { isEnd, isStart, isYearName, LIMIT } from "../slots/traits.js";
import { candidateAssignments } from "./assignments.js";
import { entityRuns } from "./entity-runs.js";
import { type FilledSlots, type Filling, setSlot } from "./filled-slots.js";
import { guessSlots } from "./guess.js";
import { givenTexts } from "./labelled-texts.js";
import { givenMaps, withoutMaps } from "./maps.js";
import { chooseOption, chooseOptions, entitiesIn, readSwitch } from "./options.js";
import { searchTextIn } from "./search-text.js";
import { isSortSlot, sortOption } from "./sort-option.js";
import { actionOf } from "./tool-intent.js";
import { unmatchedWords } from "./unmatched.js";

function optionOf(slot: Slot, tool: Tool, prompt: PromptText): JsonValue | undefined {
  if (slot.type === "boolean") return readSwitch(slot, tool, prompt);
  if (slot.type !== "array") return chooseOption(slot, tool, prompt);
  const all = chooseOptions(slot, tool, prompt);
  return all.length > 0 ? all : undefined;
}

/** Slots whose object is named right before them first ("parent genre crime"), then the outer ones. */
function outermostFirst(slots: readonly Slot[], prompt: PromptText): Slot[] {
  const terms = prompt.tokens.map(({ term }) => term).join(" ");
  const isNamed = ({ enclosing, label }: Slot): boolean =>
    enclosing.length > 0 && ` ${terms} `.includes(` ${[...enclosing, ...label].join(" ")} `);
  const rank = (slot: Slot): number => (isNamed(slot) ? 0 : slot.path.length);
  return [...slots].sort((a, b) => rank(a) - rank(b));
}

/** Whether a prompt asks for the first few of a list and sets no condition, which the target would have to know first. */
function isWholeRequest({ asListed, text }: Order, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (asListed !== "first" || prompt.entities.length !== 1) return false;
  return unmatchedWords(prompt, { tool, args: {}, rows: [], used: [text] }).length === 0;
}

/** Options, switches and the order of a list. */
function fillOptions({ tool, slots, prompt, filled }: Filling): void {
  const order = orderIn(prompt);
  let sorted = false;
  const chosen = new Set<string>();
  for (const slot of outermostFirst(slots, prompt)) {
    if (slot.options.length === 0 && slot.type !== "boolean") continue;
    if (isSortSlot(slot) && !slot.required && tool.safety === "read_only") {
      const option = order && sortOption(slot, order, prompt);
      if (option !== undefined) setSlot(filled, slot, slot.type === "array" ? [option] : option);
      sorted ||= option !== undefined;
      continue;
    }
    const option = optionOf(slot, tool, prompt);
    // The words that chose here choose nothing for a slot of the same name further out or in.
    const key = slot.type === "boolean" ? slot.name : `${slot.name} ${String(option)}`;
    if (option === undefined || chosen.has(key)) continue;
    chosen.add(key);
    setSlot(filled, slot, option);
    filled.certain.add(slot);
    for (const entity of entitiesIn(option, prompt)) filled.used.add(entity);
  }
  if (tool.safety !== "read_only" || order?.count === undefined) return;
  // A tool that computes something takes "3 numbers" as it takes any number.
  if (order.asListed && (tool.verb !== "list" || tool.transport.path === undefined)) return;
  // The first few of an order that the target does not know are picked from all records.
  const limit =
    (sorted || isWholeRequest(order, { tool, prompt })) &&
    slots.find(({ name, type }) => LIMIT.test(name) && (type === "integer" || type === "number"));
  if (limit) setSlot(filled, limit, toSlotValue(limit, order.count));
  const count = prompt.entities.find(({ value }) => value === order.count);
  if (count) filled.used.add(count);
}

function fillSearchText({ tool, prompt, filled }: Filling): void {
  const search = searchTextIn(prompt, tool);
  if (!search) return;
  const { slot, text, start } = search;
  setSlot(filled, slot, toSlotValue(slot, text));
  filled.used.add({ kind: "quoted", value: text, text, start, end: start + text.length });
  filled.certain.add(slot);
}

/** The best candidate assignments that exclude no better one. */
function fillAssignments({ tool, slots, prompt, filled }: Filling, reserved: Entity | undefined): void {
  const { found, narrowed } = candidateAssignments(slots, tool, prompt);
  for (const { slot, entity } of found) {
    if (reserved && overlaps(entity, reserved)) continue;
    if (filled.filled.has(slot)) continue;
    const used = [...filled.used].filter((one) => overlaps(one, entity));
    // The two halves of a path go into two slots.
    if (used.some(({ value }) => value === entity.value) || (used.length > 0 && entity.kind !== "path")) continue;
    const run = slot.type === "array" ? entityRuns(prompt, slot).find((one) => one.includes(entity)) : undefined;
    setSlot(filled, slot, toSlotValue(slot, run ? run.map((one) => one.value) : normalise(slot, entity)));
    for (const one of run ?? [entity]) filled.used.add(one);
    if (entity.clock && entity.clock.start < entity.clock.end && momentOf(slot, entity) !== undefined) {
      const { start, end } = entity.clock;
      filled.used.add({ ...entity, kind: "time", text: prompt.text.slice(start, end), start, end });
    }
    filled.certain.add(slot);
  }
  for (const entity of narrowed) if (![...filled.used].some((one) => overlaps(one, entity))) filled.used.add(entity);
}

/** "water plant 3 with 30": the number at the end is the only one that the action needs besides its keys. */
function fillAmount({ tool, slots, prompt, filled }: Filling): void {
  if (actionOf(tool) === undefined) return;
  const keys = pathNames(tool);
  const isNumber = ({ type }: Slot): boolean => type === "number" || type === "integer";
  const [slot, ...others] = slots.filter((one) => one.required && isNumber(one) && !keys.has(one.name));
  if (!slot || others.length > 0 || filled.filled.has(slot) || KEY_NAME.test(slot.name)) return;
  const entity = prompt.entities.find(
    ({ kind, start, end, sign, unit }) =>
      kind === "number" &&
      !sign &&
      !unit &&
      /\bwith\s+$/i.test(textBefore(prompt, start)) &&
      /^\s*(?:please)?[\s.!]*$/i.test(prompt.text.slice(end)),
  );
  const value = entity && toSlotValue(slot, entity.value);
  if (!entity || value === undefined || [...filled.used].some((one) => overlaps(one, entity))) return;
  setSlot(filled, slot, value);
  filled.used.add(entity);
  filled.certain.add(slot);
}

/** "in March 2026" ends with its last day, where there is a slot for the end; a beginning alone would mean "since". */
function fillEndOfSpan({ slots, filled }: Filling): void {
  const span = [...filled.used].find(({ through, day, kind }) => through !== undefined && (kind === "date" || day));
  const isYear = ({ type, name }: Slot): boolean => (type === "number" || type === "integer") && isYearName(name);
  const takesDays = (slot: Slot): boolean => slot.type === "string" || isYear(slot);
  const begun = [...filled.certain].find((slot) => isStart(slot) && takesDays(slot));
  if (span?.through === undefined || !begun) return;
  const column = boundOf(begun.name)?.column;
  const isItsEnd = ({ name, type }: Slot): boolean =>
    type === begun.type && (column === undefined || name === `max_${column}`);
  const end = slots.find((slot) => !filled.filled.has(slot) && takesDays(slot) && isEnd(slot) && isItsEnd(slot));
  if (end) {
    const last = { ...span, value: span.through, day: span.through };
    setSlot(filled, end, toSlotValue(end, isYear(end) ? span.value : normalise(end, last)));
    filled.certain.add(end);
  } else if (!begun.required && !slots.some((slot) => isEnd(slot) && filled.filled.has(slot))) {
    delete filled.args[begun.name];
    filled.filled.delete(begun);
    filled.certain.delete(begun);
    filled.used.delete(span);
  }
}

/** "between 5 and 20": the second number is the upper bound of the column whose lower one is the first. */
function fillUpperBounds({ slots, prompt, filled }: Filling): void {
  for (const slot of filled.certain) {
    const bound = boundOf(slot.name);
    const first = bound?.operator === "gte" && [...filled.used].find((one) => one.value === filled.args[slot.name]);
    const behind = first && /^\s+(?:and|to)\s+/.exec(prompt.text.slice(first.end));
    if (!first || !behind || !/\b(?:between|from)\s+$/i.test(textBefore(prompt, first.start))) continue;
    const second = prompt.entities.find(({ start }) => start === first.end + behind[0].length);
    const upper = slots.find(({ name }) => name === `max_${bound.column}`);
    const value = second && upper && toSlotValue(upper, second.value);
    if (!second || !upper || value === undefined || filled.filled.has(upper)) continue;
    setSlot(filled, upper, value);
    filled.used.add(second);
  }
}

/** Defaults of the schema for what is still open; without one it is missing. */
function fillDefaults({ tool, slots, filled }: Filling): void {
  const keys = pathNames(tool);
  for (const slot of slots) {
    if (!slot.required || filled.filled.has(slot)) continue;
    // What a replacement needs beyond the change comes from the record as it is.
    if (replacesWhole(tool) && !keys.has(slot.name)) continue;
    const preset = slot.schema["default"];
    if (preset !== undefined && preset !== null && !keys.has(slot.name)) setSlot(filled, slot, preset);
    else filled.missing.push(slot);
  }
}

/** A required object of which some member has to be there, whichever: without any its first is missing. */
function missMembers({ tool, filled }: Filling): void {
  const { properties, required } = tool.input_schema;
  for (const name of textsOf(required)) {
    const schema = objectOf(properties)[name];
    const needs = objectOf(referred(schema, tool.input_schema) ?? schema)["minProperties"];
    if (typeof needs !== "number" || needs < 1 || Object.hasOwn(filled.args, name)) continue;
    const first = slotsOf(tool).find(({ path }) => path.length > 1 && path[0] === name);
    if (first && !filled.missing.some(({ path }) => path[0] === name)) filled.missing.push(first);
  }
}

interface FillOptions {
  /** Required slots also get leftover entities, in order. */
  guess: boolean;
  /** Goes into no slot, because it identifies the record. */
  reserved?: Entity;
}

/** Fills the slots of a tool with what the prompt gives. */
export function fillSlots(tool: Tool, whole: PromptText, { guess, reserved }: FillOptions): FilledSlots {
  const slots = slotsFor(tool, whole);
  const filled: FilledSlots = {
    args: {},
    missing: [],
    used: new Set(),
    certain: new Set(),
    filled: new Set(),
    rest: whole,
  };
  const maps = [...givenMaps(slots, whole), ...givenTexts(slots, tool, whole)];
  for (const { slot, entity } of maps) {
    setSlot(filled, slot, entity.value);
    filled.used.add(entity);
    filled.certain.add(slot);
  }
  filled.rest = withoutMaps(whole, maps);
  const filling: Filling = { tool, slots, prompt: filled.rest, filled };
  fillOptions(filling);
  fillSearchText(filling);
  fillAssignments(filling, reserved);
  fillAmount(filling);
  fillEndOfSpan(filling);
  if (tool.transport.table !== undefined) fillUpperBounds(filling);
  if (guess) guessSlots(filling);
  fillDefaults(filling);
  missMembers(filling);
  // In the order of the schema: the order of discovery means nothing to a reader of the call.
  const names = slots.map(({ path }) => path[0]);
  const entries = Object.entries(filled.args).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  return { ...filled, args: Object.fromEntries(entries) };
}
