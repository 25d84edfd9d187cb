// Markdown on a terminal: what each block looks like, at several widths, and that nothing in it acts on the terminal.
import { expect } from "chai";
import stringWidth from "string-width";
import { renderMarkdown } from "../../../../src/cli/terminal/markdown/parse.js";

const at = (width: number, text: string, styled = false): string => renderMarkdown(text, { width, styled });

describe("Markdown on a terminal", () => {
  it("tells headings, lists, quotes and code from each other without any colour", () => {
    const text =
      "# One\n## Two\n### Three\ntext\n\n- a\n- b\n  1. c\n\n> quoted\n\n- [x] done\n- [ ] open\n\n```sh\nls -l\n\tx\n```\n";
    expect(at(40, text)).to.equal(
      [
        "One\n═══\n\nTwo\n───\n\n### Three\n\ntext\n\n• a\n• b\n  1. c\n\n│ quoted\n\n",
        "• [x] done\n• [ ] open\n\n  sh\n  ls -l\n      x\n",
      ].join(""),
    );
  });

  it("writes addresses behind the words of links, and once where they are the words", () => {
    expect(at(80, "See [the docs](https://d.example/a) or https://e.example/ ![pic](x.png)\n")).to.equal(
      "See the docs (https://d.example/a) or https://e.example/ [image: pic] (x.png)\n",
    );
  });

  it("keeps the label of a link whose address stands elsewhere", () => {
    expect(at(80, "See [the docs][d] and [e].\n\n[d]: https://d.example/a\n[e]: https://e.example/\n")).to.equal(
      "See the docs [d] and e.\n\n[d]: https://d.example/a\n\n[e]: https://e.example/\n",
    );
  });

  it("wraps at the width by the columns of characters, and indents what hangs", () => {
    expect(at(20, "- one two three four five six\n")).to.equal("• one two three four\n  five six\n");
    expect(at(20, "日本語のテキストはスペースなしで\n")).to.equal("日本語のテキストはス\nペースなしで\n");
    for (const width of [20, 33, 60])
      for (const line of at(width, `${"👩‍👧 word 東京 ".repeat(30)}${"x".repeat(90)}\n`).split("\n"))
        expect(stringWidth(line)).to.be.at.most(width);
  });

  it("sets numbers to the right, and to the left what only looks like one", () => {
    const isRight = (cell: string): boolean =>
      at(40, `| column name | end |\n|---|---|\n| ${cell} | x |`).includes(` ${cell}  x`);
    for (const number of ["7", "-3.5", "+4", "1,234.5", "1.234,5", "12 000", "$ 4.20", "12 ms"])
      expect(isRight(number), number).to.equal(true);
    for (const text of ["+48 600 100 200", "600 100 20", "10.0.0.1", "1.2.3", "20.11.2026", "12-34"])
      expect(isRight(text), text).to.equal(false);
  });

  it("fits a table: cells are cut, columns are left out last to first and named, numbers are to the right", () => {
    const table =
      "| id | name | total | note |\n|---|---|---|---|\n| 1 | Ann | 12.50 | paid by card in March |\n| 22 | 東京 | 1,000.00 | - |\n";
    expect(at(80, table)).to.equal(
      [
        "id  name     total  note",
        "──  ────  ────────  ─────────────────────",
        " 1  Ann      12.50  paid by card in March",
        "22  東京  1,000.00  -\n",
      ].join("\n"),
    );
    expect(at(32, table)).to.include(" 1  Ann      12.50  paid by");
    const narrow = at(20, table);
    expect(narrow).to.include("not shown for want").and.include("22  東京  1,000.00\n");
    for (const line of narrow.split("\n")) expect(stringWidth(line)).to.be.at.most(20);
  });

  it("marks with escape sequences only where these are wanted", () => {
    expect(at(40, "**a** `b` ~~c~~\n", true)).to.equal(
      "\u001b[1ma\u001b[22m \u001b[36mb\u001b[39m \u001b[9mc\u001b[29m\n",
    );
    expect(at(40, "**a** `b` ~~c~~\n")).to.equal("a `b` ~~c~~\n");
  });

  it("O6 shows control characters instead of obeying them, also those of entities, links, code and HTML", () => {
    const evil = "\u001b[2J\u009b1A\u202e";
    const text = [
      `a${evil} &#27;[2J &#x9b; [l](http://x/${evil}) ![${evil}](y) \`${evil}\` <b ${evil}>`,
      `\`\`\`${evil}\n${evil}\n\`\`\``,
      `| ${evil} | b |\n|---|---|\n| &#x1b; | ${evil} |`,
      `<div>${evil}</div>`,
      `[${evil}]: http://x/${evil}`,
      `[^${evil}]: ${evil}`,
    ].join("\n\n");
    for (const width of [20, 80])
      expect(at(width, text)).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(at(80, "&#27;[2J\n")).to.not.include("\u001b");
  });

  it("is done in time with blocks inside one another and tables without end @all", () => {
    expect(at(40, `${"> ".repeat(20)}x\n`)).to.include("…");
    for (const mark of [">", "-", "1."])
      expect(at(40, `${`${mark} `.repeat(20_000)}x\n`)).to.include(`${mark} ${mark} `);
    expect(at(40, `|${" a |".repeat(200)}\n|${"-|".repeat(200)}\n${"| b |\n".repeat(500)}`)).to.include("not shown");
    expect(at(40, `|${" a |".repeat(5000)}\n|${"-|".repeat(5000)}\n${"| b |\n".repeat(5000)}`)).to.include("| b |");
  });

  it("O12 shows emphasis and links that a parser compares for minutes as they were written, in time", () => {
    const start = performance.now();
    for (const piece of ["*a_ ", "***a_ ", "*_a", "~~a *", "[a](", "[a][", "**a\n", "| *a_ \n"]) {
      const hard = piece.repeat(30_000 / piece.length);
      expect(at(80, hard).replaceAll(/\s/g, ""), piece).to.equal(hard.replaceAll(/\s/g, ""));
    }
    expect(performance.now() - start).to.be.below(10_000);
    const list = "- **bold** and _thin_, [a link](http://x/)\n".repeat(200);
    expect(at(80, list)).to.include("bold and thin, a link (http://x/)");
  });
});
