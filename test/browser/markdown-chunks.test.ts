// A Markdown text that is rendered chunk by chunk as it grows reads as the whole text does, wherever it was cut on its way.
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { renderChunk, renderGrowing } from "../../static/parts/markdown/chunks.js";
import type { Chunked, Job } from "../../static/parts/markdown/definitions.js";
import { GrowingMarkdown } from "../../static/parts/markdown/growing.js";
import { until } from "../support/until.js";

const whole = (text: string): string => micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
/** Line ends between blocks are of no meaning, and the parser drops one in what reads like HTML where it follows a definition. */
const normal = (html: string): string => html.replace(/\n/g, "");

/** So that short texts have many chunks. */
const SHORT = 20;

async function renderNow(job: Job): Promise<Chunked> {
  if (job.rest === "none") return { chunks: [], definitions: [...job.definitions], rest: renderChunk(job) };
  return renderGrowing(job, job.rest, SHORT);
}

/** Before a chunk that goes on with a table. */
const ROWS = "(rows)";
/** What ends a table and begins it again. */
const AGAIN = /<\/tbody>\s*<\/table>\s*\(rows\)\s*<table>\s*<thead>[\s\S]*?<\/thead>\s*<tbody>/g;

/** The HTML of a text that came in these pieces, and in how many chunks. */
async function grown(pieces: readonly string[]): Promise<{ html: string; chunks: number; rendered: number }> {
  let rendered = 0;
  const render = (job: Job): Promise<Chunked> => {
    rendered += job.text.length;
    return renderNow(job);
  };
  const growing = new GrowingMarkdown({ render, onChange: () => {}, pause: async () => {} });
  let text = "";
  for (const piece of pieces) {
    text += piece;
    growing.update(text, false);
    await setImmediate();
  }
  growing.update(text, true);
  await until(() => growing.isComplete);
  growing.close();
  const { chunks, rest } = growing.rendered;
  const html = [...chunks, rest].map((one) => `${one?.head ? ROWS : ""}${one?.html ?? ""}`).join("\n");
  return { html: html.replace(AGAIN, ""), chunks: chunks.length, rendered };
}

/** Lines that mean something to a parser, alone or beside others. */
const LINE = fc.constantFrom(
  "",
  "",
  "",
  "   ",
  "text",
  "more *text* here",
  "[a]",
  "see [b][a] and [B  c]",
  "[a]: http://a.example 'title'",
  "[b c]: <http://b.example>",
  "[a]: http://other.example",
  "[A]:",
  "http://c.example",
  "'a title",
  "over two lines'",
  "- item",
  "- ",
  "-",
  "  more",
  "    code",
  "\tcode",
  "1. one",
  "2. two",
  "1) one",
  "* star",
  "+ plus",
  "> quote",
  "> > deep",
  "> [a]: http://quote.example",
  "> - item",
  "- > quote",
  "- [a]: http://item.example",
  "```",
  "```js",
  "~~~",
  "~~~~",
  "  ```",
  "# heading",
  "## [a]",
  "===",
  "---",
  "***",
  "| a | b |",
  "|---|---|",
  "| [a] | x \\| y |",
  "| 1 | 2 |",
  "| 3 |",
  "row without a bar",
  "| a |\n| --- |\n| one |\n| two |\n| three |\n| four |",
  "a | b",
  "--|--",
  "<div>",
  "</div>",
  "<!-- comment",
  "-->",
  "<b>bold",
  "<?php",
  "?>",
  "<script>",
  "</script>",
  "[^1]",
  "[^1]: note",
  "    note goes on",
  "- [ ] task",
  "- [x] done",
  "~~gone~~",
  "![image][a]",
  "\\",
  "line  ",
  "<http://auto.example>",
  "\ufeffmark",
  "[",
  "]:",
  "[x\ny]",
  "> [b",
  "> c]: http://split.example",
  "[b\nc]",
  "a&amp;b",
  "\u0000",
);
const TEXT = fc.array(LINE, { maxLength: 40 }).map((lines) => lines.join("\n"));

/** A text in pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

async function expectWhole(text: string, lengths: readonly number[]): Promise<void> {
  const { html } = await grown(cut(text, lengths));
  expect(normal(html)).to.equal(normal(whole(text.replace(/^\ufeff/, ""))));
}

describe("static/parts/markdown: chunks", () => {
  const LENGTHS = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
  const PROPERTY = fc.asyncProperty(fc.array(TEXT, { minLength: 1, maxLength: 6 }), LENGTHS, (texts, lengths) =>
    expectWhole(texts.join("\n\n"), lengths),
  );
  const LONG = fc.asyncProperty(fc.array(TEXT, { minLength: 10, maxLength: 40 }), LENGTHS, (texts, lengths) =>
    expectWhole(
      texts.join("\n\n"),
      lengths.map((n) => n * 4),
    ),
  );

  it("read as the whole text does, wherever it was cut as it grew", () => fc.assert(PROPERTY, { numRuns: 30 }));

  it("read as long texts do @all", async function () {
    this.timeout(120_000);
    await fc.assert(LONG, { numRuns: 200 });
  });

  it("are rendered once, and only the end again", async () => {
    const text = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} of [a] growing answer.\n\n`).join("");
    const { chunks, rendered } = await grown(cut(text, [40]));
    expect(chunks).to.equal(399);
    expect(rendered).to.be.below(10 * text.length);
  });

  it("of one long table are rendered once, and what follows it is none of its rows @all", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `| Tea ${i} | ${i} |\n`).join("");
    const text = `Before.\n\n| name | amount |\n|---|--:|\n${rows}# A heading\n\n${"Behind. ".repeat(9)}`;
    const { html, chunks, rendered } = await grown(cut(text, [10]));
    expect(normal(html)).to.equal(normal(whole(text)));
    expect(chunks).to.be.above(100);
    expect(rendered).to.be.below(10 * text.length);
  });

  it("render those again that refer to what is defined only behind them, and the first definition counts", async () => {
    const text = `See [a].\n\nSee nothing here.\n\n> and [A\n> ]\n\n[a]: http://one.example\n\n[a]: http://two.example\n`;
    const { html } = await grown(cut(text, [7]));
    expect(html.match(/http:\/\/\w+/g)).to.deep.equal(["http://one", "http://one"]);
  });
});
