// Many deltas in a row as one text: a model may send a million of one letter each, and each would cost what an object costs.

/** Deltas with consecutive numbers. */
export interface DeltaRun {
  /** The number of the first. */
  first: number;
  /** The number of the last. */
  seq: number;
  /** All of them, joined. */
  text: string;
  /** Where each of them ends in the text. */
  ends: Uint32Array;
}

/** Joins the texts of deltas; `seq` is the number of the last. */
export function joinDeltas(texts: readonly string[], seq: number): DeltaRun {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [at, text] of texts.entries()) ends[at] = end += text.length;
  return { first: seq - texts.length + 1, seq, text: texts.join(""), ends };
}

/** The first delta of the run behind the number `after`, which is below that of its last. */
export function deltaAfter({ first, text, ends }: DeltaRun, after: number): { seq: number; text: string } {
  const at = Math.max(0, after + 1 - first);
  return { seq: first + at, text: text.slice(at === 0 ? 0 : ends[at - 1], ends[at]) };
}
