// The tools of one schema document, ready for use: found by name, searched, and chosen for a prompt when there are many.

import type { Action, SchemaDocument } from "../domain/schema-document.js";
import { type Tool, toolsFrom } from "../domain/tool.js";
import { toJson } from "../lib/json.js";
import { createIndex, type ToolIndex } from "./search/tool-index.js";

/** Everything known about what can be called, made once per document. */
export interface Catalogue {
  readonly document: SchemaDocument;
  readonly tools: readonly Tool[];
  /** The serialised tool list. */
  readonly json: string;
  action(name: string): Action | undefined;
  /** Best first. */
  search(query: string, limit: number): Tool[];
  /** A sentence for a name that no tool has, with the nearest ones. */
  unknown(name: string): string;
}

/** Prepares a document's tools; the search index is made at the first search. */
export function createCatalogue(document: SchemaDocument): Catalogue {
  const tools = toolsFrom(document);
  const actions = new Map(document.actions.map((action) => [action.name, action]));
  let index: ToolIndex | undefined;
  let json: string | undefined;
  const search = (query: string, limit: number): Tool[] => {
    index ??= createIndex(tools);
    return index.search(query, limit).map(({ tool }) => tool);
  };
  return {
    document,
    tools,
    get json() {
      return (json ??= toJson(tools));
    },
    action: (name) => actions.get(name),
    search,
    unknown(name) {
      const near = search(name, 3).map((tool) => tool.name);
      return `there is no tool ${name}${near.length > 0 ? `; did you mean ${near.join(", ")}?` : ""}`;
    },
  };
}
