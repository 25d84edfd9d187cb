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
  const totals = ranked.map((_, at) => rows.reduce((sum, { by }) => sum + (by[at] ?? 0), 0));
  const worth = (at: number): number => {
    const score = scores[ranked[at] ?? 0] ?? 0;
    const total = totals[at] ?? 0;
    // What ranks for another reason than its words is as good behind any other tool.
    if (total === 0) return score;
    return (score * rows.reduce((sum, { by, left }) => sum + (by[at] ?? 0) * left, 0)) / total;
  };
  const rest = ranked.map((_, at) => at);
  const out: number[] = [];
  while (rest.length > 0) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    rest.forEach((at, i) => {
      // What is left of a score is no more than all of it.
      if ((scores[ranked[at] ?? 0] ?? 0) <= most) return;
      const value = worth(at);
      if (value > most) [most, best] = [value, i];
    });
    for (const at of rest.splice(best, 1)) {
      out.push(ranked[at] ?? 0);
      for (const row of rows) row.left *= ANSWERED ** ((row.by[at] ?? 0) / row.most);
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
