// What many write and one reads: values in the order in which they came.
/** Values on their way to one reader, in order, from any number of writers, until it is closed. */
export class Outbox<T> {
  private readonly values: T[] = [];
  private isClosed = false;
  private wake = (): void => {};

  push(value: T): void {
    this.values.push(value);
    this.wake();
  }

  close(): void {
    this.isClosed = true;
    this.wake();
  }

  /** Undefined when there will be none. */
  async next(): Promise<T | undefined> {
    while (this.values.length === 0 && !this.isClosed) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.values.shift();
  }
}
