// What a slot may be called in a prompt: the terms of its name, and the words of its description that no other slot has.

import type { Tool } from "../../domain/tool.js";
import { spelledOut } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { ID_LIKE, type Slot } from "../slots/slot.js";

/** Terms that introduce a name. */
export const NAMING_TERMS: ReadonlySet<string> = new Set(
  ["named", "called", "titled", "entitled", "name", "rename", "retitle"].map(stem),
);
/** Terms of slot names that do not distinguish one slot from another. */
export const GENERIC_TERMS: ReadonlySet<string> = new Set(
  ["id", "ids", "name", "number", "value", "text", "type", "key", "code", "slug"].map(stem),
);

/** The collection that the id of a tool's path belongs to: the segment before it, or the resource. */
export function ownerTerms(slot: Slot, tool: Tool): string[] {
  // Of the columns of a table that are called like keys, one is.
  if (tool.transport.key && !tool.transport.key.includes(slot.name)) return [];
  const path = tool.transport.path ?? "";
  const before = path
    .split(`{${slot.name}}`)[0]
    ?.split("/")
    .filter((part) => part !== "" && !part.startsWith("{"));
  const segment = path.includes(`{${slot.name}}`) ? before?.at(-1) : undefined;
  return words(segment ?? tool.resource).map(stem);
}

const NAMING = /^(?:label|subject|summary)$|(?:name|title)$/i;

/** The terms a slot is called by: those of its name; for an id also those of its `owner`. */
export function labelsOf(slot: Slot, owner: readonly string[]): Set<string> {
  const split = slot.label.flatMap((term) => term.match(/[^\d]+/g) ?? []);
  const own = new Set((split.length > 0 ? split : slot.label).flatMap((term) => [term, spelledOut(term) ?? term]));
  if (ID_LIKE.test(slot.name) && own.size === 1) for (const term of owner) own.add(term);
  // "called X" names the record itself, not an object inside it.
  if (slot.enclosing.length > 0) for (const term of slot.enclosing) own.add(term);
  else if (NAMING.test(slot.name)) for (const term of NAMING_TERMS) own.add(term);
  return own;
}

/** The terms of a prompt that this slot's description has, and not those of the tool's `others`. */
export function hintsOf(slot: Slot, others: readonly Slot[], prompt: PromptText): Set<string> {
  if (slot.description === "") return new Set();
  const shared = new Set(others.flatMap(({ description }) => words(description)));
  return new Set(
    prompt.tokens
      .filter(({ word }) => word.length > 3 && !shared.has(word) && isMentioned(word, slot))
      .map(({ term }) => term),
  );
}

function isMentioned(word: string, slot: Slot): boolean {
  // The search for the word is cheap and nearly always the end of it.
  return slot.description.toLowerCase().includes(word) && new RegExp(`\\b${word}`, "i").test(slot.description);
}
