// Answers that are hard to render: the page stays usable, and what takes too long is displayed as text.
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { allOnly } from "../support/all.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const LENGTH = 100_000;
const repeated = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);
/** What Markdown parsers take quadratic time, memory or output for. */
const HARD: Record<string, string> = {
  emphasis: repeated("*a_ "),
  brackets: repeated("["),
  images: repeated("![]("),
  quotes: repeated(">"),
  "nested lists": repeated("- "),
  "a padded table": `|${"a|".repeat(15_000)}\n|${"-|".repeat(15_000)}\n${"|a\n".repeat(10_000)}`,
  "many items": repeated("- a\n"),
  links: repeated("[a](<b"),
  addresses: repeated("a@b.http://c "),
  tags: repeated("<a "),
  footnotes: `[^a]: x\n\n${repeated("[^a] ")}`,
  fences: repeated("```\n"),
  definitions: repeated("[a]: b\n"),
  "one line of 5 MB": "word ".repeat(1_000_000),
};
/** In the usual run: what is hard for the layout, and sheer length. What is hard for the parser streams, below. */
const USUAL = ["one line of 5 MB"];
/** A page that has nothing to do answers in a few milliseconds, on a busy machine in some hundred; a parser would take minutes. */
const RESPONSIVE_MS = 5000;

/** The longest time the page was not able to do anything, in milliseconds, from the call to the end of `during`. */
async function longestPause(page: Page, during: () => Promise<void>): Promise<number> {
  await page.evaluate(`globalThis.longest = 0; globalThis.last = performance.now(); setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 20);`);
  await during();
  return Number(await page.evaluate("longest"));
}

describe("the web UI: hard answers", function () {
  this.timeout(90_000);
  const browser = useBrowser();

  for (const [what, text] of Object.entries(HARD))
    it(`O12 stays usable with an answer of ${what}, also after a reload, and renders the next one${allOnly(!USUAL.includes(what))}`, async () => {
      const turns = [
        { prompt: "hard", replies: [{ text }] },
        { prompt: "easy", replies: [{ text: "It is **easy**." }] },
      ];
      const { page } = await browser.open(await browser.daemon({ turns }));
      page.setDefaultTimeout(30_000);
      const pause = await longestPause(page, async () => {
        await sendPrompt(page, "a hard one");
        await waitUntilIdle(page);
        await sendPrompt(page, "an easy one");
        await page.locator(".answer strong", { hasText: "easy" }).waitFor();
      });
      expect(pause).to.be.below(RESPONSIVE_MS);
      await page.reload();
      await page.locator(".answer strong", { hasText: "easy" }).waitFor();
      await page.getByRole("link", { name: "Tools" }).click();
      await page.getByRole("heading", { name: "Tools" }).waitFor();
    });

  it("O12 displays what is too hard as the text it is", async () => {
    const text = HARD["emphasis"] ?? "";
    const { page } = await browser.open(await browser.daemon({ turns: [{ prompt: "hard", replies: [{ text }] }] }));
    await sendPrompt(page, "a hard one");
    await waitUntilIdle(page);
    expect(await page.locator(".answer .as-text").textContent()).to.equal(text);
  });

  it("O12 stays usable while a hard answer streams @all", async () => {
    const deltas = Array.from({ length: 200 }, () => "*a_ ".repeat(125));
    const turns = [{ prompt: "hard", replies: [{ deltas, delay_ms: 20 }] }];
    const { page } = await browser.open(await browser.daemon({ turns }));
    page.setDefaultTimeout(30_000);
    const pause = await longestPause(page, async () => {
      await sendPrompt(page, "a hard one");
      await waitUntilIdle(page);
    });
    expect(pause).to.be.below(RESPONSIVE_MS);
    const displayed = async () => (await page.locator(".answer").textContent())?.length;
    await until(async () => (await displayed()) === LENGTH);
  });

  it("renders a growing answer as it grows @all", async () => {
    const deltas = Array.from({ length: 100 }, (_, i) => `- item **${i}**\n`);
    const turns = [{ prompt: "grow", replies: [{ deltas, delay_ms: 40 }] }];
    const { page } = await browser.open(await browser.daemon({ turns }));
    await sendPrompt(page, "grow");
    await page.locator(".answer.streaming strong").first().waitFor();
    await waitUntilIdle(page);
    await page.locator(".answer strong", { hasText: "99" }).waitFor();
    expect(await page.locator(".answer li").count()).to.equal(100);
  });

  it("draws a long table in parts whose columns stand under each other, and what follows it below @all", async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `| Tea number ${i} | ${i} | ${"leaf ".repeat(i % 7)}|\n`).join(
      "",
    );
    const text = `Before.\n\n| name | amount | note |\n|---|---|---|\n${rows}\nBehind it.\n\n| other |\n|---|\n| one |\n`;
    const { page } = await browser.open(await browser.daemon({ turns: [{ prompt: "table", replies: [{ text }] }] }));
    await sendPrompt(page, "table");
    await waitUntilIdle(page);
    await page.locator(".answer .long-table ~ p, .answer .chunk p", { hasText: "Behind it." }).waitFor();
    const answer = page.locator(".answer");
    await until(async () => (await answer.locator("tbody tr").count()) === 2001);
    expect(await answer.getByRole("group", { name: "Table" }).count()).to.equal(2);
    expect(await answer.locator(".long-table", { hasText: "Behind it." }).count()).to.equal(0);
    const lefts = (row: Locator): Promise<number[]> =>
      row.evaluate((one) =>
        Array.from(one.querySelectorAll("td"), (cell) => Math.round(cell.getBoundingClientRect().left)),
      );
    const last = answer.locator("tr", { hasText: "Tea number 1999" });
    await last.scrollIntoViewIfNeeded();
    const expected = await lefts(answer.locator("tbody tr").first());
    expect(await lefts(last)).to.deep.equal(expected);
    await page.setViewportSize({ width: 700, height: 800 });
    const first = answer.locator("tbody tr").first();
    await until(async () => String(await lefts(first)) !== String(expected));
    await until(async () => String(await lefts(last)) === String(await lefts(first)));
    expect(
      await last
        .locator("td")
        .nth(1)
        .evaluate((cell) => getComputedStyle(cell).textAlign),
    ).to.equal("right");
  });
});
