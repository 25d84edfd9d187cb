// Results in the web UI: tables that sort, filter, search and group, fields, trees and charts, things that open from their keys.
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { cellsOf } from "../support/sheet.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { clickUntil, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const STATES = ["paid", "open", "cancelled"];
const orders = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    customer_id: 7,
    status: STATES[i % 3],
    total: i * 1.5,
    currency: "EUR",
    zip: "01067",
    items: [{ sku: `S-${i}`, quantity: 2 }],
    website: "https://example.org/shop",
    picture: "https://example.org/picture.png",
  }));
const CUSTOMER = { id: 7, name: "Ada", order_id: 3, is_active: true, address: { city: "London" } };

/** A schema document of orders and customers. */
function shop(target: string): object {
  const id = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  const action = (name: string, path: string, parameters: object = { type: "object", properties: {} }) => ({
    name,
    description: name,
    provenance: "declared",
    parameters,
    transport: { kind: "http", method: "GET", path, parameters: [{ name: "id", in: "path", key: "id" }] },
  });
  return {
    version: 1,
    source: "openapi",
    base_url: target,
    resources: [
      { name: "orders", actions: [action("list_orders", "/orders"), action("get_order", "/orders/{id}", id)] },
      { name: "customers", actions: [action("get_customer", "/customers/{id}", id)] },
    ],
  };
}

const cells = (card: Locator, column: number): Promise<string[]> =>
  card.locator(`.result-table tbody tr td:nth-child(${column})`).allTextContents();

describe("the web UI: results", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let rows: object[];
  beforeEach(async () => {
    rows = orders(12);
    target = await startTarget(({ path }) => json(path === "/orders" ? rows : CUSTOMER));
  });
  afterEach(() => target.close());

  /** The open card of a call. */
  async function openCard(
    tool: string,
    options: { arguments?: object; device?: BrowserContextOptions } = {},
  ): Promise<{ page: Page; card: Locator }> {
    const calls = [{ id: "one", name: tool, arguments: JSON.parse(JSON.stringify(options.arguments ?? {})) }];
    const turns = [{ prompt: "show", replies: [{ calls }, { text: "Here." }] }];
    const { page } = await browser.open(await browser.daemon({ schema: shop(target.url), turns }), "/", options.device);
    await sendPrompt(page, "show them");
    await page.getByRole("log").getByText("Here.").waitFor();
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: `Tool call ${tool}` });
    await card.locator(".call-head").click();
    await card.locator(".result").waitFor();
    return { page, card };
  }

  it("sorts by a click on a head, filters, groups with sums, and searches", async () => {
    const { page, card } = await openCard("list_orders");
    const head = card.getByRole("columnheader", { name: /total/ });
    await head.locator(".column-sort").click();
    await head.locator(".column-sort").click();
    await card.locator('th[aria-sort="descending"]').waitFor();
    expect((await cells(card, 1)).slice(0, 2)).to.deep.equal(["12", "11"]);
    expect(await card.locator(".row-sums").textContent()).to.contain("€99.00");

    await card.getByRole("button", { name: "Column total" }).click();
    await page.getByRole("dialog", { name: "Column total" }).getByLabel("Value").fill("12");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await card.getByText("total ≥ 12", { exact: true }).waitFor();
    await card.getByText("4 of 12 rows").waitFor();
    await card.getByRole("button", { name: "Remove total ≥ 12" }).click();

    await card.getByRole("button", { name: "Group by" }).click();
    await page.getByRole("dialog", { name: "Group by" }).getByRole("button", { name: "status" }).click();
    const paid = card.locator(".row-group", { hasText: "paid" });
    await paid.waitFor();
    expect(await paid.textContent()).to.contain("€27.00");
    await paid.getByRole("button").click();
    await card.getByRole("cell", { name: "€13.50" }).waitFor();
    await card.getByRole("button", { name: "No groups" }).click();

    await card.getByLabel("Search these rows").fill("S-11");
    await card.getByText("1 of 12 rows").waitFor();
    expect(await cells(card, 1)).to.deep.equal(["12"]);
  });

  it("sums amounts of several currencies by currency only, and says why @all", async () => {
    rows = orders(12).map((row, i) => ({ ...row, currency: i % 2 === 0 ? "EUR" : "USD" }));
    const { page, card } = await openCard("list_orders");
    await card.locator(".row-sums", { hasText: "several currencies" }).waitFor();
    expect(await card.locator(".row-sums").textContent()).not.to.match(/[€$]/);
    await card.getByRole("button", { name: "Group by" }).click();
    await page.getByRole("dialog", { name: "Group by" }).getByRole("button", { name: "currency" }).click();
    await card.locator(".row-group", { hasText: "EUR" }).getByText("€", { exact: false }).waitFor();
    await card.locator(".row-group", { hasText: "USD" }).getByText("$", { exact: false }).waitFor();
  });

  it("has heads, keys and controls of a finger's size that cover nothing @all", async () => {
    rows = orders(40);
    const device = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, card } = await openCard("list_orders", { device });
    await card.getByRole("button", { name: "7", exact: true }).first().waitFor();
    const small = await page.evaluate<string[]>(`
      [...document.querySelectorAll(".result-head button, .result-head input, .result-table button")]
        .filter((one) => one.getBoundingClientRect().width < 44 || one.getBoundingClientRect().height < 44)
        .map((one) => one.className + " " + one.textContent)`);
    expect(small).to.deep.equal([]);
    const covered = await page.evaluate<string[]>(`
      [...document.querySelectorAll(".column-head")]
        .filter((head) => {
          const name = head.querySelector(".column-name").getBoundingClientRect();
          const menu = head.querySelector(".column-more").getBoundingClientRect();
          return name.right > menu.left && name.left < menu.right;
        })
        .map((head) => head.textContent)`);
    expect(covered).to.deep.equal([]);
    const cut = await page.evaluate<string[]>(`
      [...document.querySelectorAll(".result-table td:has(.thing), .result-table .column-name")]
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.textContent)`);
    expect(cut).to.deep.equal([]);
    expect((await card.locator("tbody tr:not(.row-gap)").nth(1).boundingBox())?.height).to.equal(45);
    await card.getByRole("button", { name: "JSON", exact: true }).click();
    for (const lines of [".json:not(.json-virtual) .json-line", ".json-virtual .json-line"]) {
      await card.locator(lines).nth(2).waitFor();
      const heights = await card.locator(lines).evaluateAll((all) => all.map((one) => one.clientHeight));
      expect(Math.min(...heights)).to.equal(44);
      if (lines.startsWith(".json-virtual")) expect(Math.max(...heights)).to.equal(44);
      await card.getByRole("button", { name: "Unfold all" }).click();
    }
  });

  it("says of an empty list that it has no rows, with its JSON behind a click @all", async () => {
    rows = [];
    const { card } = await openCard("list_orders");
    await card.locator(".call-summary", { hasText: /^No rows$/ }).waitFor();
    await card.getByText("No rows.", { exact: true }).waitFor();
    await card.getByRole("button", { name: "JSON", exact: true }).click();
    expect(await card.getByRole("group", { name: "Result" }).textContent()).to.contain("[]");
  });

  it("names the views of a result in one order, also where a chart is only offered @all", async () => {
    for (const list of [orders(12), [{ note: "one" }, { note: "two" }]]) {
      rows = list;
      const { card } = await openCard("list_orders");
      const names = await card.locator(".view-tabs button").allTextContents();
      expect(names).to.deep.equal(["Table", "Chart", "JSON"]);
    }
  });

  it("saves what is filtered as a file @all", async () => {
    const { page, card } = await openCard("list_orders");
    await card.getByLabel("Search these rows").fill("S-11");
    await card.getByText("1 of 12 rows").waitFor();
    await card.getByRole("button", { name: "Save or copy" }).click();
    const csv = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const text = await readFile(await (await csv).path(), "utf8");
    expect(text.split("\r\n")[1]).to.contain("12,7,cancelled,16.5,EUR,01067");
    const xlsx = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as Excel" }).click();
    const [head, row, ...others] = cellsOf(await readFile(await (await xlsx).path()));
    expect(head).to.include.members(["id", "total", "zip"]);
    expect([row?.[0], row?.[head?.indexOf("zip") ?? 0]]).to.deep.equal([12, "01067"]);
    expect(others).to.deep.equal([]);
  });

  it("remembers the columns of a tool that were hidden @all", async () => {
    const { page, card } = await openCard("list_orders");
    await card.getByRole("button", { name: "Column zip" }).click();
    await page.getByRole("button", { name: "Hide the column" }).click();
    await card.locator(".column-head", { hasText: "zip" }).waitFor({ state: "detached" });
    await page.reload();
    await card.locator(".call-head").click();
    await card.locator(".column-head", { hasText: "website" }).waitFor();
    expect(await card.locator(".column-head", { hasText: "zip" }).count()).to.equal(0);
  });

  it("asks the daemon for what it keeps, page by page, and moves in the grid by keys @all", async () => {
    rows = orders(1500);
    const { page, card } = await openCard("list_orders");
    await card.locator(".result-count", { hasText: "1,500 rows" }).waitFor();
    await card.locator('[role="grid"][aria-rowcount="1501"]').waitFor();
    expect(await card.locator(".result-table tbody tr").count()).to.be.lessThan(100);
    await card.locator(".result-table tbody td").first().click();
    await page.keyboard.press("Control+End");
    await card.getByRole("row", { name: /S-1499|1500/ }).waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowRight");
    await card.locator('td[data-cell="0:1"]:focus').waitFor();
    await card.getByLabel("Search these rows").fill("S-1499");
    await card.getByText("1 of 1,500 rows").waitFor();
  });

  it("displays a thing as fields with labels, and its nested lists as tables @all", async () => {
    const { card } = await openCard("get_customer", { arguments: { id: 7 } });
    expect(await card.locator(".result > .fields > .field > dt").allTextContents()).to.deep.equal([
      "ID",
      "Name",
      "Order ID",
      "Is active",
      "Address",
    ]);
    expect(await card.locator(".fields-nested").textContent()).to.equal("CityLondon");
  });

  it("opens a thing from its key at the side, goes on from there and comes back @all", async () => {
    const { page, card } = await openCard("list_orders");
    await card.getByRole("cell", { name: "7", exact: true }).first().getByRole("button").click();
    const sheet = page.getByRole("dialog", { name: "Customer 7" });
    await sheet.getByText("Ada", { exact: true }).waitFor();
    await sheet.locator("button.thing").click();
    await page.getByRole("dialog", { name: "Order 3" }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await sheet.getByText("Ada", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  it("draws a chart that is changed by clicks, and says in words what it displays @all", async () => {
    const { page, card } = await openCard("list_orders");
    await card.getByRole("button", { name: "Chart", exact: true }).click();
    const picture = card.getByRole("img", { name: /^Sum of total by status, 3 values/ });
    await picture.locator("canvas").waitFor();
    await card.getByLabel("Value", { exact: true }).selectOption("count");
    await card.getByRole("img", { name: /^Number of rows by status, 3 values/ }).waitFor();
    const svg = page.waitForEvent("download");
    await card.getByRole("button", { name: "Save as SVG" }).click();
    expect(await readFile(await (await svg).path(), "utf8")).to.match(/^<svg/);
  });

  it("keeps the first column and what is unfolded in view when it is scrolled sideways, and says when a copy is refused @all", async () => {
    const { page, card } = await openCard("list_orders");
    await page.setViewportSize({ width: 700, height: 800 });
    const scroller = card.locator(".result-scroll");
    await scroller.evaluate((node) => {
      node.scrollLeft = 250;
    });
    await card.locator(".result-scroll.more-before").waitFor();
    expect(await scroller.evaluate((node) => getComputedStyle(node).getPropertyValue("--fade-before"))).to.equal("0px");
    await card.locator("button.unfold").first().dispatchEvent("click");
    const [inner, outer] = await Promise.all([card.locator(".unfolded").boundingBox(), scroller.boundingBox()]);
    expect(inner?.x).to.be.at.least(outer?.x ?? 0);
    expect(inner?.x).to.be.below((outer?.x ?? 0) + 20);
    await card.locator('td[data-cell="0:0"]').dispatchEvent("click");
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await card.getByRole("button", { name: "Copy cell" }).click();
    await card.locator(".cell-bar", { hasText: "Not allowed" }).waitFor();
  });

  it("loads nothing from the addresses in a result", async () => {
    const { page, card } = await openCard("list_orders");
    expect(await card.locator("img").count()).to.equal(0);
    const link = card.getByRole("link", { name: /example\.org\/picture/ }).first();
    expect(await link.getAttribute("rel")).to.contain("noreferrer");
    await card.getByRole("button", { name: "Expand Result" }).click();
    const sheet = page.getByRole("dialog", { name: "list_orders" });
    await sheet.getByRole("button", { name: "JSON" }).click();
    await sheet.getByRole("tree").waitFor();
    await clickUntil(
      sheet.getByRole("button", { name: "Fold all", exact: true }),
      async () => (await sheet.getByRole("treeitem").count()) === 13,
    );
  });
});
