// The history page with a million rows: opened, scrolled, searched.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { packageRoot } from "../../src/lib/package.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, startTarget } from "../support/target.js";
import { seedHistory } from "./data.js";
import { longestTask, type Row } from "./page-measures.js";

const ROWS = 1_000_000;

const rowAt = (place: number): string => `.row[aria-posinset="${place}"] a`;

/** What is done with the rows, and what is there once it is. */
const STEPS: readonly (readonly [what: string, step: (page: Page) => Promise<void>])[] = [
  ["opened", (page) => page.locator(rowAt(1)).waitFor()],
  [
    "scrolled to the oldest",
    async (page) => {
      await page.locator(rowAt(1)).focus();
      await page.keyboard.press("End");
      await page.locator(`${rowAt(ROWS)}:focus`).waitFor();
    },
  ],
  [
    "turned by the wheel, 40 times",
    async (page) => {
      await page.locator(".history-scroll").hover();
      for (let i = 0; i < 40; i++) {
        await page.mouse.wheel(0, -5_000);
        await page.waitForTimeout(20);
      }
      await page.locator(".row a").first().waitFor();
    },
  ],
  [
    "searched for a name that is not there",
    async (page) => {
      await page.getByRole("searchbox", { name: "Tool" }).fill("no such tool");
      await page.getByText("No calls fit these filters.").waitFor({ timeout: 120_000 });
    },
  ],
];

/** Opens the history page of such a record, and does with it what people do. */
export async function longHistory(open: (daemon: Daemon, path?: string) => Promise<Page>): Promise<Row[]> {
  const target = await startTarget(() => json("[]"));
  const dataDir = mkdtempSync(join(tmpdir(), "agentd-bench-"));
  const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
  const options = { dataDir, turns, target: target.url, listen: { staticDir: join(packageRoot, "dist", "static") } };
  const first = await startDaemon(options);
  await postJson(`${first.url}/run`, { message: "list" });
  await first.close();
  seedHistory(dataDir, ROWS - 1);
  const daemon = await startDaemon(options);
  const page = await open(daemon);
  await longestTask(page);
  const rows: Row[] = [];
  await page.getByRole("link", { name: "History" }).click();
  for (const [what, step] of STEPS) {
    const begun = performance.now();
    await step(page);
    rows.push({ what: `1,000,000 calls, ${what}`, is: performance.now() - begun, atMost: 10_000, unit: "ms" });
    rows.push({ what: `1,000,000 calls, ${what}, longest task`, is: await longestTask(page), atMost: 100, unit: "ms" });
  }
  await page.context().close();
  await daemon.close();
  await target.close();
  rmSync(dataDir, { recursive: true });
  return rows;
}
