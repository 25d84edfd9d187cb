// What the UI loads: lists without large results, a result when it is opened, and after a turn only what is new.
import { expect } from "chai";
import type { Page } from "playwright-core";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const CALLS = 4;
const ROWS = 3000;
/** About 300 KB; one number beyond what a JSON parser of browsers keeps. */
const LARGE = `[{"id":9007199254740993,"name":"first"},${Array.from({ length: ROWS - 1 }, (_, i) => JSON.stringify({ id: i, name: `pet ${i}`, note: "x".repeat(70) })).join()}]`;

/** Counts the bytes of the answers that are no files of the page, from now on. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/assets/"))
      sizes.push(
        response.body().then(
          ({ length }) => length,
          () => 0,
        ),
      );
  });
  return async () => (await Promise.all(sizes.splice(0))).reduce((sum, size) => sum + size, 0);
}

describe("the web UI: what it loads", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(({ path }) => json(path === "/pets" ? LARGE : '{"id":1,"name":"Rex"}'));
  });
  afterEach(() => target.close());

  it("opens a session and goes on after a turn without moving large results, and loads one when it is opened @all", async () => {
    const calls = Array.from({ length: CALLS }, (_, i) => ({ id: `call_${i}`, name: "list_pets", arguments: {} }));
    const turns = [
      { prompt: "list", replies: [{ calls }, { text: "Listed." }] },
      {
        prompt: "get",
        replies: [{ calls: [{ id: "one", name: "get_pet", arguments: { id: 1 } }] }, { text: "Got it." }],
      },
    ];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    await sendPrompt(page, "list them");
    await page.getByRole("log").getByText("Listed.").waitFor();
    await waitUntilIdle(page);
    const bytes = countBytes(page);

    await page.reload();
    const cards = page.getByRole("group", { name: "Tool call list_pets" });
    await page.getByRole("log").getByText("Listed.").waitFor();
    await cards.last().getByText("ok", { exact: true }).waitFor();
    expect(await bytes(), "opening the session").to.be.below(40_000);

    await sendPrompt(page, "get one");
    await page.getByRole("log").getByText("Got it.").waitFor();
    await waitUntilIdle(page);
    await page.getByRole("group", { name: "Tool call get_pet" }).getByText("read only").waitFor();
    expect(await bytes(), "after a turn").to.be.below(10_000);

    expect(await cards.first().locator(".call-summary").textContent()).to.match(/rows$/);
    await cards.first().locator(".call-head").click();
    const table = page.getByRole("group", { name: /^Table of/ });
    await table.waitFor();
    expect(await table.locator("tbody td").first().textContent()).to.equal("9007199254740993");
    // Its first rows, not all 300 KB of it.
    expect(await bytes(), "opening a result").to.be.within(10_000, 100_000);

    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".row").nth(CALLS).waitFor();
    expect(await bytes(), "the history").to.be.below(40_000);
    await page.locator(".row-head").nth(CALLS).click();
    await table.waitFor();
    expect(await table.locator("tbody td").first().textContent()).to.equal("9007199254740993");
  });
});
