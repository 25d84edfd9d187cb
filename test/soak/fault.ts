// What a fault is, and the result of trying it. A fault never throws for what it finds: it counts, and lists what was wrong.

/** How a soak runs. */
export interface SoakOptions {
  /** A few seconds a fault, for `npm test`; otherwise as long as it takes. */
  short: boolean;
  /** Prints a line of progress. */
  log(line: string): void;
}

/** The result of a fault. */
export interface Report {
  tried: number;
  survived: number;
  /** Requests that reached the target and have no row. */
  lost: number;
  /** Requests that reached the target twice, and rows that exist twice. */
  duplicates: number;
  /** The most resident memory a daemon of this fault had, in MiB; 0 where it cannot be read. */
  peakMiB: number;
  /** What was wrong, a sentence each. */
  problems: string[];
  /** Other findings. */
  note: string;
  /** Why it was not tried. */
  skipped?: string;
}

/** One thing that goes wrong around a daemon in a process of its own. */
export interface Fault {
  name: string;
  about: string;
  run(options: SoakOptions): Promise<Report>;
}

/** Counts the attempts of one fault. */
export interface Tally extends Report {
  /** Runs one attempt; one that throws has not survived. */
  attempt(what: string, work: () => Promise<void>): Promise<void>;
}

/** An empty tally. */
export function createTally(): Tally {
  const tally: Tally = {
    tried: 0,
    survived: 0,
    lost: 0,
    duplicates: 0,
    peakMiB: 0,
    problems: [],
    note: "",
    async attempt(what, work) {
      tally.tried++;
      try {
        await work();
        tally.survived++;
      } catch (error) {
        tally.problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
  return tally;
}

/** A report of a fault that cannot be tried here. */
export function skipped(reason: string): Report {
  return { ...createTally(), skipped: reason };
}

/** Whether every attempt survived, and nothing was lost or repeated. */
export function isGood(report: Report): boolean {
  const { tried, survived, lost, duplicates, problems } = report;
  return survived === tried && lost === 0 && duplicates === 0 && problems.length === 0;
}
