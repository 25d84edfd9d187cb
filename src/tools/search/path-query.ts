// Queries that are a path and not words: "/pulls/reviews", "DELETE /repos", "/repos/octo/hello/issues/12". The path says which tools
// are meant, wherever its segments stand in those of a tool.
import type { Tool } from "../../domain/tool.js";

/** A query that is a path, with the method where it begins with one. */
interface PathQuery {
  method: string | undefined;
  segments: readonly string[];
}

const METHOD = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|QUERY|TRACE";
/** With a method one segment is enough, and so is a slash at the beginning; without either there have to be two. */
const QUERY = new RegExp(
  String.raw`^\s*(?:(${METHOD})\s+(?:https?://[^/\s]+)?(/[^\s?#]*)|((?:https?://[^/\s]+)?/[^\s?#]+|[\w.{}-]+(?:/[\w.{}:-]+)+/?))(?:[?#]\S*)?\s*$`,
  "i",
);
const KEY = /^(?:\{.*\}|:.+)$/;

const segmentsOf = (path: string): string[] =>
  path
    .replace(/^https?:\/\/[^/]+/i, "")
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");

/** Reads a query; undefined when it is made of words. */
export function readPathQuery(query: string): PathQuery | undefined {
  const [, method, commanded, path] = QUERY.exec(query) ?? [];
  const segments = segmentsOf(commanded ?? path ?? "");
  return segments.length > 0 ? { method: method?.toUpperCase(), segments } : undefined;
}

/** How far a path is the one that is asked for: 3 all of it, above 2 from its beginning, above 1 in this order somewhere, 0 not. */
function likeness(asked: readonly string[], own: readonly string[], fixed: ReadonlySet<string>): number {
  // Where a path has a key any value may stand, but no word of another path.
  const isLike = (segment: string, other: string): boolean =>
    segment === other || (KEY.test(other) && (KEY.test(segment) || !fixed.has(segment)));
  // Of what is as near the shorter one is meant.
  const closeness = asked.length / Math.max(asked.length, own.length);
  if (asked.length <= own.length && asked.every((segment, i) => isLike(segment, own[i] ?? "")))
    return asked.length === own.length ? 3 : 2 + closeness / 2;
  const named = asked.filter((segment) => !KEY.test(segment));
  let at = -1;
  const isInOrder = named.every((segment) => (at = own.indexOf(segment, at + 1)) >= 0);
  return isInOrder && named.length > 0 ? 1 + closeness / 2 : 0;
}

/** What the path counts beside the words of a tool, which only put tools of equal paths in order. */
const PATH = 20;
/** What a tool that does not read keeps where no method is given: a path is what is opened. */
const NOT_READ = 0.99;
/** What a tool of another method than the one that is asked for keeps. */
const OTHER_METHOD = 0.3;

/** Puts the tools of the path first, by position; those of another method after them. */
export function favourPaths(tools: readonly Tool[], { method, segments }: PathQuery, scores: Float64Array): void {
  const best = scores.reduce((a, b) => Math.max(a, b), 0) || 1;
  const paths = tools.map(({ transport }) => segmentsOf(transport.path ?? ""));
  const fixed = new Set(paths.flat().filter((segment) => !KEY.test(segment)));
  tools.forEach(({ transport }, doc) => {
    const like = likeness(segments, paths[doc] ?? [], fixed);
    if (like === 0) return;
    const share = transport.method === (method ?? "GET") ? 1 : method === undefined ? NOT_READ : OTHER_METHOD;
    scores[doc] = (scores[doc] ?? 0) + PATH * best * like * share;
  });
}
