// What a clause says of two records, of which one has the key of the other: "move § to ¶", "assign ¶ to §", "make ¶ the guide of §". And a
// new record that joins two: "book ¶ on §". Every other word of the clause says no more than that. Clauses and tools in, slots out.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, keyNoun, pathNames, type Slot, slotsOf } from "../slots/slot.js";

/** What stands between two records where one is put to the other. */
const GIVES =
  /^(?:please|pls|can|could|you|now|put|move|transfer|shift|bring|assign|reassign|allocate|give|hand|set|make|use|take|takes|over|on|onto|in|into|to|at|with|for|by|is|are|be|as|of|the|a|an|new|gets|get|goes|go|does|do|works|work|handles|joins|join|has|have|from|today|instead|responsible|our|its|in|charge)$/i;
/** What gives one record to another, in so many words. */
const GIVEN =
  /(?<!\p{L})(?:put|move|transfer|shift|bring|assign|reassign|allocate|give|hand|set|make|use|takes|take|gets|get|goes|handles|works|responsible)(?!\p{L})/iu;
/** What leaves a record, or denies. */
const LEAVES = /(?<!\p{L})(?:from(?!\s+(?:now|today))|off|out|not|no|leaves?|without)(?!\p{L})/iu;
const JOINS =
  /^(?:please|pls|can|could|you|add|book|books|put|register|enrol|enroll|enter|sign|signs|up|on|onto|for|in|into|to|at|with|the|a|joins|join|goes|go|wants|comes|is|going|reserve|place|now|also)$/i;
const JOINED =
  /^(?:please\s+|pls\s+)?(?:add|book|put|register|enrol|enroll|enter|sign)(?!\p{L})|(?<!\p{L})(?:joins|signs\s+up)(?!\p{L})/iu;

/** The names of two records, and what else is said of a new one that joins them. */
const MOST_STRETCHES = 4;

/** The fields of a tool that hold the key of a record of another list: by their name, or by what is said of them. */
function keysFor(tool: Tool, other: Tool): Slot[] {
  if (tool.application !== other.application) return [];
  const noun = resourceNoun(other);
  const own = pathNames(tool);
  const isOf = ({ name, description }: Slot): boolean =>
    keyNoun(name) === noun || new RegExp(`\\b(?:id|key) of an? ${noun}\\b`, "i").test(description);
  return slotsOf(tool).filter(
    (slot) => slot.path.length === 1 && !own.has(slot.name) && KEY_NAME.test(slot.name) && isOf(slot),
  );
}

/** Words by which one record is what another has a field for: "Salma guides TR-12", "Salma is the guide of TR-12". */
const inRole = (roles: string): RegExp =>
  new RegExp(
    `(?<=\\S\\s)(?<!(?:the|new|an?|our|all|which|what|of|for)\\s)(?:${roles})s(?!\\p{L})|(?<!\\p{L})(?:is|as|becomes)\\s+(?:now\\s+)?the\\s+(?:new\\s+)?(?:${roles})\\s+(?:of|for|on)(?!\\p{L})`,
    "iu",
  );

/** Whether a text may say something of two records: with their names, and what says no more, there is nothing else in it. */
export function mayJoinTwo(text: string, one: Tool, other: Tool): "reference" | "join" | undefined {
  if (LEAVES.test(text)) return undefined;
  const slots = keysFor(one, other);
  const labels = slots.flatMap(({ name }) => words(name).slice(0, -1).map(stem));
  const nouns = [one, other].map(resourceNoun);
  const isKnown = (word: string, pattern: RegExp): boolean =>
    pattern.test(word) || labels.includes(stem(word)) || nouns.includes(singularOf(word));
  const stretches = (pattern: RegExp): number =>
    wordsOf(text).filter((word, at, all) => {
      const isName = !isKnown(word.toLowerCase(), pattern);
      return isName && (at === 0 || isKnown(all[at - 1]?.toLowerCase() ?? "", pattern));
    }).length;
  const roles = slots.map(({ name }) => words(name).slice(0, -1).join(" ")).join("|");
  const isGiven = GIVEN.test(text) || (roles !== "" && inRole(roles).test(text));
  if (slots.length > 0 && isGiven && stretches(GIVES) === 2) return "reference";
  return JOINED.test(text) && stretches(JOINS) <= MOST_STRETCHES ? "join" : undefined;
}

const wordsOf = (clause: string): string[] => clause.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The field of a record that a clause puts the key of another into. */
export function referenceIn(
  clause: string,
  { update, other }: { update: Tool; other: Tool },
  tools: readonly Tool[],
): Slot | undefined {
  const slots = keysFor(update, other);
  // Where each has the key of the other it is not clear which of them changes.
  const isMutual = tools.some(
    (tool) =>
      tool.verb === "update" &&
      collectionOf(tool) === collectionOf(other) &&
      slotsOf(tool).some(({ name }) => keyNoun(name) === resourceNoun(update)),
  );
  if (slots.length === 0 || isMutual || LEAVES.test(clause)) return undefined;
  const noun = resourceNoun(other);
  const left = wordsOf(clause)
    .map((word) => word.toLowerCase())
    .filter((word) => !GIVES.test(word));
  const called = (slot: Slot): string[] => words(slot.name).slice(0, -1).map(stem);
  const isOfSlot = (slot: Slot): boolean =>
    left.every(
      (word) =>
        called(slot).includes(stem(word)) || singularOf(word) === noun || singularOf(word) === resourceNoun(update),
    );
  const meant = slots.filter(isOfSlot);
  const said = meant.filter((slot) => called(slot).every((term) => left.map(stem).includes(term)));
  const [slot, ...others] = said.length > 0 ? said : meant;
  return others.length === 0 ? slot : undefined;
}

/** The only tool that makes a record of two others, and of nothing else that has a key, with their fields in it. */
export function joinOfBoth(
  one: Tool,
  other: Tool,
  tools: readonly Tool[],
): { tool: Tool; slots: [Slot, Slot] } | undefined {
  const [join, ...more] = tools.flatMap((tool) => {
    if (tool.verb !== "create" || tool.safety === "read_only") return [];
    const [first, ...further] = keysFor(tool, one);
    const [second, ...others] = keysFor(tool, other);
    const isOne = first?.required === true && second?.required === true && further.length + others.length === 0;
    return isOne && collectionOf(tool) !== collectionOf(one) ? [{ tool, slots: [first, second] as [Slot, Slot] }] : [];
  });
  return more.length === 0 ? join : undefined;
}

/** The tool that makes a new record of two, and their fields in it. */
export function joinIn(
  clause: string,
  { one, other }: { one: Tool; other: Tool },
  tools: readonly Tool[],
): { tool: Tool; slots: [Slot, Slot] } | undefined {
  if (!JOINED.test(clause) || LEAVES.test(clause)) return undefined;
  const join = joinOfBoth(one, other, tools);
  if (!join) return undefined;
  const nouns = [one, other, join.tool].map(resourceNoun);
  const isCovered = (word: string): boolean => JOINS.test(word) || nouns.includes(singularOf(word.toLowerCase()));
  return wordsOf(clause).every(isCovered) ? join : undefined;
}
