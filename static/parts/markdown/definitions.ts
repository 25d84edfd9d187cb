// What the page and the worker tell each other about parts of a Markdown text, and which definitions a part needs. Pure; without the
// parser, which only the worker loads.

/** A link reference definition, to be put before the parts that may refer to it. */
export interface Definition {
  /** Its label as references are compared with it. */
  label: string;
  source: string;
}

/** A part of a text, to be rendered. */
export interface Source {
  text: string;
  /** Those of the chunks before and behind it, the first of a label first. */
  definitions: readonly Definition[];
  /** The first lines of the table whose rows it goes on with; "" where it begins with a block of its own. */
  head: string;
}

/** A part of a text and its HTML. */
export interface Chunk {
  source: string;
  /** As that of its source: the HTML has the table's head again. */
  head: string;
  html: string;
  /** The level of its highest heading; below the lowest without one. */
  level: number;
}

/** What became of a part. */
export interface Chunked {
  /** They stay what they are, whatever is appended to the text. */
  chunks: Chunk[];
  /** All that is defined, those that were known first. */
  definitions: Definition[];
  /** The rest, which may change; without HTML where it was not asked for. */
  rest: Chunk;
}

/** What is displayed of a part behind its last cut: nothing where more of the text is here already. */
export type Rest = "left out" | "growing" | "end";

/** A part to be rendered: one that is final as it is, or one that may be cut into such. */
export type Job = Source & { rest: Rest | "none" };

/** What a label may be interrupted by in a quote or a table; both sides are compared without it. */
const NOT_COMPARED = /[\s>\\|]+/g;

/** Case folding as CommonMark does it. */
export const folded = (text: string): string => text.toLowerCase().toUpperCase();

const compared = (text: string): string => folded(text.replace(NOT_COMPARED, ""));

/** The definitions that a text may refer to; some more are harmless. */
export function definitionsFor(text: string, definitions: readonly Definition[]): Definition[] {
  if (definitions.length === 0 || !text.includes("[")) return [];
  const whole = compared(text);
  return definitions.filter(({ label }) => whole.includes(compared(label)));
}
