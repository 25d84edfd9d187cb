// The tools of one schema document, ready for use: found by name, searched, and chosen for a prompt when there are many.

import type { Action, SchemaDocument } from "../domain/schema-document.js";
import type { Tool } from "../domain/tool.js";
import { toJson } from "../lib/json.js";
import { toListedTool, toOfferedTool, toSearchedTool, toWholeTool } from "./public-form.js";
import { createIndex, type ToolIndex } from "./search/tool-index.js";

/** Everything known about what can be called, made once per document. */
export interface Catalogue {
  readonly document: SchemaDocument;
  /** As a model is offered them, in document order. */
  readonly tools: readonly Tool[];
  /** The serialised tool list. */
  readonly json: string;
  action(name: string): Action | undefined;
  /** A tool with the whole schema of its arguments, self-contained. */
  whole(name: string): Tool | undefined;
  /** Best first. */
  search(query: string, limit: number): Tool[];
  /** The tools as entries of a list: as long as the whole list may be. */
  listed(tools: readonly Tool[]): Tool[];
  /** A sentence for a name that no tool has, with the nearest ones. */
  unknown(name: string): string;
}

/** Prepares a document's tools; the search index is made at the first search. */
export function createCatalogue(document: SchemaDocument): Catalogue {
  const tools = document.actions.map(toOfferedTool);
  const actions = new Map(document.actions.map((action) => [action.name, action]));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let index: ToolIndex | undefined;
  let json: string | undefined;
  const search = (query: string, limit: number): Tool[] => {
    index ??= createIndex(document.actions.map(toSearchedTool));
    return index.search(query, limit).flatMap(({ tool }) => byName.get(tool.name) ?? []);
  };
  const listed = (some: readonly Tool[]): Tool[] =>
    some.flatMap(({ name }) => {
      const action = actions.get(name);
      return action ? [toListedTool(action, some.length)] : [];
    });
  return {
    document,
    tools,
    get json() {
      return (json ??= toJson(listed(tools)));
    },
    action: (name) => actions.get(name),
    whole(name) {
      const action = actions.get(name);
      return action && toWholeTool(action);
    },
    search,
    listed,
    unknown(name) {
      const renamed = document.actions.find(({ aliases }) => aliases?.includes(name));
      if (renamed) return `there is no tool ${name}; it is called ${renamed.name}`;
      const near = search(name, 3).map((tool) => tool.name);
      return `there is no tool ${name}${near.length > 0 ? `; did you mean ${near.join(", ")}?` : ""}`;
    },
  };
}
