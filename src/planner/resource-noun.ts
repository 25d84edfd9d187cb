// The noun of a tool's resource, for sentences and for matching: read from its path, or from its resource.
// A tool goes in, an English singular or a collection's path comes out.
import type { Tool } from "../domain/tool.js";
import { singularOf } from "../lib/plural.js";
import { words } from "../tools/search/terms.js";

/** What a tool is about, as a singular word: "todo", "product". */
export function resourceNoun(tool: Tool): string {
  const segments = (tool.transport.path ?? "").split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const known = segments.filter((part) => !/^(?:api|v\d+|count|search)$/i.test(part));
  const owner = (tool.transport.path ?? "")
    .replace(/\/[^{}]*$/, "")
    .split("/")
    .findLast((part) => part !== "" && !part.startsWith("{"));
  const acts = tool.verb === "list" || tool.verb === "create" ? known.at(-1) : (owner ?? known.at(-1));
  // "Books.lend" is about books.
  const name = words((acts ?? tool.resource).replace(/\.[a-z]+$/i, "")).at(-1) ?? "record";
  return singularOf(name);
}

/** What the records of a list are called, in all words of its name: "work order". */
export function nounPhrase(tool: Tool): string {
  const noun = resourceNoun(tool);
  const segment = (tool.transport.path ?? tool.resource)
    .split("/")
    .findLast((part) => !/^(?:\{.*|count|search)?$/.test(part));
  const parts = words(segment ?? "");
  return singularOf(parts.at(-1) ?? "") === noun ? [...parts.slice(0, -1), noun].join(" ") : noun;
}

const withoutNames = (path: string): string => path.replace(/\{[^}]*\}/g, "{}");

/** Whether a tool reads, or adds to, what belongs to a record: the comments of an issue are no issues. */
function worksOnPart({ verb, safety, transport: { path = "" } }: Tool): boolean {
  return /\}\/[^{}]+$/.test(path) && (safety === "read_only" || (verb === "create" && /[^su]s$/.test(path)));
}

/** The collection a tool works on, in its application; for comparing, so that the names of keys count for nothing. */
export function collectionOf(tool: Tool): string {
  const path = (tool.transport.path ?? tool.resource).replace(/(?<!\})\/(?:count|search)$/, "");
  const at = path.lastIndexOf("/{");
  return `${tool.application} ${withoutNames(at < 0 || worksOnPart(tool) ? path : path.slice(0, at))}`;
}

/** The collection that a parameter of a tool's path is a key of. */
export function keyedCollection({ application, transport: { path = "" } }: Tool, key: string): string {
  return `${application} ${withoutNames(path.split(`/{${key}}`)[0] ?? "")}`;
}

/** Whether a tool works on a collection, or on what belongs to a record of it. */
export function isAbout(tool: Tool, collection: string): boolean {
  const key = worksOnPart(tool) ? /\{([^{}]+)\}\/[^{}]+$/.exec(tool.transport.path ?? "")?.[1] : undefined;
  return collectionOf(tool) === collection || (key !== undefined && keyedCollection(tool, key) === collection);
}
