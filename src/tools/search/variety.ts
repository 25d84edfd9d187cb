// The order of the best matches of a query that asks for several things: what the tools before have answered counts less, so that
// twenty tools for one part of it leave room for those of the other parts. The first match stays first.

/** What a concept adds to the scores of the tools that have it, by position. */
export interface Contribution {
  docs: readonly number[];
  by: readonly number[];
}

// Where the number comes from: see tool-index.ts.
/** What is left of a concept behind a tool that has it in full. */
const ANSWERED = 0.95;

/** The same positions, each the best of those that are left; `ranked` is best first. */
export function withVariety(
  ranked: readonly number[],
  scores: Float64Array,
  contributions: readonly Contribution[],
): number[] {
  const rows = rowsOf(ranked, contributions);
  /** What the concepts add to one of the ranked, as far as they still count. */
  const sumOf = (at: number): number => {
    let sum = 0;
    for (let i = 0; i < rows.length; i++) sum += (rows[i]?.by[at] ?? 0) * (rows[i]?.left ?? 0);
    return sum;
  };
  const totals = ranked.map((_, at) => sumOf(at));
  const worth = (at: number): number => {
    const score = scores[ranked[at] ?? 0] ?? 0;
    const total = totals[at] ?? 0;
    // What ranks for another reason than its words is as good behind any other tool.
    return total === 0 ? score : (score * sumOf(at)) / total;
  };
  const rest = ranked.map((_, at) => at);
  const out: number[] = [];
  while (rest.length > 0) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rest.length; i++) {
      const at = rest[i] ?? 0;
      // What is left of a score is no more than all of it.
      if ((scores[ranked[at] ?? 0] ?? 0) <= most) continue;
      const value = worth(at);
      if (value > most) [most, best] = [value, i];
    }
    for (const at of rest.splice(best, 1)) {
      out.push(ranked[at] ?? 0);
      for (const row of rows) if (row.by[at]) row.left *= ANSWERED ** ((row.by[at] ?? 0) / row.most);
    }
  }
  return out;
}

/** One concept among the ranked tools. */
interface Row {
  by: Float64Array;
  most: number;
  /** How far it still counts. */
  left: number;
}

function rowsOf(ranked: readonly number[], contributions: readonly Contribution[]): Row[] {
  const positions = new Map(ranked.map((doc, at) => [doc, at]));
  return contributions.flatMap((one) => {
    const by = new Float64Array(ranked.length);
    let most = 0;
    one.docs.forEach((doc, i) => {
      const at = positions.get(doc);
      if (at === undefined) return;
      by[at] = one.by[i] ?? 0;
      most = Math.max(most, by[at] ?? 0);
    });
    return most > 0 ? [{ by, most, left: 1 }] : [];
  });
}
