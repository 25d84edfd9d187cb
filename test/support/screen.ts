// What a terminal shows of the text that a program has written: the sequences this program uses and no others, which fail the test.
import stringWidth from "string-width";

/** A terminal's picture. */
export interface ScreenModel {
  write(text: string): void;
  /** The rows from the top of what was written to its end, those that have left the screen included, without spaces at their ends. */
  lines(): string[];
  /** As lines, in one text. */
  text(): string;
  resize(columns: number): void;
}

const SEQUENCE = /^\u001b\[([?\d;]*)([A-Za-z])/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A line of cells as rows of another width. */
function brokenAnew(line: readonly string[], columns: number): string[][] {
  const rows: string[][] = [];
  for (let at = 0; at === 0 || at < line.length; at += columns) rows.push(line.slice(at, at + columns));
  return rows;
}

/** A terminal of so many columns and rows; rows are broken anew when it is resized only where it `reflows`, as most do. */
export function createScreen({
  columns,
  rows,
  reflows = false,
}: {
  columns: number;
  rows: number;
  reflows?: boolean;
}): ScreenModel {
  const cells: string[][] = [[]];
  let x = 0;
  let y = 0;
  let top = 0;
  let wide = columns;
  let rest = "";
  /** Rows that go on with the line above. */
  const goesOn = new WeakSet<readonly string[]>();
  const reflow = (next: number): void => {
    const all: string[][] = [];
    let cursor = { x, y };
    let line: string[] = [];
    for (const [at, row] of cells.entries()) {
      if (!goesOn.has(row)) line = [];
      const offset = line.length + x;
      line.push(...row);
      if (at === y) cursor = { x: offset % next, y: all.length + Math.floor(offset / next) };
      const below = cells[at + 1];
      if (below && goesOn.has(below)) continue;
      const [first = [], ...more] = brokenAnew(line, next);
      for (const one of more) goesOn.add(one);
      all.push(first, ...more);
    }
    cells.splice(0, cells.length, ...all);
    ({ x, y } = cursor);
    while (cells.length <= y) cells.push([]);
    top = Math.max(0, cells.length - rows);
  };
  const down = (): void => {
    y += 1;
    while (cells.length <= y) cells.push([]);
    top = Math.max(top, y - rows + 1);
  };
  const put = (text: string): void => {
    for (const { segment } of segmenter.segment(text)) {
      const own = stringWidth(segment);
      if (x + own > wide) {
        x = 0;
        down();
        goesOn.add(cells[y] ?? []);
      }
      const row = cells[y] ?? [];
      while (row.length < x) row.push(" ");
      if (own === 0 && x > 0) {
        // What has no width stands with the character before it, the first cell of a wide one.
        const before = row[x - 1] === "" ? x - 2 : x - 1;
        row[before] = (row[before] ?? "") + segment;
        continue;
      }
      row[x] = segment;
      if (own === 2) row[x + 1] = "";
      x += own;
    }
  };
  const sequence = (parameters: string, letter: string): void => {
    const count = Number(parameters || 1);
    if (letter === "m" || (parameters.startsWith("?") && /[hl]/.test(letter))) return;
    if (letter === "A") y = Math.max(top, y - count);
    else if (letter === "B") y = Math.min(top + rows - 1, y + count);
    else if (letter === "C") x = Math.min(wide - 1, x + count);
    else if (letter === "D") x = Math.max(0, x - count);
    else if (letter === "G") x = count - 1;
    else if (letter === "K") cells[y]?.splice(x);
    else if (letter === "J" && Number(parameters || 0) === 0) {
      cells.splice(y + 1);
      cells[y]?.splice(x);
    } else throw new Error(`a sequence that the screen does not know: ${parameters}${letter}`);
    while (cells.length <= y) cells.push([]);
  };
  return {
    write(text) {
      rest += text;
      while (rest !== "") {
        const found = SEQUENCE.exec(rest);
        if (found) sequence(found[1] ?? "", found[2] ?? "");
        else if (/^\u001b(\[[?\d;]*)?$/.test(rest)) return;
        else if (rest.startsWith("\n")) {
          x = 0;
          down();
        } else if (rest.startsWith("\r")) x = 0;
        else if (rest.startsWith("\u0007")) rest = `\u0007${rest.slice(1)}`;
        else if (rest.startsWith("\b")) x = Math.max(0, x - 1);
        else if (/^[\u0000-\u001f]/.test(rest)) throw new Error(`a control character: ${JSON.stringify(rest[0])}`);
        const text = found || /^[\n\r\b\u0007]/.test(rest) ? "" : (/^[^\u0000-\u001f]+/.exec(rest)?.[0] ?? "");
        put(text);
        rest = rest.slice(found ? found[0].length : Math.max(1, text.length));
      }
    },
    lines: () => cells.map((row) => row.join("").trimEnd()),
    text: () => cells.map((row) => row.join("").trimEnd()).join("\n"),
    resize: (next) => {
      if (reflows) reflow(next);
      wide = next;
    },
  };
}
