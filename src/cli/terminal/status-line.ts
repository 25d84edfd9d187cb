// One line at the bottom of a terminal that says what is done now, with the seconds it takes; it is gone when that is over.
import { createLiveLines } from "./live.js";
import { canRedraw, lookOf } from "./look.js";
import { cutLine, lineWidth, paint, span } from "./spans.js";

/** Says what is done. */
interface StatusLine {
  /** Draws a label with the seconds since now, once they are worth it. */
  run(label: () => string): void;
  /** Takes the line away. */
  stop(): void;
}

/** What is over sooner needs no progress. */
const SHOWN_AFTER_MS = 1000;
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** The line on a terminal that can be drawn on again. */
export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
  const live = createLiveLines(stream);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    live.clear();
  };
  return {
    stop,
    run(label) {
      stop();
      const began = performance.now();
      timer = setInterval(() => {
        const ms = performance.now() - began;
        if (ms < SHOWN_AFTER_MS) return;
        const frame = FRAMES[Math.floor(ms / FRAME_MS) % FRAMES.length] ?? "";
        const seconds = span(` ${Math.floor(ms / 1000)} s`, "dim");
        const { width, styled } = lookOf(stream);
        // The last column stays free: a terminal would begin a new row behind it.
        const line = cutLine([span(`${frame} ${label()}`)], width - 1 - lineWidth([seconds]));
        live.draw([paint([...line, seconds], styled)]);
      }, FRAME_MS).unref();
    },
  };
}

/** Does work of several steps, and says on a terminal which of them it is at. */
export async function withProgress<T>(work: (step: (what: string) => void) => Promise<T>): Promise<T> {
  if (!canRedraw(process.stderr)) return work(() => {});
  const line = createStatusLine(process.stderr);
  let now = "";
  line.run(() => now);
  try {
    return await work((what) => {
      now = what;
    });
  } finally {
    line.stop();
  }
}
