// The columns of a table on a line of a given width: which of them, and how wide. Pure; knows widths and no cells.

/** Between two columns. */
export const COLUMN_GAP = 2;
/** A column is cut to this before one is left out; a shorter one stays whole. */
const LEAST_CELL = 8;
/** The first column has the names of things, which are no use when they are cut: it stays whole up to this part of the width. */
const FIRST_SHARE = 0.6;

/**
 * Widths of the columns that fit, from the first on: those left out come last. Wide columns are cut first, all to the same width.
 * The first column is always there.
 */
export function fitColumns(natural: readonly number[], width: number): number[] {
  const isWhole = (own: number, at: number): boolean => at === 0 && own <= width * FIRST_SHARE;
  const least = natural.map((own, at) => (isWhole(own, at) ? own : Math.min(own, LEAST_CELL)));
  let count = natural.length;
  const sum = (widths: readonly number[]): number =>
    widths.slice(0, count).reduce((all, own) => all + own, 0) + COLUMN_GAP * (count - 1);
  while (count > 1 && sum(least) > width) count -= 1;
  if (sum(natural) <= width) return natural.slice(0, count);
  const room = width - COLUMN_GAP * (count - 1);
  let left = room;
  let open = count;
  // Of the others the narrow ones take what they need; what is left is shared by the others.
  let cap = Math.floor(left / open);
  const kept = natural.slice(0, count);
  const taken = new Set<number>();
  for (const [at, own] of kept.entries())
    if (isWhole(own, at)) {
      taken.add(at);
      left -= own;
      open -= 1;
    }
  if (open > 0) cap = Math.floor(left / open);
  for (let again = true; again && open > 0; ) {
    again = false;
    for (const [at, own] of kept.entries())
      if (!taken.has(at) && own <= cap) {
        taken.add(at);
        left -= own;
        open -= 1;
        again = true;
      }
    if (open > 0) cap = Math.floor(left / open);
  }
  return kept.map((own, at) => (taken.has(at) ? own : Math.max(1, Math.min(own, cap))));
}
