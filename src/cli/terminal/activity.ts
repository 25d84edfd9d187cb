// What is done while a turn runs, on stderr: a line for each call and what became of it. On a terminal the call that runs, and the wait
// for the model, are drawn in one line with the seconds they take; elsewhere there are lines only.
import type { TurnEvent } from "../../domain/event.js";
import { toJson } from "../../lib/json.js";
import { type Look, lookOf } from "./look.js";
import { callOutcome, tookText } from "./outcome.js";
import { say, sayPainted } from "./output.js";
import { cutLine, lineWidth, type Mark, paint, span, wrapLine } from "./spans.js";
import { createStatusLine } from "./status-line.js";
import { oneLine } from "./table.js";

type Call = Extract<TurnEvent, { kind: "tool_call" }>;
type Result = Extract<TurnEvent, { kind: "tool_result" }>;

/** Shows what is done. */
export interface Activity {
  /** A model is waited for from now on. */
  wait(): void;
  call(event: Call): void;
  result(event: Result): void;
  /** Nothing is waited for, or a person is: nothing is drawn until something else happens. */
  rest(): void;
}

/** Characters of arguments in a line of progress; the history has all of them. */
const MAX_ARGUMENT_CHARS = 200;
const SIGNS: Readonly<Record<ReturnType<typeof callOutcome>["word"], readonly [sign: string, ...marks: Mark[]]>> = {
  ok: ["✓", "good"],
  failed: ["✗", "bad", "bold"],
  refused: ["⊘", "bold"],
  held: ["◷", "bold"],
  stopped: ["■", "bold"],
  "dry run": ["○", "bold"],
};

/** Lines only: a call, then what became of it; with its name where several are under way. */
export function createPlainActivity(isDryRun: boolean, note: (line: string) => void = say): Activity {
  const open = new Map<string, string>();
  return {
    wait: () => {},
    rest: () => {},
    call({ id, name, arguments: args }) {
      const line = `${oneLine(name)} ${oneLine(toJson(args), MAX_ARGUMENT_CHARS)}`;
      open.set(id, line);
      note(`→ ${line}`);
    },
    result(event) {
      const { word, reason, changes = [] } = callOutcome(event, isDryRun);
      const own = open.size > 1 ? `  ${open.get(event.id) ?? "call"}: ` : "  ";
      open.delete(event.id);
      if (word === "held" || word === "stopped") note(`${own}${reason}`);
      else if (word === "refused" || word === "dry run") note(`${own}${word}: ${reason}`);
      else note(`${own}${word}, ${tookText(event.duration_ms)}${reason === "" ? "" : `: ${reason}`}`);
      for (const line of changes) note(`  ${line}`);
    },
  };
}

/** A call and what became of it: one line of `width` columns, and the reason below. Painted. */
export function callLines(
  call: Call | undefined,
  event: Result,
  look: Pick<Look, "width" | "styled"> & { isDryRun: boolean },
): string[] {
  const { word, reason, changes = [] } = callOutcome(event, look.isDryRun);
  const [sign, ...marks] = SIGNS[word];
  const end = word === "ok" || word === "failed" ? ` ${word}, ${tookText(event.duration_ms)}` : ` ${word}`;
  const name = span(oneLine(call?.name ?? "call"), "bold");
  const args = span(call ? ` ${oneLine(toJson(call.arguments), MAX_ARGUMENT_CHARS)}` : "", "dim");
  const last = span(end, ...marks.filter((mark) => mark !== "good"));
  const head = cutLine([span(`${sign} `, ...marks), name, args], look.width - lineWidth([last]));
  const why = reason === "" ? [] : wrapLine([span(reason)], look.width - 2).map((line) => [span("  "), ...line]);
  const does = changes.flatMap((line) => wrapLine([span(line)], look.width - 2)).map((line) => [span("  "), ...line]);
  return [[...head, last], ...why, ...does].map((line) => paint(line, look.styled));
}

/** Lines, and the one that runs drawn in its place. */
export function createLiveActivity(isDryRun: boolean, stream: NodeJS.WriteStream = process.stderr): Activity {
  const { run, stop } = createStatusLine(stream);
  const calls = new Map<string, Call>();
  const wait = (): void => run(() => "waiting for the model");
  return {
    wait,
    rest: stop,
    call(event) {
      calls.set(event.id, event);
      run(() => {
        const [first, ...more] = calls.values();
        return `${oneLine(first?.name ?? "")} ${oneLine(toJson(first?.arguments), MAX_ARGUMENT_CHARS)}${more.length > 0 ? ` and ${more.length} more` : ""}`;
      });
    },
    result(event) {
      const call = calls.get(event.id);
      calls.delete(event.id);
      stop();
      for (const line of callLines(call, event, { ...lookOf(stream), isDryRun })) sayPainted(line);
      if (calls.size === 0) wait();
    },
  };
}
