// Names in small letters: "set hevelius to operational", "phone of hotel meridian". What no tool has a word for may be what a record is
// called, in the lists whose records have what the prompt speaks of. A prompt and tools in, names and lists out.

import { ownName, type Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, terms } from "../../tools/search/terms.js";
import { isGeneralQuestion } from "../decline.js";
import { isIncidental } from "../match/free-text.js";
import { listsPersons } from "../persons.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { nounBefore } from "../prompt/key-nouns.js";
import { asksHowMuch, PRICE_WORD } from "../prompt/price-times.js";
import { type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { asksWhenOf, TIME_NAME } from "../prompt/when.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import { calledTerms } from "../vocabulary.js";
import { isUnknown as hasUnknownFields, isOwnerName, isRelated, type ReadFields } from "./owners.js";
import { recordQuestion } from "./record-question.js";
import { speaksOfFields } from "./spoken-fields.js";

/** Of more unknown stretches a prompt is about something else. */
const MOST_NAMES = 2;
/** Words of a question that name nothing themselves. */
const ASKING =
  /^(?:who|whose|what|which|when|where|how|much|many|number|address|value|current|last|new|old|tell|show|give|about|detail|info|information|everything|everyone|everybody|someone|somebody|anyone|anybody|nobody|nothing|something|yourself|myself|name|called|ones|working|please|thanks|hello|because|reason|today|tomorrow|yesterday|first|second|third|fourth|fifth|next|previous|other|total|average|avg|mean|sum|highest|lowest|top|best|birthday|birth|date|still|right|currently|already|yet|really|actually)$/;
/** Words that put something before or behind a day or an amount. */
const RELATION = /^(?:before|after|since|until|till|during|between|within|below|above|under|over|than|through)$/;
/** A new value is none that is looked for, and neither is a reason, or what is the speaker's own. */
const VALUE_BEFORE = /(?:\b(?:to|as|into|be|because|by)|[=:,])\s+(?:the\s+|a\s+|an\s+)?$|\bmy\s+$/i;

/** So short a word may be any. */
const MAX_SHORT = 3;
const DOES_BEFORE = /\b(?:does|did)\s+(?:the\s+|our\s+)?$/i;
/** What of a question in general stands before the name of one record: "is vesta insured", "how old is bruno". */
const OF_ONE = /^\s*(?:is|was|has|had|does|did|how\s+\p{L}+\s+(?:is|was))\s+(?:the\s+|our\s+)?$/iu;
/** "how long", "how heavy". */
const HOW_BEFORE = /\bhow\s+$/i;
const IS_BEFORE = /\b(?:is|was|are|were)\s+(?:the\s+|our\s+)?$/i;
/** Behind "exposures by" stands whose they are. */
const PLURAL_BY = /\b\p{L}{3,}s\s+by\s+(?:the\s+)?$/iu;
/** What denies is no name without its apostrophe either. */
const DENIAL = /^(?:is|are|was|were|do|does|did|has|have|had|wo|ca)n['’]?t$/;

interface Context {
  prompt: PromptText;
  tools: readonly Tool[];
}

/** Whether a prompt calls a record by its key: "book 2". */
function hasKey(prompt: PromptText, tools: readonly Tool[]): boolean {
  const nouns = new Set(tools.filter(({ verb }) => verb === "list").map(resourceNoun));
  return prompt.entities.some(
    (one) => /^(?:number|id)$/.test(one.kind) && nouns.has(singularOf(nounBefore(one, prompt)?.word ?? "")),
  );
}

/** Whether a prompt that reads has a noun of no tool: "list the planets". */
const isOtherNoun = (text: string, { text: prompt }: PromptText): boolean =>
  /^\p{L}+$/u.test(text) &&
  isPlural(text.toLowerCase()) &&
  /^\s*(?:please\s+)?(?:list|show|find|get|count|search|give|what|which)\b/i.test(prompt);

/** The name in a question that has nothing else but a verb; none where digits or capitals show it. Undefined for any other prompt. */
function askedName(prompt: PromptText, tools: readonly Tool[]): Entity[] | undefined {
  const { start = 0, end = 0 } = recordQuestion(prompt) ?? {};
  const text = prompt.text.slice(start, end);
  const isNoun = tools.some((tool) => resourceNoun(tool) === singularOf(text.toLowerCase()));
  if (text === "" || isNoun || hasKey(prompt, tools)) return undefined;
  const isShown = prompt.entities.some((one) => one.start < end && one.end > start);
  return isShown ? [] : [{ kind: "name", value: text, text, start, end }];
}

/** The stretches of a prompt that no tool has a word for. */
export function plainNames(prompt: PromptText, tools: readonly Tool[]): Entity[] {
  const asked = askedName(prompt, tools);
  if (asked) return asked;
  if (hasKey(prompt, tools)) return [];
  const isGeneral = isGeneralQuestion(prompt);
  const known = calledTerms(tools);
  const isUnknown = ({ word, term, start }: Token): boolean =>
    !isStopWord(word) &&
    !HOW_BEFORE.test(textBefore(prompt, start)) &&
    !isIncidental(word) &&
    !ASKING.test(word) &&
    !RELATION.test(word) &&
    !/^\d/.test(word) &&
    !DENIAL.test(word) &&
    intentsOf(term).size === 0 &&
    ![term, ...synonymsOf(term)].some((one) => known.has(one)) &&
    !isInside(start, prompt.entities);
  const runs: { start: number; end: number }[] = [];
  for (const token of prompt.tokens.filter(isUnknown)) {
    const last = runs.at(-1);
    if (last && /^[\s'’-]*$/.test(prompt.text.slice(last.end, token.start))) last.end = token.end;
    else runs.push({ start: token.start, end: token.end });
  }
  const { commands } = readRequest(prompt);
  const changes = commands.some(({ intents }) => [...intents].some((intent) => intent !== "read"));
  const isOfPlural = (before: string): boolean => !changes && PLURAL_BY.test(before);
  const names = runs
    .map((run) => ({ start: run.start, text: withoutVerb(run, prompt).replace(/['’]s$/, "") }))
    .filter(
      ({ start, text }) =>
        (!VALUE_BEFORE.test(textBefore(prompt, start)) || isOfPlural(textBefore(prompt, start))) &&
        !isOtherNoun(text, prompt),
    )
    .map(({ start, text }): Entity => ({ kind: "name", value: text, text, start, end: start + text.length }));
  const long = names.filter(({ text }) => text.length > MAX_SHORT);
  const [only, ...others] = long.length > 0 ? long : names;
  // Of a question in general, or of so short a word, it is a name only where the rest is what records have.
  if (isGeneral && !(only && OF_ONE.test(prompt.text.slice(0, only.start)))) return [];
  if (isGeneral || long.length === 0) {
    const isCalled = only !== undefined && !isGeneral && isShortName(only, { prompt, tools });
    return only && others.length === 0 && (isCalled || isAskedOfAny(only, { prompt, tools })) ? [only] : [];
  }
  return long.length > MOST_NAMES ? [] : long;
}

/** Whether a name stands right behind the noun of one record of a list, in a prompt that only reads: "boat vesta". */
export function isBehindNoun({ start }: Entity, list: Tool, prompt: PromptText): boolean {
  const noun = prompt.tokens.findLast(({ end }) => end <= start);
  const isOne =
    noun !== undefined && noun.word === resourceNoun(list) && !(list.transport.path ?? "").endsWith(noun.word);
  return (
    isOne &&
    prompt.text.slice(noun.end, start) === " " &&
    readRequest(prompt).commands.every(({ intents, term }) => intents.has("read") || term === noun.term)
  );
}

/** Whether a name of so few letters stands where it can be no other word: "ada's bookings", "bookings for ada", "member ada". */
function isShortName(name: Entity, { prompt, tools }: Context): boolean {
  const isOwner =
    /^['’]s\s+\p{L}/u.test(prompt.text.slice(name.end)) ||
    /\p{L}s\s+(?:of|for)\s+$/u.test(textBefore(prompt, name.start));
  const isCalled = tools.some((tool) => tool.verb === "list" && isBehindNoun(name, tool, prompt));
  return name.text.length === MAX_SHORT && (isOwner || isCalled);
}

/** The last word of a stretch behind "does" and "did" is a verb, and so is a participle behind "is": "what shift does ada holm work". */
function withoutVerb({ start, end }: { start: number; end: number }, prompt: PromptText): string {
  const text = prompt.text.slice(start, end);
  const [, name = "", verb = ""] = /^(.*\S)\s(\S+)$/.exec(text) ?? [];
  if (name === "" || /\p{L}/u.test(prompt.text.slice(end))) return text;
  const before = textBefore(prompt, start);
  const isVerb = DOES_BEFORE.test(before) || (IS_BEFORE.test(before) && /(?:ing|ed)$/i.test(verb));
  return isVerb ? name : text;
}

/** Whether a name is none that the prompt shows by itself: it has no capital and no quotes. */
export const isPlainName = ({ kind, start }: Entity, { entities }: PromptText): boolean =>
  kind === "name" && !entities.some((one) => one.start === start);

/** "who is ada holm": asked with one name or more, and nothing else; what somebody is doing is no name. */
const WHO_IS =
  /^\s*who(?:['’]s|\s+is)\s+((?!\p{L}+(?:ing|ed)(?!\p{L}))\p{L}[\p{L}'’.-]+(?:\s+\p{L}[\p{L}'’.-]+){0,2}?)[\s?.!]*$/iu;
/** "info on ada holm", "tell me about vesta", "show me vesta": all that there is of one record. */
const ALL_OF =
  /^\s*(?:please\s+)?(?:(?:show|find|open|pull up|look up|bring up)\s+(?:me\s+|us\s+)?|tell (?:me|us) (?:more |all |everything )?about\s+|(?:(?:show|give|get)\s+(?:me|us)\s+)?(?:the\s+)?(?:info|information|details?)\s+(?:on|of|for|about)\s+)(?:the\s+)?(\p{L}[\p{L}'’.-]+(?:\s+\p{L}[\p{L}'’.-]+){0,3}?)[\s?.!]*$/iu;

/** Whether a prompt asks who somebody is, and nothing else. */
const asksWho = ({ text }: PromptText, name: Entity): boolean => WHO_IS.exec(text)?.[1] === name.text;

/** Whether a prompt asks for all of a record, and has nothing but what it is called. */
const asksAllOf = ({ text }: PromptText, name: Entity): boolean => ALL_OF.exec(text)?.[1] === name.text;

/** Whether a prompt asks by a name for nothing but who that is, all of it, or what the records of a list have. */
export const isAskedOf = (list: Tool, name: Entity, { prompt, tools }: Context): boolean =>
  asksWho(prompt, name)
    ? listsPersons(list, tools)
    : asksAllOf(prompt, name) || speaksOfFields(list, name, { prompt, tools });

/** The same for the records of any list. */
export const isAskedOfAny = (name: Entity, { prompt, tools }: Context): boolean =>
  tools.some((tool) => tool.verb === "list" && isAskedOf(tool, name, { prompt, tools }));

/** "stars of pension lind", and nothing behind it. */
const FIELD_BEFORE =
  /^\s*(?:(?:(?:what|who)(?:['’]?s|\s+is|\s+are|\s+was)|show|give|get|tell|find)\s+(?:me\s+|us\s+)?)?(?:the\s+)?\p{L}+(?:\s\p{L}+)?\s+(?:of|for)\s+(?:the\s+|our\s+)?$/iu;
/** "how many seats does harbour walk have". */
const MANY_BEFORE = /^\s*how\s+many\s+\p{L}+\s+(?:does|did|has)\s+(?:the\s+|our\s+)?$/iu;

/** Whether a prompt asks for something of a record that those of a list may have, as nothing says what a new one has. */
const mayHaveField = (list: Tool, name: Entity, { prompt, tools }: Context): boolean =>
  ((FIELD_BEFORE.test(textBefore(prompt, name.start)) && !/\p{L}/u.test(prompt.text.slice(name.end))) ||
    (MANY_BEFORE.test(textBefore(prompt, name.start)) &&
      /^\s+(?:have|got)[\s?.!]*$/.test(prompt.text.slice(name.end)))) &&
  hasUnknownFields(list, tools);

/** Whether the records of a list have what a prompt speaks of, belong to that, or its tools do what it commands. */
export function isSpokenOf(
  list: Tool,
  name: Entity,
  { prompt, tools, read }: { prompt: PromptText; tools: readonly Tool[]; read?: ReadFields },
): boolean {
  if (asksWho(prompt, name)) return listsPersons(list, tools);
  if (isAskedOf(list, name, { prompt, tools })) return true;
  if (mayHaveField(list, name, { prompt, tools })) return true;
  const asked = recordQuestion(prompt);
  if (asked?.start === name.start) return asked.asks !== "what" || listsPersons(list, tools);
  if (isGeneralQuestion(prompt)) return false;
  const { commands } = readRequest(prompt);
  const changes = commands.some(({ intents }) => [...intents].some((intent) => intent !== "read"));
  const isPrice = asksHowMuch(prompt);
  const isWhen = asksWhenOf(name, prompt);
  const noun = resourceNoun(list);
  const isSaid = (one: string): boolean => prompt.tokens.some(({ word }) => singularOf(word) === one);
  if (isSaid(noun)) return true;
  if (
    isOwnerName(name, prompt) &&
    tools.some((tool) => isSaid(resourceNoun(tool)) && isRelated(tool, list, { tools, read }))
  )
    return true;
  return tools
    .filter((tool) => collectionOf(tool) === collectionOf(list))
    .some((tool) => {
      const keys = pathNames(tool);
      const isVerb = terms(ownName(tool)).some((term) => commands.some((one) => one.term === term));
      if (tool.safety !== "read_only" && (isVerb || commands.some(({ intents }) => intents.has(tool.verb as "delete"))))
        return true;
      return slotsOf(tool).some(({ name: field, label, options, format }) => {
        if (keys.has(field)) return false;
        if (isWhen && (format.startsWith("date") || TIME_NAME.test(field))) return true;
        if (label.length > 0 && label.every((term) => prompt.terms.has(term))) return true;
        if (isPrice && label.some((term) => PRICE_WORD.test(term))) return true;
        return changes && options.some((one) => terms(String(one)).some((term) => prompt.terms.has(term)));
      });
    });
}
