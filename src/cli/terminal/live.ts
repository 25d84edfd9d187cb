// Lines at the bottom of a terminal that are drawn again: a block of text that grows, a call that runs. Never more of them than the screen
// is high, and nothing above them is touched. There is one such place a process; what others write goes above it.
import { withOwnSigns } from "./ascii-forms.js";
import { columnsOf, rowsOfScreen } from "./look.js";
import { giveRoomBack, holdRoom } from "./room.js";
import { widthOf } from "./spans.js";

/** A terminal that is drawn on. */
interface Screen {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
  isTTY?: boolean;
}

/** Lines that are drawn again. */
export interface LiveLines {
  /** Puts these lines, painted, in the place of those drawn before; no longer ones than the screen: the last of them where they are more. */
  draw(lines: readonly string[]): void;
  /** Takes the lines away; the cursor stands where they began. */
  clear(): void;
}

const UP = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");
/** Source: ECMA-48, "ED". */
const ERASE_BELOW = "\u001b[J";
/** Left free, for the line that was there before and for the cursor. */
const FREE_ROWS = 2;

/** Rows that a painted line takes on a terminal of so many columns. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns));
}

/** A place for lines on a terminal. */
export function createLiveLines(screen: Screen): LiveLines {
  let drawn: readonly string[] = [];
  // What was drawn may have been broken anew by a terminal that is narrower now.
  const columns = (): number => columnsOf(screen);
  const erase = (): string => {
    if (drawn.length === 0) return "";
    const rows = drawn.reduce((sum, line) => sum + rowsOf(line, columns()), 0);
    return `\r${UP(Math.min(rows, rowsOfScreen(screen)) - 1)}${ERASE_BELOW}`;
  };
  const clear = (): void => {
    const erased = erase();
    drawn = [];
    giveRoomBack(clear);
    if (erased !== "") screen.write(erased);
  };
  return {
    clear,
    draw(lines) {
      const most = Math.max(1, rowsOfScreen(screen) - FREE_ROWS);
      const fitting: string[] = [];
      let rows = 0;
      for (const line of lines.toReversed()) {
        rows += rowsOf(line, columns());
        if (rows > most) break;
        fitting.unshift(line);
      }
      holdRoom(clear);
      screen.write(erase() + withOwnSigns(fitting.join("\n"), screen));
      drawn = fitting;
    },
  };
}
