// The words of a prompt that a list does not answer: "open" where no record has such a state. A list that silently leaves out
// a condition reads like an answer to it, so the answer mentions it.

import { ownName, type Tool } from "../../domain/tool.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import { countryCode } from "../prompt/countries.js";
import { orderIn } from "../prompt/order.js";
import { contentTokens, type PromptText, type Token } from "../prompt/prompt.js";
import { statesIn } from "../prompt/states.js";
import { resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";

/** Words that set no condition. */
const VAGUE = new Set(
  (
    "still currently now right say says full whole detail details info information data record records entry entries available exist exists existing " +
    "one ones thing things everything anything asking wanting needing list lists table overview names number count total amount euro euros eur dollar dollars usd pound pounds gbp first next " +
    "database system app application sort sorted order ordered ascending descending alphabetically please today many together sum page result results pls plz " +
    "wich wat pleas plase cheaper fewer less greater larger smaller least below above under between since until till during before after called named titled"
  )
    .split(" ")
    .map(stem),
);

/** A list as it was fetched and narrowed. */
interface FetchedList {
  tool: Tool;
  args: JsonObject;
  rows: readonly JsonObject[];
  /** The conditions it was narrowed by, in words. */
  used: readonly string[];
}

/** Whether a verb is a command; another is a state, as in "cancelled orders" and "open tickets". */
function isCommand({ word, term }: Token): boolean {
  return intentsOf(term).size > 0 && word !== "open" && !/(?:ed|ing)$/.test(word) && !isPlural(word);
}

/** What all records of an application are in: "the heaviest piece in the collection". */
const IN_ALL =
  /\b(?:in|from|of|on|within)\s+(?:the|our|my|your|this)\s+(?:whole\s+|entire\s+)?(collection|catalog(?:ue)?|inventory|register|registry|portfolio|books|files?)(?!['’\w-])(?!\s+(?:of|for|in|no\b|#|\d|\p{Lu}))/giu;

/** The words for that, unless records have such a field or value. */
function containers({ text }: PromptText, rows: readonly JsonObject[]): ReadonlySet<string> {
  const said = [...text.matchAll(IN_ALL)].map(([, word = ""]) => word.toLowerCase());
  const own = new Set(rows.flatMap((row) => Object.values(row)).flatMap((value) => words(String(value))));
  return new Set(said.filter((word) => !own.has(word) && !own.has(singularOf(word))));
}

const wordBehind = ({ end }: Token, { tokens }: PromptText): string =>
  tokens.find(({ start }) => start > end)?.word ?? "";

/** Whether a field is a switch of which the prompt has only some words: "on weekends" of `weekend_service` would pass for a condition that was met. */
const isHalfSaid = (name: string, rows: readonly JsonObject[], prompt: PromptText): boolean =>
  rows.some((row) => typeof row[name] === "boolean") &&
  !words(name).every((word) => isStopWord(word) || word === "is" || word === "has" || prompt.terms.has(stem(word)));

/** The words that set a condition which neither the call nor the narrowing matches. */
export function unmatchedWords(prompt: PromptText, { tool, args, rows, used }: FetchedList): string[] {
  const compared = new Set([...Object.values(args).map(String), ...used].flatMap(terms));
  const isOpen = (name: string): boolean => isHalfSaid(name, rows, prompt);
  const known = new Set([
    ...terms(ownName(tool)),
    ...terms(tool.transport.path ?? ""),
    ...terms(tool.resource),
    ...terms(tool.description),
    ...slotsOf(tool).flatMap(({ name, label }) => (isOpen(name) ? [] : label)),
    ...rows.slice(0, 1).flatMap((row) => Object.keys(row).flatMap((name) => (isOpen(name) ? [] : terms(name)))),
    ...compared,
  ]);
  const whole = containers(prompt, rows);
  const found = contentTokens(prompt).filter((token) => {
    if (whole.has(token.word)) return false;
    const { word, term, start } = token;
    // "current loans" are not all of them.
    if (word === "current" && singularOf(wordBehind(token, prompt)) === resourceNoun(tool)) return true;
    if (VAGUE.has(term) || known.has(term) || isCommand(token) || /^\d/.test(word)) return false;
    if ([...synonymsOf(term)].some((synonym) => known.has(synonym))) return false;
    // When one part of a name matches, the other was compared, too.
    const name = prompt.entities.find((value) => start >= value.start && start < value.end);
    // "Germany" was sent, or found, as DE.
    const code = name && countryCode(name.text);
    if (code !== undefined && (Object.values(args).includes(code) || used.some((one) => one.split(" ").includes(code))))
      return false;
    return name === undefined || !words(name.text).some((part) => compared.has(stem(part)));
  });
  return [...new Set(found.map(({ start, end }) => prompt.text.slice(start, end)))];
}

/** A parameter by which more records are returned, and no others. */
const INCLUDES = /^(?:includ|with|show|also)/i;

/**
 * The states of which no more is known than that a field or a parameter is called by such a word: a list is not narrowed to the
 * "closed" tickets by having `closed_at`.
 */
export function unmatchedStates(prompt: PromptText, { tool, args, used }: Omit<FetchedList, "rows">): string[] {
  const known = new Set([
    ...terms(ownName(tool)),
    ...terms(tool.transport.path ?? ""),
    // What is written about the lists of a database is the same for all of them.
    ...(tool.transport.table === undefined ? terms(tool.description) : []),
    ...Object.entries(args).flatMap(([name, value]) => [
      ...(INCLUDES.test(name) ? [] : terms(name)),
      ...terms(String(value)),
    ]),
    ...used.flatMap(terms),
  ]);
  const open = statesIn(prompt, resourceNoun(tool)).filter(
    ({ term }) => ![term, ...synonymsOf(term)].some((one) => known.has(one)),
  );
  return [...new Set(open.map(({ start, end }) => prompt.text.slice(start, end)))];
}

/** The numbers, dates and quoted texts of a prompt that neither the call nor the narrowing matches. */
export function unmatchedEntities(prompt: PromptText, { args, used }: FetchedList): string[] {
  const held = `${toJson(args)} ${used.join(" ")}`.toLowerCase();
  const count = orderIn(prompt)?.count;
  return (
    prompt.entities
      .filter(({ kind, value, text, day }) => {
        if (kind === "name" || value === count) return false;
        return ![text, String(value), day].some((form) => form !== undefined && held.includes(form.toLowerCase()));
      })
      // "2027A" may be a code.
      .map(({ text, whole = "" }) => (/^\d+\p{Lu}$/u.test(whole) ? whole : text))
  );
}

/** Whether a word that no parameter matches describes the records: "completed todos", "orders that are open". */
export function describesMore(prompt: PromptText, tool: Tool, args: JsonObject): boolean {
  const unmatched = new Set(
    unmatchedWords(prompt, { tool, args, rows: [], used: [] }).map((word) => word.toLowerCase()),
  );
  const noun = stem(resourceNoun(tool));
  return prompt.tokens.some(({ word }, i, all) => {
    const being = /^(?:is|are|was|were|been)$/.test(all[i - 1]?.word ?? "");
    return (unmatched.has(word) || word === "done") && (all[i + 1]?.term === noun || being);
  });
}
