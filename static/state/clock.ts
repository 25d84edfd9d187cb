// The daemon's clock as far as this page can know it. The two machines may disagree by hours; what runs out is measured by the
// daemon, and every answer it gives says what time it is there.

/** Milliseconds the daemon's clock is ahead of this one. Stays 0 as long as nothing contradicts it. */
let ahead = 0;

/** Learns from the Date of an answer, which is cut to the second, and from when its request went out. */
export function hearDate(header: string | null, sentAt: number): void {
  const second = Date.parse(header ?? "");
  if (!Number.isNaN(second)) ahead = Math.min(Math.max(ahead, second - Date.now()), second + 1000 - sentAt);
}

/** Learns from the time of something that has just happened there. */
export function hearEvent(iso: string): void {
  const time = Date.parse(iso);
  if (!Number.isNaN(time)) ahead = Math.max(ahead, time - Date.now());
}

/** Milliseconds from now to a time of the daemon. */
export function until(iso: string): number {
  return Date.parse(iso) - Date.now() - ahead;
}
