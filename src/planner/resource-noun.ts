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

/** The collection a tool works on: its path up to the last parameter, in its application. For comparing. */
export function collectionOf(tool: Tool): string {
  const path = tool.transport.path ?? tool.resource;
  const at = path.lastIndexOf("/{");
  return `${tool.application} ${(at < 0 ? path : path.slice(0, at)).replace(/\/(?:count|search)$/, "")}`;
}
