// The daemon's clock as far as this page can know it. The two machines may disagree by hours; expiry times are the daemon's,
// and every answer carries the time there.

/** Milliseconds the daemon's clock is ahead of this one. Stays 0 as long as nothing contradicts it. */
let aheadMs = 0;

/** Narrows the offset by the Date header of an answer, which is cut to the second, and by when its request was sent. */
export function syncClockToDate(header: string | null, sentAt: number): void {
  const second = Date.parse(header ?? "");
  if (!Number.isNaN(second)) aheadMs = Math.min(Math.max(aheadMs, second - Date.now()), second + 1000 - sentAt);
}

/** Narrows the offset by the time of an event that has just happened at the daemon. */
export function syncClockToEvent(iso: string): void {
  const time = Date.parse(iso);
  if (!Number.isNaN(time)) aheadMs = Math.max(aheadMs, time - Date.now());
}

/** When a time of the daemon is by this clock, in milliseconds since 1970. */
export function localTimeOf(iso: string): number {
  return Date.parse(iso) - aheadMs;
}

/** Milliseconds from now to a time of the daemon. */
export function msUntil(iso: string): number {
  return Date.parse(iso) - Date.now() - aheadMs;
}
