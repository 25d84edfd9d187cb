// A result as text for a person: a list as a table, a record as its fields, a change as what was changed, an error as what
// happened. Never more than the result holds.

import { isObject, type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../../lib/json.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { askedRecordText, untoldNote } from "./asked-field.js";
import { whyNote } from "./asked-texts.js";
import { changeText, isEmptyAnswer } from "./change.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import { errorText } from "./error.js";
import { type AnswerText, amount, listText } from "./list.js";
import { brief, fieldList } from "./markdown.js";
import { type Misread, misreadNote } from "./misread.js";
import { readResultText } from "./rows.js";
import { quoted } from "./sentences.js";

const MAX_TEXT = 4000;

/** Numbers and identifiers of a prompt that a single record leaves out: "show product 3 and product 4". */
function leftOut(prompt: PromptText, args: JsonObject): string[] {
  const sent = new Set(Object.values(args).map(String));
  const keys = prompt.entities.filter(({ kind, text }) => (kind === "number" && /\d/.test(text)) || kind === "id");
  const some = keys.some(({ value }) => sent.has(String(value)));
  return some ? keys.filter(({ value }) => !sent.has(String(value))).map(({ text }) => text) : [];
}

function countIn(value: JsonObject): JsonValue | undefined {
  const entries = Object.entries(value);
  const [only] = entries;
  return entries.length === 1 && only && /count|total/i.test(only[0]) ? only[1] : undefined;
}

function dryRunText(value: JsonObject): string {
  const request = objectOf(value["not_sent"]);
  // A body has no name here: all of it would have been sent.
  const whole = Object.entries(request).map(([key, part]) => [key, isObject(part) ? toJson(part) : part]);
  const effect = effectText(objectOf(value["effect"]));
  return `Dry run: nothing was ${effect ? "changed" : "sent"}. This would have been:\n\n${fieldList(Object.fromEntries(whole))}${effect}`;
}

/** How many rows of each table a call would touch, where that is known. */
function effectText({ tables }: JsonObject): string {
  const lines = listOf(tables).map((table) => {
    const { name, ...counts } = objectOf(table);
    const touched = Object.entries(counts).filter(([, count]) => count !== 0);
    return `- ${brief(name)}: ${touched.map(([what, count]) => `${brief(count)} ${what}`).join(", ")}`;
  });
  return lines.length > 0 ? `\n\nRows it would touch:\n\n${lines.join("\n")}` : "";
}

/** The answer to one call as text for a person. */
export function renderAnswer(answered: AnsweredCall, context: AnswerContext): AnswerText {
  const { rows, ...result } = readResultText(answered.text);
  if (answered.isError || answered.tool.safety !== "read_only" || !rows) return renderRecord(answered, context);
  const list = listText({ rows, ...result }, { ...answered, ...context });
  return { ...list, text: `${misreadNote(answered, context).note}${list.text}` };
}

/** The answer to a call that gave no list. */
function renderRecord(answered: AnsweredCall, context: AnswerContext): AnswerText {
  const { value } = readResultText(answered.text);
  const isRecord = !answered.isError && answered.tool.safety === "read_only" && isObject(value);
  const misread = isRecord ? misreadNote(answered, context, value) : { note: "" };
  const text = recordAnswer(answered, context, misread);
  return { text, offersRecord: misread.offers === true && text === misread.note };
}

function recordAnswer(answered: AnsweredCall, context: AnswerContext, misread: Misread): string {
  const { tool, args, text, isError } = answered;
  if (isError) return errorText(tool, text);
  const { value } = readResultText(text);
  if (isObject(value) && value["dry_run"] === true) return dryRunText(value);
  if (tool.safety !== "read_only") return changeText(answered, value);
  if (isEmptyAnswer(value)) return "Done; the answer is empty.";
  if (isObject(value)) {
    const count = countIn(value);
    if (typeof count === "number" || typeof count === "bigint") return `${amount(Number(count), resourceNoun(tool))}.`;
    const left = leftOut(context.prompt, args);
    const note = left.length > 0 ? `This leaves out ${quoted(left, "and")}: ask for one at a time.\n\n` : "";
    if (misread.isNoAnswer) return misread.note;
    // What was read for another record's sake tells it itself.
    const untold = context.lookupPhrase === "" ? untoldNote(value, context.prompt) : "";
    const above = `${note}${misread.note}${whyNote([value], context.prompt)}${untold}`;
    const record = askedRecordText(value, context.prompt);
    return record ? `${above}${record}` : "The answer is empty.";
  }
  if (!Array.isArray(value)) return brief(value).slice(0, MAX_TEXT) || "Done; the answer is empty.";
  if (value.length === 0) return "The answer is an empty list.";
  const items = value.map((item) => `- ${brief(item)}`);
  return items.join("\n").slice(0, MAX_TEXT);
}
