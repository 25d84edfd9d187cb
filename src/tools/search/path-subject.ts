// The subject of a tool's path: the noun of its last key, the segments behind that key, and whether it leads to one record.
// /repos/{owner}/{repo}/issues/{number}/comments is about the comments of an issue whose key is given.
import { terms } from "./terms.js";

/** What a path is about. */
export interface PathSubject {
  /** The noun of the last key: the term before it. */
  keyedNoun: string | undefined;
  /** The terms behind that key; all of them when there is none. */
  afterKey: string[];
  /** It ends in a key. */
  isRecord: boolean;
}

const PARAM = /^(?:\{.*\}|:.+)$/;
/** Segments that every path of an API may have. */
const PREFIX = /^(?:api|rest|v?\d+(?:\.\d+)*)$/i;
/** What a path says of the form of an answer: "/orders.json", "/containers/json". */
const FORMAT = /(?:^|\.)(?:json|xml)$/i;
/** What only says that something is done or related: "/servers/{id}/actions/reboot". */
const FILLER = /^(?:actions?|relationships?|operations?|commands?)$/i;

/** The fixed segments of a path, undefined for its keys. */
export function segmentsOf(path: string): (string | undefined)[] {
  const all = path.split("/").map((part) => part.replace(FORMAT, ""));
  const parts = all.filter(
    (part, i) => part !== "" && !PREFIX.test(part) && !(FILLER.test(part) && i + 1 < all.length),
  );
  return parts.map((part) => (PARAM.test(part) ? undefined : part));
}

/** Reads a path. */
export function pathSubject(path: string): PathSubject {
  const names = segmentsOf(path).map((segment) => (segment === undefined ? undefined : terms(segment)));
  const key = names.findLastIndex((name, i) => name === undefined && names[i - 1] !== undefined);
  return {
    keyedNoun: names[key - 1]?.at(-1),
    afterKey: names.slice(key + 1).flatMap((name) => name ?? []),
    isRecord: names.length > 0 && names.at(-1) === undefined,
  };
}

/** The segments of one word that stand before a key. */
export function keyedSegments(path: string): string[] {
  const segments = segmentsOf(path);
  return segments.flatMap((segment, i) => {
    const found =
      segment !== undefined && i + 1 < segments.length && segments[i + 1] === undefined ? terms(segment) : [];
    return found.length === 1 ? found : [];
  });
}
