// npm run bench -- ui: the web UI in a real Chromium, with a daemon in this process: how long the page is busy at once while an answer
// streams fast, with a long answer and a long session, what it holds in memory, and what it loads.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium as driver, type Page } from "playwright-core";
import { packageRoot } from "../../src/lib/package.js";
import { sendPrompt, waitUntilIdle } from "../browser/browser.js";
import { chromiumProgram } from "../browser/chromium.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { json, startTarget } from "../support/target.js";
import { until } from "../support/until.js";
import { heapOf, longestTask, type Open, type Row, watchTasks } from "./page-measures.js";
import { longHistory } from "./ui-history.js";
import { firstLoad } from "./ui-load.js";
import { largeResult } from "./ui-results.js";

const SECONDS = 20;
const DELTAS_PER_SECOND = 500;
const LENGTH = 200_000;
/** Deltas are sent in bundles this far apart: timers are not finer. */
const BUNDLE_MS = 20;
const TURNS = 500;
const CALLS = 4;
const LARGE_ROWS = 3000;

/** About what models answer: paragraphs, lists, tables and code. */
function usualMarkdown(length: number): string {
  const part = (i: number): string =>
    `## Part ${i}\n\nThe ${i}th paragraph has *emphasis*, \`code\` and [a link](http://127.0.0.1/${i}). ${"It goes on for a while. ".repeat(8)}\n\n` +
    `- an item\n- another **item**\n  - a nested one\n\n| name | amount |\n|---|---|\n| Tea | ${i} |\n| Coffee | 12 |\n\n` +
    `\`\`\`js\nfor (let i = 0; i < ${i}; i++) console.log("line", i);\n\`\`\`\n\n`;
  let text = "";
  for (let i = 1; text.length < length; i++) text += part(i);
  return text.slice(0, length);
}

const pieces = (length: number, piece: (i: number) => string): string => {
  let text = "";
  for (let i = 1; text.length < length; i++) text += piece(i);
  return text.slice(0, length);
};

/** Answers that are one block, which no blank line ends. */
const ONE_BLOCK: Readonly<Record<string, string>> = {
  "of code": `\`\`\`js\n${pieces(LENGTH, (i) => `for (let i = 0; i < ${i}; i++) console.log("line", i);\n`)}`,
  "of table": `| name | amount |\n|---|---|\n${pieces(LENGTH, (i) => `| Tea number ${i} | ${i} |\n`)}`,
  "of one paragraph": pieces(LENGTH, (i) => `The sentence of number ${i} has *emphasis* and goes on for a while. `),
};

/** A model that streams one answer in even deltas; a prompt with "short" gets one word. */
async function startModel(answer: string): Promise<{ url: string; close(): void }> {
  const size = Math.ceil(answer.length / (SECONDS * DELTAS_PER_SECOND));
  const perBundle = (DELTAS_PER_SECOND * BUNDLE_MS) / 1000;
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const line = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const begun = performance.now();
    for (let at = 0, bundle = 1; at < answer.length; bundle++) {
      let lines = "";
      for (let i = 0; i < perBundle && at < answer.length; i++, at += size)
        lines += line({ content: answer.slice(at, at + size) });
      response.write(lines);
      await sleep(Math.max(0, begun + bundle * BUNDLE_MS - performance.now()));
    }
    response.end(`${line({}, "stop")}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => void server.close() };
}

/** Waits until the end of an answer is rendered, and nothing of it is text any more. */
const rendered = (page: Page, end: string): Promise<void> =>
  page.locator(".answer .chunk:last-child", { hasText: end }).last().waitFor({ timeout: 120_000, state: "attached" });

/** A daemon whose model streams an answer. */
async function streamingDaemon(answer: string): Promise<Daemon> {
  const model = await startModel(answer);
  const m = { type: "openai-compatible", base_url: model.url, model: "m" };
  const listen = { staticDir: join(packageRoot, "dist", "static") };
  const daemon = await startDaemon({ config: { default_provider: "m", providers: { m } }, listen });
  return { ...daemon, close: () => daemon.close().finally(() => model.close()) };
}

/** Sends a prompt and waits until its turn is over. */
async function streamed(page: Page, daemon: Daemon): Promise<void> {
  await longestTask(page);
  await sendPrompt(page, "long");
  // Asked of the daemon: what a test asks of the page keeps the page busy, too.
  await until(() => daemon.agent.load().running > 0);
  await until(() => daemon.agent.load().running === 0, 10_000 + 3000 * SECONDS);
}

/** A long answer, as it streams and when its session is opened. */
async function longAnswer(open: (daemon: Daemon) => Promise<Page>): Promise<Row[]> {
  const daemon = await streamingDaemon(`${usualMarkdown(LENGTH - 20)}\n\nThe very end.`);
  const page = await open(daemon);
  const before = await heapOf(page);
  await streamed(page, daemon);
  const streaming = await longestTask(page);
  await rendered(page, "The very end.");
  const heap = (await heapOf(page)) - before;
  await page.reload();
  await rendered(page, "The very end.");
  const opening = await longestTask(page);
  await page.context().close();
  await daemon.close();
  const what = `${LENGTH.toLocaleString("en")} characters`;
  return [
    { what: `${what} at ${DELTAS_PER_SECOND} deltas a second, longest task`, is: streaming, atMost: 100, unit: "ms" },
    { what: `${what}, memory of the tab`, is: heap, atMost: 60, unit: "MiB" },
    { what: `${what}, opened again, longest task`, is: opening, atMost: 200, unit: "ms" },
  ];
}

/** Long answers that are one block. */
async function longBlocks(open: (daemon: Daemon) => Promise<Page>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [shape, answer] of Object.entries(ONE_BLOCK)) {
    const daemon = await streamingDaemon(answer);
    const page = await open(daemon);
    await streamed(page, daemon);
    const what = `${LENGTH.toLocaleString("en")} characters ${shape} at ${DELTAS_PER_SECOND} deltas a second, longest task`;
    rows.push({ what, is: await longestTask(page), atMost: 100, unit: "ms" });
    await page.context().close();
    await daemon.close();
  }
  return rows;
}

/** A session of many turns, and one with large results. */
async function longSessions(open: (daemon: Daemon, path?: string) => Promise<Page>): Promise<Row[]> {
  const large = Array.from({ length: LARGE_ROWS }, (_, id) => ({ id, name: `pet ${id}`, note: "x".repeat(70) }));
  const target = await startTarget(() => json(JSON.stringify(large)));
  const calls = Array.from({ length: CALLS }, (_, i) => ({ id: `call_${i}`, name: "list_pets", arguments: {} }));
  const turns = [
    { prompt: "many", replies: [{ text: usualMarkdown(1500) }] },
    { prompt: "large", replies: [{ calls }, { text: "Listed." }] },
  ];
  const listen = { staticDir: join(packageRoot, "dist", "static") };
  const daemon = await startDaemon({ turns, target: target.url, listen });
  for (let i = 0; i < TURNS; i++) await postJson(`${daemon.url}/run`, { message: `many ${i}`, session_id: "many" });
  await postJson(`${daemon.url}/run`, { message: "large", session_id: "large" });
  const page = await open(daemon);
  await longestTask(page);
  const begun = performance.now();
  await page.goto(`${daemon.url}/s/many`);
  await page.locator(".prompt", { hasText: `many ${TURNS - 1}` }).waitFor();
  await page.locator(".answer .chunk").last().waitFor();
  const took = performance.now() - begun;
  const task = await longestTask(page);
  let bytes = 0;
  page.on("response", async (response) => {
    if (!new URL(response.url()).pathname.startsWith("/assets/"))
      bytes += await response
        .body()
        .then((body) => body.length)
        .catch(() => 0);
  });
  await page.goto(`${daemon.url}/s/large`);
  await page.locator(".answer", { hasText: "Listed." }).waitFor();
  await waitUntilIdle(page);
  await page.waitForTimeout(500);
  await page.context().close();
  await daemon.close();
  await target.close();
  return [
    { what: `a session of ${TURNS} turns, opened`, is: took, atMost: 2000, unit: "ms" },
    { what: `a session of ${TURNS} turns, longest task`, is: task, atMost: 200, unit: "ms" },
    {
      what: `a session with ${CALLS} large results, moved when it is opened`,
      is: bytes / 1000,
      atMost: 40,
      unit: "kB",
    },
  ];
}

function print(rows: readonly Row[]): void {
  const format = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  console.log("\n| what | measured | target | holds |\n|---|---|---|---|");
  for (const { what, is, atMost, unit } of rows)
    console.log(`| ${what} | ${format(is)} ${unit} | <= ${atMost} ${unit} | ${is <= atMost ? "yes" : "no"} |`);
}

/** Measures the web UI and prints a table. */
export async function benchUi(): Promise<void> {
  const browser = await driver.launch({
    executablePath: await chromiumProgram(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const open: Open = async (daemon, path = "/", before) => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    const page = await context.newPage();
    await watchTasks(page);
    await before?.(page);
    await page.goto(daemon.url + path);
    // A prompt is there before the page runs.
    await page.getByRole("group", { name: "Safety modes for your prompts" }).waitFor();
    return page;
  };
  try {
    const measured = [firstLoad, longAnswer, longBlocks, longSessions, largeResult, longHistory].map(
      (measure) => () => measure(open),
    );
    const rows: Row[] = [];
    for (const measure of measured) rows.push(...(await measure()));
    print(rows);
  } finally {
    await browser.close();
  }
}
