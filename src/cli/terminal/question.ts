// Asks at the terminal what an application asks in the middle of a call: first whether it is to be answered at all, then field by field.
// What the application wrote stands behind a bar; what is typed is checked here, and by the daemon again.
// Source: docs/reference.md, "Questions of an application".
import type { Decision } from "../../domain/decision.js";
import type { HeldCall } from "../../domain/event.js";
import { type FormField, fieldAnswer, fieldError, formFields } from "../../domain/form.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { type Ask, behindBar, describeCall, fieldText, isYes, questionAbout, unlessAborted } from "./confirm.js";

/** Answers to one field that do not fit, after which the question is declined: a closed terminal answers for ever. */
const MAX_TRIES = 5;
/** Leaves a field out that need not be answered. */
const NOTHING = "-";

const DECLINE: Decision = { decision: "deny" };

/** What is to be typed, in the daemon's own words. */
function hintOf({ kind, required, choices, initial, format }: FormField): string {
  const what =
    kind === "choice"
      ? `a number from 1 to ${choices.length}`
      : kind === "choices"
        ? `numbers from 1 to ${choices.length}, separated by commas`
        : format || (kind === "integer" ? "whole number" : kind === "json" ? "JSON" : kind);
  const empty = initial !== "" ? "nothing for the suggestion" : required ? "" : "nothing to leave it out";
  const leave = initial !== "" && !required ? `${NOTHING} to leave it out` : "";
  return [what, empty, leave].filter((text) => text !== "").join("; ");
}

/** What was typed as a draft of the field: choices by their positions. */
function draftOf({ kind, choices, initial, required }: FormField, typed: string): string {
  if (typed === "") return initial;
  if (typed === NOTHING && !required) return "";
  if (kind !== "choice" && kind !== "choices") return typed;
  const position = (one: string): string => {
    const text = one.trim();
    const named = choices.findIndex(({ title, value }) => title === text || value === text);
    if (named >= 0) return String(named);
    if (/^\d+$/.test(text)) return String(Number(text) - 1);
    const isBoolean = choices.every(({ value }) => typeof value === "boolean");
    return isBoolean && /^(y|yes|n|no)$/i.test(text) ? String(/^n/i.test(text) ? 1 : 0) : "-1";
  };
  return kind === "choice" ? position(typed) : typed.split(",").map(position).join(",");
}

/** The question about one field; its last row is the prompt. */
function fieldQuestion(field: FormField, at: string): string {
  const choices = field.choices.map(({ title }, position) => `${position + 1}. ${title}`);
  const suggestion = suggestionOf(field);
  const written = [
    `${field.name}: ${choices.length > 0 ? fieldText({ ...field, choices: [] }) : fieldText(field)}`,
    ...choices,
    ...(suggestion === "" ? [] : [`suggestion: ${suggestion}`]),
  ];
  return ["", ...behindBar(written.join("\n")), `Field ${at} (${hintOf(field)})`, "> "].join("\n");
}

function suggestionOf({ initial, kind, choices }: FormField): string {
  if (initial === "" || (kind !== "choice" && kind !== "choices")) return initial;
  return initial
    .split(",")
    .map((position) => choices[Number(position)]?.title ?? "")
    .join(", ");
}

/** The value of one field; undefined when it is left out, "declined" after too many answers that do not fit. */
async function askField(
  field: FormField,
  at: string,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<JsonValue | undefined | typeof DECLINE> {
  let question = fieldQuestion(field, at);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = fieldAnswer(field, draftOf(field, await ask(question, signal)));
    if ("value" in answer) return answer.value;
    if (!("error" in answer)) return undefined;
    question = `${fieldError(answer)}\n> `;
  }
  return DECLINE;
}

/** The person's answer to a question of an application. Undefined when it was aborted. */
export async function askQuestion(held: HeldCall, ask: Ask, signal: AbortSignal): Promise<Decision | undefined> {
  return unlessAborted(signal, answerOf(held, ask, signal));
}

async function answerOf(held: HeldCall, ask: Ask, signal: AbortSignal): Promise<Decision> {
  const { input } = held;
  const isPage = input?.url !== undefined;
  const prompt = isPage
    ? "agentd opens nothing by itself. Have you visited the page, and is it done? [y/N] "
    : "What you answer goes to the application and is kept in the history. Answer? [y/N] ";
  const question = questionAbout(describeCall(held), "The application asks you:", prompt);
  if (!isYes(await ask(question, signal))) return DECLINE;
  if (isPage) return { decision: "approve" };
  const fields = formFields(input?.fields ?? {});
  const values: JsonObject = {};
  for (const [at, field] of fields.entries()) {
    const value = await askField(field, `${at + 1} of ${fields.length}`, { ask, signal });
    if (value === DECLINE) return DECLINE;
    if (value !== undefined) values[field.name] = value as JsonValue;
  }
  return { decision: "approve", arguments: values };
}
