// The first load of the page: when a prompt can be typed, what of the scripts is waited for, and what an empty chat holds in memory.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../../src/lib/package.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { median } from "./measure.js";
import { heapOf, type Open, type Row } from "./page-measures.js";

/** Loads are measured so many times, for their medians. */
const LOADS = 9;

/** Writes a prompt and sends it as soon as that can be done. */
const SEND_AT_ONCE = `usable.then(() => {
  const field = document.querySelector("#prompt");
  field.value = "short";
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
});`;
/** When the daemon had taken it. */
const SENT = `new Promise((resolve) => {
  const look = () => {
    const [sent] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/run"));
    if (sent) resolve(sent.responseEnd);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** When a prompt can be typed, when the script has taken the page over, and when a prompt that is sent at once is taken. */
async function loadTimes(open: Open, daemon: Daemon): Promise<Row[]> {
  const times: Record<"usable" | "takenOver" | "sent", number[]> = { usable: [], takenOver: [], sent: [] };
  for (let i = 0; i < LOADS; i++) {
    const page = await open(daemon);
    times.usable.push(Number(await page.evaluate("usable")));
    times.takenOver.push(Number(await page.evaluate("takenOver")));
    await page.context().close();
    const sending = await open(daemon, "/", (opened) => opened.addInitScript(SEND_AT_ONCE));
    times.sent.push(Number(await sending.evaluate(SENT)));
    await sending.context().close();
  }
  const row = (what: string, all: number[], atMost: number): Row => ({
    what: `first load, ${what}, median of ${LOADS}`,
    is: median(all),
    atMost,
    unit: "ms",
  });
  return [
    row("to a usable prompt", times.usable, 200),
    row("to the running page", times.takenOver, 300),
    row("to a prompt sent at once, taken by the daemon", times.sent, 500),
  ];
}

/** The first load: its times, and the scripts that the running page waits for. */
export async function firstLoad(open: Open): Promise<Row[]> {
  const daemon = await startDaemon({ listen: { staticDir: join(packageRoot, "dist", "static") } });
  const times = await loadTimes(open, daemon);
  const scripts = new Map<string, Promise<number>>();
  const page = await open(daemon, "/", (opened) =>
    opened.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith(".js") && !pathname.includes("worker"))
        scripts.set(
          response.url(),
          response.body().then(
            (body) => gzipSync(body).length,
            // The page is gone, and with it what it did not wait for.
            () => 0,
          ),
        );
    }),
  );
  // What is fetched once the page runs is not waited for.
  const loaded = (await page.evaluate(
    "takenOver.then((at) => performance.getEntriesByType('resource').flatMap(({ name, responseEnd }) => responseEnd <= at ? [name] : []))",
  )) as string[];
  const size = (await Promise.all(loaded.map((name) => scripts.get(name) ?? 0))).reduce((sum, one) => sum + one, 0);
  const heap = await heapOf(page);
  await page.context().close();
  await daemon.close();
  return [
    { what: "first load, scripts by gzip", is: size / 1024, atMost: 60, unit: "KiB" },
    ...times,
    { what: "the empty chat, memory of the tab", is: heap, atMost: 20, unit: "MiB" },
  ];
}
