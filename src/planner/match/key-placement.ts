// Whether a value of the prompt is the key of this parameter or of another: the noun it stands with decides, and between two
// parameters of one noun ("from list 2 to list 9") the direction.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { intentsOf, spelledOut, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { type Direction, ownerOf } from "../prompt/key-owner.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { boundOf } from "../slots/bounds.js";
import { KEY_NAME, keysOf, type Slot, slotsOf } from "../slots/slot.js";
import { GENERIC_TERMS } from "./labels.js";

const FROM = /^(?:from|source|src|origin|old|previous|sender|debit)$/;
const TO = /^(?:to|destination|dest|target|new|next|receiver|credit|into)$/;

/**
 * How a value stands to a key: it is this one ("own"), another one of the tool ("other"), that of a noun the tool has no key for
 * ("foreign"), or the prompt does not say ("open").
 */
export type Placement = "own" | "other" | "foreign" | "open";

/** The tool and the prompt that a value is placed for. */
export interface PlacementContext {
  tool: Tool;
  prompt: PromptText;
}

interface Key {
  slot: Slot;
  /** Those of its own name. */
  ownNouns: ReadonlySet<string>;
  /** The same, and the noun of the collection before it in the path. */
  nouns: ReadonlySet<string>;
  direction?: Direction;
}

const known = new WeakMap<Tool, readonly Key[]>();

/** The keys of a tool: those of its path, and ids among its other parameters. */
function keysWithNouns(tool: Tool): readonly Key[] {
  let keys = known.get(tool);
  if (!keys) {
    const own = keysOf(tool);
    const ends = endpointsOf(tool);
    const isBound = ({ name }: Slot): boolean => tool.transport.table !== undefined && boundOf(name) !== undefined;
    const slots = slotsOf(tool).filter(
      (one) => own.includes(one) || (KEY_NAME.test(one.name) && !isBound(one)) || ends.includes(one),
    );
    known.set(tool, (keys = slots.map((slot) => keyOf(slot, tool))));
  }
  return keys;
}

function directionOf({ name }: Slot): Direction | undefined {
  const parts = words(name);
  if (parts.some((word) => FROM.test(word))) return "from";
  return parts.some((word) => TO.test(word)) ? "to" : undefined;
}

const isPlainKey = ({ type, format, options }: Slot): boolean =>
  type === "number" || type === "integer" || (type === "string" && format === "" && options.length === 0);
/** Whether a name says a direction and nothing else. */
const isBareDirection = ({ name }: Slot): boolean => words(name).every((word) => FROM.test(word) || TO.test(word));

/** What of a change is called "from" and "to": the keys of where something moves from and to. */
function endpointsOf(tool: Tool): Slot[] {
  if (tool.safety === "read_only") return [];
  const ends = slotsOf(tool).filter((slot) => slot.required && isPlainKey(slot) && isBareDirection(slot));
  return new Set(ends.map(directionOf)).size === 2 && ends.length === 2 ? ends : [];
}

function keyOf(slot: Slot, tool: Tool): Key {
  const { name, label, path } = slot;
  const own = label.filter((term) => !GENERIC_TERMS.has(term) && term !== "uuid" && !FROM.test(term) && !TO.test(term));
  const ownNouns = new Set(own.flatMap((term) => [term, spelledOut(term) ?? term]).filter((term) => term.length > 1));
  const nouns = new Set(ownNouns);
  const segments = (tool.transport.path ?? "").split("/");
  const segment = segments[segments.indexOf(`{${name}}`) - 1];
  if (segment !== undefined && !segment.startsWith("{")) nouns.add(stem(singularOf(words(segment).at(-1) ?? "")));
  // What moves between two of a kind is not of that kind; only its description says what they are.
  if (isBareDirection(slot)) for (const term of terms(slot.description)) nouns.add(term);
  else if (path.length === 1 && nouns.size === 0) nouns.add(stem(resourceNoun(tool)));
  return { slot, ownNouns, nouns, direction: directionOf(slot) };
}

const isSynonym = (term: string, nouns: ReadonlySet<string>): boolean =>
  [...synonymsOf(term)].some((synonym) => nouns.has(synonym));

/** Words behind a noun that mean nothing beside it: "patient record 12". */
const INCIDENTAL = /^(?:records?|entry|details?|info|information|profile|data|file)$/;

/** The noun of a key: where an incidental word is none of the tool's, the noun before it. */
function nounAt(word: Token, keys: readonly Key[], { tokens }: PromptText): Token {
  const before = tokens[tokens.indexOf(word) - 1];
  const isNoun = !INCIDENTAL.test(word.word) || keys.some(({ nouns }) => nouns.has(word.term));
  return isNoun || !before ? word : before;
}

/** How an entity of the prompt stands to a slot; "open" for a slot that is no key. */
export function placementOf(slot: Slot, entity: Entity, { tool, prompt }: PlacementContext): Placement {
  const keys = keysWithNouns(tool);
  const key = keys.find((one) => one.slot === slot);
  if (!key) return "open";
  const owner = ownerOf(prompt, entity);
  const { direction } = owner;
  const word = owner.word && nounAt(owner.word, keys, prompt);
  const exact = word ? keys.filter(({ nouns }) => nouns.has(word.term)) : [];
  const named = word && exact.length === 0 ? keys.filter(({ nouns }) => isSynonym(word.term, nouns)) : exact;
  if (word && named.length === 0 && !isStopWord(word.word) && intentsOf(word.term).size === 0) return "foreign";
  const all = named.length > 0 ? named : keys;
  if (!all.includes(key)) return "other";
  // In "item 4 of collection articles" the collection of /items/{collection} is named elsewhere.
  const isOwnName = word === undefined || key.ownNouns.has(word.term);
  if (!isOwnName && [...key.ownNouns].some((noun) => prompt.terms.has(noun) && noun !== word.term)) return "other";
  // The key of the record comes before one that it may refer to besides.
  const required = all.filter((one) => one.slot.required);
  const rivals = required.includes(key) && key.direction === undefined ? required : all;
  if (named.length > 0 && rivals.length === 1) return "own";
  // "from 2 to 9", "from list 2 to list 9": only the direction keeps the two apart.
  if (direction === undefined || key.direction === undefined) return "open";
  if (key.direction !== direction) return "other";
  return rivals.filter((one) => one.direction === direction).length === 1 ? "own" : "open";
}

/** Whether a tool has several keys that a value could be, so that one that stands with no noun cannot be placed. */
export function hasSeveralKeys(tool: Tool): boolean {
  return keysWithNouns(tool).filter(({ slot }) => slot.required).length > 1;
}

/** The stems of the nouns that the keys of a tool stand with. */
export function keyNounsOf(tool: Tool): Set<string> {
  return new Set(keysWithNouns(tool).flatMap(({ nouns }) => [...nouns]));
}

/** Whether a slot is one of the keys of its tool; a name may stand for one as it is: "from Paris to Rome". */
export function isKey(slot: Slot, tool: Tool, entity?: Entity): boolean {
  if (entity && /^(?:name|quoted)$/.test(entity.kind) && isBareDirection(slot)) return false;
  return keysWithNouns(tool).some((one) => one.slot === slot);
}
