// Plain words that are keys: "acme" in "the members of the organization acme". They are no entities by themselves, and are taken in
// reads only, where the word stands right behind the singular noun of the key and ends its clause.

import { ownName, type Tool } from "../../domain/tool.js";
import { isPlural } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, terms } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { keysOf, type Slot, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Assignment, FORMS } from "./assignment.js";
import { placementOf } from "./key-placement.js";
import { isNoValue } from "./labelled-words.js";

/** Whether the word at `at` may be a value: no word of the language or of the tool, at the end of its clause. */
function isValue(at: number, own: ReadonlySet<string>, { text, tokens, entities }: PromptText): boolean {
  const [word, after] = [tokens[at], tokens[at + 1]];
  if (!word || isStopWord(word.word) || own.has(word.term) || isPlural(word.word)) return false;
  if (intentsOf(word.term).size > 0 || synonymsOf(word.term).size > 0 || isNoValue(word.word) || /ed$/.test(word.word))
    return false;
  if (entities.some(({ start, end }) => word.start >= start && word.start < end)) return false;
  return after === undefined || isStopWord(after.word) || /[.,;?!]/.test(text.slice(word.end, after.start));
}

function entityOf({ start, end }: Token, text: string): Entity {
  const value = text.slice(start, end);
  return { kind: "quoted", value, text: value, start, end };
}

/** The plain words behind the nouns of a reading tool's keys. */
export function keyWords(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  if (tool.safety !== "read_only" || tool.transport.path === undefined) return [];
  const own = new Set([
    ...terms(`${ownName(tool)} ${tool.transport.path} ${tool.resource} ${tool.description}`),
    ...slotsOf(tool).flatMap(({ label }) => label),
  ]);
  const keys = keysOf(tool);
  return slots.flatMap((slot) => {
    if (!keys.includes(slot) || slot.type !== "string" || slot.options.length > 0) return [];
    return prompt.tokens.flatMap((token, at) => {
      const noun = prompt.tokens[at - 1];
      if (!noun || isPlural(noun.word) || prompt.text.slice(noun.end, token.start) !== " ") return [];
      // "which auction made the most": what follows says something of it.
      if (/^(?:which|what)$/.test(prompt.tokens[at - 2]?.word ?? "")) return [];
      if (!isValue(at, own, prompt)) return [];
      const entity = entityOf(token, prompt.text);
      const isPlaced = placementOf(slot, entity, { tool, prompt }) === "own";
      if (!isPlaced || toSlotValue(slot, entity.value) === undefined) return [];
      return [{ slot, entity, score: FORMS.keyBesideNoun.weight }];
    });
  });
}
