// What a change does, in the UI: the rows before the yes, the same on its card and in the history, and Undo. A real browser on the
// demonstration's daemon and its warehouse.
import { expect } from "chai";
import { type Served, serve, stopAll } from "../support/spawn.js";
import { until } from "../support/until.js";
import { clickAway, sendPrompt, useBrowser, waitUntilIdle } from "./browser.js";

describe("the web UI: effects", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let daemon: Served;

  before(async () => {
    daemon = await serve(["--demo", "--provider", "offline"]);
  });
  after(stopAll);

  it("displays every row a deletion takes with it, then takes it back with the same rows @all", async () => {
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "delete stock 5 in the warehouse");
    const question = page.locator(".confirmation");
    await question.getByText("What will change").waitFor();
    const heads = question.locator(".difference-head");
    expect(await heads.allInnerTexts()).to.deep.equal(["stock 1 deleted", "movements 2 deleted"]);
    expect(await question.locator("del").allInnerTexts()).to.include.members(["COF-005", "Cold Brew Bags"]);
    expect(await question.getByText("It can be undone.").count()).to.equal(1);
    await clickAway(question.getByRole("button", { name: "Approve" }));
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call warehouse_delete_stock" });
    await card.getByRole("button", { name: "Undo", exact: true }).click();
    await question.getByText("stock 1 added").waitFor();
    // However long the session is, the question and its buttons are in view.
    await until(() => question.evaluate((one) => one === document.activeElement));
    const [foot, composer] = [question.locator(".confirmation-foot"), page.locator(".composer")];
    await until(async () => {
      const [own, below] = await Promise.all([foot.boundingBox(), composer.boundingBox()]);
      return (own?.y ?? 1e9) + (own?.height ?? 0) <= (below?.y ?? 0) + 1;
    });
    expect(await question.locator("ins").allInnerTexts()).to.include.members(["COF-005", "Cold Brew Bags"]);
    await clickAway(question.getByRole("button", { name: "Approve" }));
    await card.getByText("Undone.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".row-head", { hasText: "warehouse_delete_stock" }).click();
    const row = page.locator(".history-details");
    await row.getByText("What changed").waitFor();
    await row.getByText("Undone.", { exact: true }).waitFor();
    expect(await row.getByText(/undone/i).count()).to.equal(1);
    expect(await row.getByRole("button", { name: "Undo", exact: true }).count()).to.equal(0);
  });

  it("says of a refused deletion what it was to change, on its card and in the history @all", async () => {
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "delete stock 4 in the warehouse");
    await clickAway(page.locator(".confirmation").getByRole("button", { name: "Deny" }));
    await waitUntilIdle(page);
    const card = page.getByRole("group", { name: "Tool call warehouse_delete_stock" });
    const head = card.getByRole("button", { name: /warehouse_delete_stock/ });
    if ((await head.getAttribute("aria-expanded")) !== "true") await head.click();
    await card.getByText("What it was to change").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".row-head", { hasText: "warehouse_delete_stock" }).first().click();
    const row = page.locator(".history-details");
    await row.getByText("What it was to change").waitFor();
    for (const text of ["What changed", "It can be undone."])
      expect(await page.getByText(text).count(), text).to.equal(0);
  });

  it("displays of a changed row what was beside what will be, and undoes it from the history @all", async () => {
    const { page } = await browser.open(daemon);
    await sendPrompt(page, "set the quantity of stock 3 in the warehouse to 40");
    const question = page.locator(".confirmation");
    await question.getByText("stock 1 changed").waitFor();
    expect(await question.locator("th").allInnerTexts()).to.deep.equal(["Change", "id", "quantity"]);
    expect(await question.locator(".changed").allInnerTexts()).to.deep.equal(["2 40"]);
    await clickAway(question.getByRole("button", { name: "Approve" }));
    await waitUntilIdle(page);
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".row-head", { hasText: "warehouse_update_stock" }).click();
    const row = page.locator(".history-details");
    await row.getByRole("button", { name: "Undo", exact: true }).click();
    await row.locator(".confirmation").getByText("stock 1 changed").waitFor();
    const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent");
    await row.getByRole("button", { name: "Edit", exact: true }).click();
    await clickAway(row.getByRole("button", { name: "Undo edit" }));
    expect(await focused()).to.equal("Edit");
    await clickAway(row.getByRole("button", { name: "Approve" }));
    await row.getByText("Undone.", { exact: true }).waitFor();
    expect(await focused()).to.equal("Undone.");
  });
});
