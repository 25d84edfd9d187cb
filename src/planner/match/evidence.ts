// How well an entity fits a slot: the words around it, the preposition before it, its kind and the slot's traits.
// Returns a score; above 0.5 the prompt as good as names the slot.

import { addSignals, type Signal } from "../../lib/score.js";
import { spelledOut } from "../../tools/search/synonyms.js";
import { type ComparisonSign, comparisonOf } from "../prompt/comparison.js";
import type { Entity } from "../prompt/entities.js";
import { CONNECTORS, isMeasure } from "../prompt/key-nouns.js";
import { wordsAround } from "../prompt/neighbours.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { KEY_NAME, type Slot } from "../slots/slot.js";
import { type Traits, traitsOf } from "../slots/traits.js";
import { isKeyOfOther } from "./key-evidence.js";
import { kindScore } from "./kind-score.js";
import { GENERIC_TERMS, NAMING_TERMS } from "./labels.js";

const BOUND_WORD =
  /\b(?:min|minimum|max|maximum|under|below|over|above|less|more|most|least|than|between|from|since|after|before|until|to|up|and|cheaper|limit)\b/;
const LIMITING = /^(?:top|first|last|next|latest|newest|list|show|get|find|me|only|fetch|give)$/;
const BEFORE_LOCATION = /^(?:in|at|near|around|to|from|for|of|visiting|within)$/;

/** What a label is worth right before an entity, right behind it, and what each word in between costs. */
const LABEL_BEFORE = 1;
const LABEL_BEHIND = 0.75;
const PER_WORD = 0.17;
/** Words further before an entity that mean something belong to another one. */
const MAX_DISTANCE = 4;
/** Of a slot called by several terms, each one that is mentioned counts; this much is left when none is. */
const LABEL_BASE = 0.65;
/** A word from the description counts this much of one from the name. */
const HINT = 0.4;
/** What a hint right behind a number is worth: it is the unit. */
const UNIT_HINT = 0.55;
/** "three books" counts books more often than it gives a key. */
const NUMBER_WORD = 0.7;
/** What a number is worth to a parameter for the number of records behind a word such as "top". */
const LIMIT = 0.7;

/** An entity beside a slot, and the words before it. */
interface Facts {
  slot: Slot;
  entity: Entity;
  traits: Traits;
  /** The word right before the entity. */
  before: string;
  left: readonly Token[];
}

/** Added before the hints are considered. */
const ENCLOSING: readonly Signal<{ isEnclosed: boolean }>[] = [
  { signal: ({ isEnclosed }) => isEnclosed, weight: 0.15, why: "the prompt names the objects that enclose the slot" },
];

const SIGNALS: readonly Signal<Facts>[] = [
  {
    signal: ({ slot, entity, traits, before }) =>
      entity.through !== undefined &&
      traits.starts &&
      (entity.kind === "date" || slot.format.startsWith("date")) &&
      /^(?:in|during|of|for)$/.test(before),
    weight: 0.45,
    why: "a whole month or year begins where the slot's span begins",
  },
  {
    signal: ({ entity, traits, before }) =>
      entity.kind === "name" && BEFORE_LOCATION.test(before) ? traits.location : 0,
    weight: 1,
    why: "a name behind such a preposition is a location",
  },
  {
    signal: ({ entity, traits }) => entity.kind === "number" && traits.plainText,
    weight: -0.4,
    why: "a number is rarely a text",
  },
  {
    signal: ({ traits, left }) => traits.bound && !BOUND_WORD.test(left.map(({ word }) => word).join(" ")),
    weight: -0.6,
    why: "a bound is named as one",
  },
];

const BOUNDS: Readonly<Record<ComparisonSign, string>> = {
  "<": "below",
  "≤": "below",
  ">": "above",
  "≥": "above",
  "=": "",
};

/** How near an entity the labels of a slot are, and how many of them: 0 to 1. */
function nearness(labels: ReadonlySet<string>, left: readonly Token[], right: readonly Token[]): number {
  let best = 0;
  const seen = new Set<string>();
  let distance = 0;
  for (const { term, word } of left) {
    if (labels.has(term)) {
      seen.add(term);
      best = Math.max(best, LABEL_BEFORE - PER_WORD * distance);
    }
    if (!CONNECTORS.has(word)) distance++;
    if (distance > MAX_DISTANCE) break;
  }
  right.forEach(({ term }, i) => {
    if (!labels.has(term)) return;
    seen.add(term);
    best = Math.max(best, LABEL_BEHIND - PER_WORD * i);
  });
  const specific = [...labels].filter((label) => !GENERIC_TERMS.has(label) && !NAMING_TERMS.has(label));
  const mentioned = specific.filter((label) => seen.has(label) || seen.has(spelledOut(label) ?? label));
  const share = specific.length === 0 ? 1 : mentioned.length / specific.length;
  return best * (LABEL_BASE + 0.35 * Math.min(1, share));
}

/** What the words of a prompt are compared with. */
interface SlotWords {
  prompt: PromptText;
  /** Terms the slot is called by. */
  labels: ReadonlySet<string>;
  /** Terms of the prompt that the slot's description has and those of its neighbours have not. */
  hints: ReadonlySet<string>;
  /** The slot is a column of a table: its bounds are many, and only its own words say that it is meant. */
  isColumn: boolean;
}

/** How strong the evidence is that this entity belongs to this slot. Negative when it counts against it. */
export function scoreEvidence(slot: Slot, entity: Entity, { prompt, labels, hints, isColumn }: SlotWords): number {
  const { left, right } = wordsAround(prompt, entity);
  if (KEY_NAME.test(slot.name) && (entity.kind === "email" || isMeasure(entity, prompt))) return 0;
  // The number of "8A" is only a part of what a record is called.
  if (KEY_NAME.test(slot.name) && slot.type !== "string" && /\p{L}$/u.test(entity.whole ?? "")) return 0;
  let score = nearness(labels, left, isKeyOfOther(slot, entity, { prompt, labels }) ? [] : right);
  if (entity.kind === "number" && /^\p{L}/u.test(entity.text)) score *= NUMBER_WORD;
  if (slot.enclosing.length > 0) {
    const before = new Set(left.map(({ term }) => term));
    const isEnclosed = slot.enclosing.every((term) => before.has(term));
    const isByName = slot.enclosing.length === 1 && /name$/i.test(slot.name) && left[0]?.word === "by";
    // An optional slot has to be named: "parent title Bar", "by Ann" for the author's name.
    if (!isEnclosed && !slot.required && !isByName) return 0;
    score = addSignals(score, ENCLOSING, { isEnclosed });
  }
  if (score < HINT) {
    const unit = right[0] !== undefined && hints.has(right[0].term) && !CONNECTORS.has(right[0].word);
    score = Math.max(score, unit ? UNIT_HINT : HINT * nearness(hints, left.slice(0, 3), right.slice(0, 2)));
  }
  const { sign, isSpan } = comparisonOf(entity, prompt) ?? {};
  const traits = traitsOf(slot);
  // Whatever the words of a comparison, only its direction speaks for a bound; those of a span speak for where something begins or ends.
  const isDirected = sign !== undefined && (!isSpan || (traits.side !== undefined && !isColumn));
  const before = isDirected ? BOUNDS[sign] : (left[0]?.word ?? "");
  score = addSignals(score, traits.prepositions, before);
  score = addSignals(score, SIGNALS, { slot, entity, traits, before, left });
  if (entity.kind === "number" && traits.limit && LIMITING.test(before)) score = Math.max(score, LIMIT);
  return score + kindScore(slot, entity);
}
