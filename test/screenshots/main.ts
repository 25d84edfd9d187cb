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
    await sendPrompt(page, "list products under 20");
    await waitUntilIdle(page);
    await sendPrompt(page, "restock product 3 with quantity 5");
    // It takes no click in its first half second, and is drawn pale until then.
    await page.getByRole("button", { name: "Approve", disabled: false }).waitFor();
  },
  "screenshot-history.png": async (page) => {
    await page.getByRole("button", { name: "Approve" }).click();
    await waitUntilIdle(page);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("main").getByText("restockProduct", { exact: true }).last().click();
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
