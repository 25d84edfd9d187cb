// Markdown as it comes: however the text is cut, the screen shows in the end what the whole text looks like, and blocks once printed stay.
import { expect } from "chai";
import { createLiveLines } from "../../../../src/cli/terminal/live.js";
import { renderMarkdown } from "../../../../src/cli/terminal/markdown/parse.js";
import { createMarkdownStream } from "../../../../src/cli/terminal/markdown/stream.js";
import { createScreen } from "../../../support/screen.js";
import { until } from "../../../support/until.js";

const TEXT = `# Orders

There are **two** orders, 東京 and a line that is long enough to be wrapped.

- a
*b*
- c

| id | name |
|----|------|
| 1 | Ann |
| 22 | 東京 |

\`\`\`js
const x = 1;

const y = 2;
\`\`\`

1. one

2. two

می\u200cخواهم **کتاب**\u200cها, 👩🏽\u200d💻, and pay\u200cpal

done
`;

/** A stream onto a screen. */
function onScreen({ columns = 30, rows = 100 } = {}) {
  const screen = createScreen({ columns, rows });
  const output = { columns, rows, write: (text: string) => screen.write(text) };
  const stream = createMarkdownStream({
    out: output.write,
    live: createLiveLines(output),
    look: () => ({ width: output.columns, styled: true }),
  });
  return { screen, output, stream };
}

const wholeAt = (columns: number): string => renderMarkdown(TEXT, { width: columns, styled: false });

describe("Markdown that is streamed", () => {
  for (const columns of [24, 30, 80])
    it(`shows in the end what the whole looks like, in ${columns} columns`, () => {
      for (const size of [1, 2, 3, 7, 50, 1000]) {
        const { screen, stream } = onScreen({ columns });
        for (let at = 0; at < TEXT.length; at += size) stream.push(TEXT.slice(at, at + size));
        stream.end();
        expect(screen.text(), String(size)).to.equal(wholeAt(columns));
      }
    });

  it("shows joiners that are spelling as they are, and those that hide in a word as code points", () => {
    const whole = wholeAt(80);
    expect(whole).to.include("می\u200cخواهم کتاب\u200cها, 👩🏽\u200d💻, and pay\\u{200c}pal");
    expect(renderMarkdown("pay&zwnj;pal", { width: 80, styled: false })).to.equal("pay\\u{200c}pal\n");
  });

  it("draws the block that grows, and prints it once when it is complete", async () => {
    const { screen, stream } = onScreen();
    stream.push("one\n\ntw");
    expect(screen.text()).to.equal("one\n\ntw");
    stream.push("o");
    await until(() => screen.text() === "one\n\ntwo");
    stream.end();
    expect(screen.text()).to.equal("one\n\ntwo\n");
  });

  it("draws no more than the screen has rows, so that what is above stays", () => {
    const { screen, stream } = onScreen({ columns: 30, rows: 6 });
    screen.write("before\n");
    const lines = Array.from({ length: 30 }, (_, at) => `- item ${at}`).join("\n");
    for (const piece of lines.split(/(?<=\n)/)) stream.push(piece);
    stream.end();
    expect(screen.text()).to.equal(`before\n${lines.replaceAll("-", "•")}\n`);
  });

  it("goes on in the new width when the terminal is resized", () => {
    const { screen, output, stream } = onScreen({ columns: 40 });
    stream.push("one two three four five six\n");
    output.columns = 60;
    screen.resize(60);
    stream.push("\nseven eight nine ten eleven twelve thirteen fourteen\n");
    stream.end();
    expect(screen.lines()).to.include("seven eight nine ten eleven twelve thirteen fourteen");
  });

  it("O12 prints a block without end as it was written, in bounded time", () => {
    let out = "";
    const stream = createMarkdownStream({
      out: (text) => (out += text),
      live: undefined,
      look: () => ({ width: 30, styled: false }),
    });
    const text = `|${" a |".repeat(50_000)}\n${"| b |\n".repeat(50_000)}`;
    stream.push(text);
    stream.end();
    expect(out.length).to.be.within(text.length, 2 * text.length);
    stream.push("**again**");
    stream.end();
    expect(out.endsWith("\nagain\n")).to.equal(true);
  });
});
