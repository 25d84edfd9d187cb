// One conversation whole, for a person: what was asked, what was called, what came back, what was answered.
// Source: docs/reference.md, "Looking at the record".
import type { Message } from "../../domain/message.js";
import type { TranscriptTurn } from "../../domain/record.js";
import { visible } from "../../lib/invisible-characters.js";
import { type JsonValue, parseJson, toJson } from "../../lib/json.js";
import type { Look } from "./look.js";
import { renderMarkdown } from "./markdown/parse.js";
import { paint, type Span, span, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";
import { valueLines } from "./value-lines.js";

/** A conversation as it is on record. */
interface Recorded {
  session_id: string;
  title: string;
  turns: readonly TranscriptTurn[];
}

/** How it is laid out, and how times are written. */
interface PageLook extends Look {
  timeOf(ts: string): string;
}

/** What the model saw of a result: JSON, or a text. */
function resultOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const painted = (lines: readonly (readonly Span[])[], { styled }: Look): string =>
  lines.map((line) => `${paint(line, styled).trimEnd()}\n`).join("");

const withPrefix = (prefix: string, text: string, { width }: Look): Span[][] =>
  visible(text)
    .split("\n")
    .flatMap((line) => wrapLine([span(line)], width - prefix.length))
    .map((line) => [span(prefix, "bold"), ...line.map((one) => span(one.text, "bold"))]);

/** A message as blocks of lines. */
function blocksOf(message: Message, look: PageLook): string[] {
  switch (message.role) {
    case "user":
      return [];
    case "notice":
      return [painted(wrapLine([span(oneLine(message.text), "italic")], look.width), look)];
    case "assistant": {
      const text = message.text === "" ? [] : [renderMarkdown(message.text, look)];
      const calls = message.calls.flatMap(({ name, arguments: args }) =>
        wrapLine([span("→ "), span(oneLine(name), "bold"), span(` ${oneLine(toJson(args))}`, "dim")], look.width),
      );
      return calls.length === 0 ? text : [...text, painted(calls, look)];
    }
    case "tool": {
      const sign = message.is_error ? span("✗ ", "bad", "bold") : span("✓ ", "good");
      const head = [sign, span(oneLine(message.name), "bold")];
      return [painted([head, ...valueLines(resultOf(message.text), look.width)], look)];
    }
    default:
      return message satisfies never;
  }
}

function turnBlocks({ prompt, started_at, provider, model, status, error, messages }: TranscriptTurn, look: PageLook) {
  const end =
    status === "done"
      ? []
      : [span(oneLine(error === "" || error === status ? status : `${status}: ${error}`), "italic")];
  return [
    painted([[span(`${look.timeOf(started_at)}  ${oneLine(`${provider} ${model}`)}`, "dim")]], look) +
      painted(withPrefix("> ", prompt, look), look),
    ...messages.flatMap((message) => blocksOf(message, look)),
    ...(end.length > 0 ? [painted(wrapLine(end, look.width), look)] : []),
  ];
}

/** A conversation as painted text, nothing of it left out; ends with a line break. */
export function conversationPage({ session_id, title, turns }: Recorded, look: PageLook): string {
  const head = [
    ...wrapLine([span(oneLine(title) || "Conversation", "bold")], look.width),
    [span(`session ${oneLine(session_id)}`, "dim")],
  ];
  return [painted(head, look), ...turns.flatMap((turn) => turnBlocks(turn, look))].join("\n");
}
