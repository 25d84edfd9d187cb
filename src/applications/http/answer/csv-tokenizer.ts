// The text of comma-separated values (RFC 4180) as lines of cells, in whichever pieces it comes. Own code, because a parser that
// is as strict takes half a minute for a million lines of unequal length; this one looks at each character once.

/** A line with more cells is of no use to a reader. */
const MAX_CELLS = 10_000;
/** Characters of one line, those in quotes included: all of it is held until it ends. */
const MAX_LINE = 1024 * 1024;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;
const QUOTE = 34;

/** How far a cell is read: behind nothing but blanks, in its text, in quotes, behind a quote that may close it, behind a CR after that. */
type State = "start" | "blank" | "text" | "quoted" | "quote" | "return";

/** Reads a text piece by piece; one for a text. Throws Error where the text is broken, behind the lines that were not. */
interface CsvTokenizer {
  /** The lines that are complete with this piece; empty ones are none. */
  push(piece: string): Generator<string[]>;
  /** The last line, when nothing but the text ends it. */
  end(): Generator<string[]>;
}

/** The state after a character that does not end the cell. Throws Error when the character is not allowed there. */
function stateAfter(state: State, code: number): State {
  if (state === "quote" && code === QUOTE) return "quoted";
  if (state === "quote" && code === RETURN) return "return";
  if (state === "quote" || state === "return") throw new Error("something behind a closing quote");
  if (state === "start" && code === QUOTE) return "quoted";
  // In the middle of a cell a quote is text. Behind blanks it was meant to open one, with commas in it that part no cells.
  if (state === "blank" && code === QUOTE) throw new Error("a quote behind blanks");
  return state !== "text" && (code === BLANK || code === TAB) ? "blank" : "text";
}

/** A reader of cells parted by this character; without `quotes` a quote is a character like any other. */
export function createCsvTokenizer(delimiter: string, quotes: boolean): CsvTokenizer {
  const comma = delimiter.charCodeAt(0);
  let line: string[] = [];
  let cell = "";
  let state: State = "start";
  /** Characters of the line in earlier pieces. */
  let held = 0;

  const endCell = (): void => {
    if (line.push(cell) > MAX_CELLS) throw new Error(`more than ${MAX_CELLS} columns`);
    cell = "";
    state = "start";
  };
  /** The line with its last cell; undefined when it is empty. */
  const endLine = (): string[] | undefined => {
    const isEmpty = line.length === 0 && cell === "" && state !== "quote" && state !== "return";
    endCell();
    const ended = line;
    line = [];
    return isEmpty ? undefined : ended;
  };

  return {
    *push(piece) {
      let cellFrom = 0;
      let lineFrom = 0;
      for (let i = 0; i < piece.length; i++) {
        if (state === "quoted") {
          const quote = piece.indexOf('"', i);
          if (quote < 0) break;
          cell += piece.slice(cellFrom, quote);
          state = "quote";
          i = quote;
          continue;
        }
        const code = piece.charCodeAt(i);
        const before = state;
        if (code !== NEWLINE && (code !== comma || before === "return")) {
          state = quotes ? stateAfter(before, code) : "text";
          if (before === "start") cellFrom = state === "quoted" ? i + 1 : i;
          // Of two quotes the second one is text.
          else if (before === "quote") cellFrom = i;
          continue;
        }
        if (before === "blank" || before === "text") cell += piece.slice(cellFrom, i);
        if (code === comma) {
          endCell();
          continue;
        }
        if (before === "text" && cell.endsWith("\r")) cell = cell.slice(0, -1);
        const ended = endLine();
        held = 0;
        lineFrom = i + 1;
        if (ended) yield ended;
      }
      if (state === "blank" || state === "text" || state === "quoted") cell += piece.slice(cellFrom);
      held += piece.length - lineFrom;
      if (held > MAX_LINE) throw new Error("a line that does not end");
    },
    *end() {
      if (state === "quoted" || state === "return") throw new Error("a quote that is not closed");
      const ended = endLine();
      if (ended) yield ended;
    },
  };
}
