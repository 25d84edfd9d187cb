// The answer to a list: the records that the prompt asks for as a table or a count, and what could not be taken into account.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { terms, words } from "../../tools/search/terms.js";
import { unmatchedEntities, unmatchedWords } from "../match/unmatched.js";
import { comparisonsIn } from "../prompt/comparison.js";
import type { Entity } from "../prompt/entities.js";
import { joinedWith } from "../prompt/joined.js";
import { type Negation, negationsIn } from "../prompt/negation.js";
import { orderIn } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import { nounPhrase, resourceNoun } from "../resource-noun.js";
import { boundOf } from "../slots/bounds.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import { aggregateOf } from "./aggregate.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import { groupsIn } from "./groups.js";
import { brief, MAX_ROWS, markdownTable } from "./markdown.js";
import { narrow } from "./narrow.js";
import type { Narrowed } from "./narrowed.js";
import { mayGoOn } from "./page.js";
import type { ResultContent } from "./rows.js";
import { quoted } from "./sentences.js";

const BOUNDING = /min|max|gte?|lte?|from|to|where|filter|price/i;
const SORTING = /^(?:sort|order|ordering)(?:_?(?:by|key|field|order))?$/i;
const SEARCHING = /^(?:q|query|search|keywords?|text)/i;
const PAGING = /^(?:limit|offset|page|per_?page|page_?size|cursor|sort|order|order_?by|direction)$/i;

const isSorted = (args: JsonObject): boolean => Object.keys(args).some((name) => SORTING.test(name));

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
    bounds: names.some((name) => BOUNDING.test(name)),
    order: isSorted(args),
    search: names.some((name) => SEARCHING.test(name)),
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
  const keys = pathNames(tool);
  const sent = Object.entries(args).filter(([name]) => !keys.has(name) && !PAGING.test(name));
  const inWords = ([name, value]: [string, JsonValue]): string => {
    const bound = tool.transport.table === undefined ? undefined : boundOf(name);
    return bound ? `${bound.column} ${bound.sign} ${brief(value)}` : `${name} = ${brief(value)}`;
  };
  return sent.length > 0 ? ` with ${sent.map(inWords).join(" and ")}` : "";
}

/** What of the prompt neither the call nor the narrowing took into account. */
function unmatchedNote(
  rows: readonly JsonObject[],
  narrowed: Narrowed,
  { tool, args, prompt, lookupPhrase, aggregated = "" }: AnsweredCall & AnswerContext & { aggregated?: string },
): string {
  const sorted = isSorted(args);
  const order = orderIn(prompt);
  const conditions = sorted ? [...narrowed.conditions, order?.text ?? ""] : narrowed.conditions;
  const list = { tool, args, rows, used: [...conditions, ...narrowed.understood, lookupPhrase, aggregated] };
  const denied = negationsIn(prompt).filter((one) => !narrowed.negations.has(one) && !isSent(one, { tool, args }));
  const compared = comparisonsIn(prompt).filter(({ sign, entity: { value } }) => {
    const held = `${Object.values(args).join(" ")} ${narrowed.conditions.join(" ")}`;
    return sign === undefined || !held.includes(String(value));
  });
  // The words of an operator are reported with it or were understood with it.
  const spans = [...negationsIn(prompt), ...comparisonsIn(prompt)];
  const isOff = Object.values(args).includes(false) || narrowed.conditions.some((one) => one.endsWith("= no"));
  const isSaid = (text: string): boolean =>
    !spans.some((span) => span.text.toLowerCase().includes(text.toLowerCase())) && !(isOff && /^(?:un|in)/i.test(text));
  const others = [...unmatchedWords(prompt, list), ...unmatchedEntities(prompt, list)].filter(isSaid);
  const said = [...denied.map(({ text }) => text), ...compared.map(({ text }) => text), ...others];
  const unmatched = [...said, ...narrowed.unmet.filter((text) => !said.includes(text))];
  const only = onlyFor(prompt, args);
  const open = unmatched.filter((text) => only?.left.includes(text) !== true);
  const note = open.length > 0 ? `I could not narrow this by ${quoted(open, "or")}.\n\n` : "";
  const unsorted = sorted || narrowed.ordered ? undefined : order;
  const part = only
    ? `This is only for ${quoted(only.sent, "and")}: ask for ${quoted(only.left, "and")} by itself.\n\n`
    : "";
  return part + note + (unsorted ? `I could not put this in order: ${unsorted.text}.\n\n` : "");
}

/** The same for plain words: "issues of project web and mob". */
function onlyWord({ text }: PromptText, values: ReadonlySet<string>): { sent: string[]; left: string[] } | undefined {
  const [, sent = "", left = ""] = /([\p{L}\p{N}_-]+)\s+(?:and|or)\s+([\p{L}\p{N}_-]+)\s*[?.!]*$/iu.exec(text) ?? [];
  return values.has(sent) && !values.has(left) ? { sent: [sent], left: [left] } : undefined;
}

/** The values of which only some were sent, as the path of a list takes one: "bookings of room 3 and room 4". */
function onlyFor(prompt: PromptText, args: JsonObject): { sent: string[]; left: string[] } | undefined {
  const values = new Set(Object.values(args).map(String));
  const isSent = ({ value }: Entity): boolean => values.has(String(value));
  const all = prompt.entities
    .map((one) => joinedWith(prompt, one))
    .find((some) => some.length > 1 && some.some(isSent));
  if (!all) return onlyWord(prompt, values);
  if (all.every(isSent)) return undefined;
  const textOf = ({ text }: Entity): string => text;
  return { sent: all.filter(isSent).map(textOf), left: all.filter((one) => !isSent(one)).map(textOf) };
}

/** Whether a negation was sent with the call: a switch that is off, or a parameter for what is not wanted. */
function isSent({ text }: Negation, { tool, args }: Pick<AnsweredCall, "tool" | "args">): boolean {
  const said = terms(text);
  const isValue = (value: JsonValue | undefined): boolean => text.toLowerCase().includes(String(value).toLowerCase());
  return slotsOf(tool).some(({ name, label }) =>
    args[name] === false
      ? label.some((term) => said.includes(term)) || /\b(?:complete|done|finish)/i.test(text)
      : args[name] !== undefined && isValue(args[name]),
  );
}

/** A list as text. */
export function listText(
  { total, partial }: ResultContent,
  rows: readonly JsonObject[],
  answered: AnsweredCall & AnswerContext,
): string {
  const { tool, args, prompt, request } = answered;
  const noun = listedNoun(tool);
  const narrowed = displayedRows(rows, answered, prompt);
  const aggregate = aggregateOf(narrowed.rows, prompt);
  const groups = groupsIn(narrowed.rows, prompt);
  if (groups && "unknown" in groups) narrowed.unmet.push(groups.unknown);
  const isPage = mayGoOn(tool, args, rows.length);
  const page = isPage ? `These are the first ${rows.length} of a list that may go on.\n\n` : "";
  const note = unmatchedNote(rows, narrowed, { ...answered, aggregated: aggregate?.text }) + page;
  if (rows.length === 0) return `${note}No ${pluralOf(noun)} found${sentWith(tool, args)}.`;
  const isNarrowed = narrowed.conditions.length > 0;
  const conditions = isNarrowed ? ` with ${narrowed.conditions.join(" and ")}` : "";
  if (narrowed.rows.length === 0) return `${note}No ${pluralOf(noun)}${conditions} among the ${rows.length} returned.`;
  if (aggregate) {
    const of = amount(narrowed.rows.length, noun);
    return `${note}${aggregate.sentence}, of ${of}${conditions || sentWith(tool, args)}${partial || isPage ? " returned" : ""}.`;
  }
  if (groups && "table" in groups)
    return `${note}${amount(narrowed.rows.length, noun)}${conditions || sentWith(tool, args)} by ${groups.field}:\n\n${groups.table}`;
  if (request.counts) {
    const count = isNarrowed ? narrowed.rows.length : total;
    const among = isNarrowed && (partial || isPage) ? ` among the ${rows.length} returned` : "";
    const least = isPage && !isNarrowed ? "At least " : "";
    return `${note}${least}${amount(count, noun)}${conditions || sentWith(tool, args)}${among}.`;
  }
  const looked = isNarrowed ? ` (only ${rows.length} were looked at)` : "";
  const of = partial ? ` of ${Math.max(total, rows.length)}${looked}` : "";
  const left = narrowed.rows.length - MAX_ROWS;
  const more = left > 0 ? `\n\n… and ${left} more.` : "";
  const table = markdownTable(narrowed.rows, narrowed.fields);
  return `${note}${amount(narrowed.rows.length, noun)}${conditions}${of}:\n\n${table}${more}`;
}
