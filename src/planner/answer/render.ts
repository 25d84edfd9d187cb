// What a person is told of a tool's result: a list as a table, a record as its fields, a change as what was changed,
// an error as what happened. Never more than the result says.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import { unmatchedEntities, unmatchedWords } from "../match/unmatched.js";
import { orderIn } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun, singular } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import { brief, fieldList, MAX_ROWS, markdownTable, recordText } from "./markdown.js";
import { type Narrowed, narrow } from "./narrow.js";
import { type ResultContent, readResultText, recordName } from "./rows.js";
import { quoted } from "./sentences.js";

/** A call that was answered, and what it was made for. */
interface AnsweredCall {
  tool: Tool;
  args: JsonObject;
  text: string;
  isError: boolean;
}

const MAX_TEXT = 4000;

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ch|sh|x|ss|z)$/.test(word) ? `${word}es` : `${word}s`;
}

function amount(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : plural(thing)}`;
}

function errorText({ tool, text }: AnsweredCall): string {
  const { value } = readResultText(text);
  if (!isObject(value)) return `\`${tool.name}\` failed: ${brief(value) || "no reason was given"}`;
  if (value["error"] === "confirmation_required")
    return `\`${tool.name}\` needs a person's yes first. It waits as confirmation ${brief(value["confirmation_id"])}${value["expires_at"] ? ` until ${brief(value["expires_at"])}` : ""}; nothing was sent yet.`;
  const status = value["status"] ?? value["status_code"];
  const message = messageIn(value) ?? toJson(value);
  if (value["error"] === "refused") return `\`${tool.name}\` was refused: ${message}`;
  return `\`${tool.name}\` failed${status === undefined || message.includes(brief(status)) ? "" : ` (${brief(status)})`}: ${message}`;
}

const CODE = /^[a-z]+(?:_[a-z\d]+)*$/;

function messageIn(value: JsonObject): string | undefined {
  const parts: string[] = [];
  for (const key of ["message", "detail", "error_description", "title", "body", "error"]) {
    const inner = value[key];
    // A code beside a sentence tells a person nothing more.
    const isCode = typeof inner === "string" && (/^http_\d+$/.test(inner) || (parts.length > 0 && CODE.test(inner)));
    if (typeof inner === "string" && !isCode && !parts.some((part) => part.includes(inner))) parts.push(inner);
    else if (isObject(inner)) {
      const nested = messageIn(inner);
      if (nested && !parts.includes(nested)) parts.push(nested);
    }
    if (parts.length === 2) break;
  }
  return parts.length > 0 ? parts.join(": ").slice(0, 1000) : undefined;
}

/** The records of a list as they are shown for a prompt, in that order. */
export function displayedRows(rows: readonly JsonObject[], args: JsonObject, prompt: PromptText): Narrowed {
  const given = Object.keys(args).some((name) => /min|max|gte?|lte?|from|to|where|filter|price/i.test(name));
  const search = Object.keys(args).some((name) => SEARCHING.test(name));
  return narrow(rows, prompt, { bounds: given, order: isSorted(args), search });
}

function listText(result: ResultContent, rows: JsonObject[], answered: AnsweredCall, context: AnswerContext): string {
  const { tool, args } = answered;
  const thing = listedThing(tool);
  if (rows.length === 0) return `No ${plural(thing)} found${sentWith(tool, args)}.`;
  const found = displayedRows(rows, args, context.prompt);
  const used = isSorted(args) ? [...found.conditions, orderIn(context.prompt)?.text ?? ""] : found.conditions;
  const listed = { tool, args, rows, used: [...used, context.lookupPhrase] };
  const unused = [...unmatchedWords(context.prompt, listed), ...unmatchedEntities(context.prompt, listed)];
  const order = isSorted(args) || found.ordered ? undefined : orderIn(context.prompt);
  const note =
    (unused.length > 0 ? `\n\nI could not narrow this by ${quoted(unused, "or")}.` : "") +
    (order ? `\n\nI could not put this in order: ${order.text}.` : "");
  const of = found.conditions.length > 0 ? ` with ${found.conditions.join(" and ")}` : "";
  if (found.rows.length === 0) return `No ${plural(thing)}${of} among the ${rows.length} returned.`;
  const more = result.partial
    ? ` of ${Math.max(result.total, rows.length)}${of ? ` (only ${rows.length} were looked at)` : ""}`
    : "";
  if (context.request.counts) {
    const exact = of === "" ? result.total : found.rows.length;
    const doubt = of !== "" && result.partial ? ` among the ${rows.length} returned` : "";
    return `${amount(exact, thing)}${of || sentWith(tool, args)}${doubt}.${note}`;
  }
  const left = found.rows.length - MAX_ROWS;
  const shown =
    of !== "" || result.partial ? `${amount(found.rows.length, thing)}${of}${more}` : amount(found.rows.length, thing);
  return `${shown}:\n\n${markdownTable(found.rows, found.fields)}${left > 0 ? `\n\n… and ${left} more.` : ""}${note}`;
}

const isSorted = (args: JsonObject): boolean => Object.keys(args).some((name) => SORTING.test(name));

/** What a list holds; a path such as /reports/low-stock names no kind of thing. */
function listedThing(tool: Tool): string {
  const thing = resourceNoun(tool);
  const last = words((tool.transport.path ?? "").replace(/\/(?:count|search)$/, "")).at(-1) ?? "";
  return tool.verb === "list" && singular(last) === last ? "result" : thing;
}

/** The conditions that went with a call, in words. */
function sentWith(tool: Tool, args: JsonObject): string {
  const keys = pathNames(tool);
  const sent = Object.entries(args).filter(([name]) => !keys.has(name) && !PAGING.test(name));
  return sent.length > 0 ? ` with ${sent.map(([name, value]) => `${name} = ${brief(value)}`).join(" and ")}` : "";
}

const SORTING = /^(?:sort|order|ordering)(?:_?(?:by|key|field|order))?$/i;
const SEARCHING = /^(?:q|query|search|keywords?|text)/i;
const PAGING = /^(?:limit|offset|page|per_?page|page_?size|cursor|sort|order|order_?by|direction)$/i;

/** The prompt a rendering answers. */
interface AnswerContext {
  prompt: PromptText;
  request: Request;
  /** The name a record was looked up by, for this call. */
  lookupPhrase: string;
}

/** An answer without a body is its status alone, and perhaps where the new thing is. */
function isEmptyAnswer(value: JsonValue): boolean {
  return (
    isObject(value) &&
    typeof value["status"] === "number" &&
    Object.keys(value).every((key) => /^(?:status|location|etag|retry_after)$/.test(key))
  );
}

function changeText(answered: AnsweredCall, result: ResultContent): string {
  const { tool, args } = answered;
  const thing = resourceNoun(tool);
  const acts = /\}\/[^/{}]+$/.test(tool.transport.path ?? "") && tool.verb !== "create";
  const done = acts
    ? "Done"
    : tool.verb === "create"
      ? "Created"
      : tool.verb === "update"
        ? "Updated"
        : tool.verb === "delete"
          ? "Deleted"
          : "Done";
  const changedTo = isObject(result.value) && !isEmptyAnswer(result.value) ? result.value : undefined;
  const id = changedTo?.["id"] ?? changedTo?.["number"] ?? (tool.verb === "create" ? undefined : pathValue(tool, args));
  const name = changedTo ? recordName(changedTo) : undefined;
  const which = `${id === undefined ? "" : ` ${brief(id)}`}${name && name !== brief(id) ? ` (${name})` : ""}`;
  const head = done === "Done" ? `Done: \`${tool.name}\`${which}.` : `${done} ${thing}${which}.`;
  const body = changedTo && Object.keys(changedTo).length > 0 ? recordText(changedTo) : changed(tool, args);
  return tool.verb === "delete" || body === "" ? head : `${head}\n\n${body}`;
}

function changed(tool: Tool, args: JsonObject): string {
  const path = tool.transport.path ?? "";
  return fieldList(Object.fromEntries(Object.entries(args).filter(([name]) => !path.includes(`{${name}}`))));
}

function pathValue(tool: Tool, args: JsonObject): JsonValue | undefined {
  const last = [...(tool.transport.path ?? "").matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  return last === undefined ? undefined : args[last];
}

/** Numbers and identifiers of a prompt that a single record says nothing of: "show product 3 and product 4". */
function leftOut(prompt: PromptText, args: JsonObject): string[] {
  const sent = new Set(Object.values(args).map(String));
  const keys = prompt.entities.filter(({ kind }) => kind === "number" || kind === "id");
  const some = keys.some(({ value }) => sent.has(String(value)));
  return some ? keys.filter(({ value }) => !sent.has(String(value))).map(({ text }) => text) : [];
}

function countIn(value: JsonObject): JsonValue | undefined {
  const entries = Object.entries(value);
  const [only] = entries;
  return entries.length === 1 && only && /count|total/i.test(only[0]) ? only[1] : undefined;
}

/** The answer to one call as text for a person. */
export function renderAnswer(answered: AnsweredCall, context: AnswerContext): string {
  if (answered.isError) return errorText(answered);
  const result = readResultText(answered.text);
  const { value } = result;
  if (isObject(value) && value["dry_run"] === true) {
    const request = isObject(value["not_sent"]) ? value["not_sent"] : {};
    // A body goes by no name here: all of it would have been sent.
    const whole = Object.entries(request).map(([key, part]) => [key, isObject(part) ? toJson(part) : part]);
    return `Dry run: nothing was sent. This would have been:\n\n${fieldList(Object.fromEntries(whole))}`;
  }
  if (answered.tool.safety !== "read_only") return changeText(answered, result);
  if (isEmptyAnswer(value)) return "Done; the answer is empty.";
  if (result.rows) return listText(result, result.rows, answered, context);
  if (isObject(value)) {
    const count = countIn(value);
    if (count !== undefined && (typeof count === "number" || typeof count === "bigint"))
      return `${amount(Number(count), resourceNoun(answered.tool))}.`;
    const left = leftOut(context.prompt, answered.args);
    const note = left.length > 0 ? `\n\nThis leaves out ${quoted(left, "and")}: ask for one at a time.` : "";
    return recordText(value) ? `${recordText(value)}${note}` : "The answer is empty.";
  }
  if (Array.isArray(value))
    return value.length === 0
      ? "The answer is an empty list."
      : value
          .map((item) => `- ${brief(item)}`)
          .join("\n")
          .slice(0, MAX_TEXT);
  return brief(value).slice(0, MAX_TEXT) || "Done; the answer is empty.";
}
