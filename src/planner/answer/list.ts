// The answer to a list: the records that the prompt asks for as a table or a count, and what could not be taken into account.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { nounPhrase, resourceNoun } from "../resource-noun.js";
import { boundOf } from "../slots/bounds.js";
import { keyNoun, pathNames, slotsOf } from "../slots/slot.js";
import { aggregateOf, openAggregate } from "./aggregate.js";
import { askedOfOnly } from "./asked-field.js";
import { askedTexts, askingWords, whyNote } from "./asked-texts.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import { groupsIn } from "./groups.js";
import { brief, isCutInTable, MAX_ROWS, markdownTable, recordText } from "./markdown.js";
import { narrow } from "./narrow.js";
import type { Narrowed } from "./narrowed.js";
import { countedAmount, countsRecords, nounAmount, sumOfNoun } from "./noun-amounts.js";
import { mayGoOn } from "./page.js";
import type { ResultContent } from "./rows.js";
import { isSorted, unmetBy } from "./unmet.js";

const SEARCHING = /^(?:q|query|search|keywords?|text)/i;
const PAGING = /^(?:limit|offset|page|per_?page|page_?size|cursor|sort|order|order_?by|direction)$/i;

/** The records of a list that are displayed for a prompt, in that order. */
export function displayedRows(
  rows: readonly JsonObject[],
  { tool, args }: { tool: Tool; args: JsonObject },
  prompt: PromptText,
): Narrowed {
  const names = Object.keys(args);
  return narrow(rows, prompt, {
    args,
    noun: resourceNoun(tool),
    order: isSorted(args),
    search: names.some((name) => SEARCHING.test(name)),
    optionsOf: (field) =>
      slotsOf(tool)
        .find(({ name }) => name === field)
        ?.options.map(String) ?? [],
  });
}

/** A number of records, in words. */
export function amount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** The noun of a list's records; a path such as /reports/low-stock has none, and of an MCP server only its name is known. */
function listedNoun(tool: Tool): string {
  if (tool.transport.kind === "mcp") return "result";
  const last = words((tool.transport.path ?? tool.resource).replace(/\/(?:count|search)$/, "")).at(-1) ?? "";
  return tool.verb === "list" && singularOf(last) === last ? "result" : nounPhrase(tool);
}

/** The conditions that were sent with a call, in words. */
export function sentWith(tool: Tool, args: JsonObject): string {
  return conditionsText([], tool, args);
}

/** All conditions that records meet: those that were applied to what was returned, and those that were sent; an order comes last. */
function conditionsText(applied: readonly string[], tool: Tool, args: JsonObject): string {
  const keys = pathNames(tool);
  const isTold = (name: string): boolean => {
    const column = boundOf(name)?.column ?? name;
    return applied.some((one) => [column, keyNoun(name)].some((said) => one.split(/[\s.]+/).includes(said ?? "")));
  };
  const inWords = ([name, value]: [string, JsonValue]): string => {
    const bound = tool.transport.table === undefined ? undefined : boundOf(name);
    const owner = keys.has(name) ? ownerAt(tool, name) : undefined;
    return bound ? `${bound.column} ${bound.sign} ${brief(value)}` : `${owner ?? name} = ${brief(value)}`;
  };
  const sent = Object.entries(args).filter(([name]) => !PAGING.test(name) && !isTold(name));
  const isOrder = (one: string): boolean => one.endsWith(" first");
  const all = [...applied.filter((one) => !isOrder(one)), ...sent.map(inWords), ...applied.filter(isOrder)];
  return all.length > 0 ? ` with ${all.join(" and ")}` : "";
}

/** What a key in the path of a list is one of: "customer" of `/customers/{id}/orders`. */
function ownerAt(tool: Tool, name: string): string | undefined {
  const segments = (tool.transport.path ?? "").split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  return /^[a-z][\w-]*$/i.test(before) ? words(singularOf(before)).join(" ") : undefined;
}

/** An answer as text. */
export interface AnswerText {
  text: string;
  /** The one record is another than the prompt asks for: a yes shows it. */
  offersRecord?: boolean;
  /** The records were kept back, as they are not those that the prompt asks for: a yes shows what this prompt does. */
  offers?: string;
}

/** What a yes shows of records that were kept back: those that meet what was understood, where that can be said again, and else all. */
function offerOf(
  rows: readonly JsonObject[],
  { matching, conditions, ...narrowed }: Narrowed,
  answered: AnsweredCall & AnswerContext,
): Required<Pick<AnswerText, "text" | "offers">> {
  const noun = listedNoun(answered.tool);
  const list = `list ${pluralOf(resourceNoun(answered.tool))}`;
  const all = `the ${amount(rows.length, noun)} without that`;
  // What was sent is sent again.
  const own = conditions.filter((one) => !Object.keys(answered.args).some((name) => one.startsWith(`${name} `)));
  if (own.length === 0) return { text: all, offers: list };
  const met = own.join(" and ");
  const offers = `${list} with ${met}`;
  const prompt = readPrompt(offers, answered.prompt.today);
  const again = displayedRows(rows, answered, prompt);
  const isSame = again.rows.length === narrowed.rows.length && again.rows.every((row) => narrowed.rows.includes(row));
  const isWhole = isSame && !unmetBy(rows, again, { ...answered, prompt }).isNoAnswer;
  return isWhole && matching.length > 0
    ? { text: `the ${amount(again.rows.length, noun)} with ${met}, without that`, offers }
    : { text: `${all} and without ${met}`, offers: list };
}

/** A list as text. */
export function listText(
  result: ResultContent & { rows: readonly JsonObject[] },
  answered: AnsweredCall & AnswerContext,
): AnswerText {
  const { tool, args, prompt } = answered;
  const { rows, total, partial } = result;
  const counts = countsRecords(rows, prompt);
  const noun = listedNoun(tool);
  const narrowed = displayedRows(rows, answered, prompt);
  const texts = askedTexts(narrowed.rows, prompt);
  const groups = groupsIn(narrowed.rows, prompt, noun);
  const aggregate = groups && "table" in groups ? undefined : aggregateOf(narrowed.matching, prompt);
  const own = nounAmount(rows, noun);
  const one = own?.isNoun ? "entry" : noun;
  // "cooked by rita" puts nothing in groups where the records are those of her.
  const isMet = (by: string): boolean =>
    narrowed.conditions.some((one) => one.endsWith(` = ${by.replace(/^by /i, "")}`));
  if (groups && "unknown" in groups && !isMet(groups.unknown)) narrowed.unmet.push(groups.unknown);
  if (groups && "text" in groups) narrowed.understood.push(groups.text);
  const isPage = mayGoOn(tool, args, result);
  const page = isPage ? `These are the first ${rows.length} of a list that may go on.\n\n` : "";
  const unmet = unmetBy(rows, narrowed, { ...answered, aggregated: `${aggregate?.text ?? ""} ${askingWords(texts)}` });
  const open = aggregate || groups || counts ? undefined : openAggregate(rows, prompt);
  const sum = open === undefined ? "" : `I found no field to make a number of for "${open}".\n\n`;
  const taken = narrowed.taken.map((one) => `${one}\n\n`).join("");
  const note = unmet.note + taken + sum + page + whyNote(narrowed.rows, prompt);
  if (rows.length === 0) return { text: `${note}No ${pluralOf(noun)} found${sentWith(tool, args)}.` };
  if (unmet.isNoAnswer) {
    const { text, offers } = offerOf(rows, narrowed, answered);
    return { text: `${unmet.note}Say "yes" to see ${text}.`, offers };
  }
  const isNarrowed = narrowed.conditions.length > 0;
  const conditions = conditionsText(narrowed.conditions, tool, args);
  if (narrowed.rows.length === 0)
    return { text: `${note}No ${pluralOf(noun)}${conditions} among the ${rows.length} returned.` };
  if (aggregate) {
    const of = amount(narrowed.matching.length, one);
    // "the highest price" puts nothing in order.
    const met = narrowed.conditions.filter((one) => !one.endsWith(" first"));
    const { sentence, without } = aggregate;
    const none = without > 0 ? ` (${without} of them ${without === 1 ? "has" : "have"} none)` : "";
    return {
      text: `${note}${sentence}, of ${of}${conditionsText(met, tool, args)}${partial || isPage ? " returned" : ""}${none}.`,
    };
  }
  if (groups && "table" in groups)
    return {
      text: `${note}${amount(narrowed.rows.length, one)}${conditions} by ${groups.field}:\n\n${groups.table}`,
    };
  if (counts) {
    const count = isNarrowed ? narrowed.rows.length : total;
    const sum = sumOfNoun(narrowed.rows, countedAmount(rows, noun, prompt) ?? own, prompt);
    if (sum !== undefined) {
      const of = `${amount(narrowed.rows.length, one)}${conditions}`;
      return { text: `${note}${sum}, of ${of}${partial || isPage ? " returned" : ""}.` };
    }
    const among = isNarrowed && (partial || isPage) ? ` among the ${rows.length} returned` : "";
    const least = isPage && !isNarrowed ? "At least " : "";
    return { text: `${note}${least}${amount(count, one)}${conditions}${among}.` };
  }
  const looked = isNarrowed ? ` (only ${rows.length} were looked at)` : "";
  const of = partial ? ` of ${Math.max(total, rows.length)}${looked}` : "";
  const left = narrowed.rows.length - MAX_ROWS;
  const more = left > 0 ? `\n\n… and ${left} more.` : "";
  const sorted = narrowed.sortedBy === undefined ? "" : `, ${narrowed.sortedBy}`;
  const [only, ...others] = narrowed.rows;
  const table =
    only && others.length === 0 && isCutInTable(only)
      ? recordText(only)
      : markdownTable(narrowed.rows, new Set([...narrowed.fields, ...texts]), texts);
  const asked = rows.length > 1 ? askedOfOnly(narrowed.rows, prompt) : "";
  return { text: `${note}${asked}${amount(narrowed.rows.length, one)}${conditions}${of}${sorted}:\n\n${table}${more}` };
}
