// Nouns of one stem that are not the same: a screen and a screening, a ship and a shipping. What the prompt has in one of them is
// nothing that a tool for the other does.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { stem } from "../../tools/search/terms.js";
import { isInside } from "../prompt/entities.js";
import { oncePerPrompt, type PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";

/** The nouns of a prompt, and those of them that are no part of a name: "a screening in Harbor Screen" is no screen. */
const nounsIn = oncePerPrompt(({ tokens, entities }) => {
  const names = entities.filter(({ kind, text }) => kind === "name" && /\s/.test(text));
  const plain = tokens.filter(({ start }) => !isInside(start, names));
  return [plain, tokens].map((some) => new Set(some.map(({ word }) => singularOf(word))));
});

/** Finds the tools whose noun the prompt does not have, while it has another noun of the same stem. */
export function createNamesakes(tools: readonly Tool[], prompt: PromptText): (tool: Tool) => boolean {
  const nouns = new Set(tools.filter(({ transport }) => transport.path !== undefined).map(resourceNoun));
  return (tool) => {
    const own = resourceNoun(tool);
    const rivals = [...nouns].filter((noun) => noun !== own && stem(noun) === stem(own));
    if (rivals.length === 0 || tool.transport.path === undefined) return false;
    const said = nounsIn(prompt).find((some) => [own, ...rivals].some((noun) => some.has(noun)));
    return said !== undefined && !said.has(own);
  };
}
