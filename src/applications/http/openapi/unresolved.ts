// The references that lead nowhere and that no operation was skipped for: what an answer, a link or an unused part refers to.
import type { JsonObject } from "../../../lib/json.js";
import type { ImportReport } from "../../source.js";
import type { Bundled } from "./load/bundle.js";
import { ImportProblem } from "./read.js";
import { createRefs, displayRef } from "./schemas/refs.js";
import { createWork } from "./schemas/work.js";

/** A description after it was read. */
interface Read extends Bundled {
  root: JsonObject;
  bytes: number;
}

/** A sentence for each reference that leads nowhere and is not in the report yet. */
export function unnamed({ root, refused, references, bytes }: Read, { skipped, warnings }: ImportReport): string[] {
  // Counted by itself: what is looked up here is no operation's.
  const work = createWork(bytes);
  const refs = createRefs({ root, refused, work });
  const problemOf = (ref: string): string | undefined => {
    try {
      work.shared(() => refs.follow({ $ref: ref }));
      return undefined;
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      return error.message;
    }
  };
  const words = [...skipped.map(({ reason }) => reason), ...warnings].flatMap((sentence) => sentence.split(/:?\s+/));
  const said = new Set(words);
  const problems = [...references].flatMap((ref) => {
    const problem = problemOf(ref);
    return problem === undefined || said.has(displayRef(ref)) ? [] : [problem];
  });
  return [...new Set(problems)].map((problem) => `Left out, and needed by no tool: ${problem}.`);
}
