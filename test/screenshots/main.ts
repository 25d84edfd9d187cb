// npm run screenshots: the pictures of the documentation, taken from the real web UI of a daemon with the sample application.
// npm run screenshots -- --all FOLDER: every view in every size and both schemes, to be looked at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium as driver, type Page } from "playwright-core";
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
    await page.locator(".row-head", { hasText: "warehouse_update_stock" }).first().click();
    await page.locator(".row-body").waitFor();
    await page.locator(".row-body .value").waitFor();
  },
};

const SIZES = {
  wide: [1440, 900],
  laptop: [1280, 800],
  phone: [390, 844],
  small: [320, 640],
  tablet: [768, 1024],
  huge: [2560, 1440],
} as const;
const PATHS = {
  empty: "/",
  tools: "/browse/tools",
  tool: "/browse/tools/createOrder",
  connect: "/browse/connect",
  history: "/browse/history",
  row: "/browse/history/2",
  filtered: "/browse/history?q=nothing+like+this",
  approvals: "/browse/approvals",
  settings: "/browse/settings",
} as const;

const SHOT = { animations: "disabled", caret: "hide" } as const;

/** Every view of a daemon whose record has a conversation with a held call. */
async function takeAll(browser: Browser, url: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const first = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await first.goto(url);
  await sendPrompt(first, "list products");
  await waitUntilIdle(first);
  await PICTURES["screenshot.png"]?.(first);
  const conversation = new URL(first.url()).pathname;
  await first.close();
  for (const [size, [width, height]] of Object.entries(SIZES))
    for (const colorScheme of ["light", "dark"] as const) {
      if (colorScheme === "dark" && !["wide", "phone"].includes(size)) continue;
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      for (const [name, path] of Object.entries({ ...PATHS, chat: conversation })) {
        await page.goto(url + path);
        await page.locator("main h1").first().waitFor();
        await page.waitForLoadState("networkidle").catch(() => {});
        await page
          .locator("main .spinner")
          .waitFor({ state: "detached", timeout: 5_000 })
          .catch(() => {});
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), ...SHOT });
      }
      await context.close();
    }
}

async function takeDocumented(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  for (const [name, show] of Object.entries(PICTURES)) {
    await show(page);
    await page.screenshot({ path: join(packageRoot, "docs", name), ...SHOT });
  }
}

const [flag, folder = ""] = process.argv.slice(2);
const daemon = await serve(["--demo", "--provider", "offline"]);
const browser = await driver.launch({ executablePath: await chromiumProgram(), args: ["--no-sandbox"] });
try {
  if (flag === "--all") await takeAll(browser, daemon.url, folder);
  else await takeDocumented(browser, daemon.url);
} finally {
  await browser.close();
  await daemon.stop();
}
