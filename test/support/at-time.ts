// Work of this process while its clock says another time. Only what happens before the promise resolves sees it.

/** Runs `work` while `Date` is off by so many milliseconds. */
export async function shiftedBy<T>(offsetMs: number, work: () => Promise<T>): Promise<T> {
  const clock = globalThis.Date;
  globalThis.Date = class extends clock {
    constructor(...given: []) {
      if (given.length > 0) super(...given);
      else super(clock.now() + offsetMs);
    }
    static override now(): number {
      return clock.now() + offsetMs;
    }
  } as DateConstructor;
  try {
    return await work();
  } finally {
    globalThis.Date = clock;
  }
}
