// A long day: turn after turn in the same sessions, and what a daemon keeps in memory stays the same.
import assert from "node:assert/strict";
import { memoryOf } from "../../support/process-usage.js";
import { until } from "../../support/until.js";
import { make, type Subject } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab, SOON_MS } from "../lab.js";

const REPORT_HEAP = new URL("../children/report-heap.js", import.meta.url).href;
const AT_ONCE = 8;
/** Turns after which a session has as many messages in memory as it keeps: four a turn, 40 by default. */
const FULL_TURNS = 12;
/** Bytes that a turn of a full session may leave behind. Its messages alone, kept by mistake, are more. */
const MAX_KEPT_BYTES = 512;
/** Turns after which code is compiled and caches are as full as they get. */
const WARM_TURNS = 400;
/** What is lost grows in every one of these; compiled code and caches jump in some. */
const STRETCHES = 3;
/** By how much the heap differs from measurement to measurement in all stretches. */
const MAX_NOISE_BYTES = 256 * 1024;

/** Bytes that are in use after a collection. */
async function heapOf(daemon: Subject): Promise<number> {
  const found = (): string[] => [...daemon.stderr().matchAll(/^heap (\d+)$/gm)].map(([, bytes = ""]) => bytes);
  const before = found().length;
  process.kill(daemon.pid, "SIGUSR2");
  await until(() => found().length > before, SOON_MS, "the daemon does not say what its heap holds");
  return Number(found().at(-1));
}

export const steady: Fault = {
  name: "steady",
  about: "turn after turn, with memory flat",
  async run(tally, { short }) {
    const [sessions, turns] = short ? [8, 200] : [64, 2_000];
    const lab = await openLab(tally);
    const daemon = await lab.start({ node: ["--expose-gc", `--import=${REPORT_HEAP}`] });
    let made = 0;
    const work = async (count: number): Promise<void> => {
      for (const end = made + count; made < end; )
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => {
            const n = made++;
            return tally.attempt(`turn ${n}`, () => make(daemon, `turn-${n}`, { session_id: `day-${n % sessions}` }));
          }),
        );
    };
    await work(Math.max(WARM_TURNS, sessions * FULL_TURNS));
    let heap = await heapOf(daemon);
    const kept: number[] = [];
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      await work(turns);
      const before = heap;
      heap = await heapOf(daemon);
      kept.push(heap - before);
    }
    const each = kept.map((bytes) => Math.round(bytes / turns)).join(", ");
    tally.note = `stretches of ${turns} turns left ${each} bytes a turn on a heap of ${Math.round(heap / 1024 / 1024)} MiB; ${Math.round(memoryOf(daemon.pid).now)} MiB resident`;
    await tally.attempt("memory", async () => {
      const isFlat = Math.min(...kept) < MAX_NOISE_BYTES + turns * MAX_KEPT_BYTES;
      assert(isFlat, `every stretch of ${turns} turns leaves something on the heap: ${each} bytes a turn`);
    });
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};
