// Events to text for a terminal: what the assistant says on stdout, what it does on stderr. Nothing a model or a target wrote
// can move the cursor or hide.
import type { TurnEvent } from "../../domain/event.js";
import { createVisiblePieces, visible } from "../../lib/invisible-characters.js";
import { type Activity, createLiveActivity, createPlainActivity } from "./activity.js";
import { canRedraw, lookOf } from "./look.js";
import { printPainted, say } from "./output.js";
import { oneLine } from "./table.js";
import { usageLine } from "./usage.js";

/** Takes what the assistant says, piece by piece. */
interface AnswerText {
  push(text: string): void;
  /** The text is complete: it ends with a line break. */
  end(): void;
}

/** Where rendered events go. */
interface TurnOutput {
  answer: AnswerText;
  activity: Activity;
  /** A line about what happens. */
  note(line: string): void;
  /** Say what each model call took. */
  usage?: boolean;
  /** Say nothing but the answer and what ended it. */
  quiet?: boolean;
}

/** Passes text on as it comes, as the assistant wrote it. */
export function createPlainAnswer(out: (text: string) => void = printPainted): AnswerText {
  const pieces = createVisiblePieces();
  let isOpen = false;
  return {
    push(text) {
      if (text === "") return;
      isOpen = true;
      out(pieces.push(text));
    },
    end() {
      if (isOpen) out(`${pieces.end()}\n`);
      isOpen = false;
    },
  };
}

/** Renders Markdown as it comes; what does it is loaded here. */
async function openMarkdownAnswer(): Promise<AnswerText> {
  const [{ createMarkdownStream }, { createLiveLines }] = await Promise.all([
    import("./markdown/stream.js"),
    import("./live.js"),
  ]);
  const { stdout } = process;
  return createMarkdownStream({
    out: printPainted,
    live: canRedraw(stdout) ? createLiveLines(stdout) : undefined,
    look: () => lookOf(stdout),
  });
}

const SILENT: Activity = { wait: () => {}, call: () => {}, result: () => {}, rest: () => {} };

/** Shows a turn. */
export interface TurnRenderer {
  render(event: TurnEvent): void;
  /** Nothing is drawn until something else happens: a question is asked. */
  rest(): void;
}

/** A reader of a turn's events that writes them to this process's stdout and stderr, each as what it is. */
export async function openTurnRenderer({
  usage = false,
  quiet = false,
  isDryRun,
}: {
  usage?: boolean;
  quiet?: boolean;
  isDryRun: boolean;
}): Promise<TurnRenderer> {
  const answer = process.stdout.isTTY === true ? await openMarkdownAnswer() : createPlainAnswer();
  const activity = quiet
    ? SILENT
    : canRedraw(process.stderr)
      ? createLiveActivity(isDryRun)
      : createPlainActivity(isDryRun);
  return { render: createRenderer({ answer, activity, note: say, usage, quiet }), rest: () => activity.rest() };
}

/** Makes a reader of one turn's events that writes them to the output. */
export function createRenderer(output: TurnOutput): (event: TurnEvent) => void {
  const { answer, activity, quiet } = output;
  let streamed = false;
  /** Questions of applications. The result of any other call that is denied says why. */
  const questions = new Set<string>();
  const note = (line: string): void => {
    if (!quiet) output.note(line);
  };
  return (event) => {
    switch (event.kind) {
      case "user_prompt":
        return activity.wait();
      case "assistant_delta":
        if (!streamed) activity.rest();
        streamed = true;
        return answer.push(event.text);
      case "assistant_message":
        activity.rest();
        if (!streamed) answer.push(event.text);
        if (event.text === "") note("The model answered nothing.");
        answer.end();
        streamed = false;
        return;
      case "tool_call":
        return activity.call(event);
      case "tool_result":
        return activity.result(event);
      case "error":
        activity.rest();
        answer.end();
        return output.note(`error: ${visible(event.message)}`);
      case "notice":
        return note(visible(event.message));
      case "confirmation_required":
        if (event.input) questions.add(event.id);
        return activity.rest();
      case "confirmation_resolved": {
        const isTold = event.decision !== "approved" && !questions.has(event.id);
        return note(`  ${event.decision}${event.reason && !isTold ? `: ${oneLine(event.reason)}` : ""}`);
      }
      case "usage":
        if (!output.usage) return;
        // It comes when the text is complete, and before the message that holds all of it.
        answer.end();
        return note(usageLine(event));
      case "done":
        return activity.rest();
      case "session":
      case "reasoning_delta":
      case "reasoning":
      case "calls":
        return;
      default:
        return event satisfies never;
    }
  };
}
