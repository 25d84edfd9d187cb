// What a model thinks aloud, in the page: folded above its answer, as it streams, and the same after a reload. A real browser on a
// real daemon; the model is a stand-in that thinks on the wire.
import { expect } from "chai";
import { RELEASED, startThinker, type Thinker } from "../support/thinker.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

describe("the web UI: thoughts", () => {
  const browser = useBrowser();
  let thinker: Thinker;
  beforeEach(async () => {
    thinker = await startThinker();
  });
  afterEach(() => thinker.close());

  const open = async () => {
    const m = { type: "openai-compatible", base_url: thinker.url, model: "m", max_retries: 0 };
    return browser.daemon({ config: { default_provider: "m", providers: { m } } });
  };

  it("are folded above the answer, stream, and are no part of it", async () => {
    const daemon = await open();
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "hello");
    const fold = page.locator("details.thoughts");
    await fold.getByText("Thinking…").click();
    await fold.getByText("The person says hello").waitFor();
    expect(await page.locator(".answer").count()).to.equal(0);
    thinker.release();
    await page.locator(".answer").getByText("Hello to you.").waitFor();
    await waitUntilIdle(page);
    await fold.getByText("Thoughts", { exact: true }).waitFor();
    // What was opened stays open, with all of it, as text.
    const text = `The person says hello. ${RELEASED}`;
    expect(await page.locator(".thoughts-text").textContent()).to.equal(text);
    expect(await page.locator(".thoughts-text b").count()).to.equal(0);
    expect(await page.locator(".answer").allTextContents()).to.deep.equal(["Hello to you."]);
    const order = await page
      .locator(".turn > :is(.thoughts, .answer)")
      .evaluateAll((all) => all.map((one) => one.className));
    expect(order).to.deep.equal(["thoughts", "answer"]);
  });

  it("are there after a reload, folded, from the record @all", async () => {
    const daemon = await open();
    const { page } = await browser.open(daemon);
    thinker.release();
    await sendPrompt(page, "hello");
    await page.locator(".answer").getByText("Hello to you.").waitFor();
    await waitUntilIdle(page);
    await page.reload();
    await page.locator(".answer").getByText("Hello to you.").waitFor();
    const fold = page.locator("details.thoughts");
    expect(await fold.getAttribute("open")).to.equal(null);
    await fold.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".thoughts-text").textContent()).to.contain("The person says hello.");
  });

  it("go on behind a reload in the middle of them @all", async () => {
    const daemon = await open();
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "hello");
    const fold = page.locator("details.thoughts");
    await fold.getByText("Thinking…").waitFor();
    const seconds = async (): Promise<number> => Number.parseInt(await fold.locator(".seconds").innerText(), 10);
    await until(async () => (await seconds()) >= 3);
    await page.reload();
    expect(await seconds()).to.be.at.least(3);
    await fold.getByText("Thinking…").click();
    await fold.getByText("The person says hello").waitFor();
    thinker.release();
    await page.locator(".answer").getByText("Hello to you.").waitFor();
    await waitUntilIdle(page);
    expect(await page.locator(".thoughts-text").allTextContents()).to.deep.equal([
      `The person says hello. ${RELEASED}`,
    ]);
  });
});
