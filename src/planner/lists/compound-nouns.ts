// Nouns of two words, such as "work order" or, where the bookings of guests are records, "guest bookings": where a prompt has both, the first is no word of its own. "Open work orders" commands
// nothing, and "work order 7" is an order with a key. Words of tools and of a prompt in; the prompt without those words out.

import type { Tool } from "../../domain/tool.js";
import { isPlural } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { isUnknown, mayBelongTo } from "../names/owners.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";

const known = new WeakMap<readonly Tool[], ReadonlySet<string>>();

/** The last two words of a collection's name, as stems. */
function pairIn(name: string): string[] {
  const parts = words(name).map(stem);
  return parts.length > 1 ? [parts.slice(-2).join(" ")] : [];
}

/** The nouns of two words that records of these tools are called by. */
function compoundsOf(tools: readonly Tool[]): ReadonlySet<string> {
  let found = known.get(tools);
  if (!found) {
    // What other paths end in may be a verb and its noun: "/deleteItem".
    const lists = tools.filter(({ verb, safety }) => verb === "list" && safety === "read_only");
    const name = ({ transport, resource }: Tool): string => transport.path?.split("/").at(-1) ?? resource;
    const owned = lists.flatMap((list) => {
      const owners = isUnknown(list, tools) ? [] : lists.filter((owner) => mayBelongTo(list, owner, { tools }));
      const nouns = new Set(owners.map((owner) => stem(resourceNoun(owner))));
      // In "who ordered order 3" the first word is a verb.
      nouns.delete(stem(resourceNoun(list)));
      return [...nouns].map((owner) => `${owner} ${stem(resourceNoun(list))}`);
    });
    known.set(tools, (found = new Set([...lists.flatMap((one) => pairIn(name(one))), ...owned])));
  }
  return found;
}

/** The prompt with the last word alone for each noun of two words, of which the first is no plural ("who coaches club 2"); its text, and its set of words, have both. */
export function withCompounds(prompt: PromptText, tools: readonly Tool[]): PromptText {
  const compounds = compoundsOf(tools);
  const isFirst = ({ term, word, end }: Token, at: number): boolean => {
    const next = prompt.tokens[at + 1];
    return (
      next !== undefined &&
      !isPlural(word) &&
      /^[\s_-]$/.test(prompt.text.slice(end, next.start)) &&
      compounds.has(`${term} ${next.term}`)
    );
  };
  const tokens = prompt.tokens.filter((token, at) => !isFirst(token, at));
  return tokens.length === prompt.tokens.length ? prompt : { ...prompt, tokens };
}
