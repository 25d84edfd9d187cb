// Comma-separated values as lines of cells: whatever a table holds comes back, in whichever pieces its text arrives.
import { expect } from "chai";
import { createCsvTokenizer } from "../../../../src/applications/http/answer/csv-tokenizer.js";

/** Numbers below a limit, the same ones in every run. */
function createDice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
const PARTS = ["a", "b", ",", '"', '"', "\n", "\r\n", "\r", " ", "\t", "ž😀", ',"', '",', '"\n', "__proto__"];
const textOf = (roll: (limit: number) => number, parts: number): string =>
  Array.from({ length: roll(parts) }, () => PARTS[roll(PARTS.length)]).join("");

/** The lines of a text in pieces of up to so many characters; "broken" stands behind the last one before a fault. */
function linesOf(text: string, size: () => number, quotes = true): (string[] | "broken")[] {
  const cells = createCsvTokenizer(",", quotes);
  const lines: (string[] | "broken")[] = [];
  try {
    for (let at = 0, to = 0; at < text.length; at = to) {
      to = at + size();
      for (const line of cells.push(text.slice(at, to))) lines.push(line);
    }
    for (const line of cells.end()) lines.push(line);
  } catch {
    lines.push("broken");
  }
  return lines;
}

describe("lines of cells", () => {
  it("hold what was written, whatever it was", () => {
    for (let seed = 0; seed < 1_000; seed++) {
      const roll = createDice(seed);
      const table = Array.from({ length: 1 + roll(5) }, () =>
        Array.from({ length: 1 + roll(4) }, () => textOf(roll, 6)),
      );
      const written = (cell: string): string =>
        /^$|[",\r\n]|^\s/.test(cell) || roll(2) > 0 ? `"${cell.replaceAll('"', '""')}"` : cell;
      const text = table.map((line) => line.map(written).join(",") + (roll(2) > 0 ? "\n" : "\r\n")).join("");
      expect(
        linesOf(text, () => 1 + roll(9)),
        text,
      ).to.deep.equal(table);
      expect(linesOf(text.trimEnd(), () => 1 + roll(9)).length, text).to.equal(table.length);
    }
  });

  it("are the same ones, up to the same fault, wherever the pieces end", () => {
    let broken = 0;
    for (let seed = 0; seed < 3_000; seed++) {
      const roll = createDice(seed);
      const text = textOf(roll, 16);
      for (const quotes of [true, false]) {
        const whole = linesOf(text, () => Infinity, quotes);
        expect(
          linesOf(text, () => 1 + roll(4), quotes),
          JSON.stringify(text),
        ).to.deep.equal(whole);
        if (whole.at(-1) !== "broken") continue;
        broken++;
        expect(quotes, text).to.equal(true);
      }
    }
    expect(broken).to.be.within(300, 2_700);
  });

  it("end where one of them does not, in as little time for small pieces as for large ones", () => {
    const long = `a,b\n"${"x".repeat(1024 * 1024)}`;
    for (const size of [1, 7, 65_536]) {
      const before = performance.now();
      expect(linesOf(long, () => size)).to.deep.equal([["a", "b"], "broken"]);
      expect(linesOf(`1,2\n${",".repeat(10_000)}\n`, () => size)).to.deep.equal([["1", "2"], "broken"]);
      expect(linesOf(`${",".repeat(9_999)}\n`, () => size)[0]).to.have.length(10_000);
      expect(performance.now() - before).to.be.below(5_000);
    }
  });
});
