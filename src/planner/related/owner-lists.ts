// The list of what belongs to a record that has a key, where that list takes no key of its owner: "planned calls of station 2" are those
// calls that have its key, and nothing of the station itself. A prompt and tools in, the step that reads the list out. Reads only.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { isGeneralQuestion } from "../decline.js";
import { fillSlots } from "../match/fill.js";
import { isWholeList, wholeListArgs } from "../names/name-lists.js";
import { isOwnerName, mayBelongTo } from "../names/owners.js";
import type { Entity } from "../prompt/entities.js";
import { isMeasure } from "../prompt/key-nouns.js";
import { orderIn } from "../prompt/order.js";
import { type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { keyNoun, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { commit, isChange, type Step } from "../step.js";

/** What may stand between a plural and its owner: "calls made by station 2", "calls are there for station 2", "calls did station 2 get". */
const BETWEEN =
  /^(?:\s+(?:(?!(?:is|are|was|were|there)\b)[\p{L}-]+\s+)?(?:of|for|from|by|at)|\s+(?:is|are|was|were)(?:\s+there)?\s+(?:of|for|from|by)|\s+(?:do|does|did|has|have|had))?(?:\s+(?:the|our))?\s+$/iu;

/** Whether a noun is that of the first in an order: "last order", "the biggest open order". */
function isPutFirst({ start }: Token, prompt: PromptText): boolean {
  const order = orderIn(prompt)?.text.toLowerCase() ?? "";
  const before = textBefore(prompt, start).toLowerCase();
  const at = before.lastIndexOf(order);
  return order !== "" && at >= 0 && words(before.slice(at + order.length)).length <= 1;
}

/** Whether a plural and an owner with a key stand so that the one belongs to the other. */
function belongs(noun: Token, owner: Token, { key, prompt }: { key: Entity; prompt: PromptText }): boolean {
  const { text } = prompt;
  if (!isOwnerName({ start: owner.start, end: key.end }, prompt)) return false;
  if (noun.start > key.end) return /^['’]s?\s+(?:[\p{L}-]+\s+){0,2}$/u.test(text.slice(key.end, noun.start));
  return BETWEEN.test(text.slice(noun.end, owner.start));
}

/** The noun of a list right before a key, also where it begins the prompt: "dog" of "dog 2's walks". */
function ownerBefore(key: Entity, prompt: PromptText, nouns: ReadonlySet<string>): Token | undefined {
  if (!/^(?:number|id)$/.test(key.kind) || isMeasure(key, prompt)) return undefined;
  const before = prompt.tokens.findLast(({ end }) => end <= key.start);
  const isNear = before !== undefined && /^\s*#?$/.test(prompt.text.slice(before.end, key.start));
  return isNear && nouns.has(singularOf(before.word)) ? before : undefined;
}

/** The step that reads such a list in place of one that does not; undefined where the prompt asks for none. */
export function ownedList(step: Step, prompt: PromptText, tools: readonly Tool[]): Step | undefined {
  const { commands, howTo, negated, help, thanks, refers } = readRequest(prompt);
  const isOther = howTo || negated || help || thanks || refers || isGeneralQuestion(prompt);
  if (isOther || isChange(step, tools) || commands.some(({ intents }) => [...intents].some((one) => one !== "read")))
    return undefined;
  const planned = tools.find(({ name }) => step.kind === "call" && name === step.tool);
  if (planned && planned.verb !== "get") return undefined;
  const lists = tools.filter(isWholeList);
  const nouns = new Set(lists.map(resourceNoun));
  const [key, ...more] = prompt.entities.filter((one) => ownerBefore(one, prompt, nouns) !== undefined);
  const owner = key && ownerBefore(key, prompt, nouns);
  if (!key || !owner || more.length > 0) return undefined;
  const found = lists.flatMap((list) =>
    lists
      .filter(
        (other) =>
          resourceNoun(other) === singularOf(owner.word) &&
          mayBelongTo(list, other, { tools }) &&
          (!planned || collectionOf(planned) === collectionOf(other)) &&
          prompt.tokens.some(
            (noun) =>
              (isPlural(noun.word) || isPutFirst(noun, prompt)) &&
              singularOf(noun.word) === resourceNoun(list) &&
              belongs(noun, owner, { key, prompt }),
          ),
      )
      .map(() => list),
  );
  const [list, ...others] = found;
  if (!list || others.length > 0) return undefined;
  const { args } = fillSlots(list, prompt, { guess: false });
  const filter = slotsOf(list).find(({ name, path }) => path.length === 1 && keyNoun(name) === singularOf(owner.word));
  const value = filter && toSlotValue(filter, key.value);
  const own = filter && value !== undefined ? { [filter.name]: value } : {};
  return commit(list, { args: { ...wholeListArgs(list), ...args, ...own }, prompt: prompt.text }, tools);
}
