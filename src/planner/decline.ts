// Why a prompt leads to no call: nothing clearly fits, a question about how something is done, or "it" with nothing to refer to.

import { ownName, type Tool } from "../domain/tool.js";
import { isPlural, singularOf } from "../lib/plural.js";
import { type Intent, intentsOf, synonymsOf } from "../tools/search/synonyms.js";
import { isStopWord, terms } from "../tools/search/terms.js";
import { declineText, eachOnce, howToText, unjudgedText } from "./answer/sentences.js";
import { referredRecord, type Situation } from "./conversation.js";
import { type Candidate, indexFor } from "./match/candidates.js";
import { actionOf, intentOfTool } from "./match/tool-intent.js";
import { isInside } from "./prompt/entities.js";
import { contentTokens, type PromptText, type Token } from "./prompt/prompt.js";
import type { Request } from "./prompt/request.js";
import { collectionOf, resourceNoun } from "./resource-noun.js";
import { slotsOf } from "./slots/slot.js";
import { calledTerms } from "./vocabulary.js";

/** Ranked tools that an explanation may name. */
const CONSIDERED = 12;
/** Tools named as the nearest. */
const NAMED = 3;

/** The text of a decline, with the nearest tools. */
export function declinedText(prompt: PromptText, request: Request, { tools }: Situation): string {
  const found = indexFor(tools).search(prompt.text, CONSIDERED);
  const ranked = eachOnce(found.map(({ tool }) => tool));
  const near = ranked.slice(0, NAMED);
  const intents = new Set(prompt.tokens.flatMap(({ term }) => [...intentsOf(term)]));
  const acting = ranked.find((tool) => prompt.terms.has(actionOf(tool) ?? ""));
  const meant =
    acting ?? ranked.find((tool) => intents.has(intentOfTool(tool) as Intent) && intentOfTool(tool) !== "read");
  const first = meant ?? near[0];
  if (request.negated && first && !QUESTION.test(prompt.text))
    return declineText(near, "You said not to, so I called nothing.");
  if (request.howTo && first && !ADVICE.test(prompt.text) && isAboutTools(prompt, ranked)) {
    const required = slotsOf(first).filter((slot) => slot.required);
    return howToText(first, required);
  }
  const unread = request.reads && intents.has("read") ? near[0] : undefined;
  return declineText(near, unread && isUnjudged(unread) ? unjudgedText(unread) : "");
}

/** Forbids nothing: "which customers have never ordered". */
const QUESTION = /^\s*(?:who|whose|which|what|where|when|how|is|are|was|were|has|have|had|did)\b/i;

const RELATION = /^(?:of|off|from|for|in|on|at|to|by|with|into|onto|out|about|using)$/;

/** Whether what is to be done to something is done to what some tool knows: "how do I make a bowl" is no question about machines. */
function isAboutTools(prompt: PromptText, tools: readonly Tool[]): boolean {
  const changes = ({ term }: Token): boolean => [...intentsOf(term)].some((intent) => intent !== "read");
  const isKnown = ({ term }: Token): boolean =>
    intentsOf(term).size > 0 || tools.some((tool) => actionOf(tool) === term);
  // "how do I reach high notes": no tool reaches anything.
  if (!prompt.tokens.some(isKnown)) return false;
  const behind = prompt.tokens.slice(prompt.tokens.findIndex(changes) + 1);
  const end = behind.findIndex(({ word }) => RELATION.test(word));
  const object = behind
    .slice(0, end < 0 ? behind.length : end)
    .filter(
      ({ word, term, start }) =>
        !isStopWord(word) && !intentsOf(term).has("read") && !/^\d/.test(word) && !isInside(start, prompt.entities),
    );
  const known = calledTerms(tools);
  return object.length === 0 || object.some(({ term }) => [term, ...synonymsOf(term)].some((one) => known.has(one)));
}

/** Whether nobody has said what a tool of an MCP server does: then it counts as destructive, and no prompt that reads calls it. */
function isUnjudged({ safety, provenance, transport }: Tool): boolean {
  return transport.kind === "mcp" && safety === "destructive" && provenance === "inferred";
}

/** Whether a prompt is only a verb of reading: "list" alone means no list in particular. */
export function isBareRead(prompt: PromptText, { tool, named, filled }: Candidate): boolean {
  if (tool.safety !== "read_only" || named === 1 || filled.used.size > 0 || filled.certain.size > 0) return false;
  // Where there are lists that are called so, "show lists" is no bare verb.
  if (prompt.tokens.some(({ word }) => isPlural(word) && singularOf(word) === resourceNoun(tool))) return false;
  return !/\bit\b/i.test(prompt.text) && contentTokens(prompt).every(({ term }) => intentsOf(term).has("read"));
}

/** Words behind which stand records of the application. */
const OWN = "(?:the|our|my|your|all|any|we|i|you|they|there|these|those|this|that|it)";
/** What is asked of a person, and no tool does it: "my dog ate chocolate, what should I do". */
const ADVICE = /\bwhat (?:should|can|could|do) (?:i|we) do\s*\??\s*$/iu;
/** "how do electric cars work?", "do dogs dream?", "what is a hybrid?", "are podcasts free?", "how long do dogs live". */
const GENERAL: readonly RegExp[] = [
  /^(?:how|why) (?:do|does|did|is|are|can|could|would|should|come)\b/iu,
  new RegExp(
    `^how (?:long|far|fast|big|old|tall|heavy|deep|strong|smart) (?:do|does|is|are|can) (?!${OWN}\\b)\\p{L}+`,
    "iu",
  ),
  /^how (?:much|long|many \p{L}+) (?:does|would|will) it (?:cost|take)\b/iu,
  new RegExp(`^(?:do|does|did) (?!${OWN}\\b)\\p{L}+ (?!have\\b|has\\b|own\\b|exist\\b)\\p{L}+\\s*\\??\\s*$`, "iu"),
  new RegExp(`^(?:is|are) (?!${OWN}\\b)\\p{L}+ \\p{L}+`, "iu"),
  new RegExp(`^can (?!${OWN}\\b)\\p{L}+ \\p{L}+`, "iu"),
  /^what(?:['’]s| is| are) an? /iu,
  new RegExp(`^what (?:do|does) (?!${OWN}\\b)\\p{L}+ (?!have\\b|cost\\b)\\p{L}+\\s*\\??\\s*$`, "iu"),
  new RegExp(`^what (?:are|is) (?!${OWN}\\b)\\p{L}+ \\p{L}+ (?:of|for|like|from|about)\\s*\\??\\s*$`, "iu"),
  /\b(?:in the (?:whole )?world|on earth)\b/iu,
  ADVICE,
  /^what time is it\b/iu,
];
const LEAD = /^\s*(?:so |and |but |ok(?:ay)?,? )?/i;

/** Whether a prompt asks about things in general: it names no record, and no list of an application answers it. */
export function isGeneralQuestion({ text, entities }: PromptText): boolean {
  const asked = text.replace(LEAD, "");
  return GENERAL.some((pattern) => pattern.test(asked)) && !entities.some(({ kind }) => kind !== "name");
}

/** Whether a list has nothing of a prompt but its verb: "list the planets" where there are courses. */
export function isUnrelatedList(prompt: PromptText, { tool, filled }: Candidate, about: string | undefined): boolean {
  if (
    tool.verb !== "list" ||
    tool.transport.path === undefined ||
    about !== undefined ||
    /^\s*search\b/i.test(prompt.text)
  )
    return false;
  if (filled.used.size > 0 || filled.certain.size > 0) return false;
  const said = contentTokens(prompt).filter(({ term }) => intentsOf(term).size === 0);
  const noun = resourceNoun(tool);
  // What is written about the lists of a database is the same for all of them.
  const text = tool.transport.table === undefined ? tool.description : "";
  const own = new Set(
    [ownName(tool), tool.resource, tool.transport.path, text, ...slotsOf(tool).map(({ name }) => name)].flatMap((one) =>
      terms(one),
    ),
  );
  const isOwn = (term: string): boolean => own.has(term) || [...synonymsOf(term)].some((one) => own.has(one));
  // The verb itself is no noun, though there may be lists that are called so.
  const nouns = prompt.tokens.filter(
    ({ word, term }, i) => !intentsOf(term).has("read") || (i > 0 && singularOf(word) === noun) || isPlural(word),
  );
  return said.length > 0 && !nouns.some(({ term }) => isOwn(term));
}

/** The answer to "show it" once the record is gone, or when "it" is unclear: a list of everything is none. */
export function danglingReferenceText(prompt: PromptText, situation: Situation): string | undefined {
  const isBare = prompt.tokens.every(({ word, term }) => isStopWord(word) || intentsOf(term).size > 0);
  const last = situation.conversation.before.at(-1);
  const tool = situation.tools.find(({ name }) => name === last?.call.name);
  if (!isBare || !/\bit\b/i.test(prompt.text) || !tool || !last) return undefined;
  if (tool.verb === "delete" && !last.isError)
    return `That ${resourceNoun(tool)} was deleted, so there is nothing to show.`;
  if (referredRecord(collectionOf(tool), situation)) return undefined;
  return `I cannot tell which ${resourceNoun(tool)} you mean: say its id or name.`;
}
