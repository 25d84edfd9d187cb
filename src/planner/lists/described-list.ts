// The list of the records that a prompt describes by their fields and by nothing else: "open tickets with priority 1". What it says is
// no key of another record, and the list is narrowed by it once it was read. A prompt and tools in, the step that reads the list out.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import { isGeneralQuestion } from "../decline.js";
import type { ToolChoice } from "../match/tool-choice.js";
import { isWholeList } from "../names/name-lists.js";
import { comparisonOf } from "../prompt/comparison.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { READ_LEAD, type Request } from "../prompt/request.js";
import { fieldVerbOf, isTime } from "../prompt/span.js";
import { statesIn } from "../prompt/states.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { commit, type Step } from "../step.js";
import { measuredList } from "./measured-list.js";

/** Words between the conditions. */
const JOINTS =
  /^(?:still|currently|right|now|please|already|yet|between|over|under|above|below|than|since|until|before|after|costing|priced|worth|weighing|measuring|least|most|less|fewer|greater|higher|lower|today)$/;
/** What says of the records that they have something, up to its number: "with priority 1", "with an hourly rate of 60". */
const HAVING =
  /\b(?:with|having|whose|ha(?:s|ve))\s+(?:an?\s+|the\s+)?(?:\p{L}+\s+){1,2}(?:of\s+|is\s+)?(?:[$€£#]\s*)?$/iu;
/** The same where nothing says which fields there are: "of level 1". */
const OF = /\bof\s+\p{L}+\s+$/iu;

/** What says that a place, or a person, comes next. */
const PLACE = /\b(?:in|at|on|from|by|for)\s+(?:the\s+|our\s+)?$/i;

/** What the tools of a list's collection take, beside the keys of their paths. */
const fieldsOf = (list: Tool, tools: readonly Tool[]): Slot[] =>
  tools
    .filter((tool) => collectionOf(tool) === collectionOf(list))
    .flatMap((tool) => slotsOf(tool).filter(({ name }) => !pathNames(tool).has(name)));

const isNounOf = ({ word }: Token, list: Tool): boolean => isPlural(word) && singularOf(word) === resourceNoun(list);

/** Whether a number of a prompt is a value of a field that is said right before it. */
function isOfField({ start }: Entity, prompt: PromptText, { fields, nouns }: Known): boolean {
  const before = prompt.tokens.filter(({ end }) => end <= start);
  const owner = before.findLast(({ word }) => !isStopWord(word) && !/^\d/.test(word));
  if (!owner || nouns.has(singularOf(owner.word))) return false;
  if (fields.has(owner.term)) return true;
  const text = textBefore(prompt, start);
  return HAVING.test(text) || (fields.size === 0 && OF.test(text) && before.at(-1) === owner);
}

/** What is known of a collection. */
interface Known {
  /** The stems of the names of its fields. */
  fields: ReadonlySet<string>;
  /** The nouns of all collections. */
  nouns: ReadonlySet<string>;
}

/** The list of the only collection that a prompt names in the plural, where all else that it says is in the fields of its records. */
function describedList(prompt: PromptText, request: Request, tools: readonly Tool[]): Tool | undefined {
  const { tokens, entities } = prompt;
  const { reads, howTo, negated, commands } = request;
  if (!reads || howTo || negated || commands.some(({ intents }) => intents.size > 0)) return undefined;
  const lists = tools.filter(isWholeList);
  const [list, ...others] = lists.filter((one) => tokens.some((token) => isNounOf(token, one)));
  const numbers = entities.filter((one) => one.kind === "number" && !isTime(one) && !comparisonOf(one, prompt));
  const isBounded = numbers.length > 0 || entities.some((one) => isTime(one) || comparisonOf(one, prompt));
  if (!list || others.length > 0 || !isBounded) return undefined;
  const slots = fieldsOf(list, tools);
  const known: Known = {
    fields: new Set(slots.flatMap(({ name }) => words(name).map(stem))),
    nouns: new Set(lists.map(resourceNoun)),
  };
  const values = new Set(slots.flatMap(({ options }) => options.flatMap((one) => terms(String(one)))));
  const states = statesIn(prompt, resourceNoun(list));
  const isPlaced = (token: Token): boolean =>
    isNounOf(token, list) ||
    isStopWord(token.word) ||
    READ_LEAD.test(token.word) ||
    JOINTS.test(token.word) ||
    known.fields.has(token.term) ||
    values.has(token.term) ||
    states.includes(token) ||
    isInside(token.start, entities) ||
    PLACE.test(textBefore(prompt, token.start)) ||
    entities.some((one) => fieldVerbOf(prompt, one) === token) ||
    numbers.some((one) => isOwner(token, one, prompt));
  return numbers.every((one) => isOfField(joinedWith(prompt, one)[0] ?? one, prompt, known)) && tokens.every(isPlaced)
    ? list
    : undefined;
}

/** Whether a word stands right before a number: in the name of its field, where no tool says which there are. */
function isOwner({ start, end }: Token, number: Entity, prompt: PromptText): boolean {
  const text = textBefore(prompt, number.start);
  const said = (HAVING.exec(text) ?? OF.exec(text))?.[0] ?? "";
  return end <= number.start && start >= number.start - said.length;
}

/** Whether a choice leaves open what is meant, or means one record by its key. */
const isOpen = (choice: ToolChoice): boolean =>
  choice.kind === "offer" ||
  choice.kind === "decline" ||
  ("candidate" in choice && choice.candidate.tool.verb === "get");

/** The step that reads the list of the records that a prompt describes; undefined where it describes none, or another tool is meant. */
export function describedStep(
  choice: ToolChoice,
  { prompt, request, tools }: { prompt: PromptText; request: Request; tools: readonly Tool[] },
): Step | undefined {
  if (!isOpen(choice)) return undefined;
  const measured = choice.kind === "decline" ? measuredList(prompt, tools) : undefined;
  const list = measured ?? (isGeneralQuestion(prompt) ? undefined : describedList(prompt, request, tools));
  return list && commit(list, { args: {}, prompt: prompt.text }, tools);
}
