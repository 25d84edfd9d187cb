// Seconds that count up while something runs.
import { presentMs } from "../state/ticks.js";

/** How long something has been running; `since` in milliseconds since 1970. */
export function Seconds({ since }: { since: number }) {
  const seconds = Math.max(0, Math.floor((presentMs.value - since) / 1000));
  return (
    <span class="seconds faint">
      {seconds < 60 ? ` ${seconds} s` : ` ${Math.floor(seconds / 60)} min ${seconds % 60} s`}
    </span>
  );
}
