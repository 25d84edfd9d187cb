// The regular expressions of schemas. They come with a description, so they run in linear time (RE2); one that RE2 cannot
// express is not enforced. Each text is compiled once. Says what compiling one takes before it is done, and what matching one does.
import { RE2JS } from "re2js";

/** A pattern, compiled. */
interface Pattern {
  test(text: string): boolean;
  /** Instructions that matching runs through for each character at most. */
  size: number;
}

/** Compiled patterns kept: those of some hundred tools. */
const MOST_KEPT = 1_000;
const compiled = new Map<string, Pattern>();

function compile(text: string): Pattern {
  try {
    const pattern = RE2JS.compile(text);
    return { test: (value) => pattern.matcher(value).find(), size: pattern.programSize() };
  } catch {
    return { test: () => true, size: 1 };
  }
}

/** The pattern a text writes. Never throws; takes as long as `patternCost` says. */
export function patternOf(text: string): Pattern {
  let pattern = compiled.get(text);
  if (!pattern) {
    if (compiled.size >= MOST_KEPT) compiled.clear();
    compiled.set(text, (pattern = compile(text)));
  }
  return pattern;
}

/** `a{5}`, `(ab){2,}`: RE2 writes what is repeated out. */
const REPETITION = /(\)?)\{(\d+)(?:,(\d*))?\}/g;
/** A class of Unicode has hundreds of ranges. */
const UNICODE_CLASS = /\\p/gi;
const RANGES = 10;
/** Where a range is compiled in either case, each of its characters is looked up, and a hundred thousand of Unicode have a case. */
const IN_EITHER_CASE = /\(\?[A-Za-z-]*i/;
/** A range that does not end with a character of ASCII; an escape may stand for any. */
const LONG_RANGE = /-(?=[\\\u0080-\uffff])/g;
const FOLDED_RANGE = 300;
/** Branches and loops cost several times what a character does: measured with a thousand of each. */
const OPERATOR = /[*+?|(]/g;
const OPERATOR_COST = 4;

/** An upper bound of what compiling a pattern takes, in instructions; found from its text. A repeated group repeats what is in it. */
export function patternCost(text: string): number {
  const count = (form: RegExp): number => text.match(form)?.length ?? 0;
  let instructions = text.length + RANGES * count(UNICODE_CLASS) + OPERATOR_COST * count(OPERATOR);
  if (IN_EITHER_CASE.test(text)) instructions += FOLDED_RANGE * count(LONG_RANGE);
  let groups = 1;
  for (const [, group, least, most] of text.matchAll(REPETITION)) {
    const times = 1 + Number(most || least);
    if (group) groups *= times;
    else instructions += times;
  }
  return instructions * groups;
}
