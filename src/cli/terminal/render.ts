// Events to text for a terminal: what the assistant says on stdout, what it does on stderr. Nothing a model or a target wrote
// can move the cursor or hide.
import type { TurnEvent } from "../../domain/event.js";
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonValue, toJson } from "../../lib/json.js";
import { alignMarkdown, oneLine } from "./table.js";
import { usageLine } from "./usage.js";

/** Where rendered text goes. */
interface TerminalOutput {
  /** What the assistant says. */
  out(text: string): void;
  /** A line about what it does. */
  note(line: string): void;
  /** Align tables for a person's eyes; otherwise text stays as the assistant wrote it. */
  tables: boolean;
  /** Say what each model call took. */
  usage?: boolean;
}

/** Characters of arguments shown in a line of progress; the history has all of them. */
const MAX_ARGUMENT_CHARS = 200;

/** Passes text through as it comes, holding back the lines of a table until all its rows are known. */
function createTableAligner({ out, tables }: Pick<TerminalOutput, "out" | "tables">): {
  push(text: string): void;
  end(): void;
} {
  let line = "";
  let rows: string[] = [];
  const flush = (): void => {
    if (rows.length > 0) out(rows.length > 1 ? alignMarkdown(rows) : `${rows[0]}\n`);
    rows = [];
  };
  return {
    push(text) {
      if (!tables) return out(text);
      for (const piece of text.split(/(?<=\n)/)) {
        line += piece;
        const whole = line.endsWith("\n");
        if (line.startsWith("|")) {
          if (whole) rows.push(line.trimEnd());
        } else {
          flush();
          out(piece);
        }
        if (whole) line = "";
      }
    },
    end() {
      if (line.startsWith("|")) rows.push(line.trimEnd());
      line = "";
      flush();
    },
  };
}

function outcome(event: Extract<TurnEvent, { kind: "tool_result" }>): string {
  const { result, status, duration_ms } = event;
  const took = `${Math.round(duration_ms)} ms`;
  if (status === "ok") return `  ok, ${took}`;
  if (!isObject(result)) return `  error, ${took}: ${oneLine(toJson(result), MAX_ARGUMENT_CHARS)}`;
  if (result["error"] === "confirmation_required") return heldLine(result);
  const reasons = [result["error"], result["message"]].filter((part): part is string => typeof part === "string");
  return `  error, ${took}: ${oneLine(reasons.join(": ") || toJson(result), MAX_ARGUMENT_CHARS)}`;
}

function heldLine(result: { [key: string]: JsonValue }): string {
  const id = oneLine(String(result["confirmation_id"]));
  return `  held until ${oneLine(String(result["expires_at"]))}: it needs a yes. Run it again with --yes or on a terminal, or: agentd approvals approve ${id}`;
}

/** Makes a reader of one turn's events that writes them to the output. */
export function createRenderer(output: TerminalOutput): (event: TurnEvent) => void {
  const text = createTableAligner(output);
  let streamed = false;
  /** Whether text was written that its line break does not follow yet. */
  let isOpen = false;
  const write = (words: string): void => {
    if (words === "") return;
    isOpen = true;
    text.push(visible(words));
  };
  const endText = (): void => {
    text.end();
    if (isOpen) output.out("\n");
    isOpen = false;
  };
  return (event) => {
    switch (event.kind) {
      case "assistant_delta":
        streamed = true;
        return write(event.text);
      case "assistant_message":
        if (!streamed) write(event.text);
        endText();
        streamed = false;
        return;
      case "tool_call":
        return output.note(`→ ${oneLine(event.name)} ${oneLine(toJson(event.arguments), MAX_ARGUMENT_CHARS)}`);
      case "tool_result":
        return output.note(outcome(event));
      case "error":
        endText();
        return output.note(`error: ${visible(event.message)}`);
      case "notice":
        return output.note(visible(event.message));
      case "confirmation_resolved":
        return output.note(`  ${event.decision}${event.reason ? `: ${oneLine(event.reason)}` : ""}`);
      case "usage":
        if (!output.usage) return;
        // It comes when the text is complete, and before the message that holds all of it.
        endText();
        return output.note(usageLine(event));
      case "user_prompt":
      case "session":
      case "confirmation_required":
      case "reasoning_delta":
      case "reasoning":
      case "done":
        return;
      default:
        return event satisfies never;
    }
  };
}
