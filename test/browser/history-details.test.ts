// A call that is open beside the history: why it failed comes first, and the rows beside it stay apart.
import { expect } from "chai";
import { postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { useBrowser } from "./browser.js";

describe("the web UI: a call that is open in the history", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let target: RecordingTarget;
  beforeEach(async () => {
    target = await startTarget(({ path }) => {
      // Longer than what a list holds, as with a stack trace.
      const trace = path.endsWith("/3") ? "at stock.ts:1\n".repeat(400) : "";
      return json({ error: { code: "conflict", message: "the pet is in an order", trace } }, 409);
    });
  });
  afterEach(() => target.close());

  it("says why it failed first, in the application's own words, however long the answer is @all", async () => {
    const daemon = await browser.daemon({ target: target.url });
    for (const id of [2, 3]) await postJson(`${daemon.url}/-/tools/delete_pet/call`, { arguments: { id } });
    const { page } = await browser.open(daemon, "/browse/history");
    for (const position of [0, 1]) {
      await page.locator(".row-head", { hasText: "delete_pet" }).nth(position).click();
      const first = page.locator(".row-body > :first-child");
      await first.getByText("the pet is in an order").waitFor();
      expect(await first.textContent()).to.equal("the pet is in an order");
      const answer = page.locator(".row-body .call-answer");
      expect(await answer.getAttribute("open")).to.equal(null);
      await answer.locator("summary").click();
      await answer.getByText("http_409").first().waitFor();
    }
  });

  for (const width of [1440, 1280])
    it(`tells the calls of one tool apart by their arguments at ${width} pixels @all`, async () => {
      const daemon = await browser.daemon({ target: target.url });
      for (const id of [4, 5, 6]) await postJson(`${daemon.url}/-/tools/delete_pet/call`, { arguments: { id } });
      const { page } = await browser.open(daemon, "/browse/history", { viewport: { width, height: 900 } });
      await page.locator(".row-head", { hasText: "delete_pet" }).first().click();
      await page.locator(".row-body").waitFor();
      const rows = page.locator(".row-head", { hasText: "delete_pet" });
      for (const [at, id] of [6, 5, 4].entries()) {
        const line = rows.nth(at).locator(".row-arguments");
        expect(await line.isVisible()).to.equal(true);
        expect(await line.innerText()).to.equal(`id: ${id}`);
        const [row, own] = [await rows.nth(at).boundingBox(), await line.boundingBox()];
        if (row === null || own === null) throw new Error("The row is not displayed.");
        expect(own.y + own.height).to.be.at.most(row.y + row.height);
        expect(own.width).to.be.above(150);
      }
    });
});
