// Candidate assignments: which entity of a prompt may belong to which slot of a tool, and how good the evidence is.

import { ownName, type Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { stem, terms } from "../../tools/search/terms.js";
import { countryCode } from "../prompt/countries.js";
import type { Entity } from "../prompt/entities.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { normalise } from "../slots/normalise.js";
import { ID_LIKE, KEY_NAME, keysOf, type Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Assignment, FORMS } from "./assignment.js";
import { isUnsure } from "./change-values.js";
import { isCode } from "./codes.js";
import { listAssignments } from "./entity-runs.js";
import { scoreEvidence } from "./evidence.js";
import { cannotHold, isYearForAmount } from "./held-kinds.js";
import { cannotBeKey, isPartlyNamed } from "./key-evidence.js";
import { hasSeveralKeys, isKey, type Placement, type PlacementContext, placementOf } from "./key-placement.js";
import { keyWords } from "./key-words.js";
import { labelledWords } from "./labelled-words.js";
import { hintsOf, labelsOf, ownerTerms } from "./labels.js";
import { allowsOperator } from "./operators.js";
import { placeFor, placesInLowerCase } from "./places.js";

/** The evidence a slot needs: an optional one takes an entity only when the prompt as good as names the slot. */
const OPTIONAL = 0.5;
const REQUIRED = 0.3;
/** With this much evidence an entity belongs to the slot whatever else it may be. */
const CERTAIN = 0.8;

/** Names that end so are the application's. */
const APPLICATION = /\s(?:API|App|Database|Service)$/;

const known = new WeakMap<Tool, ReadonlySet<string>>();

/** The terms of a tool's name and description, worked out once a tool. */
function toolTerms(tool: Tool): ReadonlySet<string> {
  let found = known.get(tool);
  if (!found) known.set(tool, (found = new Set([...terms(ownName(tool)), ...terms(tool.description)])));
  return found;
}

/** Whether a name is only what the tool is about ("a joke about Chuck Norris" to a tool of such jokes). */
export function isTopic(entity: Entity, tool: Tool): boolean {
  if (entity.kind !== "name") return false;
  const own = toolTerms(tool);
  // "in the Weather API" is where, not what.
  if (APPLICATION.test(entity.text)) return true;
  return terms(entity.text).every((term) => own.has(term));
}

/** Whether a number would be the key of a new row of a table without being called so: the database gives it one. */
const isOwnNewKey = (slot: Slot, entity: Entity, { tool, prompt }: PlacementContext): boolean =>
  tool.verb === "create" && !slot.required && isOwnId(slot, tool) && !KEY_SIGN.test(textBefore(prompt, entity.start));

/** Whether a slot filters a table's list by the key of its own rows. */
const isOwnId = ({ name }: Slot, { transport }: Tool): boolean => transport.key?.includes(name) === true;

/** Whether a read asks for a field of the record with a code, "status of WO-775": the code is no value of that field. */
function isOwnerOfField(slot: Slot, entity: Entity, { tool, prompt }: PlacementContext): boolean {
  if (tool.safety !== "read_only" || slot.required || KEY_NAME.test(slot.name) || !isCode(entity)) return false;
  const [label, joint] = prompt.tokens.filter(({ end }) => end <= entity.start).slice(-2);
  return joint?.word === "of" && label !== undefined && slot.label.at(-1) === label.term;
}

const isText = ({ kind }: Entity): boolean => kind === "name" || kind === "quoted";

const NAME_PART = /^(?:first|last|given|family|middle|sur|nick|maiden)_?name$/i;

/** Whether a whole name is offered to a slot for a part of it that the prompt does not name. */
function isPartOfName({ name }: Slot, entity: Entity, prompt: PromptText): boolean {
  if (!isText(entity) || !NAME_PART.test(name) || !/\s/.test(entity.text)) return false;
  return !prompt.tokens.some(({ word }) => word !== "name" && name.toLowerCase().startsWith(word));
}

function assignmentsByEvidence(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const out: Assignment[] = [];
  const keys = new Set(keysOf(tool));
  const isColumn = tool.transport.table !== undefined;
  // Between several texts a name goes to the one that is as good as named.
  const several = slots.filter(({ required, type }) => required && type === "string").length > 1;
  const country = slots.find(({ name }) => /^country$|^country_?(?:code|name)$/i.test(name));
  for (const slot of slots) {
    if (slot.type === "boolean" || slot.type === "object") continue;
    // Beside the key of a record another number of it is called by its own name only.
    const isField = tool.safety !== "read_only" && keys.size > 0 && !keys.has(slot);
    const labels = labelsOf(slot, isField ? [] : ownerTerms(slot, tool));
    const others = slots.filter((other) => other !== slot);
    let hints: Set<string> | undefined;
    for (const entity of prompt.entities) {
      if (toSlotValue(slot, normalise(slot, entity)) === undefined || cannotHold(slot, entity, tool)) continue;
      if ((keys.has(slot) || isOwnId(slot, tool)) && cannotBeKey(slot, entity, { tool, prompt })) continue;
      if (tool.safety === "read_only" && isYearForAmount(slot, entity, prompt)) continue;
      if (isOwnNewKey(slot, entity, { tool, prompt })) continue;
      if (country && slot !== country && entity.kind === "name" && countryCode(entity.text)) continue;
      if (isPartOfName(slot, entity, prompt) || isOwnerOfField(slot, entity, { tool, prompt })) continue;
      if (tool.safety !== "read_only" && isUnsure(slot, entity, { tool, prompt })) continue;
      if (!slot.required && tool.safety !== "read_only" && isPartlyNamed(slot, entity, prompt)) continue;
      hints ??= hintsOf(slot, others, prompt);
      const score = scoreEvidence(slot, entity, { prompt, labels, hints, isColumn });
      if ((score < CERTAIN || APPLICATION.test(entity.text)) && isTopic(entity, tool)) continue;
      const isOwn = keys.has(slot) && placementOf(slot, entity, { tool, prompt }) === "own";
      if (isOwn || score >= (slot.required && !(several && isText(entity)) ? REQUIRED : OPTIONAL))
        out.push({ slot, entity, score });
    }
  }
  scoreByOrder(out);
  return out;
}

/** Slots that differ by a number only (side1, side2) take their entities in the order of the prompt. */
function scoreByOrder(all: Assignment[]): void {
  const groups = new Map<string, Assignment[]>();
  for (const one of all) {
    if (!/\d$/.test(one.slot.name)) continue;
    const key = one.slot.name.replace(/\d+$/, "");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  for (const group of groups.values()) {
    const siblings = [...new Set(group.map(({ slot }) => slot))];
    const entities = [...new Set(group.map(({ entity }) => entity))].sort((a, b) => a.start - b.start);
    if (siblings.length < 2 || entities.length < siblings.length) continue;
    // With more entities than slots the best ones are meant, still in their order.
    const scores = new Map<Entity, number>();
    for (const { entity, score } of group)
      scores.set(entity, Math.max(score, scores.get(entity) ?? Number.NEGATIVE_INFINITY));
    const best = (entity: Entity): number => scores.get(entity) ?? 0;
    const chosen = [...entities].sort((a, b) => best(b) - best(a)).slice(0, siblings.length);
    const order = chosen.sort((a, b) => a.start - b.start);
    for (const one of group)
      one.score =
        order.indexOf(one.entity) === siblings.indexOf(one.slot) ? best(one.entity) + FORMS.inTheirOrder.weight : 0;
  }
}

/** "octo/hello" for a tool that takes an owner and a repository. */
function splitPaths(slots: readonly Slot[], prompt: PromptText): Assignment[] {
  const path = prompt.entities.find(({ kind }) => kind === "path");
  const [first, second] = String(path?.value ?? "").split("/");
  const repo = slots.find(({ name }) => /^(?:repo|repository|project|name)$/i.test(name));
  const owner = slots.find(({ name }) => /^(?:owner|org|organization|user|namespace|group)$/i.test(name));
  if (!path || !first || !second || !repo || !owner?.required || !repo.required) return [];
  const score = FORMS.ownerAndRepository.weight;
  return [
    { slot: owner, entity: { ...path, value: first }, score },
    { slot: repo, entity: { ...path, value: second }, score },
  ];
}

/** "a customer Jane Doe": the name right behind the noun of a new record. */
function nameBehindNoun(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const slot = slots.find(
    ({ name, path, enclosing }) =>
      path.length <= 2 && enclosing.length === 0 && /^(?:full_?|display_?)?(?:name|title)$/i.test(name),
  );
  if (tool.verb !== "create" || !slot) return [];
  const noun = stem(resourceNoun(tool));
  const { weight: score } = slot.required ? FORMS.nameOfNewRecord : FORMS.optionalNameOfNewRecord;
  return prompt.entities.flatMap((entity) => {
    const before = prompt.tokens.findLast(({ end }) => end <= entity.start);
    const gap = before && prompt.text.slice(before.end, prompt.text.indexOf(entity.text, before.end));
    const isName = entity.kind === "name" || entity.kind === "quoted";
    const follows = before?.term === noun && /^[\s:"“'‘`]+$/.test(gap ?? "");
    return isName && follows && toSlotValue(slot, entity.value) !== undefined ? [{ slot, entity, score }] : [];
  });
}

const BEFORE_AMOUNT = /^\s+(?:of\s+)?[€$£]?$/;

/** "transfer 50 from …", "a fine of 50": the number right behind the verb is the only amount that must be there. */
function amountBehindVerb(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const amounts = slots.filter((slot) => slot.required && /^(?:number|integer)$/.test(slot.type) && !isKey(slot, tool));
  const [slot] = amounts;
  const verb = prompt.tokens.find(({ term }) => term === stem(resourceNoun(tool)));
  // "a fine of 50" is one of that amount.
  const entity = verb && prompt.entities.find(({ start }) => BEFORE_AMOUNT.test(prompt.text.slice(verb.end, start)));
  if ((tool.verb !== "create" && tool.verb !== "action") || amounts.length !== 1 || !slot || entity?.kind !== "number")
    return [];
  // Less than nothing is no amount of something that moves.
  const fits = toSlotValue(slot, entity.value) !== undefined && Number(entity.value) > 0;
  return fits ? [{ slot, entity, score: FORMS.amountBehindVerb.weight }] : [];
}

/** A place in lower case, for the slots that may take it. */
function placeSlots(slots: readonly Slot[], entity: Entity): Assignment[] {
  const country = slots.find(({ name }) => /^country(?:_?(?:name|code))?$/i.test(name));
  const slot = country ?? slots.find(({ required, type }) => required && type === "string");
  const value = slot && toSlotValue(slot, normalise(slot, entity));
  return slot && value !== undefined ? [{ slot, entity, score: FORMS.placeInLowerCase.weight }] : [];
}

/** Words right before a key that say that it is one. */
const KEY_SIGN = /(?:\b(?:ids?|key|uuid|number|no\.?)\s*[:=]?|#)\s*$/i;

/**
 * Whether a number of a read is no key of this slot: that of another noun ("patient of appointment 7"), or for a filter of a list
 * one that stands with no noun ("students in 10", "grades of 100").
 */
function isUnplacedKey(
  { slot, entity }: Assignment,
  placement: Placement,
  { tool, prompt }: PlacementContext,
): boolean {
  const reads = tool.safety === "read_only" && tool.transport.path !== undefined;
  // "at the Airport depot" gives a name, and no key.
  const isByName = !slot.required && slot.type !== "array" && ID_LIKE.test(slot.name) && !slot.name.endsWith("name");
  if (reads && isByName && entity.kind === "name" && !/\d/.test(entity.text))
    return !KEY_SIGN.test(textBefore(prompt, entity.start));
  if (!reads || !/^(?:number|id)$/.test(entity.kind) || entity.sign === "#") return false;
  if (placement === "foreign") return true;
  const isFilter = !slot.required && KEY_NAME.test(slot.name);
  return placement === "open" && isFilter && !KEY_SIGN.test(textBefore(prompt, entity.start));
}

/** "the longest episode of sh_2": behind the noun of a record and "of" stands the key of another. */
export function isOfOther({ kind, start }: Entity, tool: Tool, prompt: PromptText): boolean {
  if (tool.verb !== "get" || tool.safety !== "read_only" || !/^(?:number|id)$/.test(kind)) return false;
  const [noun, joint] = prompt.tokens.filter(({ end }) => end <= start).slice(-2);
  return /^(?:of|from|by|in|at)$/.test(joint?.word ?? "") && singularOf(noun?.word ?? "") === resourceNoun(tool);
}

/** An assignment as the noun beside its entity allows it: none to the key of another noun. */
function placed(one: Assignment, tool: Tool, prompt: PromptText): Assignment | undefined {
  if (!isKey(one.slot, tool, one.entity)) return one;
  if (isOfOther(one.entity, tool, prompt)) return undefined;
  const placement = placementOf(one.slot, one.entity, { tool, prompt });
  if (placement === "own") return { ...one, score: Math.max(one.score, FORMS.keyBesideNoun.weight) };
  if (placement === "other") return undefined;
  if (isUnplacedKey(one, placement, { tool, prompt })) return undefined;
  // Of several keys of a change none is guessed.
  return tool.safety === "read_only" || !hasSeveralKeys(tool) ? one : undefined;
}

/** The likely pairs of slots and entities, and what is left to be done when the records are there. */
interface Assignments {
  /** Best first; equal ones in the order of the schema and of the prompt. */
  found: Assignment[];
  /** Entities for which a list has a filter that takes them only otherwise: "not with doctor 1", "due after", "of list 1 or 2". */
  narrowed: Entity[];
}

/** Every likely pair of a slot and an entity. */
export function candidateAssignments(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignments {
  const split = splitPaths(slots, prompt);
  const plain = assignmentsByEvidence(slots, tool, prompt).filter(
    ({ entity }) => split.length === 0 || entity.kind !== "path",
  );
  const places = placesInLowerCase(slots, { tool, prompt }).flatMap((entity) => placeSlots(slots, entity));
  const all = [
    ...places,
    ...listAssignments(slots, prompt),
    ...plain,
    ...nameBehindNoun(slots, tool, prompt),
    ...amountBehindVerb(slots, tool, prompt),
    ...labelledWords(slots, tool, prompt),
    ...keyWords(slots, tool, prompt),
  ];
  const isList = tool.verb === "list" && tool.transport.path !== undefined;
  const narrowed: Entity[] = [];
  const whole = all.flatMap((one) => {
    if (!allowsOperator(one, tool, prompt)) {
      if (isList && !one.slot.required && placed(one, tool, prompt)) narrowed.push(one.entity);
      return [];
    }
    const entity = placeFor(one.slot, one.entity, { slots, prompt });
    return entity ? { ...one, entity } : [];
  });
  const found = [...split, ...whole.flatMap((one) => placed(one, tool, prompt) ?? [])]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { found, narrowed };
}
