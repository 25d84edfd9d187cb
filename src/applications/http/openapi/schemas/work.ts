// What reading one description may cost. Small descriptions can mean much: references that double at each of 30 levels, a body of
// a thousand members in a thousand operations. Whatever follows a reference or copies what one leads to spends steps; what is
// read once is not counted.
import { ImportProblem } from "../read.js";

/** Steps for one operation. */
const MAX_OPERATION = 300_000;
/** Steps for all of them, and more for each byte of the description. A step takes some microseconds. */
const MAX_ALL = 2_000_000;
const STEPS_PER_BYTE = 1 / 4;

/** Counts the steps of one import. */
export interface Work {
  /** Throws ImportProblem when the operation at hand or the description has spent what it may. */
  spend(steps?: number): void;
  /** Begins with the next operation. */
  begin(): void;
  /** Does what all operations share: it counts for the description, not for the operation at hand. */
  shared<T>(read: () => T): T;
}

/** A count for a description of so many bytes. */
export function createWork(bytes: number): Work {
  let all = MAX_ALL + bytes * STEPS_PER_BYTE;
  let own = MAX_OPERATION;
  return {
    spend(steps = 1) {
      all -= steps;
      own -= steps;
      if (own < 0) throw new ImportProblem(`what it refers to takes more than ${MAX_OPERATION} steps to write out`);
      if (all < 0) throw new ImportProblem("the description as a whole takes too many steps to write out");
    },
    begin() {
      own = MAX_OPERATION;
    },
    shared(read) {
      const before = own;
      own = Number.POSITIVE_INFINITY;
      try {
        return read();
      } finally {
        own = before;
      }
    },
  };
}
