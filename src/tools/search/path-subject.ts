// The subject of a tool's path: its last segment, the noun of its last key, and the segments behind that key.
// /repos/{owner}/{repo}/issues/{number}/comments is about the comments of an issue whose key is given.
import { terms } from "./terms.js";

/** What a path is about. */
export interface PathSubject {
  /** The terms of its last static segment. */
  lastSegment: string[];
  /** The noun of the last key: the term before it. */
  keyedNoun: string | undefined;
  /** The terms behind that key; all of them when there is none. */
  afterKey: string[];
}

const PARAM = /^(?:\{.*\}|:.+)$/;
/** Segments that every path of an API may have. */
const PREFIX = /^(?:api|rest|v\d+)$/i;

/** Reads a path. */
export function pathSubject(path: string): PathSubject {
  const parts = path.split("/").filter((part) => part !== "" && !PREFIX.test(part));
  const names = parts.map((part) => (PARAM.test(part) ? undefined : terms(part)));
  const key = names.findLastIndex((name, i) => name === undefined && names[i - 1] !== undefined);
  return {
    lastSegment: names.findLast((name) => name !== undefined) ?? [],
    keyedNoun: names[key - 1]?.at(-1),
    afterKey: names.slice(key + 1).flatMap((name) => name ?? []),
  };
}
