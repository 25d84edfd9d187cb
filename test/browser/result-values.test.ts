// Values of results as they are set in type, places on a map, and the sheet that has the whole screen.
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

/** One pixel. */
const IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const CITIES = [
  { name: "Berlin", latitude: 52.52, longitude: 13.4 },
  { name: "Nairobi", latitude: -1.29, longitude: 36.82 },
  { name: "Lima", latitude: -12.05, longitude: -77.04 },
];
const things = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: `Thing number ${i} with a name of its own`,
    state: ["open", "paid"][i % 2],
    weight: 1234.5 + i / 4,
    active: i % 2 === 0,
    note: i === 0 ? null : "",
    website: "https://example.org/shop/",
    email: `owner${i}@example.org`,
    color: "#c04000",
    picture: IMAGE,
    tags: ["small", "round"],
    size: { width: 3, height: i },
    changed_at: new Date(Date.now() - (i + 1) * 3 * 3_600_000).toISOString(),
    total: { amount: i, currency: "EUR" },
  }));

describe("the web UI: values of results @all", () => {
  const browser = useBrowser();
  let target: RecordingTarget;
  let rows: object;
  beforeEach(async () => {
    target = await startTarget(() => json(rows));
  });
  afterEach(() => target.close());

  async function openCard(options: BrowserContextOptions = {}): Promise<{ page: Page; card: Locator }> {
    const turns = [{ prompt: "show", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page } = await browser.open(daemon, "/", options);
    await sendPrompt(page, "show them");
    await page.getByRole("log").getByText("Here.").waitFor();
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call list_pets" });
    await card.locator(".call-head").click();
    await card.locator(".result").waitFor();
    return { page, card };
  }

  /** The first cell of a column. */
  async function cellOf(card: Locator, column: string, row = 0): Promise<Locator> {
    const names = await card.locator(".column-head").allInnerTexts();
    const at = names.findIndex((name) => name.trim().startsWith(column));
    expect(at, `${column} of ${names.join("|")}`).to.be.at.least(0);
    return card.locator(".result-table tbody tr").nth(row).locator("td").nth(at);
  }

  it("are set by what they are, with the raw value on hover", async () => {
    rows = things(8);
    const { card } = await openCard({ locale: "de-DE", viewport: { width: 2400, height: 900 } });
    const text = async (column: string, row = 0) => (await cellOf(card, column, row)).innerText();
    expect(await text("weight")).to.equal("1.234,50");
    expect(await text("weight", 1)).to.equal("1.234,75");
    expect(await text("changed_at"))
      .to.match(/3/)
      .and.not.contain("T");
    const exact = await (await cellOf(card, "changed_at")).getAttribute("title");
    expect(exact).to.contain(new Date().getFullYear().toString());
    const has = async (column: string, selector: string, row = 0) =>
      (await cellOf(card, column, row)).locator(selector).count();
    expect(await has("state", ".chip")).to.equal(1);
    expect(await has("tags", ".chip")).to.equal(2);
    expect(await text("active")).to.equal("yes");
    expect(await text("active", 1)).to.equal("no");
    expect(await text("note")).to.equal("null");
    expect(await text("note", 1)).to.equal("empty");
    expect(await has("color", ".swatch")).to.equal(1);
    expect(await has("email", 'a[href="mailto:owner0%40example.org"]')).to.equal(1);
    expect(await has("website", 'a[rel="noopener noreferrer"][target=_blank]')).to.equal(1);
    const image = (await cellOf(card, "picture")).locator("img");
    expect(await image.getAttribute("src")).to.equal(IMAGE);
    expect(await image.evaluate((node) => (node as { naturalWidth?: number }).naturalWidth)).to.equal(1);
  });

  it("are pictures where an MCP server answered them, also within a resource: displayed, enlarged and saved", async () => {
    const [, data = ""] = IMAGE.split(",");
    const mimeType = "image/png";
    rows = {
      content: [
        { type: "text", text: "The page, as it looks." },
        { type: "image", data, mimeType },
        { type: "resource", resource: { uri: "file:///a.png", mimeType, blob: data } },
      ],
    };
    const { page, card } = await openCard();
    const pictures = card.locator("td img");
    expect(await pictures.count()).to.equal(2);
    for (const picture of await pictures.all()) expect(await picture.getAttribute("src")).to.equal(IMAGE);
    await card.getByRole("button", { name: "Enlarge Data" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save the picture" }).click();
    expect((await readFile(await (await saved).path())).toString("base64")).to.equal(data);
  });

  it("are drawn on a map where they are one place, which is its first view where there is nothing else to it", async () => {
    const point = { type: "Point", coordinates: [13.4, 52.52] };
    const picture = (card: Locator) => card.getByRole("img", { name: /^Map of 1 p/ }).locator("canvas");
    rows = point;
    const bare = await openCard();
    await picture(bare.card).waitFor();
    expect(await bare.card.locator(".result-count").count()).to.equal(0);
    rows = { type: "Feature", geometry: point, properties: { name: "Berlin", population: 3_700_000 } };
    const feature = await openCard();
    await feature.card.getByText("3,700,000").waitFor();
    expect(await feature.card.locator(".view-tabs button").allTextContents()).to.deep.equal([
      "Chart",
      "Fields",
      "JSON",
    ]);
    await feature.card.getByRole("button", { name: "Chart", exact: true }).click();
    await picture(feature.card).waitFor();
  });

  it("have the spaces and marks of the reader's language, and only text of the application has such characters revealed", async () => {
    rows = Array.from({ length: 1_200 }, (_, i) => ({
      id: i,
      name: i === 0 ? "Rex\u202egnp" : `Rex ${i}`,
      price_eur: 1_200.5 + i,
      born: i % 2 === 0 ? "2020-03-04" : "2021-04-05",
    }));
    for (const locale of ["fr-FR", "ar-EG"]) {
      const { page, card } = await openCard({ locale, viewport: { width: 1600, height: 900 } });
      const expected = await page.evaluate<string[]>(`[
        (1200).toLocaleString() + " rows",
        new Intl.NumberFormat(undefined, { style: "currency", currency: "EUR", currencyDisplay: "narrowSymbol" }).format(1200.5),
      ]`);
      expect(await card.locator(".call-summary").textContent()).to.equal(expected[0]);
      expect(await (await cellOf(card, "price_eur", 0)).textContent()).to.equal(expected[1]);
      expect(await card.locator(".hidden-char").allTextContents()).to.deep.equal(["U+202E"]);
      await card.getByRole("button", { name: "Group by" }).click();
      await page.locator(".menu-item", { hasText: "born" }).click();
      await card.locator(".row-group").first().waitFor();
      expect(await card.locator(".hidden-char").count()).to.equal(0);
    }
  });

  it("have the lines they have where there is room, and a quiet mark for their ends where there is one line", async () => {
    const note = "first\r\nsecond\tpart\nthi\u200brd";
    rows = [{ id: 1, note }];
    const table = await openCard();
    expect(await (await cellOf(table.card, "note")).textContent()).to.equal("first↵second part↵thiU+200Brd");
    rows = { id: 1, note, long: `${note}\n`.repeat(30) };
    const { card } = await openCard();
    const field = (name: string) =>
      card
        .locator(".field")
        .filter({ has: card.page().locator("dt", { hasText: name }) })
        .locator("dd");
    expect(await field("Note").innerText()).to.equal("first\nsecond part\nthiU+200Brd");
    await field("Long").getByRole("button", { name: "Show all" }).click();
    const lines = (await field("Long").locator(".long-text").innerText()).trimEnd().split("\n");
    expect(lines.length).to.equal(90);
    expect(lines.at(-1)).to.equal("thiU+200Brd");
  });

  it("are arguments on the line of a card, where the ends of lines are quiet marks", async () => {
    const calls = [{ name: "list_pets", arguments: { note: "first\r\nsecond\tpart" } }];
    const turns = [{ prompt: "show", replies: [{ calls }, { text: "Here." }] }];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    await sendPrompt(page, "show them");
    await page.locator(".call-arguments", { hasText: "note: first↵second part" }).waitFor();
  });

  it("say of a file that its bytes are not kept, and draw an image that is in the value", async () => {
    const file = { binary: true, type: "image/png", bytes: 7872, sha256: "ab".repeat(32) };
    rows = file;
    const { card } = await openCard();
    await card.getByText("The file itself is not kept").waitFor();
    const pixel =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    rows = { ...file, data: pixel };
    const drawn = await openCard();
    const image = drawn.card.locator(".field img.inline-image");
    expect(await image.evaluate((node) => (node as { naturalWidth?: number }).naturalWidth)).to.equal(1);
    const saved = drawn.page.waitForEvent("download");
    await drawn.card.getByRole("link", { name: "Save the picture" }).click();
    expect((await saved).suggestedFilename()).to.equal("picture.png");
    await image.click();
    await drawn.page.getByRole("dialog", { name: "Data" }).locator("img.whole-picture").waitFor();
    await drawn.page.keyboard.press("Escape");
    await drawn.card.locator("button.picture:focus").waitFor();
    rows = [{ id: 1, picture: pixel, vector: "data:image/svg+xml;base64,PHN2Zy8+" }];
    const other = await openCard();
    await other.card.locator("td img.inline-image").waitFor();
    expect(await other.card.locator("td img").count()).to.equal(1);
  });

  it("are added up below the table only where a sum says something", async () => {
    rows = [10, 20, 60].map((tax_percent, i) => ({ quantity: i, tax_percent, latitude: 50.5 + i, cost_center: 4711 }));
    const { card } = await openCard();
    await card.locator(".row-sums", { hasText: "Σ 3" }).waitFor();
    const sums = await card.locator(".row-sums td").allTextContents();
    expect(sums).to.deep.equal(["Σ 3", "Average 30.00 %", "", ""]);
    for (const name of ["Least 10 %", "Greatest 60 %", "Average 30.00 %"]) {
      await card.locator(".row-sums button").nth(1).click();
      await card.locator(".row-sums", { hasText: name }).waitFor();
    }
  });

  it("are counted as the answer counts them, and what matches as the rows that are here", async () => {
    rows = { items: Array.from({ length: 20 }, (_, id) => ({ id, name: `Thing ${id}` })), total: 40 };
    const { card } = await openCard();
    expect(await card.locator(".call-summary").textContent()).to.equal("20 of 40 rows");
    await card.getByText("20 rows here, 40 in all", { exact: true }).waitFor();
    await card.getByLabel("Search these rows").fill("Thing 7");
    await card.getByText("1 of 20 rows here, 40 in all", { exact: true }).waitFor();
  });

  it("are a thing and not rows where a list is only a part of them", async () => {
    rows = { id: 7, name: "Ada", orders: [{ price: 1 }, { price: 2 }] };
    const { card } = await openCard();
    expect(await card.locator(".call-summary").textContent()).to.equal("Ada, orders: 2");
    await card.getByRole("button", { name: "JSON", exact: true }).click();
    await card.locator(".json-tree").waitFor();
    expect(await card.locator(".result-count").count()).to.equal(0);
    await card.getByRole("button", { name: "Table", exact: true }).click();
    await card.getByText("2 rows in orders", { exact: true }).waitFor();
  });

  it("are not cut where every row has as many characters", async () => {
    rows = Array.from({ length: 12 }, (_, i) => ({
      ean: `40063813339${30 + i}`,
      phone: `+49 (0)170 123456${i % 10}`,
      iban: `DE89370400440532013${100 + i}`,
      card_id: `411111111111${1000 + i}`,
      seen_at: `2024-10-${10 + i}T22:${10 + i}:4${i % 10}Z`,
      key: `A987FBC9-4BED-3078-CF07-9141BA07C9F${i % 10}`,
      big: 123456789012 + i,
      tax_percent: 12.5,
      price_usd: 1234567.5 + i,
    }));
    for (const locale of ["en-US", "de-DE"]) {
      const { card } = await openCard({ locale });
      await card.locator(".row-sums", { hasText: "Σ" }).waitFor();
      const cut = await card
        .locator(".result-table td, .result-table td .sum")
        .evaluateAll<string[], { scrollWidth: number; clientWidth: number; textContent: string }>((cells) =>
          cells
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        );
      expect(cut).to.deep.equal([]);
    }
  });

  it("unfold where they are nested", async () => {
    rows = things(3);
    const { card } = await openCard({ viewport: { width: 2400, height: 900 } });
    const cell = await cellOf(card, "size", 1);
    await cell.getByRole("button").click();
    await card.locator(".result-table tbody").getByText("width", { exact: false }).first().waitFor();
  });

  it("take the width of the screen, and the whole of it in a sheet with its own tools", async () => {
    rows = things(40);
    const { page, card } = await openCard({ viewport: { width: 1600, height: 900 } });
    const widthOf = async (at: Locator) => (await at.boundingBox())?.width ?? 0;
    expect(await widthOf(card.locator(".result"))).to.be.greaterThan(1_000);
    await card.getByRole("button", { name: "Expand Result" }).click();
    const sheet = page.getByRole("dialog", { name: "list_pets" });
    expect(await widthOf(sheet)).to.be.greaterThan(1_400);
    await sheet.getByLabel("Search these rows").fill("number 39 ");
    await sheet.getByText("1 of 40 rows").waitFor();
    await sheet.getByRole("button", { name: "JSON", exact: true }).click();
    await sheet.getByRole("button", { name: "Table", exact: true }).click();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    // One state for both.
    await card.getByText("1 of 40 rows").first().waitFor();
  });

  it("are shares of a donut with their names above them", async () => {
    rows = [52, 30, 18].map((share, i) => ({ name: `Browser ${i}`, share }));
    const { page, card } = await openCard();
    await card.getByRole("button", { name: "Chart", exact: true }).click();
    expect(await card.getByLabel("Chart", { exact: true }).inputValue()).to.equal("donut");
    const svg = page.waitForEvent("download");
    await card.getByRole("button", { name: "Save as SVG" }).click();
    const text = (await readFile(await (await svg).path())).toString();
    const heights = Array.from(text.matchAll(/<text[^>]* y="(-?[\d.]+)"[^>]*>([^<]*)</g), ([, y, words]) => [
      words,
      Number(y),
    ]);
    expect(heights).to.deep.include(["Browser 0", -8]).and.deep.include(["52 %", 8]);
  });

  it("stand on a map where they are places, which is saved as a picture", async () => {
    rows = CITIES;
    const { page, card } = await openCard();
    await card.getByRole("button", { name: "Chart", exact: true }).click();
    expect(await card.getByLabel("Chart", { exact: true }).inputValue()).to.equal("map");
    await card.getByRole("img", { name: /3/ }).locator("canvas").waitFor();
    const png = page.waitForEvent("download");
    await card.getByRole("button", { name: "Save as PNG" }).click();
    expect((await readFile(await (await png).path())).subarray(1, 4).toString()).to.equal("PNG");
    await until(async () => (await page.locator("canvas").count()) > 0);
  });
});
