// The noun that a value of a prompt stands with, read from the grammar: "comment" for 7 and "post" for 3 in "delete the comment
// with id 7 of the post with id 3". Which parameter that means is for others to say.

import type { Entity } from "./entities.js";
import { oncePerEntity, type PromptText, type Token } from "./prompt.js";

/** Where something moves: away from the noun, or to it. */
export type Direction = "from" | "to";

interface KeyOwner {
  /** The word the value stands with; a verb where there is no noun. */
  word?: Token;
  /** The preposition before all of it, where it gives a direction. */
  direction?: Direction;
}

/** Words between a noun and its key: "the comment whose id is 7", "order no. 5". */
const LINK = /^(?:with|whose|having|has|is|equals|equal|the|a|an|its|identified|named|called|that)$/;
const KEY_WORD = /^(?:id|ids|identifier|number|no|nr|num|key|uuid|code)$/;
/** Words that say that what follows describes a noun further back: "the comment of post 3 with id 7". */
const DESCRIBES = /^(?:with|whose|having|has|identified)$/;
/** Prepositions by which one noun belongs to another. */
const BELONGS = /^(?:of|on|in|from|for|under|at|to|by)$/;
const DETERMINER = /^(?:the|a|an|my|our|this|that|its|their|new|old)$/;
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  from: "from",
  off: "from",
  to: "to",
  into: "to",
  onto: "to",
  towards: "to",
};

/** The word a value stands with, and the direction; both may be unknown. */
export const ownerOf = oncePerEntity(findOwner);

/** The entity that a token is a part of. */
function entityAt({ start }: Token, prompt: PromptText): Entity | undefined {
  return prompt.entities.find((one) => one.kind !== "name" && start >= one.start && start < one.end);
}

function findOwner(prompt: PromptText, entity: Entity): KeyOwner {
  const before = prompt.tokens.filter(({ end }) => end <= entity.start);
  let describes = false;
  let named = false;
  let i = before.length - 1;
  for (; i >= 0; i--) {
    const token = before[i];
    if (!token || /[.;!?]\s/.test(prompt.text.slice(token.end, (before[i + 1] ?? entity).start))) return {};
    const inner = entityAt(token, prompt);
    if (inner) {
      if (!describes) return {};
      // Behind "post 3" the words "with id" describe what the post belongs to.
      const { word } = ownerOf(prompt, inner);
      if (!word) return {};
      i = skipBelonging(before, before.indexOf(word) - 1) + 1;
      continue;
    }
    // "grades with 100 points": without "id" between the two it describes the noun and is no key of it.
    if (!named && /^(?:with|having|has)$/.test(token.word)) return {};
    if (KEY_WORD.test(token.word)) named = true;
    else if (!LINK.test(token.word) && !(named && token.word === "by")) break;
    describes ||= DESCRIBES.test(token.word);
  }
  const token = before[i];
  if (!token) return {};
  if (DIRECTIONS[token.word] !== undefined || BELONGS.test(token.word) || token.word === "and" || token.word === "or")
    return { direction: DIRECTIONS[token.word] };
  const at = skipDeterminers(before, i - 1);
  return { word: token, direction: DIRECTIONS[before[at]?.word ?? ""] };
}

function skipDeterminers(before: readonly Token[], from: number): number {
  let i = from;
  while (i >= 0 && DETERMINER.test(before[i]?.word ?? "")) i--;
  return i;
}

/** Goes over "of the" before a noun, so that the noun it belongs to comes next. */
function skipBelonging(before: readonly Token[], from: number): number {
  const i = skipDeterminers(before, from);
  return BELONGS.test(before[i]?.word ?? "") ? i - 1 : i;
}
