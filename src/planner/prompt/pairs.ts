// Names with values in one run of text: "tier=gold, plan=pro" or {tier: gold}. Text in, strings out; knows nothing of tools.

const PAIR = String.raw`"?([\w.-]+)"?\s*[=:]\s*("[^"\n]*"|“[^”\n]*”|'[^'\n]*'|[^\s,;{}"'“”]+)`;
const JOINT = String.raw`(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s+)`;
const RUN = new RegExp(String.raw`^\s*(?:[:=]\s*)?((?:\{\s*)?${PAIR}(?:${JOINT}${PAIR})*(?:\s*\})?)`);
const EACH = new RegExp(PAIR, "g");

/** A run of pairs and its position. */
interface PairRun {
  text: string;
  start: number;
  pairs: [name: string, value: string][];
  /** In braces, so that all of it belongs together. */
  isWhole: boolean;
}

/** The pairs of a text, as written, quotes taken off. */
export function pairsOf(text: string): [name: string, value: string][] {
  return [...text.matchAll(EACH)].map(([, name = "", value = ""]) => [
    name,
    /^["'“]/.test(value) ? value.slice(1, -1) : value.replace(/[.!?]+$/, ""),
  ]);
}

/** The run of pairs that begins at a position, behind a colon or not. */
export function pairRunAt(text: string, at: number): PairRun | undefined {
  const found = RUN.exec(text.slice(at));
  if (!found?.[1]) return undefined;
  const run = found[1].replace(/[.!?]+$/, "");
  return { text: run, start: at + found[0].indexOf(found[1]), pairs: pairsOf(run), isWhole: run.startsWith("{") };
}
