// One clock for everything on the page that counts seconds. It stands still while nothing does.
import { computed, signal } from "@preact/signals";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

let timer: ReturnType<typeof setInterval> | undefined;

/** The present time in milliseconds since 1970, each second while it is looked at. */
export const presentMs = signal(Date.now(), {
  watched() {
    presentMs.value = Date.now();
    timer = setInterval(() => {
      presentMs.value = Date.now();
    }, SECOND_MS);
  },
  unwatched() {
    clearInterval(timer);
  },
});

/** The same, each minute. */
export const presentMinute = computed(() => Math.floor(presentMs.value / MINUTE_MS) * MINUTE_MS);
