// Reading a list on where its target gives it in pages: which call asks for the next page, and the calls for one list as one call
// with the records of all. Only so many pages are read; a list that still goes on is said to.

import type { Tool } from "../domain/tool.js";
import { type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import { singularOf } from "../lib/plural.js";
import { intentsOf } from "../tools/search/synonyms.js";
import { displayedRows } from "./answer/list.js";
import { limitOf, mayGoOn, mayHaveMore, pageSize } from "./answer/page.js";
import { aboutPage, readResultText } from "./answer/rows.js";
import type { CompletedCall, Situation } from "./conversation.js";
import { orderIn } from "./prompt/order.js";
import { contentTokens, type PromptText, type Token } from "./prompt/prompt.js";
import { readRequest } from "./prompt/request.js";
import { resourceNoun } from "./resource-noun.js";
import { type Slot, slotsOf } from "./slots/slot.js";
import type { Step } from "./step.js";

/** Further pages that are read. */
const MOST_PAGES = 4;
/** Records asked for at once where a target gives fewer unasked. */
const LARGE_PAGE = 100;

const OFFSET = /^(?:offset|skip)$/i;
const PAGE = /^page(?:_?(?:number|no))?$/i;
const CURSOR = /^(?:cursor|after|page_?token|next_?token|starting_?after)$/i;
const NEXT_CURSOR = /^(?:next_?(?:page_?)?(?:cursor|token)|end_?cursor)$/i;

const numberOf = (value: JsonValue | undefined): number | undefined => (typeof value === "number" ? value : undefined);

/** What an answer says under a name of this form, beside its records. */
const saidOf = (value: JsonValue, pattern: RegExp): JsonValue | undefined =>
  aboutPage(value).find(([name]) => pattern.test(name))?.[1];

/** The number that the pages of a list are counted from; undefined where nothing says it. */
const firstPage = ({ schema }: Slot, value: JsonValue): number | undefined =>
  numberOf(saidOf(value, PAGE)) ?? numberOf(schema["default"]) ?? numberOf(schema["minimum"]);

/** How many records a page of a list has: as a call asks, or its tool says, or as many as each that was read. */
function sizeOfPage(tool: Tool, args: JsonObject, { read, pages }: { read: number; pages: number }): number {
  const limit = limitOf(slotsOf(tool));
  return numberOf(limit && args[limit.name]) ?? pageSize(tool) ?? read / (pages + 1);
}

/** The arguments that ask for the records behind those of a call; undefined where there is no way, or it is too long. */
function nextArguments(tool: Tool, { call, text, pages = 0 }: CompletedCall): JsonObject | undefined {
  const { value, rows = [], total } = readResultText(text);
  const slots = slotsOf(tool).filter(({ path }) => path.length === 1);
  const named = (pattern: RegExp): Slot | undefined => slots.find(({ name }) => pattern.test(name));
  const [offset, page, cursor] = [OFFSET, PAGE, CURSOR].map(named);
  // Where a prompt says which page it wants, that one is the answer.
  if ([offset, page, cursor].some((slot) => slot && call.arguments[slot.name] !== undefined)) return undefined;
  const size = sizeOfPage(tool, call.arguments, { read: rows.length, pages });
  const rest = Math.max(0, total - rows.length);
  const isTooFar = (one: number): boolean => rest > one * (MOST_PAGES - pages);
  if (offset) {
    const limit = limitOf(slots);
    const most = Math.min(numberOf(limit?.schema["maximum"]) ?? 0, LARGE_PAGE);
    const larger = limit && most > size ? { [limit.name]: most } : {};
    return isTooFar(Math.max(most, size)) ? undefined : { ...call.arguments, ...larger, [offset.name]: rows.length };
  }
  if (isTooFar(size)) return undefined;
  const first = page && firstPage(page, value);
  if (page && first !== undefined) return { ...call.arguments, [page.name]: first + pages + 1 };
  const next = saidOf(value, NEXT_CURSOR);
  return cursor && typeof next === "string" && next !== "" ? { ...call.arguments, [cursor.name]: next } : undefined;
}

/** Whether a prompt wants no more than to see a list: its first page is that, and says that there is more. */
function isPlain(prompt: PromptText, tool: Tool): boolean {
  const noun = resourceNoun(tool);
  const isOfList = ({ word, term }: Token): boolean => singularOf(word) === noun || intentsOf(term).has("read");
  const { counts, everything } = readRequest(prompt);
  return !counts && !everything && contentTokens(prompt).every(isOfList);
}

/** The step that reads a list on; undefined where all is there that is asked for, or can be. */
export function nextPage(
  last: CompletedCall,
  tool: Tool,
  { prompt, readsLeft }: { prompt: PromptText; readsLeft: number },
): Step | undefined {
  const { goal, isError, text, call, pages = 0 } = last;
  const result = readResultText(text);
  if (!goal || isError || !result.rows || result.isCut || tool.safety !== "read_only") return undefined;
  if (pages >= MOST_PAGES || readsLeft <= 0) return undefined;
  const order = orderIn(prompt);
  const isEnough = order?.asListed === "first" && (order.count ?? Infinity) <= result.rows.length;
  // A name may stand on any page.
  const wantsAll = goal.step === "name" || goal.step === "told";
  const isUnnarrowed = displayedRows(result.rows, { tool, args: call.arguments }, prompt).conditions.length === 0;
  if (!wantsAll && (isEnough || (isUnnarrowed && isPlain(prompt, tool)))) return undefined;
  const args = (wantsAll ? mayHaveMore : mayGoOn)(tool, call.arguments, result) ? nextArguments(tool, last) : undefined;
  return args && { kind: "call", tool: tool.name, args, goal: { ...goal, page: true } };
}

/** A call and the one that reads on behind it, as one. */
function joined(first: CompletedCall, next: CompletedCall, tool: Tool): CompletedCall {
  const { rows = [], total, value } = readResultText(first.text);
  const more = readResultText(next.text);
  const known = new Set(rows.map((row) => toJson(row)));
  const added = (more.rows ?? []).filter((row) => !known.has(toJson(row)));
  // A target that gives the same records again, or fails, knows nothing of this page.
  if (next.isError || !more.rows || (added.length === 0 && more.rows.length > 0))
    return { ...first, pages: MOST_PAGES };
  const records = [...rows, ...added];
  const wanted = sizeOfPage(tool, next.call.arguments, { read: rows.length, pages: first.pages ?? 0 });
  const whole = Math.max(total, more.total);
  const has_more = more.isCut || (more.hasMore ?? (whole > records.length || more.rows.length >= wanted));
  const page = saidOf(value, PAGE);
  const next_cursor = saidOf(more.value, NEXT_CURSOR);
  const text = toJson({
    records,
    total: Math.max(whole, records.length),
    has_more,
    ...(page !== undefined && { page }),
    ...(next_cursor !== undefined && { next_cursor }),
  });
  return { ...first, text, pages: (first.pages ?? 0) + 1 };
}

/** A situation in which the calls for the pages of one list are one call. */
export function withPages(situation: Situation): Situation {
  const { conversation, tools } = situation;
  const together = (calls: readonly CompletedCall[]): CompletedCall[] => {
    const out: CompletedCall[] = [];
    for (const completed of calls) {
      const before = out.at(-1);
      const tool = tools.find(({ name }) => name === completed.call.name);
      if (completed.goal?.page === true && before && tool && before.call.name === tool.name)
        out[out.length - 1] = { ...joined(before, completed, tool), shown: completed.shown };
      else out.push(completed);
    }
    return out;
  };
  return {
    ...situation,
    conversation: { ...conversation, turn: together(conversation.turn), before: together(conversation.before) },
  };
}
