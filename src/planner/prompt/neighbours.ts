// The words around an entity of a prompt: where it ends and another begins, a sentence ends or a clause is joined, they stop.

import { type Entity, isInside } from "./entities.js";
import { nounBefore } from "./key-nouns.js";
import { oncePerEntity, type PromptText, type Token } from "./prompt.js";

interface Neighbours {
  left: Token[];
  right: Token[];
}

/** Words further away say nothing about an entity. */
const MAX_LEFT = 7;
const MAX_RIGHT = 3;

/** The words around an entity, the nearest ones first, as far as they may belong to it. */
export const wordsAround = oncePerEntity(findWordsAround);

function findWordsAround(prompt: PromptText, entity: Entity): Neighbours {
  const others = prompt.entities.filter((other) => other !== entity && other.kind !== "name");
  // "rename channel C1 to general": the word before a key in between is that key's.
  const taken = new Set(others.map((other) => nounBefore(other, prompt)));
  const left: Token[] = [];
  const before = prompt.tokens.filter((token) => token.end <= entity.start);
  for (let i = before.length - 1; i >= 0 && left.length < MAX_LEFT; i--) {
    const token = before[i];
    if (!token) break;
    // "the price of product 2 to 49.5": the slot that is set precedes the entity in between.
    if (isInside(token.start, others)) {
      if (left.length > 0 && /^(?:to|as|into)$/.test(left[0]?.word ?? "")) continue;
      break;
    }
    if (taken.has(token)) continue;
    const gap = prompt.text.slice(token.end, (before[i + 1] ?? entity).start);
    if (/[.!?;,]\s/.test(gap)) break;
    left.push(token);
    // What precedes "and" belongs to the entity before it.
    if (token.word === "and" || token.word === "or") break;
  }
  const right: Token[] = [];
  for (const token of prompt.tokens.filter((one) => one.start >= entity.end)) {
    const gap = prompt.text.slice((right.at(-1) ?? entity).end, token.start);
    if (right.length >= MAX_RIGHT || isInside(token.start, others) || /[.!?;,]\s|\(/.test(gap)) break;
    right.push(token);
  }
  return { left, right };
}
