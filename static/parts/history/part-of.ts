// Which rows of a long list are drawn, and where. All rows have one height, so that a place is found by arithmetic. A browser draws
// nothing beyond some 17 million pixels: a longer list scrolls by more than it is moved. Pure.

/** Rows above and below what is in view. */
const MARGIN = 8;
/** In pixels. */
const MAX_HEIGHT = 15_000_000;

/** What of a list is in view, in pixels as they are drawn. */
export interface Frame {
  top: number;
  height: number;
}

/** Where what part of a list is drawn. */
interface Part {
  first: number;
  last: number;
  /** Of the first one, in pixels. */
  offset: number;
  /** Of the whole, as it is drawn. */
  height: number;
}

/** How much further the list goes than what is drawn, for a pixel. */
function scaleOf(whole: number, drawn: number, height: number): number {
  return drawn > height ? (whole - height) / (drawn - height) : 1;
}

/** The rows to draw of `count` rows of one height, for what is in view. */
export function partOf(count: number, rowHeight: number, { top, height }: Frame): Part {
  const whole = count * rowHeight;
  const drawn = Math.min(whole, MAX_HEIGHT);
  // How far it is scrolled, from 0 to 1, is the same in both.
  const scale = scaleOf(whole, drawn, height);
  const place = Math.min(Math.max(0, top * scale), Math.max(0, whole - height));
  const first = Math.max(0, Math.floor(place / rowHeight) - MARGIN);
  const last = Math.min(count - 1, Math.ceil((place + height) / rowHeight) + MARGIN);
  return { first, last, offset: top - (place - first * rowHeight), height: drawn };
}

/** How far a list has to be scrolled so that a row is in view; as far as it is when it is. */
export function topFor(
  index: number,
  count: number,
  { rowHeight, frame }: { rowHeight: number; frame: Frame },
): number {
  const whole = count * rowHeight;
  const scale = scaleOf(whole, Math.min(whole, MAX_HEIGHT), frame.height);
  const place = frame.top * scale;
  if (index * rowHeight < place) return (index * rowHeight) / scale;
  const below = (index + 1) * rowHeight - frame.height;
  return below > place ? below / scale : frame.top;
}
