// Numbers of an answer that lead to the cell of a result they come from. A real browser on a real daemon.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { petShop } from "../support/daemon.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ANSWER =
  "The largest is **1,234.50 €**, of pet 4711. There are 12 in all, `4711` is code, " +
  "and [4711](http://127.0.0.1/) a link.\n\n| pet | price |\n|---|---|\n| Rex | 77.25 |\n";

/** The page's part of an element: a test file knows no document. */
type Node = { getBoundingClientRect(): { top: number; bottom: number }; closest(selector: string): Node };

/** Whether an element is in view of what scrolls it. */
const isInView = (cell: Locator, scroller: string): Promise<boolean> =>
  cell.evaluate((node: Node, selector) => {
    const [inner, outer] = [node.getBoundingClientRect(), node.closest(selector).getBoundingClientRect()];
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
  }, scroller);

describe("the web UI: numbers of an answer", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let pets: object[];
  beforeEach(async () => {
    pets = Array.from({ length: 20 }, (_, i) => ({ id: 100 + i, name: `Pet ${i}`, count: 12, price: i + 0.75 }));
    pets[17] = { id: 4711, name: "Rex", count: 12, price: 1234.5 };
    pets[3] = { id: 103, name: "Max", count: 12, price: 77.25 };
    target = await startTarget(() => json(pets));
  });
  afterEach(() => target.close());

  async function answered(): Promise<{ page: Page; card: Locator; numbers: Locator }> {
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: ANSWER }] }];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    await sendPrompt(page, "list");
    await page.locator(".answer td", { hasText: "77.25" }).waitFor();
    await waitUntilIdle(page);
    const numbers = page.locator(".answer button.origin");
    await until(async () => (await numbers.count()) === 3);
    return { page, card: page.getByRole("group", { name: "Tool call list_pets" }), numbers };
  }

  it("lead to the one cell they come from, by mouse and by keys, and others stay text", async () => {
    const { page, card, numbers } = await answered();
    expect(await numbers.allTextContents()).to.deep.equal(["1,234.50 €", "4711", "77.25"]);
    expect(await page.locator(".answer").textContent()).to.contain("There are 12 in all");
    expect(await card.locator(".result").count()).to.equal(0);
    await numbers.first().click();
    const marked = card.locator("td.marked");
    await marked.filter({ hasText: "1,234.50" }).waitFor();
    await until(() => isInView(marked, ".result-scroll"));
    await until(() => isInView(marked, ".log"));
    await card.locator("td.marked:focus").waitFor();
    // A view of other rows gives way to the row that is asked for.
    await card.getByLabel("Search these rows").fill("Rex");
    await card.getByText("1 of 20 rows").waitFor();
    await numbers.nth(2).focus();
    await page.keyboard.press("Enter");
    await marked.filter({ hasText: "77.25" }).waitFor();
    await page.evaluate(AXE);
    const found = await page.evaluate<string[]>(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))",
    );
    expect(found).to.deep.equal([]);
  });

  it("lead to the field of a single record, also to one that is not displayed at first @all", async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field_${i}`, `text ${i}`]));
    const one = await startTarget(() =>
      json({ id: 4711, ...many, balance: 1234567, rating: 4, nested: { total: 99.75 } }),
    );
    const text = "Account 4711 has 1,234,567 left, of 99.75, and a rating of **4**: 4 times.";
    const turns = [{ prompt: "get", replies: [{ calls: [{ name: "list_pets" }] }, { text }] }];
    const { page } = await browser.open(await browser.daemon({ target: one.url, turns }));
    await sendPrompt(page, "get");
    await waitUntilIdle(page);
    const numbers = page.locator(".answer button.origin");
    await until(async () => (await numbers.count()) === 3);
    for (const [at, value] of ["4711", "1,234,567", "4"].entries()) {
      await numbers.nth(at).click();
      const field = page.locator("dd.marked:focus", { hasText: value });
      await field.waitFor();
      expect(await isInView(field, ".log")).to.equal(true);
    }
    await one.close();
  });

  it("lead to rows that are not drawn yet, and do so after a reload @all", async () => {
    pets = Array.from({ length: 1_200 }, (_, id) => ({ id: 10_000 + id, name: `Pet ${id}`, price: 1, count: 12 }));
    pets[1_111] = { id: 4711, name: "Rex", price: 1234.5, count: 77.25 };
    const { page, card, numbers } = await answered();
    await numbers.first().click();
    await card.locator('td.marked[data-cell="1111:2"]:focus').waitFor();
    pets = [{ id: 4711, name: "Rex", price: 1234.5, count: 77.25 }];
    await sendPrompt(page, "list again");
    await until(async () => (await numbers.count()) === 6);
    await waitUntilIdle(page);
    await page.reload();
    // The large result is not in the page any more, and is searched all the same.
    await until(async () => (await numbers.count()) === 6);
    await numbers.first().click();
    await card.first().locator('td.marked[data-cell="1111:2"]:focus').waitFor();
    await numbers.nth(4).click();
    await card.nth(1).locator('td.marked[data-cell="0:0"]:focus').waitFor();
  });

  it("lead to counts, sums and records, the same live, after a reload and in another tab, however long the result is @all", async () => {
    const rows = Array.from({ length: 4_000 }, (_, i) => ({
      id: 200_000 + i,
      owner_id: 1 + (i % 200),
      price: 10.5 + (i % 7),
      note: "x".repeat(300),
    }));
    target.answer(({ path }) =>
      path.startsWith("/owners") ? json({ id: 120, name: "Ann" }) : json({ items: rows, page: 7777 }),
    );
    const sum = rows.reduce((all, { price }) => all + price, 0).toFixed(2);
    const text = `There are **4,000** pets of ${sum} € in all. Owner 120 has pet 203999, see page 7777, and not 120 of 12.5.`;
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text }] }];
    const schema = petShop(target.url);
    schema.resources.push({
      name: "owners",
      actions: [
        {
          name: "get_owner",
          description: "One owner",
          provenance: "declared",
          parameters: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
          transport: {
            kind: "http",
            method: "GET",
            path: "/owners/{id}",
            parameters: [{ name: "id", in: "path", key: "id" }],
          },
        },
      ],
    });
    const daemon = await browser.daemon({ target: target.url, turns, schema });
    const { page } = await browser.open(daemon);
    const numbers = page.locator(".answer button.origin");
    const expected = ["4,000", `${sum} €`, "120", "203999", "7777"];
    const isLinked = async (tab: Page) => {
      await tab
        .locator(".answer button.origin")
        .nth(expected.length - 1)
        .waitFor();
      expect(await tab.locator(".answer button.origin").allTextContents()).to.deep.equal(expected);
    };
    await sendPrompt(page, "list");
    await isLinked(page);
    const summary = page.locator(".call-summary");
    expect(await summary.textContent()).to.equal("4,000 rows");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await isLinked(other);
    await page.reload();
    await isLinked(page);
    await summary.getByText("4,000 rows").waitFor();
    await numbers.first().click();
    await page.locator(".result-count.marked:focus", { hasText: "4,000 rows" }).waitFor();
    await numbers.nth(1).click();
    await page.locator("tfoot td.marked:focus").waitFor();
    await numbers.nth(3).click();
    await page.locator('td.marked[data-cell="3999:0"]:focus').waitFor();
    await numbers.nth(4).click();
    await page.locator(".call .marked:focus", { hasText: "7,777" }).waitFor();
    await other.locator(".answer button.origin", { hasText: "7777" }).click();
    await other.locator(".call .marked:focus", { hasText: "7,777" }).waitFor();
    await numbers.nth(2).click();
    await page.getByRole("dialog", { name: "Owner 120" }).getByText("Ann").waitFor();
  });

  it("are looked for in results that a list leaves out, whose cards say the same after a reload @all", async () => {
    pets = pets.map((pet) => ({ ...pet, note: "x".repeat(200) }));
    const { page, card, numbers } = await answered();
    const summary = card.locator(".call-summary");
    expect(await summary.textContent()).to.equal("20 rows");
    await page.reload();
    await until(async () => (await numbers.count()) === 3);
    await summary.getByText("20 rows", { exact: true }).waitFor();
    await numbers.first().click();
    await card.locator("td.marked:focus").filter({ hasText: "1,234.50" }).waitFor();
  });
});
