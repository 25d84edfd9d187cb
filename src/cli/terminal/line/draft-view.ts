// A draft on a terminal, drawn in its place again and again, also where the terminal has another width than before.
import { columnsOf, rowsOfScreen } from "../look.js";
import { makeRoom } from "../room.js";
import { cutToWidth, widthOf } from "../spans.js";
import type { Draft } from "./draft.js";
import { type DraftRows, draftRows } from "./draw-draft.js";

/** Where a draft is drawn. */
type Screen = Pick<NodeJS.WriteStream, "columns" | "rows" | "write">;

/** Rows of the screen from the first row drawn to the cursor: terminals break rows anew that are wider than they have become. */
function rowsAbove({ rows, row, column }: DraftRows, columns: number): number {
  const above = rows.slice(0, row).map((one) => Math.max(1, Math.ceil(widthOf(one) / columns)));
  return above.reduce((sum, own) => sum + own, Math.floor(column / columns));
}

/** The draft's rows, with a row below them that has the cursor then. */
function rowsOf(draft: Draft, footer: string | undefined, { columns, most }: { columns: number; most: number }) {
  if (footer === undefined) return draftRows(draft, columns, most);
  const { rows } = draftRows(draft, columns, Math.max(1, most - 1));
  const last = cutToWidth(footer, columns - 1);
  return { rows: [...rows, last], row: rows.length, column: widthOf(last) };
}

/** Draws a draft, with a row below it where there is one to be drawn. */
export function createDraftView(output: Screen) {
  let drawn: DraftRows | undefined;
  return {
    draw(draft: Draft, footer?: string): void {
      makeRoom();
      const columns = columnsOf(output);
      const most = Math.max(1, rowsOfScreen(output) - 1);
      const next = rowsOf(draft, footer, { columns, most });
      const above = drawn ? Math.min(rowsAbove(drawn, columns), rowsOfScreen(output) - 1) : 0;
      const up = above > 0 ? `\u001b[${above}A` : "";
      const back = next.rows.length - 1 - next.row;
      const down = back > 0 ? `\u001b[${back}A` : "";
      output.write(`\r${up}\u001b[J${next.rows.join("\n")}${down}\r\u001b[${next.column}C`);
      drawn = next;
    },
    /** Leaves what is drawn where it is, and begins a new line. */
    leave(): void {
      const below = drawn ? drawn.rows.length - 1 - drawn.row : 0;
      output.write(`${below > 0 ? `\u001b[${below}B` : ""}\n`);
      drawn = undefined;
    },
  };
}
