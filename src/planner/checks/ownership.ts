// Whether the record of a change is the one the prompt names. "Cancel the order of customer 31" gives no order's id, and
// "delete the note of order 4" deletes no order: such a call would change another record, so it is not made.

import { ownName, type Tool } from "../../domain/tool.js";
import { intentsOf, spelledOut, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import type { Candidate } from "../match/candidates.js";
import { isIncidental } from "../match/free-text.js";
import { keyNounsOf, placementOf } from "../match/key-placement.js";
import { NAMING_TERMS } from "../match/labels.js";
import { actionOf, intentOfTool, pathTerms } from "../match/tool-intent.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { ownerOf } from "../prompt/key-owner.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { keysOf, pathNames, type Slot, slotsOf } from "../slots/slot.js";

/** Words between a noun and its key: "order no. 5", "the customer with id 3". */
const BEFORE_KEY = /^(?:id|ids|number|no|nr|num|the|a|an)$/;
/** Words that relate one noun to another. */
const RELATION = /^(?:of|from|for|in|on|at|to|by|with)$/;

/** Words that begin a condition, which is objected to by itself, or say when. */
const CLAUSE =
  /^(?:without|except|excluding|instead|rather|unless|if|until|till|before|after|since|during|starting|dated|because)$/;

/** The stems of a name, abbreviations spelled out. */
function spelled(text: string): string[] {
  return terms(text).flatMap((term) => [term, spelledOut(term) ?? term]);
}

/** The nouns of all tools, in stems. */
function resourceNouns(tools: readonly Tool[]): Set<string> {
  return new Set(tools.flatMap((tool) => [stem(resourceNoun(tool)), ...terms(tool.resource)]));
}

/** The nouns a key may belong to: those of its own name, and the collection before it in the path. */
function ownerNouns({ name, label, enclosing }: Slot, tool: Tool): Set<string> {
  const before = new RegExp(`([^/{}]+)/\\{${name.replace(/[^\w]/g, "\\$&")}\\}`).exec(tool.transport.path ?? "")?.[1];
  const only = pathNames(tool).size === 1 ? [resourceNoun(tool), tool.resource] : [];
  return new Set([...label, ...enclosing, ...[before ?? "", ...only].flatMap(spelled), stem(resourceNoun(tool))]);
}

/** The keys among the arguments, each with its entity of the prompt. */
function assignedKeys({ tool, filled }: Candidate): { slot: Slot; entity: Entity }[] {
  return keysOf(tool).flatMap((slot) => {
    const given = String(filled.args[slot.name]);
    const entity = [...filled.used].find((used) => used.text === given || String(used.value) === given);
    return entity ? [{ slot, entity }] : [];
  });
}

/** Whether a noun and the word before it are a pair in the key's description: "pull request 9". */
function isOwnPair({ description }: Slot, before: readonly Token[], noun: Token): boolean {
  const first = before[before.indexOf(noun) - 1]?.term;
  const described = words(description).map(stem);
  return described.some((term, i) => term === noun.term && i > 0 && described[i - 1] === first);
}

/** Whether a word is what a parameter beside the keys of a tool is called by. */
function namesField(tool: Tool, { term }: Token): boolean {
  const keys = keysOf(tool);
  return slotsOf(tool).some((slot) => !keys.includes(slot) && slot.label[0] === term);
}

/** The noun that owns a key of the call, when that is not the tool's. */
function foreignKey(candidate: Candidate, prompt: PromptText, nouns: ReadonlySet<string>): string | undefined {
  const path = candidate.tool.transport.path ?? "";
  // In "post 3 comment 7" the word behind 3 has a key of its own.
  const owners = new Set(assignedKeys(candidate).map(({ entity }) => ownerOf(prompt, entity).word));
  for (const { slot, entity } of assignedKeys(candidate)) {
    const own = ownerNouns(slot, candidate.tool);
    // A key that is not the last belongs to its own name and segment, never to the tool's noun.
    if (path.includes("{") && !path.slice(path.indexOf(`{${slot.name}}`)).match(/^\{[^}]*\}[^{]*$/))
      own.delete(stem(resourceNoun(candidate.tool)));
    const before = prompt.tokens.filter(({ end }) => end <= entity.start);
    const noun = before.findLast(({ word }) => !BEFORE_KEY.test(word));
    const isPlaced = placementOf(slot, entity, { tool: candidate.tool, prompt }) === "own";
    // "fork octo/hello" begins with what is to be done.
    const isCommand = noun !== undefined && noun === prompt.tokens[0] && mentions(noun.term, wordsOf(candidate.tool));
    const isForeign = noun && nouns.has(noun.term) && !own.has(noun.term) && !isOwnPair(slot, before, noun);
    if (!isPlaced && !isCommand && isForeign) return noun.word;
    const after = prompt.tokens.find((token) => token.start >= entity.end && !/^['’]?s$/.test(token.word));
    if (owners.has(after) || (after && CLAUSE.test(after.word))) continue;
    // "grade student 2 course 1 points 66" goes on with a field of its own.
    if (after && intentOfTool(candidate.tool) !== "delete" && namesField(candidate.tool, after)) continue;
    // "customer 3 orders"; but "delete customer 3, order 5" goes on with a word that is a verb, too.
    const isNoun =
      after && !NAMING_TERMS.has(after.term) && (/s$/.test(after.word) || intentsOf(after.term).size === 0);
    if (isNoun && nouns.has(after.term) && !own.has(after.term)) return after.word;
    // "cancel order 3 fee" is about no order. A change to a field goes on with the field.
    const follows = after && /^['’]?s?\s$/.test(prompt.text.slice(entity.end, after.start));
    const isAction = candidate.stateCommanded || intentOfTool(candidate.tool) !== "update";
    if (follows && isNoun && isAction && !isIncidental(after.word) && !mentions(after.term, wordsOf(candidate.tool)))
      return after.word;
  }
  return undefined;
}

/**
 * The noun of a key that the tool takes for the key of what holds it: the 4 of "delete item 4" is no collection for
 * DELETE /items/{collection} where the items are /items/{collection}/{id}.
 */
function heldNoun(candidate: Candidate, prompt: PromptText, tools: readonly Tool[]): string | undefined {
  const { path = "" } = candidate.tool.transport;
  const key = assignedKeys(candidate).find(({ slot }) => path.endsWith(`/{${slot.name}}`));
  const word = key && ownerOf(prompt, key.entity).word;
  if (!key || !word || key.slot.label.includes(word.term)) return undefined;
  const isHolder = tools.some(({ transport }) => /^\/\{[^{}]+\}$/.test(transport.path?.replace(path, "") ?? ""));
  return isHolder ? word.word : undefined;
}

/** The terms a tool is called by. */
function wordsOf(tool: Tool): Set<string> {
  return new Set([...spelled(ownName(tool)), ...pathTerms(tool), ...spelled(tool.resource), stem(resourceNoun(tool))]);
}

const mentions = (term: string, known: ReadonlySet<string>): boolean =>
  known.has(term) || [...synonymsOf(term)].some((synonym) => known.has(synonym));

/** The object of the prompt's verb, when that is only a part of the tool's record, or another noun. */
function foreignObject(
  { tool, filled }: Candidate,
  prompt: PromptText,
  nouns: ReadonlySet<string>,
): string | undefined {
  const action = actionOf(tool);
  const verb = prompt.tokens.findIndex(({ term }) =>
    intentOfTool(tool) === "delete" ? intentsOf(term).has("delete") : term === action,
  );
  if (verb < 0) return undefined;
  const rest = prompt.tokens.slice(verb + 1);
  const end = rest.findIndex(({ word }) => RELATION.test(word));
  const relation = rest[end];
  const object = rest
    .slice(0, Math.max(end, 0))
    .filter((token) => (token.word === "id" || !isStopWord(token.word)) && !isInside(token.start, filled.used));
  if (!relation || object.length === 0) return undefined;
  const own = new Set([...wordsOf(tool), ...keyNounsOf(tool)]);
  // A noun of its own is not the tool's, however near in meaning: an author is no book.
  if (object.some(({ term }) => (nouns.has(term) ? own.has(term) : mentions(term, own)))) return undefined;
  const known = relation.word === "of" || object.some(({ term }) => nouns.has(term));
  return known ? object.map(({ word }) => word).join(" ") : undefined;
}

/** What the record is to be removed from, when that is another noun: it would be deleted altogether. */
function foreignSource(
  { tool, filled }: Candidate,
  prompt: PromptText,
  nouns: ReadonlySet<string>,
): string | undefined {
  const free = prompt.tokens.filter(({ start }) => !isInside(start, filled.used));
  const from = free.find(({ word }) => word === "from");
  const noun = from && free.find(({ start, word }) => start > from.start && !isStopWord(word));
  return noun && nouns.has(noun.term) && !mentions(noun.term, wordsOf(tool)) ? noun.word : undefined;
}

/** The part of a record that a tool deletes, by its path behind the record's key, when the prompt does not mention it. */
function unmentionedPart(tool: Tool, prompt: PromptText): string | undefined {
  const part = /\}\/([^{}]+)$/.exec(tool.transport.path ?? "")?.[1];
  if (part === undefined || spelled(part).some((term) => mentions(term, prompt.terms))) return undefined;
  return words(part).join(" ");
}

/** Another tool that deletes records of the same noun elsewhere, when the prompt does not keep the two apart. */
function rivalOf(tool: Tool, prompt: PromptText, tools: readonly Tool[]): Tool | undefined {
  const tail = (one: Tool): string | undefined => /\/([^/{}]+\/\{[^{}]+\})$/.exec(one.transport.path ?? "")?.[1];
  const own = tail(tool);
  const segments = pathTerms(tool);
  return tools.find((other) => {
    if (other === tool || own === undefined || tail(other) !== own || intentOfTool(other) !== "delete") return false;
    // "cancel subscription sub_1" gives no customer, so the one of a customer is not meant.
    if (pathNames(other).size > pathNames(tool).size) return false;
    const theirs = new Set(pathTerms(other));
    return !segments.some((term) => !theirs.has(term) && prompt.terms.has(term));
  });
}

/**
 * The record that is to be removed from another one, where the tool removes that other one from it: "remove team 9 from user 4" is no
 * DELETE /teams/{team}/members/{user}.
 */
function reversed({ tool, filled }: Candidate, prompt: PromptText): string | undefined {
  const keys = keysOf(tool).filter(({ name }) => (tool.transport.path ?? "").includes(`{${name}}`));
  const [part, ...holders] = keys.toSorted((a, b) => positionIn(tool, b) - positionIn(tool, a));
  const entityOf = (slot: Slot | undefined): Entity | undefined =>
    [...filled.used].find((one) => slot !== undefined && placementOf(slot, one, { tool, prompt }) === "own");
  const inner = entityOf(part);
  const isSource = (entity: Entity | undefined): boolean =>
    entity !== undefined && ownerOf(prompt, entity).direction === "from";
  if (!inner || !isSource(inner)) return undefined;
  const outer = holders.map(entityOf).find((one) => one && one.start < inner.start && !isSource(one));
  return outer && ownerOf(prompt, outer).word?.word;
}

const positionIn = (tool: Tool, { name }: Slot): number => (tool.transport.path ?? "").indexOf(`{${name}}`);

/** Why a change is not the one the prompt commands; undefined without an objection. */
export function ownershipObjection(
  candidate: Candidate,
  prompt: PromptText,
  tools: readonly Tool[],
): string | undefined {
  const { tool } = candidate;
  const noun = resourceNoun(tool);
  const nouns = resourceNouns(tools);
  const held = heldNoun(candidate, prompt, tools);
  if (held !== undefined)
    return `\`${tool.name}\` does not work on one ${held} but on what holds several, so I called nothing. Say where the ${held} is, too.`;
  const other = foreignKey(candidate, prompt, nouns);
  if (other !== undefined)
    return `\`${tool.name}\` wants the id of a ${noun}, and the prompt speaks of "${other}" there, so I called nothing. Look the ${noun} up first, and say its own id.`;
  if (intentOfTool(tool) !== "delete" && actionOf(tool) === undefined) return undefined;
  const labels = tools.filter(({ resource }) => resource === tool.resource).flatMap(slotsOf);
  const named = new Set([...nouns, ...labels.flatMap(({ label }) => label)]);
  const object = foreignObject(candidate, prompt, named);
  const deletes = intentOfTool(tool) === "delete";
  if (object !== undefined)
    return deletes
      ? `\`${tool.name}\` deletes the ${noun} itself, not its ${object}, so I called nothing.`
      : `\`${tool.name}\` acts on a whole record, not on its ${object}, so I called nothing.`;
  if (!deletes) return undefined;
  const whole = reversed(candidate, prompt);
  if (whole !== undefined)
    return `\`${tool.name}\` removes something from a ${whole}, not the ${whole} from something, so I called nothing.`;
  const from = foreignSource(candidate, prompt, nouns);
  if (from !== undefined)
    return `\`${tool.name}\` deletes the ${noun} itself, not only from "${from}", so I called nothing.`;
  const part = unmentionedPart(tool, prompt);
  if (part !== undefined)
    return `\`${tool.name}\` deletes the ${part} of something, which the prompt does not speak of, so I called nothing.`;
  const rival = rivalOf(tool, prompt, tools);
  return rival && `Both \`${tool.name}\` and \`${rival.name}\` would fit, so I called nothing. Say which is meant.`;
}
