// What is no result of a call and can be looked at like one: the table of an answer, the rows a change touches, the arguments of a held
// call. A real browser on a real daemon.
import { expect } from "chai";
import type { Locator } from "playwright-core";
import { serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { clickAway, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

const CITIES = ["Ely", "**Bath**", "Rye", "Hove", "Deal", "Ryde", "Wem", "Diss", "Looe", "Holt", "Ware", "Eye"];
const amount = (i: number) =>
  `€${((1204.5 + i * 5077.25) % 30_000).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const ANSWER = `Here they are:

| city | revenue | share |
|:--|--:|--|
${CITIES.map((city, i) => `| ${city} | ${amount(i)} | ${i + 1}.5 % |`).join("\n")}

That is all.
`;

const press = (where: Locator, name: string) => where.getByRole("button", { name, exact: true }).click();
const column = async (table: Locator, at: number) =>
  (await table.locator(`tbody tr td:nth-of-type(${at})`).allInnerTexts()).filter((text) => text !== "");

describe("the web UI: views of what is no result", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, revenue: 1204.5 }]));
  });
  afterEach(() => target.close());
  after(stopAll);

  it("sorts, filters, draws and copies the table of an answer, which stays as it was written", async () => {
    const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: ANSWER }] }];
    const { page } = await browser.open(await browser.daemon({ target: target.url, turns }));
    await sendPrompt(page, "list");
    await waitUntilIdle(page);
    const answer = page.locator(".answer");
    expect(await answer.locator(".view-tabs button").allTextContents()).to.deep.equal([
      "As written",
      "Table",
      "Chart",
      "JSON",
    ]);
    expect(await answer.locator("td strong").innerText()).to.equal("Bath");
    await press(answer, "Table");
    const table = answer.locator(".result-table");
    await table.waitFor();
    await answer.locator("button:focus", { hasText: "Table" }).waitFor();
    await press(table, "revenue (EUR)");
    const sorted = CITIES.map((_, i) => amount(i).slice(1)).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    await until(async () => (await column(table, 2)).join() === sorted.join());
    await answer.getByLabel("Search these rows").fill("Ry");
    await answer.getByText("2 of 12 rows").waitFor();
    await press(answer, "Chart");
    await answer.locator("canvas, svg.chart, .chart svg").first().waitFor();
    await press(answer, "JSON");
    await answer.getByText("11359", { exact: false }).waitFor();
    await press(answer, "As written");
    expect(await answer.locator("td strong").innerText()).to.equal("Bath");
    await answer.locator("button:focus", { hasText: "As written" }).waitFor();
    await answer.locator("button.origin", { hasText: "1,204.50" }).click();
    await page.locator("td.marked, .marked").first().waitFor();
  });

  it("offers them once the table is whole, as wide as the screen, in the direction of its text @all", async () => {
    const head = Array.from({ length: 20 }, (_, i) => `column ${i}`).join(" | ");
    const row = Array.from({ length: 20 }, (_, i) => `${i}.5`).join(" | ");
    const wide = ["", `| ${head} |`, `|${"---|".repeat(20)}`, `| ${row} |`, `| ${row} |`, `| ${row} |`, ""];
    const arabic = ["| اسم | مبلغ |", "|---|---|", "| أحمد | 12 |", "| ليلى | 7 |"];
    const deltas = [...wide, "", ...arabic].map((line) => `${line}\n`);
    const turns = [{ prompt: "go", replies: [{ deltas, delay_ms: 150 }] }];
    const daemon = await browser.daemon({ target: target.url, turns });
    const { page } = await browser.open(daemon, "/", { viewport: { width: 1440, height: 900 } });
    await sendPrompt(page, "go");
    const buttons = page.locator(".answer .view-tabs button", { hasText: "Table" });
    await buttons.first().waitFor({ state: "attached" });
    expect(await buttons.first().isVisible()).to.equal(false);
    await waitUntilIdle(page);
    await buttons.first().click();
    await buttons.nth(1).click();
    const results = page.locator(".answer .result");
    await results.nth(1).waitFor();
    expect((await results.first().boundingBox())?.width).to.be.greaterThan(1000);
    await page.locator('.answer .result[dir="rtl"]', { hasText: "ليلى" }).waitFor();
    await page.getByText("3 rows").waitFor();
  });

  it("displays the rows a change touches and the arguments of a held call like any result @all", async () => {
    const { page } = await browser.open(await serve(["--demo", "--provider", "offline"]));
    await sendPrompt(page, "delete stock 5 in the warehouse");
    const question = page.locator(".confirmation");
    const movements = question.locator(".difference", { hasText: "movements" });
    await movements.locator("del").first().waitFor();
    const struck = await movements.locator("del").allInnerTexts();
    await press(movements, "Table");
    const table = movements.locator(".result-table");
    await table.waitFor();
    // This table has a column named "change" of its own.
    expect(await table.locator("thead th").allInnerTexts()).to.include.members(["change", "change 2", "moved_on"]);
    expect(await column(table, 1)).to.deep.equal(["deleted", "deleted"]);
    expect(struck).to.include.members(await column(table, 2));
    await press(movements, "Difference");
    expect(await movements.locator("del").allInnerTexts()).to.deep.equal(struck);
    await press(question, "Fields");
    await question.locator(".fields", { hasText: "5" }).first().waitFor();
    await press(question, "As sent");
    expect(await question.getByRole("group", { name: "Arguments" }).innerText()).to.contain('"id":5');
    await clickAway(question.getByRole("button", { name: "Deny" }));
    await waitUntilIdle(page);
  });
});
