// What model calls took, in the page: under each turn and in the head of the session, as it runs and again from the record.
// Source: docs/reference.md, "Usage and cost".
import { expect } from "chai";
import type { Page } from "playwright-core";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const USAGE = { input_tokens: 1000, output_tokens: 200 };
const PRICE = { input: 2, output: 5 };

describe("the web UI: usage", () => {
  const browser = useBrowser();

  /** What the page says, from the head to the last turn. */
  const said = (page: Page) => page.locator(".session-usage, .turn-foot > span").allTextContents();

  it("stands under each turn and, summed, in the head; the same after a reload @all", async () => {
    const daemon = await browser.daemon({
      turns: [
        { prompt: "silent", replies: [{ text: "No count." }] },
        { prompt: "", replies: [{ text: "Counted.", usage: USAGE }] },
      ],
      config: {
        currency: "EUR",
        providers: { played: { type: "scripted", file: "turns.json", model: "played-1", price: PRICE } },
      },
    });
    const { page } = await browser.open(daemon);
    for (const [n, prompt] of ["one", "two", "silent"].entries()) {
      await sendPrompt(page, prompt);
      await page.locator(".answer").nth(n).waitFor();
      await waitUntilIdle(page);
    }
    const expected = [
      "2,000 tokens in, 400 out, 0.006 EUR",
      "played-1 · 1,000 tokens in, 200 out, 0.003 EUR",
      "played-1 · 1,000 tokens in, 200 out, 0.003 EUR",
    ];
    expect(await said(page)).to.deep.equal(expected);
    await page.reload();
    await page.locator(".answer").nth(2).waitFor();
    expect(await said(page)).to.deep.equal(expected);
  });
});
