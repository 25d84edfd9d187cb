// A draft that is drawn again and again, on a terminal whose width changes.
import { expect } from "chai";
import { createDraftView } from "../../../../src/cli/terminal/line/draft-view.js";
import { draftRows } from "../../../../src/cli/terminal/line/draw-draft.js";
import { createScreen } from "../../../support/screen.js";

describe("A draft on a terminal", () => {
  for (const [from, to] of [
    [80, 30],
    [200, 60],
    [60, 200],
    [80, 79],
  ] as const)
    it(`leaves nothing behind when ${from} columns become ${to}`, () => {
      const screen = createScreen({ columns: from, rows: 20, reflows: true });
      const write = (text: string): boolean => {
        screen.write(text);
        return true;
      };
      const output = { columns: from as number, rows: 20, write };
      const view = createDraftView(output);
      screen.write("before\n");
      const text = `${"a prompt that takes several rows of the terminal ".repeat(5)}\nand another line`;
      for (const at of [text.length, 100, 3]) {
        view.draw({ text, at });
        for (const width of [to, from]) {
          screen.resize(width);
          output.columns = width;
          view.draw({ text, at });
          const { rows } = draftRows({ text, at }, width, 19);
          expect(screen.lines(), `${width} columns, cursor at ${at}`).to.deep.equal([
            "before",
            ...rows.map((row) => row.trimEnd()),
          ]);
        }
      }
    });
});
