// Times in lists: short on a terminal, where a person reads them beside a clock, and as they are recorded everywhere else.
import { oneLine } from "./table.js";

const two = (part: number): string => String(part).padStart(2, "0");
const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const minuteOf = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`;
const secondOf = (at: Date): string => `${minuteOf(at)}:${two(at.getSeconds())}`;

/** A recorded time in the time zone of this process: "10:58:03" today, "2026-11-24 10:58" on any other day. */
export function shortTime(ts: string, now: Date): string {
  const at = new Date(ts);
  if (Number.isNaN(at.getTime())) return oneLine(ts);
  return at.toDateString() === now.toDateString() ? secondOf(at) : `${dayOf(at)} ${minuteOf(at)}`;
}

/** A recorded time, whole, in the time zone of this process, which it names: "2026-11-24 10:58:03 +01:00". */
function zonedTime(ts: string): string {
  const at = new Date(ts);
  if (Number.isNaN(at.getTime())) return oneLine(ts);
  const east = -at.getTimezoneOffset();
  const zone = `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  return `${dayOf(at)} ${secondOf(at)} ${zone}`;
}

/** How an output has a time that stands alone: with its zone on a terminal, and as it is recorded everywhere else. */
export function wholeTimeFor(output: { isTTY?: boolean }): (ts: string) => string {
  return output.isTTY ? zonedTime : (ts) => oneLine(ts);
}

/** How an output has times. */
export function timesFor(output: { isTTY?: boolean }): (ts: string) => string {
  return output.isTTY ? (ts) => shortTime(ts, new Date()) : (ts) => oneLine(ts);
}
