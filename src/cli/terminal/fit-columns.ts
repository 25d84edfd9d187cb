// The columns of a table on a line of a given width: which of them, and how wide. Pure; knows widths and no cells.

/** Between two columns. */
export const COLUMN_GAP = 2;
/** A column is cut to this before one is left out; a shorter one stays whole. */
const LEAST_CELL = 8;
/** The first column has the names of things, which are no use when they are cut: it stays whole up to this part of the width. */
const FIRST_SHARE = 0.6;

/**
 * Widths of columns that share the room: each has what it is cut to at least, the wide ones are cut first, all to the same width, and
 * what is left of the room goes to the first of those that are cut.
 */
function shared(columns: readonly { natural: number; least: number }[], width: number): number[] {
  const room = width - COLUMN_GAP * (columns.length - 1);
  const widthsUpTo = (cap: number): number[] =>
    columns.map(({ natural, least }) => Math.max(least, Math.min(natural, cap)));
  const sum = (widths: readonly number[]): number => widths.reduce((all, own) => all + own, 0);
  let cap = width;
  while (cap > 1 && sum(widthsUpTo(cap)) > room) cap -= 1;
  const widths = widthsUpTo(cap);
  let left = room - sum(widths);
  return widths.map((own, at) => {
    const isWidened = left > 0 && own < (columns[at]?.natural ?? 0);
    if (isWidened) left -= 1;
    return Math.min(isWidened ? own + 1 : own, width);
  });
}

/** Widths of the columns that fit, from the first on: those left out come last. The first column is always there. */
export function fitColumns(natural: readonly number[], width: number): number[] {
  const isWhole = (own: number, at: number): boolean => at === 0 && own <= width * FIRST_SHARE;
  const columns = natural.map((own, at) => ({
    natural: own,
    least: isWhole(own, at) ? own : Math.min(own, LEAST_CELL),
  }));
  const needed = (count: number): number =>
    columns.slice(0, count).reduce((all, { least }) => all + COLUMN_GAP + least, -COLUMN_GAP);
  let count = columns.length;
  while (count > 1 && needed(count) > width) count -= 1;
  return shared(columns.slice(0, count), width);
}

/** A column of a list as it was measured. */
interface RankedColumn {
  /** Of its widest cell. */
  natural: number;
  /** What it is cut to at most; never more than `natural`. */
  least: number;
  /** The lower, the later it is left out. An infinite one says nothing: it is there only where no other is cut for it. */
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
  const ranked = columns
    .map(({ natural, least, rank }, at) => ({ at, natural, least: Math.min(natural, least), rank }))
    .sort((a, b) => a.rank - b.rank);
  const taken: typeof ranked = [];
  let isFull = false;
  const room = (of: "natural" | "least"): number =>
    width - taken.reduce((all, column) => all + COLUMN_GAP + column[of], 0);
  for (const column of ranked) {
    const isSilent = column.rank === Number.POSITIVE_INFINITY;
    const fits = isSilent ? !isFull && room("natural") >= column.natural : room("least") >= column.least;
    if (fits || taken.length === 0) taken.push(column);
    else if (!isSilent) isFull = true;
  }
  const widths = shared(taken, width);
  return taken.map(({ at }, i) => ({ at, width: widths[i] ?? 0 })).sort((a, b) => a.at - b.at);
}
