// A command that no tool knows, for something that a prompt names: "buy popcorn for Harbor Screen", "feed Rex", "print the x-ray of Rex".
// No record is read for it.

import { ownName, type Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import { isInside } from "../prompt/entities.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { tellsChange } from "../prompt/statement.js";
import { resourceNoun } from "../resource-noun.js";
import { writtenTerms } from "../vocabulary.js";

const POLITE = /^(?:please|pls|kindly|now|then|ok|okay|and|just|can|could|would|will|you)$/;
const ARTICLE = /^(?:an?|the|me|us|all|my|our|your|his|her|their|this|that|these|some|any|another)$/;
const RELATION = /^(?:of|for|in|on|at|by|with|from|about|is|are|was|has|have|had|now|again|no|not|as)$/;
/** Beside a read of anything, what a verb of reading may do that is none: nothing here is printed. */
const PRINTS = /^print$/;

/** Whether a word may be a verb that commands: no plural, no participle, no superlative. */
const mayCommand = ({ word }: Token): boolean =>
  /^\p{Ll}{3,}$/u.test(word) &&
  !isPlural(word) &&
  !isStopWord(word) &&
  (/^(?:feed|shed|wed|bring|sing|ring)$/.test(word) || !/(?:est|ing|ed|ly|less|ful)$/.test(word));

/**
 * The verb that a prompt begins with where no tool has it; undefined for any other prompt. What follows a verb is what it is done to, with an
 * article or without; a word before "of", or before one that the tools know, may be a field or describe records.
 */
export function strangeCommand({ text, tokens, entities }: PromptText, tools: readonly Tool[]): string | undefined {
  if (tellsChange(text)) return undefined;
  const [verb, ...rest] = tokens.filter(
    ({ word }, at) => !(POLITE.test(word) && tokens.slice(0, at).every((one) => POLITE.test(one.word))),
  );
  const [next] = rest;
  if (!verb || !next || /\?\s*$/.test(text) || isInside(verb.start, entities) || !mayCommand(verb)) return undefined;
  const prints = PRINTS.test(verb.word);
  const known = writtenTerms(tools);
  const isKnown = ({ word, term }: Token): boolean =>
    known.has(term) || known.has(singularOf(word)) || [...synonymsOf(term)].some((one) => known.has(one));
  if (isKnown(verb) || (intentsOf(verb.term).size > 0 && !prints) || RELATION.test(next.word)) return undefined;
  const object = rest.find(({ word }) => !ARTICLE.test(word));
  if (!object || RELATION.test(object.word)) return undefined;
  // "blood type of Rex" is what he has.
  if (next === object && rest[1]?.word === "of") return undefined;
  const isNamed = isInside(object.start, entities);
  // "print Rex" shows it.
  if (prints ? isNamed || isKnown(object) : !isNamed && isKnown(object) && next === object) return undefined;
  return text.slice(verb.start, verb.end);
}

/** Whether a prompt has something printed that no tool knows: "print me a map of the plots" is no list of plots. */
export function printsOther(prompt: PromptText, tools: readonly Tool[]): boolean {
  return PRINTS.test(strangeCommand(prompt, tools)?.toLowerCase() ?? "");
}

const DELETES = /^(?:delete|remove|destroy|erase)$/;

/** The noun of the records that a prompt deletes where no tool deletes any of them: "delete candidate Niall Byrne". */
export function keptNoun({ text, tokens, entities }: PromptText, tools: readonly Tool[]): string | undefined {
  const [verb, ...rest] = tokens.filter(({ word }) => !POLITE.test(word));
  const object = rest.find(({ word }) => !ARTICLE.test(word));
  if (!verb || !object || !DELETES.test(verb.word) || /\?\s*$/.test(text)) return undefined;
  const noun = singularOf(object.word);
  const next = rest[rest.indexOf(object) + 1];
  if (next !== undefined && !isInside(next.start, entities)) return undefined;
  const own = tools.filter((tool) => isWholeList(tool) && singularOf(resourceNoun(tool)) === noun);
  // A status may say that it is gone, and a tool that is called so may be another's.
  const mayDelete = (tool: Tool): boolean =>
    tool.safety !== "read_only" &&
    (tool.transport.path === undefined || tool.verb === "delete" || /delete|remove|destroy|erase/i.test(tool.name)) &&
    [ownName(tool), tool.resource, tool.transport.path ?? "", tool.description]
      .flatMap(terms)
      .some((term) => stem(noun) === term || synonymsOf(stem(noun)).has(term));
  return own.length > 0 && !tools.some(mayDelete) ? noun : undefined;
}
