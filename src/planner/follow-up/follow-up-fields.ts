// A prompt that asks what was read before for one of its fields: "what are they worth?" behind a list, "and their credit limit?" behind a
// record. Read as the whole prompt that it stands for.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { displayedRows } from "../answer/list.js";
import { fieldNamesOf } from "../answer/narrowed.js";
import { idOf, readResultText } from "../answer/rows.js";
import type { CompletedCall } from "../conversation.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";

const WORTH =
  /^\s*(?:and\s+|so\s+)?(?:(?:what|how much)\s+(?:are|were)\s+(?:they|those|these)(?:\s+all)?\s+worth|how much\s+(?:do|did)\s+(?:they|those|these)(?:\s+all)?\s+cost)(?:\s+(?:together|altogether|in total|all together))?[\s?.!]*$/i;
/** What asks for the total of what was read, with or without its field: "what's the total of those", "total seeds of them". */
const TOTAL =
  /^\s*(?:(?:and|so|ok(?:ay)?),?\s+)*(?:what(?:['’]?s|\s+is|\s+was|\s+are)?\s+|give\s+me\s+|show\s+me\s+)?(?:the\s+)?(?:sum|(?:grand\s+)?total)(?:\s+(?:of\s+the\s+)?(?<field>(?!of\b|for\b)\p{L}+(?:\s+(?!of\b|for\b)\p{L}+)?))?\s+(?:of|for|from|among)\s+(?:all\s+(?:of\s+)?)?(?:them|those|these)(?:\s+all)?[\s?.!]*$/iu;
/** The same in two words or three, where the records have that field: "total weight?". */
const BARE_TOTAL =
  /^\s*(?:and\s+)?(?:the\s+)?(?:sum|(?:grand\s+)?total)(?:\s+(?<field>\p{L}+(?:\s+\p{L}+)?))?[\s?.!]*$/iu;
const TOGETHER =
  /^\s*(?:(?:and|so|ok(?:ay)?),?\s+)*(?:how\s+much\s+(?:is|are|was|were)\s+(?:that|those|these|they|it)(?:\s+all)?\s+(?:together|altogether|in\s+total|in\s+all|all\s+together)|what\s+(?:do|does|did)\s+(?:that|those|these|they|it)(?:\s+all)?\s+(?:come|add\s+up|amount)\s+to(?:\s+(?:together|altogether|in\s+total))?|(?:add|sum|tot)\s+(?:them|those|these)(?:\s+all)?\s+up)[\s?.!]*$/iu;
/** Names of fields that hold what something is worth, the likeliest first. */
const WORTHS = [
  /^(?:value|worth)$/,
  /^price$/,
  /^(?:cost|amount|total)$/,
  /^(?:fees?|charges?|balance|due|owed|premium|salary|wage|rent)$/,
];
const THEIR =
  /^\s*(?:and|also|then|what about|how about|and what about|(?:and\s+)?what(?:['’]s|\s+is|\s+are)|(?=its\b))\s*(?:their|its|his|her)\s+(?<field>\p{L}[\p{L}\s_-]{0,60}?)[\s?.!]*$/iu;

interface Read {
  tool: Tool;
  last: CompletedCall;
  base: PromptText;
}

const withTotal = ({ base }: Pick<Read, "base">, field: string): string =>
  `${base.text.replace(/[\s?.!]+$/, "")}, total ${field}`;

/** The total of what the records of a list are worth. */
function totalPrompt({ last, base }: Read): string | undefined {
  const [row = {}] = readResultText(last.text).rows ?? [];
  const fields = Object.keys(row).filter((name) => /^-?\d/.test(String(row[name])));
  const isWorth = (field: string, pattern: RegExp): boolean => words(field).some((word) => pattern.test(word));
  const name = WORTHS.map((pattern) => fields.filter((field) => isWorth(field, pattern))).find(
    (some) => some.length > 0,
  );
  const [field, ...others] = name ?? [];
  if (field === undefined || others.length > 0) return undefined;
  return withTotal({ base }, words(field).join(" "));
}

/** The total of a field that the records have, or of what they are worth. */
function bareTotal(field: string | undefined, read: Read): string | undefined {
  if (field === undefined) return totalPrompt(read);
  const { rows = [] } = readResultText(read.last.text);
  const said = words(field).map((word) => stem(singularOf(word)));
  const [name, ...others] = fieldNamesOf(rows).filter(
    (one) =>
      rows.some((row) => /^-?\d/.test(String(row[one]))) && said.every((term) => words(one).map(stem).includes(term)),
  );
  return name === undefined || others.length > 0 ? undefined : withTotal(read, words(name).join(" "));
}

/** The field of the one record that was read, by its key or by the name that it was asked for by. */
function fieldPrompt(field: string, { tool, last, base }: Read): string | undefined {
  const { value, rows } = readResultText(last.text);
  const [named, ...others] = base.entities.filter(({ kind }) => kind === "name");
  if (last.goal?.step === "name") return named && others.length === 0 ? `${field} of ${named.text}` : undefined;
  if (tool.verb !== "get" || rows || !isObject(value)) return undefined;
  const key = idOf(value, "id") ?? Object.values(last.call.arguments)[0];
  return key === undefined || isObject(key) ? undefined : `${field} of ${resourceNoun(tool)} ${String(key)}`;
}

const WHEN_THEY =
  /^\s*(?:(?:and|so)\s+)?when\s+(?:did|do|does|were|are|was|have|had|will)\s+(?:they|those|these)(?:\s+(?:all|each))?\s+(?:be(?:en)?\s+)?(?<verb>\p{L}+)[\s?.!]*$/iu;
const THEIRS =
  /^\s*(?:(?:and|also)\s+)?(?:(?:what(?:['’]?s|\s+is|\s+are)|show(?:\s+me)?|give\s+me)\s+)?their\s+(?<field>\p{L}+(?:\s+\p{L}+)?)[\s?.!]*$/iu;
const TIME = /^\d{4}-\d{2}-\d{2}/;

/** The prompt before with the field that a further one asks for of all its records: "when were they hired", "and their phone numbers?". */
export function shownFields({ text }: PromptText, { tool, last, base }: Read): string | undefined {
  const [verb, said] = [WHEN_THEY.exec(text)?.groups?.["verb"], THEIRS.exec(text)?.groups?.["field"]];
  const { rows = [] } = readResultText(last.text);
  const { goal, shown } = last;
  if (tool.verb !== "list" || shown !== undefined || goal?.step !== "do") return undefined;
  const asked = words(verb ?? said ?? "").map((word) => stem(singularOf(word)));
  if (asked.length === 0) return undefined;
  const isAsked = (name: string): boolean => {
    const own = words(name).map(stem);
    if (verb !== undefined) return own.some((part) => asked.some((one) => isAkin(one, part)));
    return own.join(" ") === asked.join(" ") || `${own.join(" ")} ${stem("number")}` === asked.join(" ");
  };
  const isTimed = (name: string): boolean => verb === undefined || rows.some((row) => TIME.test(String(row[name])));
  const [field, ...others] = fieldNamesOf(rows).filter((name) => isAsked(name) && isTimed(name));
  if (field === undefined || others.length > 0) return undefined;
  return `${base.text.replace(/[\s?.!]+$/, "").replace(/\bhow many\b/i, "which")}, showing ${field}`;
}

/** The field that a prompt asks for of the only record that was shown, where it has one that is called so. */
export function fieldOfShown(
  { text }: PromptText,
  { tool, last, base }: Read,
): { field: string; record: JsonObject } | undefined {
  const { field } = THEIR.exec(text)?.groups ?? {};
  const { value, rows } = readResultText(last.text);
  if (field === undefined || last.shown !== undefined) return undefined;
  const shown = rows ? displayedRows(rows, { tool, args: last.call.arguments }, base).rows : [value];
  const [record, ...others] = shown;
  const said = words(field).map(stem);
  const isSaid = (name: string): boolean => said.every((term) => words(name).map(stem).includes(term));
  return isObject(record) && others.length === 0 && Object.keys(record).some(isSaid) ? { field, record } : undefined;
}

/** Whether a prompt asks for a field of what a list showed. */
export const asksForTheirs = ({ text }: PromptText, { verb }: Tool): boolean =>
  verb === "list" && (THEIRS.test(text) || /\b(?:their|its)\b/i.test(THEIR.exec(text)?.[0] ?? ""));

/** The whole prompt for such a one; undefined for any other. */
export function fieldOfRead({ text }: PromptText, read: Read): string | undefined {
  const total = TOTAL.exec(text);
  const named = total?.groups?.["field"];
  if (read.tool.verb === "list" && named !== undefined) return withTotal(read, named);
  if (WORTH.test(text) || total || TOGETHER.test(text))
    return read.tool.verb === "list" ? totalPrompt(read) : undefined;
  const bare = BARE_TOTAL.exec(text)?.groups;
  if (bare && read.tool.verb === "list") return bareTotal(bare["field"], read);
  const field = THEIR.exec(text)?.groups?.["field"];
  if (read.tool.verb === "list" && field !== undefined && /^(?:(?:grand )?total|sum)$/i.test(field))
    return totalPrompt(read);
  return field === undefined ? undefined : fieldPrompt(field, read);
}
