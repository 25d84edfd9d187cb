// npm run screenshots: the pictures of the documentation, taken from the real web UI of a daemon with the sample application.
import { join } from "node:path";
import { chromium as driver, type Page } from "playwright-core";
import { packageRoot } from "../../src/lib/package.js";
import { sendPrompt, waitUntilIdle } from "../browser/browser.js";
import { chromiumProgram } from "../browser/chromium.js";
import { serve } from "../support/spawn.js";

/** What is shown in a picture, by its file in docs/. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "screenshot.png": async (page) => {
    await sendPrompt(page, "which products under 20 have fewer than 10 in the warehouse");
    await waitUntilIdle(page);
    await sendPrompt(page, "set the quantity of stock 3 in the warehouse to 40");
    // It takes no click in its first half second, and is drawn pale until then.
    await page.getByRole("button", { name: "Approve", disabled: false }).waitFor();
  },
  "screenshot-history.png": async (page) => {
    await page.getByRole("button", { name: "Approve" }).click();
    await waitUntilIdle(page);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("main").getByText("warehouse_update_stock", { exact: true }).last().click();
  },
};

const daemon = await serve(["--demo", "--provider", "offline"]);
const browser = await driver.launch({ executablePath: await chromiumProgram(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(daemon.url);
  for (const [name, show] of Object.entries(PICTURES)) {
    await show(page);
    await page.screenshot({ path: join(packageRoot, "docs", name), animations: "disabled", caret: "hide" });
  }
} finally {
  await browser.close();
  await daemon.stop();
}
