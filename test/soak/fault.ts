// What a fault is, and the tally of trying it. An attempt never throws for what it finds: it is counted, and what was wrong is listed.

/** How a soak runs. */
export interface SoakOptions {
  /** A few seconds a fault; otherwise as long as it takes. */
  short: boolean;
  /** Prints a line of progress. */
  log(line: string): void;
  /** Aborted when the soak itself is told to end. */
  signal?: AbortSignal;
}

/** Attempts whose descriptions differ in the number at their end only. */
export interface Step {
  tried: number;
  failed: number;
  slowestMs: number;
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
  /** What was done, in the order it began. */
  steps: Map<string, Step>;
  /** Other findings. */
  note: string;
  /** Why it was not tried. */
  skipped?: string;
}

/** One thing that goes wrong around a daemon in a process of its own. */
export interface Fault {
  name: string;
  about: string;
  /** Tries it. What it throws is a problem of the tally; what it registered with `atEnd` is undone in any case. */
  run(tally: Tally, options: SoakOptions): Promise<void>;
}

/** Counts the attempts of one fault. */
export interface Tally extends Report {
  /** Attempts that have not ended. */
  open: Set<string>;
  /** Runs one attempt; one that throws has not survived. Never rejects. */
  attempt(what: string, work: () => Promise<void>): Promise<void>;
  /** Registers what is undone after the fault, the newest first. */
  atEnd(undo: () => void | Promise<void>): void;
  /** Undoes everything that was registered; what fails is a problem. */
  end(): Promise<void>;
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // `fetch failed` says nothing without it.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

/** An empty tally. */
export function createTally(): Tally {
  const undos: (() => void | Promise<void>)[] = [];
  const tally: Tally = {
    tried: 0,
    survived: 0,
    lost: 0,
    duplicates: 0,
    peakMiB: 0,
    problems: [],
    steps: new Map(),
    note: "",
    open: new Set(),
    async attempt(what, work) {
      const name = what.replace(/,?( round)? \d+(\.\d+)*$/, "");
      const step = tally.steps.get(name) ?? { tried: 0, failed: 0, slowestMs: 0 };
      tally.steps.set(name, step);
      tally.tried++;
      step.tried++;
      tally.open.add(what);
      const begun = performance.now();
      try {
        await work();
        tally.survived++;
      } catch (error) {
        step.failed++;
        tally.problems.push(`${what}: ${messageOf(error)}`);
      }
      tally.open.delete(what);
      step.slowestMs = Math.max(step.slowestMs, performance.now() - begun);
    },
    atEnd: (undo) => void undos.push(undo),
    async end() {
      for (let undo = undos.pop(); undo; undo = undos.pop())
        try {
          await undo();
        } catch (error) {
          tally.problems.push(`at the end: ${messageOf(error)}`);
        }
    },
  };
  return tally;
}

/** Whether something was tried, every attempt survived, and nothing was lost or repeated; or it was skipped. */
export function isGood(report: Report): boolean {
  const { tried, survived, lost, duplicates, problems, skipped } = report;
  const wasTried = tried > 0 || skipped !== undefined;
  return wasTried && survived === tried && lost === 0 && duplicates === 0 && problems.length === 0;
}
