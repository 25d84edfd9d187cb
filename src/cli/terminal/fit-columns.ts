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

/** A column of a list as it was measured. */
interface RankedColumn {
  /** Of its widest cell. */
  natural: number;
  /** What it is cut to at most; never more than `natural`. */
  least: number;
  /** The lower, the later it is left out. An infinite one says nothing: it is left out before another is cut. */
  rank: number;
}

/** A column that found room. */
export interface FittedColumn {
  /** Its position among all. */
  at: number;
  width: number;
}

/**
 * The columns that fit, in their order. They are taken by their ranks, one that finds no room is passed over, and what is left is
 * shared: the wide ones are cut first. The first by rank is always there.
 */
export function fitByRank(columns: readonly RankedColumn[], width: number): FittedColumn[] {
  const isCut = columns.reduce((all, { natural }) => all + COLUMN_GAP + natural, -COLUMN_GAP) > width;
  const ranked = columns
    .map(({ natural, least, rank }, at) => ({ at, natural, least: Math.min(natural, least), rank }))
    .filter(({ rank }) => !isCut || Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank);
  const taken: typeof ranked = [];
  let used = -COLUMN_GAP;
  for (const column of ranked) {
    const next = used + COLUMN_GAP + column.least;
    if (taken.length > 0 && next > width) continue;
    taken.push(column);
    used = next;
  }
  const room = width - COLUMN_GAP * (taken.length - 1);
  const widthsUpTo = (cap: number): FittedColumn[] =>
    taken.map(({ at, natural, least }) => ({ at, width: Math.max(least, Math.min(natural, cap)) }));
  const isRoomFor = (fitted: readonly FittedColumn[]): boolean =>
    fitted.reduce((all, { width: own }) => all + own, 0) <= room;
  let cap = width;
  while (cap > 1 && !isRoomFor(widthsUpTo(cap))) cap -= 1;
  return widthsUpTo(cap)
    .map(({ at, width: own }) => ({ at, width: Math.min(own, width) }))
    .sort((a, b) => a.at - b.at);
}
