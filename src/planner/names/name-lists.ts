// In which lists a record is looked for that a prompt calls by its name: those whose records have names, or whose noun stands beside
// one of the names. A prompt and tools in, lists and their arguments out.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { isCode } from "../match/codes.js";
import { isIncidental } from "../match/free-text.js";
import { actionOf } from "../match/tool-intent.js";
import type { Entity } from "../prompt/entities.js";
import { nounBefore } from "../prompt/key-nouns.js";
import { contentTokens, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { withoutUnit } from "../prompt/units.js";
import { collectionOf, keyedCollection, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { LIMIT } from "../slots/traits.js";
import { isOwnerName, isUnknown, type ReadFields } from "./owners.js";
import { isAskedOf, isPlainName, isSpokenOf, plainNames } from "./plain-names.js";
import { recordQuestion } from "./record-question.js";

/** Fields that hold what a record is called. */
export const NAME_FIELD =
  /^(?:name|title|code|plate|label|login|username|sku|slug|ref|reference|serial|registration|(?:full|display)_?name)$/i;
/** Further names of what is called otherwise, too. */
export const OTHER_NAME = /^(?:common|short|official|popular|preferred|trade|brand)_?name$/i;
/** Those of them that look like a key, and are none. */
const CODE_FIELD = /^(?:code|plate|sku|slug|ref|reference|serial|registration|label|tag)$/i;

/** Of more lists than these none is read: in those that are left out the name may stand, too. */
const MAX_LISTS = 5;
/** The same for codes, which are rarely the words of something else. */
const MAX_CODE_LISTS = 6;
/** A page of a list that says how many records it has at most. */
const MAX_PAGE = 1000;

const OPENING = `["“'‘\`«]`;
/** What says that a quoted text is what something is called. */
const CALLED = new RegExp(`\\b(?:named|called|titled|entitled)\\s+${OPENING}?$`, "i");
const CLOSING = /^["”'’`»]/;
const OPENED = new RegExp(`${OPENING}$`);
/** The beginning of a sentence that is not the first, or of a line. */
const NEW_SENTENCE = /(?:[.!?:]["”'’]?\s+|\n[\s*•–-]*)$/;

/** Whether a capitalised text is only a word that begins a sentence: "Here they are". */
const isPlainWord = ({ text, start }: Entity, prompt: PromptText): boolean =>
  !/\s/.test(text) &&
  (isStopWord(text.toLowerCase()) || /n['’]t$/i.test(text) || NEW_SENTENCE.test(textBefore(prompt, start)));

/** Whether a tool takes the key of a record of a list: a tag that nothing else is called by is a text. */
const isKeyed = (list: Tool, tools: readonly Tool[]): boolean =>
  tools.some(
    (tool) =>
      [...pathNames(tool)].some((name) => keyedCollection(tool, name) === collectionOf(list)) ||
      slotsOf(tool).some(({ name }) => KEY_NAME.test(name) && words(name).includes(resourceNoun(list))),
  );

/** The values of a prompt that may be what a record is called; a quoted text only where the prompt says so. */
export function nameEntities(prompt: PromptText, tools: readonly Tool[]): Entity[] {
  const found = markedNames(prompt, tools);
  return found.some(({ kind }) => kind !== "id") ? found : [...found, ...plainNames(prompt, tools)];
}

/** Those with capitals, quotes or digits. */
function markedNames(prompt: PromptText, tools: readonly Tool[]): Entity[] {
  const lists = tools.filter((tool) => isWholeList(tool) && isKeyed(tool, tools));
  return prompt.entities.flatMap((one) => {
    // What is quoted ends before its quote.
    const name = { ...one, end: one.start + one.text.length };
    if (one.kind === "id") return /\p{L}/u.test(one.text) || isCode(one) ? [one] : [];
    if (one.kind === "name") return isPlainWord(one, prompt) ? [] : [one];
    const isCalled = CALLED.test(textBefore(prompt, one.start)) || lists.some((list) => nounBeside(name, prompt, list));
    return one.kind === "quoted" && isCalled ? [name] : [];
  });
}

/** The texts that tools of the collection of a list take. */
const textFieldsOf = (list: Tool, tools: readonly Tool[]): string[] =>
  tools
    .filter((tool) => collectionOf(tool) === collectionOf(list))
    .flatMap((tool) => {
      const keys = pathNames(tool);
      return slotsOf(tool).flatMap(({ name, type }) => (type === "string" && !keys.has(name) ? [name] : []));
    });

/** Whether the records of a list may have names: a field says so, or nothing says what a new one has. */
const hasNames = (list: Tool, tools: readonly Tool[]): boolean =>
  textFieldsOf(list, tools).some(
    (field) => NAME_FIELD.test(field) || OTHER_NAME.test(field) || /^last_?name$/i.test(field),
  ) || isUnknown(list, tools);

/** Fields of texts that say more of a record than what it is called. */
const LONG_TEXT = /desc|note|comment|remark|text|body|message|content|address|reason|summary|url|phone|mail/i;

/** Whether the first text of a new record is what it is called: any text that has no form, no choice of values and is not said at length. */
function beginsWithName(list: Tool, tools: readonly Tool[]): boolean {
  const create = tools.find((tool) => tool.verb === "create" && collectionOf(tool) === collectionOf(list));
  const first = create && slotsOf(create).find(({ name }) => !pathNames(create).has(name));
  return (
    first?.type === "string" &&
    !KEY_NAME.test(first.name) &&
    first.format === "" &&
    first.options.length === 0 &&
    !LONG_TEXT.test(first.name)
  );
}

/** Whether the records of a list have codes that look like keys. */
const hasCodes = (list: Tool, tools: readonly Tool[]): boolean =>
  textFieldsOf(list, tools).some((field) => CODE_FIELD.test(field));

/** Whether they may have: a field says so, or nothing says what a new one has. */
export const mayHaveCodes = (list: Tool, tools: readonly Tool[]): boolean =>
  hasCodes(list, tools) || isUnknown(list, tools);

/** Whether the keys of a list are texts, as codes are. */
const hasTextKeys = (list: Tool, tools: readonly Tool[]): boolean =>
  tools.some(
    (tool) =>
      collectionOf(tool) === collectionOf(list) &&
      slotsOf(tool).some(
        ({ name, type, format }) =>
          type === "string" &&
          format === "" &&
          pathNames(tool).has(name) &&
          keyedCollection(tool, name) === collectionOf(list),
      ),
  );

/** Whether the records of a list may have a text that says more than what one is called. */
const mayHaveValues = (list: Tool, tools: readonly Tool[]): boolean =>
  textFieldsOf(list, tools).some((field) => !NAME_FIELD.test(field)) || isUnknown(list, tools);

/** Whether lists are those of several applications: in which of them a record is meant is not for the planner to say. */
const isOfSeveral = (lists: readonly Tool[]): boolean => new Set(lists.map(({ application }) => application)).size > 1;

/** The lists in which a value is looked for that only records have. */
export function listsOfValues(tools: readonly Tool[]): Tool[] {
  const lists = tools.filter((tool) => isWholeList(tool) && mayHaveValues(tool, tools));
  return lists.length > MAX_LISTS || isOfSeveral(lists) ? [] : lists;
}

/** Whether a tool lists all records of a collection. */
export const isWholeList = (tool: Tool): boolean =>
  tool.verb === "list" &&
  tool.safety === "read_only" &&
  tool.transport.path !== undefined &&
  !tool.transport.path.includes("{") &&
  slotsOf(tool).every(({ required }) => !required);

/** The word right before a value or right behind it that is the noun of a list. */
export function nounBeside({ start, end }: Entity, { tokens, text }: PromptText, list: Tool): Token | undefined {
  const before = tokens.findLast((token) => token.end <= start);
  const after = tokens.find((token) => token.start >= end);
  const isNoun = (token: Token | undefined, gap: string): boolean =>
    token !== undefined && /^\s*$/.test(gap) && singularOf(token.word) === resourceNoun(list);
  if (before && isNoun(before, text.slice(before.end, start).replace(OPENED, ""))) return before;
  return after && isNoun(after, text.slice(end, after.start).replace(CLOSING, "")) ? after : undefined;
}

/** "delete the Desk lamp" is not the Desk. */
function goesOn({ end }: Entity, { tokens }: PromptText): boolean {
  const behind = tokens.find(({ start }) => start >= end);
  return behind !== undefined && !isIncidental(behind.word);
}

/** What is moved to a record, or given to one. */
const MOVES = /^\s*(?:please\s+)?(?:move|transfer|assign|relocate|attach|give|hand|sell)\b/i;
const VALUE_BEFORE = /\b(?:to|as|into|be|=|:)\s*["“'‘`]?$/i;
/** Behind such words stands a record that is there. */
const BELONGS_BEFORE = /\b(?:to|for|of|in|on|from|with|at)\s+(?:the\s+)?$/i;

/**
 * Of too many lists, those for which the prompt has the word of an action on their records, "cancel" in "cancel OB-1025", or of one of
 * their fields: "how many seats is OB-1025 for". Where it has neither, a code may be in any.
 */
function commandedLists(lists: readonly Tool[], prompt: PromptText, tools: readonly Tool[]): Tool[] {
  if (lists.length <= MAX_LISTS) return [...lists];
  const acts = new Set(tools.flatMap((tool) => (prompt.terms.has(actionOf(tool) ?? "") ? [collectionOf(tool)] : [])));
  const acting = lists.filter((list) => acts.has(collectionOf(list)));
  // What a record is asked for may be no parameter of any tool.
  const isRead =
    recordQuestion(prompt) !== undefined || readRequest(prompt).commands.every(({ intents }) => intents.size === 0);
  if (acting.length > 0 || (isRead && lists.length <= MAX_CODE_LISTS)) return acting.length > 0 ? acting : [...lists];
  const said = new Set(contentTokens(prompt).map(({ term }) => term));
  const isSaid = ({ name }: Slot): boolean =>
    !KEY_NAME.test(name) && withoutUnit(words(name)).some((word) => !isStopWord(word) && said.has(stem(word)));
  const fields = new Set(tools.flatMap((tool) => (slotsOf(tool).some(isSaid) ? [collectionOf(tool)] : [])));
  const asked = lists.filter((list) => fields.has(collectionOf(list)));
  return asked.length > 0 ? asked : [...lists];
}

/** Of too many lists, those whose records have the field that a prompt asks for, where it asks for nothing else; otherwise all. */
function fieldLists(
  lists: readonly Tool[],
  name: Entity,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): readonly Tool[] {
  const asked = lists.length > MAX_LISTS ? lists.filter((list) => isAskedOf(list, name, { prompt, tools })) : [];
  return asked.length > 0 ? asked : lists;
}

/** "the new skipper of Vesta is Karl Rud" makes no new record. */
const STATES_NEW = /^\s*(?:the\s+|our\s+)?new\s+\p{L}[\p{L}\s_-]*?\s+(?:of|for)\s+\S.*?\s+is\s/iu;

/** The lists in which the names of a prompt are looked for: those whose noun stands beside one, or all. */
export function listsFor(prompt: PromptText, tools: readonly Tool[], read?: ReadFields): Tool[] {
  const whole = tools.filter(isWholeList);
  const called = whole.filter((tool) => hasNames(tool, tools));
  const begun = whole.filter((tool) => called.includes(tool) || beginsWithName(tool, tools));
  const all = begun.length > MAX_LISTS ? called : begun;
  // What an action does is done to a record that is there: "open PS-05".
  const acts = new Set(tools.map(actionOf));
  const { changes } = readRequest(prompt);
  const creates =
    readRequest(prompt).commands.some(
      ({ intents, term }) => intents.has("create") && !/^(?:make|put)$/.test(term) && !acts.has(term),
    ) && !STATES_NEW.test(prompt.text);
  const deletes = readRequest(prompt).commands.some(({ intents }) => intents.has("delete"));
  const nouns = new Set(tools.filter(({ transport }) => transport.path !== undefined).map(resourceNoun));
  const firstNoun = prompt.tokens.find(({ word }) => nouns.has(singularOf(word)));
  // Where a list was read, the owner of its records is not looked for in each of many others.
  const isMany = all.length > MAX_LISTS && !changes && read !== undefined && read.size > 0;
  const found = new Set(
    nameEntities(prompt, tools).flatMap((name) => {
      const isOfCode = isCode(name);
      const isPlain = isPlainName(name, prompt);
      const lists = isOfCode
        ? whole.filter((list) => isKeyed(list, tools))
        : fieldLists(all, name, { prompt, tools }).filter(
            (list) =>
              !(isPlain || (isMany && isOwnerName(name, prompt))) || isSpokenOf(list, name, { prompt, tools, read }),
          );
      const beside = lists.filter((list) => {
        const noun = nounBeside(name, prompt, list);
        const isNew = creates && noun === firstNoun && !BELONGS_BEFORE.test(textBefore(prompt, noun?.start ?? 0));
        return noun !== undefined && !isNew;
      });
      // A new value is none that is looked for.
      const isValue = !MOVES.test(prompt.text) && VALUE_BEFORE.test(textBefore(prompt, name.start));
      if (isValue && !(isOfCode && beside.length > 0)) return [];
      if (deletes && goesOn(name, prompt)) return [];
      // What a new record is called is not looked for.
      if (beside.length === 0 && creates) return [];
      if (name.kind !== "id") return beside.length > 0 ? beside : lists;
      if (beside.length > 0) return isOfCode ? beside : beside.filter((list) => hasCodes(list, tools));
      // Beside a noun it is the key of one of those, whatever the others have.
      const isBare = nounBefore(name, prompt) === undefined || recordQuestion(prompt)?.start === name.start;
      const some = whole.filter(
        (list) =>
          (hasTextKeys(list, tools) ? isBare : isOfCode && isKeyed(list, tools)) ||
          (hasNames(list, tools) && hasCodes(list, tools)),
      );
      return commandedLists(some, prompt, tools);
    }),
  );
  const lists = whole.filter((list) => found.has(list));
  // Whose record of a noun is meant is asked before any is read. In small letters it may be no name at all.
  const isAmbiguous = nameEntities(prompt, tools).some((name) =>
    isOfSeveral(isPlainName(name, prompt) ? lists : lists.filter((list) => nounBeside(name, prompt, list))),
  );
  const most = nameEntities(prompt, tools).some(isCode) ? MAX_CODE_LISTS : MAX_LISTS;
  return lists.length > most || isAmbiguous ? [] : lists;
}

/** The arguments by which a list gives as many records as it can. */
export function wholeListArgs(list: Tool): JsonObject {
  const limit = slotsOf(list).find(
    ({ name, type, path }) => path.length === 1 && LIMIT.test(name) && type === "integer",
  );
  const most = limit?.schema["maximum"];
  return limit && typeof most === "number" && most <= MAX_PAGE ? { [limit.name]: most } : {};
}
