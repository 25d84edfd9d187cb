// The numbers of an answer that stand in one cell of its turn's results: a click opens the call and marks the cell. Loaded after an
// answer with numbers is finished.
import type { ComponentChildren } from "preact";
import { markedCell } from "../../state/marked-cell.js";
import { inSlices } from "../../state/slices.js";
import type { Turn } from "../../turn/turn.js";
import { numbersIn } from "../../values/numbers.js";
import { type Answered, findOrigins, type Origin, type Origins, originOf } from "../../values/origins.js";
import { NO_ROW } from "../../values/rows.js";

/** Numbers of an answer that lead to a cell. */
export interface LinkedNumbers {
  /** A text with its numbers as links. */
  split: (text: string) => ComponentChildren;
  /** Where they begin in the whole answer. */
  places: readonly number[];
}

/** Numbers that become links at once: each makes its part of the answer anew. */
const STEP = 4;

function Linked({ text, turn, origin }: { text: string; turn: string; origin: Origin }) {
  const { call_id, tool, index, column } = origin;
  const where = index === NO_ROW ? tool : `row ${index + 1} of ${tool}`;
  return (
    <button
      type="button"
      class="origin"
      title={`Shows where this number comes from: ${column}, ${where}`}
      onClick={() => {
        markedCell.value = { turn, call_id, index, column };
      }}
    >
      {text}
    </button>
  );
}

function createSplit({ cells }: Origins, turn: string): LinkedNumbers["split"] {
  return (text) => {
    const pieces: ComponentChildren[] = [];
    let end = 0;
    for (const number of numbersIn(text)) {
      const origin = originOf(number, cells);
      if (origin === undefined) continue;
      pieces.push(text.slice(end, number.at), <Linked text={number.text} turn={turn} origin={origin} />);
      end = number.at + number.text.length;
    }
    return end === 0 ? text : [...pieces, text.slice(end)];
  };
}

/** Finds the numbers of a finished answer; `onChange` gets them a few at a time. Throws AbortError when aborted. */
export async function linkNumbers(
  text: string,
  turn: Turn,
  { onChange, signal }: { onChange(found: LinkedNumbers): void; signal: AbortSignal },
): Promise<void> {
  const calls = turn.items.flatMap((item): Answered[] =>
    item.kind === "call" && item.status !== "error" && item.result !== undefined
      ? [{ id: item.id, name: item.name, result: item.result }]
      : [],
  );
  const origins = await inSlices(findOrigins(text, calls), signal);
  const split = createSplit(origins, turn.key);
  for (let count = STEP; ; count += STEP) {
    signal.throwIfAborted();
    onChange({ split, places: origins.places.slice(0, count) });
    if (count >= origins.places.length) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
