// Times in lists: short on a terminal, where a person reads them beside a clock, and as they are recorded everywhere else.
import { oneLine } from "./table.js";

const two = (part: number): string => String(part).padStart(2, "0");

/** A recorded time in the time zone of this process: "10:58:03" today, "2026-11-24 10:58" on any other day. */
export function shortTime(ts: string, now: Date): string {
  const at = new Date(ts);
  if (Number.isNaN(at.getTime())) return oneLine(ts);
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return `${minutes}:${two(at.getSeconds())}`;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${minutes}`;
}

/** How an output has times. */
export function timesFor(output: { isTTY?: boolean }): (ts: string) => string {
  return output.isTTY ? (ts) => shortTime(ts, new Date()) : (ts) => oneLine(ts);
}
