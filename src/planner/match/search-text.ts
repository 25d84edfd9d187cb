// The text a prompt searches for in plain words: "search products for kettle", "find todos about taxes".

import type { Tool } from "../../domain/tool.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { oncePerPrompt, type PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf } from "../slots/slot.js";

/** Longer texts are conditions, no search texts. */
const MAX_WORDS = 4;
const SEARCH_SLOT = /^(?:q|query|search|search_?(?:term|text|query)|keywords?|text)$/i;
const SEARCHES = /\b(?:search(?:ing)?|find|look(?:ing)?|filter)\b/i;
const FOR = /\b(?:for|about|matching|containing|with the word)\s+(?:an?\s+|the\s+|some\s+)?/i;

/** The text a prompt ends with behind "search … for". */
const searched = oncePerPrompt(({ text }): { text: string; start: number } | undefined => {
  const from = text.lastIndexOf("\n") + 1;
  const line = text.slice(from);
  const verb = SEARCHES.exec(line);
  const after = verb ? verb.index + verb[0].length : line.length;
  const marked = FOR.exec(line.slice(after));
  if (!marked) return undefined;
  const start = from + after + marked.index + marked[0].length;
  const found = text.slice(start).replace(/(?<![\s.!?])[\s.!?]+$/, "");
  return found === "" ? undefined : { text: found, start };
});

/** The slot and the text of a search, when the prompt searches and the tool lists records. */
export function searchTextIn(prompt: PromptText, tool: Tool): { slot: Slot; text: string; start: number } | undefined {
  if (tool.safety !== "read_only" || pathNames(tool).size > 0) return undefined;
  const slot = slotsOf(tool).find(
    ({ name, type, path }) => path.length === 1 && type === "string" && SEARCH_SLOT.test(name),
  );
  const quoted = prompt.entities.filter(({ kind }) => kind === "quoted");
  const [only] = quoted;
  // A quoted text is the search text by itself, where nothing else is wished for.
  if (slot && only && prompt.entities.length === 1 && /^\s*(?:please\s+)?(?:search|look)\b/i.test(prompt.text))
    return { slot, text: only.text, start: only.start };
  if (quoted.length > 0) return undefined;
  const found = slot && searched(prompt);
  if (!slot || !found) return undefined;
  const { text, start } = found;
  const parts = words(text);
  const own = new Set([resourceNoun(tool), ...words(tool.resource)].map(stem));
  const named = [...own].some((term) => prompt.terms.has(term));
  if (
    !named ||
    parts.every(isStopWord) ||
    parts.length > MAX_WORDS ||
    parts.some((word) => own.has(stem(word)) || /^\d/.test(word))
  )
    return undefined;
  return { slot, text, start };
}
