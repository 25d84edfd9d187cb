// What a prompt searches for in plain words: "search products for kettle", "find todos about taxes".
import { isStopWord, stem, words } from "../../rank/terms.js";
import type { Tool } from "../../tool.js";
import type { PromptText } from "./prompt.js";
import { thingOf } from "./render.js";
import { pathNames, type Slot, slotsOf } from "./slots.js";

/** Longer texts are conditions, not something to search for. */
const MAX_WORDS = 4;
const SEARCH_SLOT = /^(?:q|query|search|search_?(?:term|text|query)|keywords?|text)$/i;
const SEARCHED =
  /\b(?:search(?:ing)?|find|look(?:ing)?|filter)\b.*?\b(?:for|about|matching|containing|with the word)\s+(?:an?\s+|the\s+|some\s+)?(.+?)\s*[.!?]*$/i;

/** The parameter and the text searched for, when the prompt does and the tool lists things. */
export function searchIn(prompt: PromptText, tool: Tool): { slot: Slot; text: string; start: number } | undefined {
  if (tool.safety !== "read_only" || pathNames(tool).size > 0) return undefined;
  // Quotes say by themselves what is searched for.
  if (prompt.values.some(({ kind }) => kind === "quoted")) return undefined;
  const slot = slotsOf(tool).find(
    ({ name, type, path }) => path.length === 1 && type === "string" && SEARCH_SLOT.test(name),
  );
  const match = slot && SEARCHED.exec(prompt.text);
  const text = match?.[1];
  if (!slot || !match || text === undefined) return undefined;
  const said = words(text);
  const own = new Set([thingOf(tool), ...words(tool.resource)].map(stem));
  const named = [...own].some((term) => prompt.terms.has(term));
  if (
    !named ||
    said.every(isStopWord) ||
    said.length > MAX_WORDS ||
    said.some((word) => own.has(stem(word)) || /^\d/.test(word))
  )
    return undefined;
  return { slot, text, start: match.index + match[0].indexOf(text) };
}
