// A list narrowed by what the records hold that its own refer to: "boats in Leek" by the town of the harbour whose key they have, "tours with
// climbing" by what joins tours and skills. The lists of those are read, too. Reads only.

import type { Tool } from "../../domain/tool.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { displayedRows } from "../answer/list.js";
import { mayHaveMore } from "../answer/page.js";
import { renderAnswer } from "../answer/render.js";
import { readResultText, splitName } from "../answer/rows.js";
import { inRow } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { keyIn } from "../names/called-records.js";
import { isWholeList, wholeListArgs } from "../names/name-lists.js";
import { shownStep } from "../names/shown-records.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME } from "../slots/slot.js";
import { type Step, textStep } from "../step.js";
import { keyFieldOf, linkBetween, ownLists } from "./links.js";
import { stepToNames } from "./named-references.js";

/** One step from the records of a list to those of another: the field of the one whose value stands in the field of the other, or in its key. */
interface Hop {
  list: Tool;
  from?: string;
  to?: string;
}

/** The way to a list whose records those of the first refer to. */
type Way = readonly Hop[];

/** Of more values than these the words of a text are none. */
const MAX_WORDS = 5;
const CALLED = /name$|^(?:title|label|address|code|plate)$/i;
/** Behind these stands what something has or belongs to, whatever the field is called. */
const BEHIND =
  /\b(?:in|at|of|for|from|by|with|on|near|have|has|contains?|containing)\s+(?:the\s+|our\s+|an?\s+|any\s+)?$/i;
/** Who did one of these need not be the one that the records belong to. */
const DONE_BY =
  /\b(?:cancell?ed|rejected|refused|declined|closed|opened|reported|found|approved|created|added|changed|deleted)\s+by\s+(?:the\s+|our\s+)?$/i;
const NO_VALUE = /^\d|^$/;

/** The ways of one step, and of two, to lists that only one way leads to. */
function waysFrom(list: Tool, tools: readonly Tool[]): Way[][] {
  const lists = ownLists(tools).filter((one) => collectionOf(one) !== collectionOf(list));
  const direct = (from: Tool, to: Tool): Way[] => {
    const field = keyFieldOf(from, to, tools);
    return field === undefined ? [] : [[{ list: to, from: field }]];
  };
  const near = lists.flatMap((other): Way[] => {
    const own = direct(list, other);
    if (own.length > 0) return own;
    const link = linkBetween(list, other, tools);
    return link
      ? [
          [
            { list: link.list, to: link.wanted },
            { list: other, from: link.owner },
          ],
        ]
      : [];
  });
  const isNear = (one: Tool): boolean => near.some((way) => way.some((hop) => hop.list === one));
  const far = near.flatMap((way) => {
    const last = way.at(-1)?.list;
    return way.length === 1 && last
      ? lists.flatMap((other) => direct(last, other).map((more) => [...way, ...more]))
      : [];
  });
  const ends = far.map((way) => way.at(-1)?.list);
  return [
    near,
    far.filter((_, at) => !isNear(ends[at] ?? list) && ends.filter((one) => one === ends[at]).length === 1),
  ];
}

/** A value of records at the end of a way, and where the prompt has it. */
interface Held {
  list: Tool;
  field: string;
  phrase: string;
  keys: ReadonlySet<string>;
}

const fold = (text: string): string => words(text.normalize("NFC")).join(" ");

/** Where a prompt has a value, with the ending of a plural or of whose something is. */
function phraseIn(prompt: PromptText, value: string): { start: number; text: string } | undefined {
  const parts = words(value.normalize("NFC"));
  const at = prompt.tokens.findIndex((_, from) =>
    parts.every((part, i) => {
      const said = prompt.tokens[from + i]?.word ?? "";
      const isLast = i === parts.length - 1;
      return said === part || (isLast && (said === `${part}s` || singularOf(said) === singularOf(part)));
    }),
  );
  const [first, last] = [prompt.tokens[at], prompt.tokens[at + parts.length - 1]];
  return first && last ? { start: first.start, text: prompt.text.slice(first.start, last.end) } : undefined;
}

/** The values of some records that a prompt has, each with the keys of those. */
function heldIn(
  rows: readonly JsonObject[],
  list: Tool,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
) {
  const noun = resourceNoun(list);
  const isSpokenOf = prompt.tokens.some(({ word }) => singularOf(word) === noun);
  const found = new Map<string, { field: string; phrase: string; keys: Set<string> }>();
  for (const row of rows) {
    const key = keyIn(row, list, tools);
    for (const [field, value] of [...Object.entries(row), ["name", splitName(row)] as const]) {
      if (typeof value !== "string" || key === undefined || value === key || KEY_NAME.test(field)) continue;
      const text = fold(value);
      if (NO_VALUE.test(text) || text.split(" ").length > MAX_WORDS) continue;
      const said = phraseIn(prompt, value);
      if (!said || DONE_BY.test(prompt.text.slice(0, said.start))) continue;
      if (!(CALLED.test(field) || isSpokenOf || BEHIND.test(prompt.text.slice(0, said.start)))) continue;
      const one = found.get(`${field} ${text}`) ?? { field, phrase: said.text, keys: new Set<string>() };
      one.keys.add(String(key));
      found.set(`${field} ${text}`, one);
    }
  }
  return [...found.values()].map((one): Held => ({ ...one, list }));
}

/** The records of a list that a way leads from to one of the keys at its end. */
function leadingTo(
  rows: readonly JsonObject[],
  { list, way, keys }: { list: Tool; way: Way; keys: ReadonlySet<string> },
  { rowsOf, tools }: { rowsOf: (list: Tool) => readonly JsonObject[]; tools: readonly Tool[] },
): JsonObject[] {
  const [hop, ...rest] = way;
  if (!hop) return rows.filter((row) => keys.has(String(keyIn(row, list, tools))));
  const behind = leadingTo(rowsOf(hop.list), { list: hop.list, way: rest, keys }, { rowsOf, tools });
  const held = new Set(behind.map((row) => String(hop.to === undefined ? keyIn(row, hop.list, tools) : row[hop.to])));
  return rows.filter((row) => held.has(String(hop.from === undefined ? keyIn(row, list, tools) : row[hop.from])));
}

/** What a list was narrowed by, in words. */
function besideText({ list, field, phrase, keys }: Held): string {
  const noun = resourceNoun(list);
  const records = keys.size === 1 ? `${noun} ${[...keys][0]}` : `the ${keys.size} ${pluralOf(noun)}`;
  return `Those of ${records} with ${field} = ${phrase}.\n\n`;
}

/** Whether what a list was kept back for may be a value of other records: no bound, nothing that is denied, and no participle. */
function mayBeHeld(kept: Step): boolean {
  const [, said = ""] = /^I could not narrow this by ([^\n]*)\.$/m.exec(kept.kind === "text" ? kept.text : "") ?? [];
  const phrases = said.split(/["“”]/).filter((part) => /\p{L}/u.test(part) && !/^\s*(?:or|and)\s*$/.test(part));
  return (
    phrases.every((one) => !/\d|\bthan\b|^(?:no|not|never|without)\b/i.test(one)) &&
    phrases.some((one) => !/(?:ed|ing)$/i.test(one))
  );
}

/**
 * The step from a list that was `kept` back to what its records refer to: the next list to be read, or the answer. Undefined where nothing
 * there, or more than one thing, is what the prompt says.
 */
export function stepBeside(situation: Situation, kept?: Step): Step | undefined {
  const { conversation, tools, today, readsLeft } = situation;
  const first = conversation.turn.findLast(({ goal }) => goal?.step === "do");
  const list = tools.find(({ name }) => name === first?.call.name);
  if (!first || !list || first.isError || !isWholeList(list) || (kept && !mayBeHeld(kept))) return undefined;
  const text = first.goal?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  const { commands, howTo, negated } = readRequest(prompt);
  const result = readResultText(first.text);
  const { rows = [] } = result;
  if (rows.length === 0 || mayHaveMore(list, first.call.arguments, result)) return undefined;
  if (howTo || negated || commands.some(({ intents }) => [...intents].some((one) => one !== "read"))) return undefined;
  const readOf = (one: Tool): CompletedCall | undefined =>
    conversation.turn.find(
      ({ call, goal }) => call.name === one.name && (goal?.step === "beside" || goal?.step === "name"),
    );
  const rowsOf = (one: Tool): readonly JsonObject[] => readResultText(readOf(one)?.text ?? "").rows ?? [];
  for (const ways of waysFrom(list, tools)) {
    const open = ways.flat().find((hop) => !readOf(hop.list));
    if (open && readsLeft < 0) return undefined;
    if (open) {
      const goal: Goal = { step: "beside", tool: list.name, args: first.call.arguments, prompt: text };
      return { kind: "call", tool: open.list.name, args: wholeListArgs(open.list), goal };
    }
    const isWhole = ways.flat().every((hop) => {
      const read = readOf(hop.list);
      return read && !read.isError && !mayHaveMore(hop.list, read.call.arguments, readResultText(read.text));
    });
    if (!isWhole) return undefined;
    const answers = ways.flatMap((way) => {
      const end = way.at(-1)?.list;
      return (end ? heldIn(rowsOf(end), end, { prompt, tools }) : []).flatMap((held) => {
        const some = leadingTo(rows, { list, way, keys: held.keys }, { rowsOf, tools });
        const answered = { tool: list, args: first.call.arguments, text: toJson(some), isError: false };
        const answer = renderAnswer(answered, { prompt, request: readRequest(prompt), lookupPhrase: held.phrase });
        const isOpen = answer.offers !== undefined || /^I (?:could not|found no)/m.test(answer.text);
        return isOpen ? [] : [{ held, text: answer.text, rows: displayedRows(some, answered, prompt).rows }];
      });
    });
    const [answer, ...others] = answers;
    if (others.length > 0)
      return textStep(
        `"${answer?.held.phrase}" may be the ${inRow([...new Set(answers.map(({ held }) => `${held.field} of a ${resourceNoun(held.list)}`))], "or the")}, so I went no further. Say which.`,
      );
    if (answer) {
      const shown = { rows: answer.rows, tool: list, text: `${besideText(answer.held)}${answer.text}` };
      const named = stepToNames(shown, prompt, situation);
      if (named?.kind === "call") return named;
      return shownStep(named?.text ?? shown.text, { list, rows: answer.rows, prompt: text }, tools);
    }
  }
  return undefined;
}
