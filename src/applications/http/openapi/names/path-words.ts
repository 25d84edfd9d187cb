// What a path is about, in words: its things, the keys that pick one of them, and what is done to them behind a dot.
import { isAlsoNoun, isVerb } from "../../../../tools/acting-words.js";
import { isActionWord, wordsIn } from "./english.js";

/** A segment of a path that names a thing. */
export interface PathStep {
  words: string[];
  /** Whether a parameter picks one of them. */
  isItem: boolean;
  /** Whether it is what is done, behind a dot: "delete" of "/channels.delete". */
  isDone?: boolean;
}

/** What a path is about. */
export interface PathWords {
  steps: PathStep[];
  endsWithItem: boolean;
  parameters: string[];
  /** "v2" */
  version: string | undefined;
}

/** Segments in front that name the interface and no thing. */
const PREFIX = /^(v?\d+([._-]\d+)*|v\d+\w*|api|apis|rest)$/i;
/** A thing and what is done to it in one segment: "/channels.setTopic". */
const DOTTED = /^[\w-]+(?:\.[\w-]+)*\.(?=[\w-]+$)/;

/** "/v{version}" stands for a version. */
const VERSION_SEGMENT = /\/v\{[^{}]*\}(?=\/|$)/gi;

/** The words of a path template, without the version and what else stands before the first thing. */
export function wordsOfPath(path: string): PathWords {
  const steps: PathStep[] = [];
  const parameters: string[] = [];
  let endsWithItem = false;
  let prefix: string[] = [];
  for (const [text, parameter] of path.replace(VERSION_SEGMENT, "/").matchAll(/\{([^{}]*)\}|[^{}/]+/g)) {
    const segment = parameter ?? text.replace(/\.(?:json|xml|csv)$/i, "");
    const thing = parameter === undefined ? (DOTTED.exec(segment)?.[0] ?? "") : "";
    const done = wordsIn(segment.slice(thing.length));
    const isDone = thing !== "" && [isActionWord, isVerb, isAlsoNoun].some((is) => is(done[0] ?? ""));
    const words = isDone ? wordsIn(thing) : wordsIn(segment);
    // "/{id}.json"
    if (words.length === 0 || (parameter === undefined && text.startsWith("."))) continue;
    const last = steps.at(-1);
    endsWithItem = parameter !== undefined && last !== undefined;
    if (parameter !== undefined) {
      parameters.push(words.join("_"));
      if (last) last.isItem = true;
    } else if (isDone) steps.push({ words, isItem: false }, { words: done, isItem: false, isDone });
    else if (steps.length > 0 || !PREFIX.test(text)) steps.push({ words, isItem: false });
    else prefix = words;
  }
  if (steps.length === 0 && parameters.length === 0 && prefix.length > 0) steps.push({ words: prefix, isItem: false });
  return { steps, endsWithItem, parameters, version: /\/(v\d+)\b/i.exec(path)?.[1]?.toLowerCase() };
}
