// Files that something was made from, each as it was when it was read: whether one of them is another now is told by looking.
// A look follows every link, so that a swapped one counts as much as a replaced file; also on disks that report no changes.
import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";

const identity = (found: BigIntStats): string =>
  found.isFile() ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":") : "no file";

const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unreadable";

function identityNow(file: string): string {
  try {
    return identity(statSync(file, { bigint: true }));
  } catch (error) {
    return reasonOf(error);
  }
}

/** The files of one reading. */
export class ReadFiles {
  readonly #files = new Map<string, string>();

  /** Notes an absolute path, just before it is read; one that cannot be read counts, too. */
  note(file: string): void {
    if (!this.#files.has(file)) this.#files.set(file, identityNow(file));
  }

  /** Notes what another reading was made from, as it is now. */
  follow(other: ReadFiles): void {
    for (const file of other.#files.keys()) this.note(file);
  }

  /** What the files were, as one text. */
  asRead(): string {
    return [...this.#files.values()].join("\n");
  }

  /** The same of what they are now. */
  async now(): Promise<string> {
    const found = [...this.#files.keys()].map((file) => stat(file, { bigint: true }).then(identity, reasonOf));
    return (await Promise.all(found)).join("\n");
  }
}
