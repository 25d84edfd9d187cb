// Reading a file that somebody else may have put there: a pipe in its place would block the whole process until it is written to.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The bytes of a regular file, or of one that a link leads to. Throws Error with the code of the system, or saying that it is none, or
 * has more than `maxBytes`.
 */
export function readRegularFile(file: string, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
