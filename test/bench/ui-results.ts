// A result of 100,000 rows in the page: opened, scrolled, sorted, filtered, grouped.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { packageRoot } from "../../src/lib/package.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, startTarget } from "../support/target.js";
import { heapOf, longestTask, type Row } from "./page-measures.js";

const ROWS = 100_000;
const STATES = ["new", "sold", "kept", "lost"];

const pet = (id: number) => ({
  id,
  name: `Pet ${(id * 7919) % ROWS}`,
  weight: (id * 31) % 977,
  state: STATES[id % STATES.length],
  born: `20${10 + (id % 10)}-0${1 + (id % 9)}-15`,
});

/** What is done with the rows, and what is there once it is. */
const STEPS: readonly (readonly [what: string, step: (page: Page) => Promise<void>])[] = [
  [
    "opened",
    async (page) => {
      await page.locator(".call-head").first().click();
      await page.locator(".result-count", { hasText: "100,000 rows" }).waitFor();
      await page.locator(".result-table tbody td").first().waitFor();
    },
  ],
  [
    "scrolled to the last row",
    async (page) => {
      await page.locator(".result-table tbody td").first().click();
      await page.keyboard.press("Control+End");
      await page.locator(`td[data-cell^="${ROWS - 1}:"]:focus`).waitFor();
      await page.keyboard.press("Control+Home");
    },
  ],
  [
    "turned by the wheel, 40 times",
    async (page) => {
      await page.locator(".result-table tbody td").nth(9).hover();
      for (let i = 0; i < 40; i++) {
        await page.mouse.wheel(0, 5_000);
        await page.waitForTimeout(20);
      }
      await page.locator(".result-table tbody td").first().waitFor();
    },
  ],
  [
    "sorted",
    async (page) => {
      await page.locator(".column-sort", { hasText: "weight" }).click();
      await page.locator('th[aria-sort="ascending"]').waitFor();
      await page.locator('td[data-cell="0:2"]', { hasText: /^0$/ }).waitFor();
    },
  ],
  [
    "filtered",
    async (page) => {
      await page.getByLabel("Search these rows").fill("Pet 1199");
      await page.locator(".result-count", { hasText: "11 of 100,000 rows" }).waitFor();
      await page.getByLabel("Search these rows").fill("");
      await page.locator(".result-count", { hasText: /^100,000 rows/ }).waitFor();
    },
  ],
  [
    "grouped",
    async (page) => {
      await page.getByRole("button", { name: "Group by" }).click();
      await page.getByRole("dialog", { name: "Group by" }).getByRole("button", { name: "state" }).click();
      await page.locator(".row-group", { hasText: "sold" }).waitFor();
    },
  ],
];

/** Opens a session with such a result, and does with it what people do. */
export async function largeResult(open: (daemon: Daemon, path?: string) => Promise<Page>): Promise<Row[]> {
  const target = await startTarget(() => json(JSON.stringify(Array.from({ length: ROWS }, (_, id) => pet(id)))));
  const turns = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets" }] }, { text: "Here." }] }];
  const listen = { staticDir: join(packageRoot, "dist", "static") };
  const daemon = await startDaemon({ turns, target: target.url, listen });
  await postJson(`${daemon.url}/run`, { message: "list", session_id: "large" });
  // It waits until the result is kept.
  await (await fetch(`${daemon.url}/-/results/1?limit=0`)).text();
  const page = await open(daemon, "/s/large");
  await page.locator(".call-head").first().waitFor();
  const before = await heapOf(page);
  await longestTask(page);
  const rows: Row[] = [];
  for (const [what, step] of STEPS) {
    const begun = performance.now();
    await step(page);
    rows.push({ what: `100,000 rows, ${what}`, is: performance.now() - begun, atMost: 3_000, unit: "ms" });
    rows.push({ what: `100,000 rows, ${what}, longest task`, is: await longestTask(page), atMost: 100, unit: "ms" });
  }
  rows.push({ what: "100,000 rows, memory of the tab", is: (await heapOf(page)) - before, atMost: 30, unit: "MiB" });
  await page.context().close();
  await daemon.close();
  await target.close();
  return rows;
}
