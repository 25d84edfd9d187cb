// Results longer than their row, which the daemon keeps whole: the page asks for the rows in view, and the daemon sorts, filters and saves.
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import type { HistoryEntry } from "../../src/domain/record.js";
import { getJson } from "../support/entry-points.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

/** Rows of more than a MiB together. */
const pets = (count: number, note = 0) =>
  Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `Pet ${(i * 7919) % count}`,
    weight: (i * 31) % 977,
    note: "n".repeat(note),
    height: (i * 17) % 311,
  }));

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the web UI: results that are kept whole", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let rows: object[];
  let around: object;
  beforeEach(async () => {
    around = { page: 3 };
    target = await startTarget(() => json({ pets: rows, ...around }));
  });
  afterEach(() => target.close());

  /** The card of a call in a session that is opened again; `requests` are those since then. */
  async function openAgain(): Promise<{ page: Page; card: Locator; requests: string[] }> {
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page, requests } = await browser.open(daemon);
    await sendPrompt(page, "list");
    await page.getByRole("log").getByText("Here.").waitFor();
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    await card.locator(".call-summary", { hasText: `${rows.length.toLocaleString("en")} rows` }).waitFor();
    // The file is written beside the turn, and may be later than its answer.
    await until(async () => (await daemon.agent.history({ limit: 1, results: "small" }))[0]?.kept !== undefined);
    await page.reload();
    await card.locator(".call-summary", { hasText: `${rows.length.toLocaleString("en")} rows` }).waitFor();
    requests.length = 0;
    await card.locator(".call-head").click();
    await card.locator(".result-count", { hasText: `${rows.length.toLocaleString("en")} rows` }).waitFor();
    return { page, card, requests };
  }

  async function save(page: Page, card: Locator, name: string): Promise<Buffer> {
    if ((await page.getByRole("button", { name }).count()) === 0)
      await card.getByRole("button", { name: "Save or copy" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return readFile(await (await download).path());
  }

  async function checkFiles(page: Page, card: Locator): Promise<void> {
    const csv = (await save(page, card, "Save as CSV")).toString();
    expect(csv.trim().split("\r\n").length).to.equal(2);
    expect(csv).to.match(/,Pet 1199,/);
    expect((await save(page, card, "Save as TSV")).toString()).to.contain("\tPet 1199\t");
    const list = JSON.parse((await save(page, card, "Save as JSON")).toString()) as { name: string }[];
    expect(list.map(({ name }) => name)).to.deep.equal(["Pet 1199"]);
    expect((await save(page, card, "Save as Excel")).subarray(0, 2).toString()).to.equal("PK");
  }

  it("are paged at once when a session is opened again, and are filtered, sorted and saved by the daemon", async function () {
    this.timeout(60_000);
    rows = pets(1_200, 1_000);
    const { page, card, requests } = await openAgain();
    // The first MiB of it, which is in the row, is not loaded before.
    expect(requests.filter((url) => url.includes("/history?") && !url.includes("results=small"))).to.deep.equal([]);
    await card.locator(".result-table tbody td").first().click();
    await page.keyboard.press("Control+End");
    await card.locator('td[data-cell^="1199:"]:focus').waitFor();
    await card.locator(".column-sort", { hasText: "name" }).click();
    await page.keyboard.press("Escape");
    await card.locator('th[aria-sort="ascending"]').waitFor();
    await card.getByLabel("Search these rows").fill("Pet 1199");
    await card.getByText("1 of 1,200 rows").waitFor();
    await checkFiles(page, card);
    await page.keyboard.press("Escape");
    await card.locator(".result-rest summary").click();
    await card.locator(".result-rest").getByText("page", { exact: false }).waitFor();

    await page.goto(`${new URL(page.url()).origin}/browse/history`);
    await page.locator(".row-head", { hasText: "list_pets" }).click();
    await page.locator(".history-details .result-count", { hasText: "1,200 rows" }).waitFor();
  });

  it("with a picture in a row, longer than the row of the record, display all rows before and after a reload @all", async () => {
    const picture = `data:image/png;base64,${"A".repeat(1_200_000)}`;
    rows = pets(5).map((pet, i) => ({ ...pet, picture: i === 0 ? picture : `data:image/png;base64,AA${i}=` }));
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "list");
    await page.getByRole("log").getByText("Here.").waitFor();
    await until(async () => (await daemon.agent.history({ limit: 1, results: "small" }))[0]?.kept !== undefined);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload();
      await card.locator(".call-head").click();
      await until(async () => (await card.locator("td img").count()) === 5);
    }
  });

  it("are pictures of more than a record has room for, before and after a reload @all", async () => {
    const photo = Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(2_000_000)]);
    target.answer(() => response(200, { "Content-Type": "image/png" }, photo));
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "list");
    await page.getByRole("log").getByText("Here.").waitFor();
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload();
      await card.locator(".call-summary", { hasText: /^image\/png, 2,000,070 bytes$/ }).waitFor();
      await card.locator(".call-head").click();
      const image = card.locator(".kept-picture img");
      await until(async () => (await image.evaluate((one) => (one as { naturalWidth?: number }).naturalWidth)) === 1);
    }
    const saved = page.waitForEvent("download");
    await card.getByRole("link", { name: "Save the picture" }).click();
    expect((await readFile(await (await saved).path())).equals(photo)).to.equal(true);
    expect(await getJson(`${daemon.url}/-/results/1`)).to.have.nested.property("value.bytes", photo.length);
  });

  it("that are one long text begin with it on their card, before and after a reload", async () => {
    target.answer(() => json(JSON.stringify("It is a long text. ".repeat(2_000))));
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    await sendPrompt(page, "list");
    const summary = page.locator(".call-summary", { hasText: /^It is a long text\. It is/ });
    await summary.waitFor();
    await waitUntilIdle(page);
    await page.reload();
    await summary.waitFor();
  });

  it("are counted whole on their card, also where that is known a little after the turn @all", async () => {
    rows = pets(1_200, 1_000);
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    // As if the list were written later than its turn ends.
    await page.route(/\/history\?.*after=/, async (route) => {
      const history = await getJson<HistoryEntry[]>(route.request().url());
      await route.fulfill({ json: history.map(({ kept: _, ...row }) => row) });
    });
    await sendPrompt(page, "list");
    await page.locator(".call-summary", { hasText: /^1,200 rows$/ }).waitFor();
  });

  it("within a thing are told with the thing, before and after a reload @all", async () => {
    rows = pets(1_200, 1_000);
    around = { id: 7, name: "The large order" };
    const calls = [{ name: "get_pet", arguments: { id: 7 } }];
    const daemon = await browser.daemon({
      target: target.url,
      turns: [{ prompt: "get", replies: [{ calls }, { text: "Here." }] }],
    });
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "get it");
    const card = page.getByRole("group", { name: "Tool call get_pet" });
    await card.locator(".call-summary", { hasText: /^The large order, pets: 1,200$/ }).waitFor();
    await until(async () => (await daemon.agent.history({ limit: 1, results: "small" }))[0]?.kept !== undefined);
    await page.reload();
    await card.locator(".call-summary", { hasText: /^pets: 1,200$/ }).waitFor();
  });

  it("of 100,000 rows are scrolled to the last, sorted, filtered and saved @all", async function () {
    this.timeout(180_000);
    rows = pets(100_000);
    const { page, card } = await openAgain();
    page.setDefaultTimeout(30_000);
    await card.locator(".result-table tbody td").first().click();
    await page.keyboard.press("Control+End");
    await card.locator('td[data-cell^="99999:"]:focus').waitFor();
    await card.locator(".column-sort", { hasText: "weight" }).click();
    // Another order is looked at from its first row.
    await card.locator('td[data-cell="0:2"]', { hasText: /^0$/ }).waitFor();
    await card.locator(".column-sort", { hasText: "weight" }).click();
    await card.locator('th[aria-sort="descending"]').waitFor();
    await card.locator('td[data-cell="0:2"]', { hasText: "976" }).waitFor();
    await card.getByLabel("Search these rows").fill("Pet 1199");
    await card.locator(".result-count", { hasText: "11 of 100,000 rows" }).waitFor();
    const csv = (await save(page, card, "Save as CSV")).toString();
    expect(csv.trim().split("\r\n").length).to.equal(12);
    expect((await save(page, card, "Save as Excel")).subarray(0, 2).toString()).to.equal("PK");
    await page.keyboard.press("Escape");
    await card.getByLabel("Search these rows").fill("");
    await card.locator(".result-count", { hasText: /^100,000 rows/ }).waitFor();
    expect((await save(page, card, "Save as TSV")).toString().trim().split("\n").length).to.equal(100_001);
    expect((await save(page, card, "Save as Excel")).length).to.be.greaterThan(500_000);
    await page.context().grantPermissions(["clipboard-write"]);
    await page.getByRole("button", { name: "Copy rows for a spreadsheet" }).click();
    await page.getByText("Copied the first 10,000 of 100,000 rows. A file has all of them.").waitFor();
    await page.keyboard.press("Escape");
    await card.getByRole("button", { name: "Chart", exact: true }).click();
    await card.getByLabel("Chart", { exact: true }).selectOption("scatter");
    await card.getByText("Only the first 5,000 of 100,000 rows are drawn").waitFor();
  });
});
