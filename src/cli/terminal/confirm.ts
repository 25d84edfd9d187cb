// Asks at the terminal whether a held call may run: all of it is displayed, and an empty answer denies it. What the model wrote
// stands behind a bar on every row, so that it can imitate neither the question nor its end, and is followed by what the daemon
// itself says of the call: a few rows, whatever the length of the call.
import type { Decision } from "../../domain/decision.js";
import type { HeldCall } from "../../domain/event.js";
import { type FormField, formFields } from "../../domain/form.js";
import { DECEPTIVE, escapeCodePoint } from "../../lib/invisible-characters.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { effectSummary } from "./effect.js";
import { heldCallText, heldCallWhole } from "./held-call.js";

/** Asks one question and resolves with the line typed; rejects when the signal aborts. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** Stands before every row that the model wrote. */
const BAR = "  | ";
/** A terminal that does not say how wide it is, and one too narrow for any text. */
const USUAL_COLUMNS = 80;
const LEAST_COLUMNS = 20;
/** Characters of an address in the daemon's own rows: two rows of a usual terminal. The whole stands above. */
const MAX_ADDRESS_CHARS = 150;
/** As MAX_ADDRESS_CHARS, of a name. */
export const MAX_NAME_CHARS = 64;

/** The text with whatever hides or passes for something else as its code point. JSON has line breaks of its own only. */
function marked(text: string): string {
  return text.replace(DECEPTIVE, (character) => (character === "\n" ? character : escapeCodePoint(character)));
}

/**
 * Cuts text into rows of at most `columns`, behind a space where there is one; nothing is dropped. Characters beyond ASCII count as
 * two: no terminal makes one wider.
 */
function toRows(text: string, columns: number): string[] {
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    let start = 0;
    let width = 0;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      // The second half of a pair stays with the first.
      const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
      const own = isSecondHalf ? 0 : code < 0x80 ? 1 : 2;
      if (width + own > columns) {
        const space = line.lastIndexOf(" ", at - 1);
        const end = space > start ? space + 1 : at;
        rows.push(line.slice(start, end));
        start = end;
        // What stands behind the space is measured again.
        at = end - 1;
        width = 0;
        continue;
      }
      width += own;
    }
    rows.push(line.slice(start));
  }
  return rows;
}

/** A text for the daemon's own rows: printable ASCII only, without the prompt's own words, cut in its middle. */
export function plainLabel(text: string, maxChars: number): string {
  const ascii = marked(text)
    .replace(/[^\x20-\x7e]/gu, escapeCodePoint)
    .replace(/\[(?=\s*y\s*\/)/gi, escapeCodePoint);
  if (ascii.length <= maxChars) return ascii;
  const half = Math.floor(maxChars / 2);
  return `${ascii.slice(0, half)} ... ${ascii.slice(-half)} (${ascii.length} characters)`;
}

/** Method and address, statement and database, the tool and its server, or whatever takes their place. The last part is the target. */
function requestLabel(request: JsonObject): string {
  const { method, url, server, tool, statement, parameters = [], database, undo } = request;
  const label = (text: string, maxChars = MAX_ADDRESS_CHARS): string => plainLabel(text, maxChars);
  if (typeof server === "string" && typeof tool === "string") return label(`${tool} to ${server}`);
  const address = [method, url].filter((part) => typeof part === "string").join(" ");
  if (typeof undo === "number")
    return label(`undo of call ${undo} (${String(tool)})${typeof url === "string" ? ` by ${address}` : ""}`);
  if (typeof statement === "string" && typeof database === "string") {
    const values = Array.isArray(parameters) && parameters.length > 0 ? `  ${label(toJson(parameters))}` : "";
    return `${label(statement)}${values}  to ${label(database)}`;
  }
  return label(typeof url === "string" ? address : toJson(request));
}

/** Text that is not the daemon's own, in rows of `columns` behind a bar. */
export function behindBar(text: string, columns = process.stderr.columns): string[] {
  const width = Math.max(LEAST_COLUMNS, columns || USUAL_COLUMNS) - 1;
  return toRows(marked(text), width - BAR.length).map((row) => BAR + row);
}

/** A held call for a person who judges it. */
interface DescribedCall {
  /** What the model, or the application, wrote, each row behind a bar. */
  written: string[];
  /** What the daemon itself says of the call. */
  own: string[];
}

/** The host of a page that an application wants visited. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** What an application asks: its words, and the fields or the page. */
function questionText({ message, fields, url }: NonNullable<HeldCall["input"]>): string {
  if (url !== undefined) return `${message}\npage: ${url}`;
  return [message, ...formFields(fields ?? {}).map((field) => `- ${field.name}: ${fieldText(field)}`)].join("\n");
}

/** A field in words: all of them the application's but for its kind. */
export function fieldText(field: FormField): string {
  const { title, name, description, required, kind, choices } = field;
  const about = [title === name ? "" : title, description].filter((text) => text !== "").join(", ");
  const named = ({ value, title: label }: (typeof choices)[number]): string =>
    value === label ? label : `${label} = ${toJson(value)}`;
  const any = kind === "choices" && choices.length > 0 ? "any of " : "";
  const what = choices.length > 0 ? any + choices.map(named).join(" | ") : field.format || kind;
  return `${about === "" ? "" : `${about}: `}${what}${required ? "" : ", optional"}`;
}

/** A held call, or a question, in rows of `columns`: what is to be judged, or with `isWhole` all that is known. */
export function describeCall(
  held: HeldCall,
  { columns = process.stderr.columns, isWhole = false }: { columns?: number | undefined; isWhole?: boolean } = {},
): DescribedCall {
  const width = Math.max(LEAST_COLUMNS, columns || USUAL_COLUMNS) - 1;
  const { effect, input } = held;
  const own = (label: string, text: string): string[] =>
    toRows(text, width - label.length).map((row, i) => (i === 0 ? label : " ".repeat(label.length)) + row);
  const application =
    held.application === "" ? [] : own("  to:    ", `the application ${plainLabel(held.application, MAX_NAME_CHARS)}`);
  const tool = `${plainLabel(held.tool, MAX_NAME_CHARS)} (${held.safety})`;
  if (input)
    return {
      written: behindBar(questionText(input), columns),
      own: [
        ...(input.url === undefined ? [] : own("  visit: ", plainLabel(hostOf(input.url), MAX_ADDRESS_CHARS))),
        ...application,
        ...own("  tool:  ", `${tool}, which has been sent and waits for the answer`),
      ],
    };
  return {
    written: behindBar(isWhole ? heldCallWhole(held) : heldCallText(held), columns),
    own: [
      ...own("  sends: ", requestLabel(held.request)),
      ...application,
      ...own("  tool:  ", tool),
      ...(effect ? own("  does:  ", plainLabel(effectSummary(effect, held.undo).join("; "), MAX_ADDRESS_CHARS)) : []),
    ],
  };
}

/** The question about a held call, in rows of `columns`; the last row is the prompt. */
export function describeHeld(held: HeldCall, columns?: number): string {
  return questionAbout(describeCall(held, { columns }), "The model asks for this call:", "Run it? [y/N] ");
}

/** A question about a held call, in rows: what others wrote below a heading, what the daemon says, and the prompt. */
export function questionAbout({ written, own }: DescribedCall, heading: string, prompt: string): string {
  const about = `agentd asks, about the ${written.length} rows above:`;
  return ["", heading, ...written, "", about, ...own, prompt].join("\n");
}

/** What is asked for; undefined when the question was aborted. */
export async function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Whether an answer to `[y/N]` is a yes. */
export function isYes(answer: string): boolean {
  return /^\s*y(es)?\s*$/i.test(answer);
}

/** The person's decision. Undefined when the question was aborted. */
export async function askToConfirm(held: HeldCall, ask: Ask, signal: AbortSignal): Promise<Decision | undefined> {
  const answer = await unlessAborted(signal, ask(describeHeld(held), signal));
  return answer === undefined ? undefined : { decision: isYes(answer) ? "approve" : "deny" };
}
