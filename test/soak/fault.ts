// What a fault is and what came of trying it. A fault never throws for what it finds: it counts, and says what was wrong.

/** How a soak runs. */
export interface Room {
  /** A few seconds a fault, for `npm test`; otherwise as long as it takes. */
  short: boolean;
  say(line: string): void;
}

/** What came of a fault. */
export interface Report {
  tried: number;
  survived: number;
  /** Requests the target saw that have no row. */
  lost: number;
  /** Requests the target saw twice, and rows that are there twice. */
  duplicates: number;
  /** The most resident memory a daemon of this fault had, in MiB; 0 where nobody can tell. */
  peakMiB: number;
  /** What was wrong, a sentence each. */
  problems: string[];
  /** What else is worth telling. */
  note: string;
  /** Why it was not tried. */
  skipped?: string;
}

/** One thing that goes wrong, done to a daemon in a process of its own. */
export interface Fault {
  name: string;
  about: string;
  run(room: Room): Promise<Report>;
}

/** Counts the attempts of one fault. */
export interface Tally extends Report {
  /** Runs one attempt; one that throws has not survived. */
  attempt(what: string, work: () => Promise<void>): Promise<void>;
}

/** An empty tally. */
export function createTally(): Tally {
  const tally: Tally = {
    ...{ tried: 0, survived: 0, lost: 0, duplicates: 0, peakMiB: 0, problems: [], note: "" },
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

/** Throws the sentence unless it is so. */
export function must(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(sentence);
}

/** Whether a report is good news, or none. */
export function isGood(report: Report): boolean {
  const { tried, survived, lost, duplicates, problems } = report;
  return survived === tried && lost === 0 && duplicates === 0 && problems.length === 0;
}
