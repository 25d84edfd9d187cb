// What a page tells of itself: how long it was busy at once, and what it holds in memory.
import type { Page } from "playwright-core";
import type { Daemon } from "../support/daemon.js";

/** Opens a path of a daemon in a browser of its own; `before` comes before the page is loaded. */
export type Open = (daemon: Daemon, path?: string, before?: (page: Page) => unknown) => Promise<Page>;

/** A measurement and what it should be at most. */
export interface Row {
  what: string;
  is: number;
  atMost: number;
  unit: string;
}

/**
 * Makes the page note the longest time it was busy at once, when its prompt could first be focused, and when its script had taken
 * over what it began with.
 */
export async function watchTasks(page: Page): Promise<void> {
  const noteFrame = (name: string, part: string): string => `globalThis.${name} = new Promise((resolve) => {
    const look = () => document.querySelector("${part}")?.checkVisibility() ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  });`;
  await page.addInitScript(noteFrame("usable", "#prompt:enabled"));
  await page.addInitScript(noteFrame("takenOver", ":root:not([data-shell]) #prompt:enabled"));
  await page.addInitScript(`globalThis.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: "longtask", buffered: true });`);
}

/** The longest task since the last time this was asked, in milliseconds; 0 when none took over 50. */
export async function longestTask(page: Page): Promise<number> {
  await page.waitForTimeout(200);
  return Number(await page.evaluate("(() => { const was = longest; longest = 0; return was; })()"));
}

/** What the tab holds in memory, in MiB, once it is tidied up. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 2 ** 20;
}
