// Slots that hold an object whose names are the sender's own: "with metadata tier=gold". The words there belong to that slot
// and are no evidence for others.
import { type JsonObject, toJson } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { pairRunAt, pairsOf } from "../prompt/pairs.js";
import { oncePerPrompt, type PromptText, readPrompt, textBefore } from "../prompt/prompt.js";
import type { Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";

/** Pairs that a prompt gives to a slot. */
interface GivenMap {
  slot: Slot;
  entity: Entity;
  /** Where all of it begins: "and metadata tier=gold". */
  from: number;
}

const labelOf = (name: string): string => words(name).map(stem).join(" ");

/** The pairs beside the names of such slots. Where one of them may as well be another slot, none are taken. */
export function givenMaps(slots: readonly Slot[], prompt: PromptText): GivenMap[] {
  if (!/[=:]/.test(prompt.text)) return [];
  return slots.flatMap((slot): GivenMap[] => {
    if (slot.type !== "object" || slot.label.length === 0) return [];
    const at = prompt.tokens.findIndex((_, i) => slot.label.every((term, j) => prompt.tokens[i + j]?.term === term));
    const [first, last] = [prompt.tokens[at], prompt.tokens[at + slot.label.length - 1]];
    const run = first && last ? pairRunAt(prompt.text, last.end) : undefined;
    if (!first || !run) return [];
    const others = run.isWhole ? [] : run.pairs.slice(1);
    const isOther = ([name]: [string, string]): boolean =>
      slots.some((other) => other !== slot && other.label.join(" ") === labelOf(name));
    const value = toSlotValue(slot, run.text);
    if (value === undefined || others.some(isOther)) return [];
    const { text, start } = run;
    const joint = /(?:\s(?:and|with)(?: the| a)?|,)\s*$/i.exec(textBefore(prompt, first.start))?.[0].length ?? 0;
    return [
      {
        slot,
        entity: { kind: "list", value, text, start, end: start + text.length },
        from: first.start - joint || start,
      },
    ];
  });
}

const rests = oncePerPrompt(() => new Map<string, PromptText>());

/** The prompt without these maps; everything else keeps its position. */
export function withoutMaps(prompt: PromptText, given: readonly GivenMap[]): PromptText {
  if (given.length === 0) return prompt;
  const known = rests(prompt);
  const key = given.map(({ from, entity: { end } }) => `${from}-${end}`).join(" ");
  let rest = known.get(key);
  if (!rest) {
    let { text } = prompt;
    for (const { from, entity } of given)
      text = text.slice(0, from) + " ".repeat(entity.end - from) + text.slice(entity.end);
    known.set(key, (rest = readPrompt(text, prompt.today)));
  }
  return rest;
}

/** A name and a value with an equals sign between, anywhere in a prompt. */
const SET = /(?<![^\s,;({])[\w.-]+=(?:"[^"\n]*"|“[^”\n]*”|[^\s,;{}"“”]+)/g;

/** What a prompt sets with an equals sign and the arguments do not hold: "colour=red" for a tool that knows no colour. */
export function uncoveredPairs(prompt: PromptText, args: JsonObject, filled: Iterable<Slot>): string[] {
  const held = toJson(args).toLowerCase();
  const set = new Set([...filled].map(({ label }) => label.join(" ")));
  return [...prompt.text.matchAll(SET)].flatMap(([text]) => {
    const [name = "", value = ""] = pairsOf(text)[0] ?? [];
    return set.has(labelOf(name)) || held.includes(value.toLowerCase()) ? [] : [text];
  });
}
