// A prompt that goes on with what was read before it: "and 108?", "only the unpaid ones", "which of them is the biggest", "the second
// one". It is read as the whole prompt that it stands for, or answered with the record that it picks. Reads only.

import type { Tool } from "../../domain/tool.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import type { CompletedCall, Situation } from "../conversation.js";
import { isWholeList } from "../names/name-lists.js";
import { plainNames } from "../names/plain-names.js";
import type { Entity } from "../prompt/entities.js";
import { negationsIn } from "../prompt/negation.js";
import { orderIn } from "../prompt/order.js";
import { withOtherDay } from "../prompt/other-day.js";
import { contentTokens, type PromptText, readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { isSuperlative, SUPERLATIVES } from "../prompt/superlatives.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { commit, type Step, textStep } from "../step.js";
import { asksForTheirs, fieldOfRead, shownFields } from "./follow-up-fields.js";
import { stepToReferred } from "./follow-up-record.js";
import { listAgain } from "./list-again.js";
import { lastRead, pickedRecord } from "./shown-record.js";

/** A prompt of more words stands for itself. */
const MAX_WORDS = 12;

const ANOTHER = /^\s*(?:and|or|also|now|then|what about|how about|and what about|same for|the same for)\b\s*/i;
const ONLY = /^\s*(?:and\s+)?(?:now\s+)?(?:show\s+)?(?:me\s+)?(?:only|just)\s+(?:show\s+(?:me\s+)?)?/i;
const OF_THEM =
  /^\s*(?:and\s+)?(?:(how many|which(?: one)?|who|what|show(?: me)?)\s+(?:of|among)\s+(?:them|those|these)|(?:out\s+)?(?:of|among|from)\s+(?:them|those|these)\s*,?\s*(?:and\s+)?(how many|which(?: one)?|who|what)|(?:(?:and|but)\s+)?(which)\s+ones)\b\s*/i;
/** "any gravel ones?", "any of those with a hut?", "are any of them steel?". */
const ANY_OF_THEM =
  /^\s*(?:(?:and|but|so)\s+)?(?:(?:is|are|was|were|do|does|did|have|has)\s+)?(?:there\s+)?any\s+(?:of\s+(?:them|those|these)\s+(?=\S)|(?:ones\s+)?(?=(?:by|in|at|on|with|without|from|for|under|over|above|below|before|after|since)\s+\S))/i;
const ANY_ONES =
  /^\s*(?:(?:and|but|so)\s+)?(?:(?:is|are|was|were)\s+)?(?:there\s+)?any\s+(?=(?!of\b)\p{L}[\p{L}\s-]{0,40}\sones?\b)/iu;
const VERB = /^(?:that\s+|who\s+|which\s+)?(?:are|were|have|has|had|got)\s+(?:been\s+)?/i;
const PRONOUN =
  /^(?:the|those|these|ones?)\s+(?:ones?\s+)?(?:that\s+are\s+|which\s+are\s+|that\s+|which\s+|who\s+(?:are\s+)?)?/i;
const ONES = /\s+ones?[\s?.!]*$/i;
const WHICH_IS = "(?:which|what|who)(?:\\s+one)?(?:['’]?s|\\s+is|\\s+was)\\s+(?=the\\b)";
/** "the dearest", "what's the most valuable of those": any adjective where it is plain that records are meant. */
const SUPERLATIVE = new RegExp(
  `^\\s*(?:(?:and|so|ok)\\s+)?(?<one>${WHICH_IS})?(?:the\\s+)?` +
    `(?<most>${SUPERLATIVES}|(?:most|least)\\s+\\p{L}+(?=\\s+(?:one|of|among|from)\\b))(?:\\s+one)?` +
    `(?<of>\\s+(?:(?:out\\s+)?of|among|from)\\s+(?:all\\s+(?:of\\s+)?)?(?:them|those|these)(?:\\s+all)?)?[\\s?.!]*$`,
  "iu",
);
const ORDINAL =
  /^\s*(?:and\s+)?(?:show\s+(?:me\s+)?|open\s+)?(?:the\s+)?(?:first|second|third|fourth|fifth|last)(?:\s+one)?(?:\s+(?:of|in|from)\s+(?:them|those|these|the list))?[\s?.!]*$/i;

/** "which one costs the most?": what is measured is said by the verb. */
const WHICH_MOST =
  /^\s*(?:(?:and|so)\s+)?which(?:\s+ones?)?\s+(?=\p{L}{3,}\s+(?:(?:us|me)\s+)?(?:the\s+)?(?:most|least)[\s?.!]*$)/iu;
/** Puts what was read in another order; what stands behind it says which. */
const SORT_THEM =
  /^\s*(?:(?:and|now|then|please)\s+)*(?:can you\s+)?(?:(?:sort|order|arrange|rank|list|show)\s+(?:them|those|these|the list)\s+(?=(?:\p{L}+\s+)?by\b)|(?:sort(?:ed)?|arranged?|ranked?)\s+(?=by\b))/iu;

/** A prompt in the order that another asks for. */
function inOrder(base: PromptText, asked: string): string {
  const said = `sorted ${asked.trim()}`;
  const order = orderIn(base);
  return order?.field !== undefined && /\bby\b/i.test(order.text)
    ? base.text.replace(order.text, said)
    : withCondition(base, said);
}

/** The records of an offer in the order that a prompt asks for: it takes them without what they could not be narrowed by. */
function offeredInOrder({ conversation, tools, today }: Situation): Step | undefined {
  const { question, prompt } = conversation;
  const tool = tools.find(({ name }) => name === question?.tool);
  if (question?.missing?.length !== 0 || tool?.verb !== "list" || !SORT_THEM.test(prompt)) return undefined;
  // Who speaks of "them" takes what is offered.
  if (!/\b(?:them|those|these|the list)\b/i.test(prompt)) return undefined;
  const base = readPrompt(question.prompt ?? "", today);
  return commit(tool, { args: question.args, prompt: inOrder(base, prompt.replace(SORT_THEM, "")) }, tools);
}

const KEY = /^(?:number|id)$/;

/** The values of a prompt, or else what it calls records by in small letters. */
function valuesIn(prompt: PromptText, tools: readonly Tool[]): readonly Entity[] {
  return prompt.entities.length > 0 ? prompt.entities : plainNames(prompt, tools);
}

/** The keys of a prompt with the nouns of lists before them: "guide 1", which may stand for a name. */
function keysWithNoun(prompt: PromptText, tools: readonly Tool[]): { start: number; end: number }[] {
  const nouns = new Set(tools.filter(isWholeList).map(resourceNoun));
  return prompt.entities.flatMap(({ kind, start, end }) => {
    const noun = KEY.test(kind) ? prompt.tokens.findLast((token) => token.end <= start) : undefined;
    return noun && nouns.has(singularOf(noun.word)) ? [{ start: noun.start, end }] : [];
  });
}

/** The prompt with its only key, or its only name, in place of that of the earlier one: "and 108?" behind "dog 107". */
function withOther(base: PromptText, prompt: PromptText, tools: readonly Tool[]): string | undefined {
  const { text, tokens } = prompt;
  const [entity, ...others] = valuesIn(prompt, tools);
  if (!entity || others.length > 0) return undefined;
  const isSame = ({ kind }: Entity): boolean => kind === entity.kind || (KEY.test(kind) && KEY.test(entity.kind));
  const same = valuesIn(base, tools).filter(isSame);
  const known = same.length > 0 || entity.kind !== "name" ? same : keysWithNoun(base, tools);
  const [place] = known;
  // "and dog 108?" may repeat the noun of the earlier prompt, and nothing else.
  const rest = tokens.filter(({ start }) => start < entity.start || start >= entity.end);
  const isOwn = (term: string): boolean =>
    base.terms.has(term) ||
    /^(?:and|or|also|now|then|what|how|about|same|for|the|of|with|in|on|from|at|until|since|before|after)$/.test(term);
  if (!place || known.length !== 1 || !rest.every(({ term }) => isOwn(term))) return undefined;
  const said = text.slice(entity.start, entity.end);
  return base.text.slice(0, place.start) + said + base.text.slice(place.end);
}

/** A single word that describes records: behind another one it must be no alternative to that. */
const STATE_ALONE = /^\s*(?!\p{L}+est\b)\p{Ll}[\p{L}-]+[\s?.!]*$/u;

/** A prompt with a further condition behind it; what the prompt denies, and what it names, ends before that. */
function withCondition({ text, ...base }: PromptText, condition: string): string {
  const isAlone = STATE_ALONE.test(condition) && negationsIn({ text, ...base }).length === 0;
  const joint = /^\s*(?:is|was)\s/i.test(condition) ? " " : isAlone ? " that are " : ", ";
  return `${text.replace(/[\s?.!]+$/, "")}${joint}${condition.replace(/[\s?.!]+$/, "")}`;
}

/** The prompt for the records themselves where it asked how many there are. */
const counted = ({ text, today }: PromptText): PromptText => readPrompt(text.replace(/\bhow many\b/i, "which"), today);

/** The whole prompt that a short one stands for; undefined where it stands for itself. */
function wholePrompt(
  prompt: PromptText,
  { tool, last, base }: { tool: Tool; last: CompletedCall; base: string },
  { today, tools }: Situation,
): string | undefined {
  const { text } = prompt;
  const earlier = readPrompt(base, today);
  // Records that a text showed are not all that the list has.
  if (tool.verb === "list" && last.shown === undefined) {
    if (SORT_THEM.test(text)) return inOrder(earlier, text.replace(SORT_THEM, ""));
    const { most, of } = SUPERLATIVE.exec(text)?.groups ?? {};
    if (most !== undefined) {
      const isPlain = isSuperlative(most.toLowerCase());
      const said = isPlain ? `the ${most} one` : `is the ${most}`;
      const order = orderIn(earlier);
      // Of the first few another order makes others.
      if (of !== undefined && order) return undefined;
      return order ? earlier.text.replace(order.text, said) : withCondition(counted(earlier), said);
    }
    const only = text.replace(ONLY, "");
    if (ONLY.test(text) && !ORDINAL.test(only)) {
      // "just the cheapest one" is one.
      const isOne = (SUPERLATIVE.test(only) || /^the\s+next\b/i.test(only)) && /\bone[\s?.!]*$/i.test(only);
      return withCondition(earlier, isOne ? only : only.replace(PRONOUN, "").replace(ONES, ""));
    }
    const [lead, before, behind, ask = before ?? behind ?? ""] = OF_THEM.exec(text) ?? WHICH_MOST.exec(text) ?? [];
    if (lead !== undefined) {
      const isCount = /^how many/i.test(ask);
      const rest = withCondition(isCount ? earlier : counted(earlier), text.slice(lead.length).replace(VERB, ""));
      return isCount ? `${rest}, how many` : rest;
    }
    const any = (ANY_OF_THEM.exec(text) ?? ANY_ONES.exec(text))?.[0];
    if (any !== undefined) return withCondition(earlier, text.slice(any.length).replace(VERB, "").replace(ONES, ""));
  }
  return ANOTHER.test(text)
    ? (withOtherDay(earlier, prompt.text.replace(ANOTHER, "")) ?? withOther(earlier, prompt, tools))
    : undefined;
}

/** A question that says no more than the noun of other records. */
const WHICH =
  /^\s*(?:and|or|but|for|from|of|with|by|to|in|at|on)\s+(?:(?:for|from|of|with|by|to|in|at|on)\s+)?which\s+(\p{L}+)[\s?.!]*$/iu;
const WHICH_OPEN = "I cannot tell which one you mean by that. Say in one whole sentence what is to be looked for.";

const ASK_WHOLE = "say in one whole sentence what is to be looked for.";
/** Words that stand for records that were shown. */
const OF_SHOWN = /\b(?:of|among|from)\s+(?:them|those|these)\b|\b(?:any|all|some|none|much|most|rest)\s+of\s+it\b/i;
const NOTHING_SHOWN =
  "I showed no records for the prompt before this one, so I cannot go on with them. Say it in one whole sentence.";

/** Whether the prompt before was declined, or its list kept back. */
function isNothingShown({ conversation, tools }: Situation): boolean {
  const { before, areCallsCurrent, question } = conversation;
  const offered = tools.find(({ name }) => name === question?.tool);
  const isKept = offered?.safety === "read_only" && question?.missing?.length === 0;
  return isKept || (before.length > 0 && (!areCallsCurrent || before.at(-1)?.shown === "none"));
}

/** The condition of a question about the records that were shown that has no word to be understood by: "are we out of". */
function emptyCondition({ text }: PromptText, today: Situation["today"]): string | undefined {
  const lead = OF_THEM.exec(text)?.[0];
  const rest = lead === undefined ? "" : text.slice(lead.length).replace(/[\s?.!]+$/, "");
  const condition = readPrompt(rest.replace(VERB, ""), today);
  const isEmpty = contentTokens(condition).length === 0 && condition.entities.length === 0 && !orderIn(condition);
  // Of what it is the number, nothing says.
  const isNumber = /^\d[\d.,]*$/.test(condition.text);
  return (condition.tokens.length > 0 && isEmpty) || isNumber ? rest : undefined;
}

/** Whether a prompt is about the records that were shown, and nothing else. */
const isOfShown = (text: string): boolean =>
  [ONLY, OF_THEM, ANY_OF_THEM, ANY_ONES].some((pattern) => pattern.test(text));

/** Whether a prompt is about the records that were shown, though one record was shown, or changed, behind them. */
function isOfNoList({ conversation, tools }: Situation): boolean {
  const { prompt, before } = conversation;
  const tool = tools.find(({ name }) => name === before.at(-1)?.call.name);
  if (!tool || tool.verb === "list" || tool.transport.kind === "builtin") return false;
  const isWhole = tools.some(
    (one) => one.verb === "list" && new RegExp(`\\b${pluralOf(resourceNoun(one))}\\b`, "i").test(prompt),
  );
  return !isWhole && isOfShown(prompt);
}

const NO_LIST =
  "What I showed last is no list, so I cannot tell which records you mean by that. Say in one whole sentence what is to be looked for.";
const NOTHING_READ =
  "I read nothing for the prompt before this one, so I cannot go on with it. Say it in one whole sentence.";

const notTold = (shown: Tool): string =>
  `I cannot tell that from the ${pluralOf(resourceNoun(shown))} that I showed: ${ASK_WHOLE}`;

/** The step for a prompt about the records that were shown, which `whole` says in full: what another list holds is no answer to it. */
export function keptToShown(step: Step, whole: string, situation: Situation): Step {
  const { conversation, tools } = situation;
  const { name, step: kind } = { name: step.goal?.tool, step: step.goal?.step };
  const other = tools.find((tool) => tool.name === name);
  const { tool: shown, last } = lastRead(situation) ?? {};
  if (!isOfShown(conversation.prompt) || !other || !shown || !last || !/^(?:do|ask)$/.test(kind ?? "")) return step;
  if (collectionOf(other) === collectionOf(shown)) return step;
  const isWhole = shown.verb === "list" && last.shown === undefined && last.goal?.step === "do";
  return isWhole ? commit(shown, { args: last.call.arguments, prompt: whole }, tools) : textStep(notTold(shown));
}

/** What a prompt stands for that goes on with an earlier read, kept with the step so that a further one goes on; undefined for any other. */
export function followUp(situation: Situation): { prompt: string } | { step: Step } | undefined {
  const { conversation, today } = situation;
  const read = lastRead(situation);
  const prompt = readPrompt(conversation.prompt, today);
  const noun = singularOf(WHICH.exec(prompt.text)?.[1]?.toLowerCase() ?? "");
  const isListed = situation.tools.some((tool) => tool.verb === "list" && resourceNoun(tool) === noun);
  const open = isListed ? { step: textStep(WHICH_OPEN) } : undefined;
  const referred = stepToReferred(situation);
  if (referred) return { step: referred };
  const lead = (OF_THEM.exec(prompt.text) ?? ANY_OF_THEM.exec(prompt.text))?.[0] ?? "";
  const isOfNothing = conversation.before.length === 0 && /\b(?:them|those|these)\b/i.test(lead);
  if (isOfNothing) return { step: textStep(NOTHING_READ) };
  if (OF_SHOWN.test(prompt.text) && isNothingShown(situation)) return { step: textStep(NOTHING_SHOWN) };
  const empty = emptyCondition(prompt, today);
  if (empty !== undefined) return { step: textStep(`I did not understand "${empty}": ${ASK_WHOLE}`) };
  if (!conversation.areCallsCurrent)
    return ONLY.test(prompt.text) || OF_THEM.test(prompt.text) ? { step: textStep(NOTHING_READ) } : open;
  if (isOfNoList(situation)) return { step: textStep(NO_LIST) };
  if (!read || prompt.tokens.length > MAX_WORDS) return open;
  const again = listAgain(situation, read);
  if (again) return { step: again };
  const offered = offeredInOrder(situation);
  if (offered) return { step: offered };
  const base = readPrompt(read.base, today);
  const fields = shownFields(prompt, { ...read, base });
  if (fields !== undefined) {
    const { tool, last } = read;
    return { step: commit(tool, { args: last.call.arguments, prompt: fields }, situation.tools) };
  }
  const field = fieldOfRead(prompt, { ...read, base });
  if (field !== undefined) return { prompt: field };
  if (asksForTheirs(prompt, read.tool)) return { step: textStep(notTold(read.tool)) };
  // To put them in order changes nothing.
  const said = prompt.text.replace(SORT_THEM, "list ");
  const { commands, negated } = readRequest(readPrompt(said, today));
  const rest = readRequest(readPrompt(said.replace(ONLY, ""), today)).commands;
  if (negated || [...commands, ...rest].some(({ intents }) => intents.size > 0)) return undefined;
  if (ORDINAL.test(prompt.text)) {
    const step = pickedRecord(read, situation);
    return step && { step };
  }
  const whole = wholePrompt(prompt, read, situation);
  return whole === undefined ? open : { prompt: whole };
}
