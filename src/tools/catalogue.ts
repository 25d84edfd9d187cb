// The tools of one schema document, ready for use: found by name, searched, and chosen for a prompt when there are many.

import type { Action, SchemaDocument } from "../domain/schema-document.js";
import { type Tool, toolsFrom } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";
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

/** The tool that finds tools, offered when a catalogue is too large to show. Source: reference, 10.5. */
export const SEARCH_TOOLS: Tool = builtin(
  "search_tools",
  "Find more tools of the application by what they do. A tool marked (shortened) has more parameters than shown: its exact name as query shows it whole. Tools found can be called from then on.",
  {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        description: "What the tool should do, in a few words, or its exact name.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
);

/** The tool that reads the rest of a result that was cut. Source: reference, 10.6. */
export const READ_RESULT: Tool = builtin(
  "read_result",
  "Read more of an earlier tool result that was shown as a preview: page, filter, pick fields or count. where keeps exact matches, contains keeps text matches; with both an item meets both.",
  {
    type: "object",
    properties: {
      call_id: { type: "string", description: "The call_id named in the preview." },
      path: { type: "string", description: "JSON Pointer to the part wanted, such as /items; the whole by default." },
      offset: { type: "integer", minimum: 0, description: "First item or character to show." },
      limit: { type: "integer", minimum: 1, description: "How many items or characters to show." },
      where: {
        type: "object",
        description:
          'Keep items whose fields equal these values exactly, such as {"status":"open","user.id":7}; "Open" is another value. In CSV all is text: 7 finds "7" and "7.0", not "007"; true finds nothing, "true" does.',
      },
      contains: {
        type: "object",
        additionalProperties: { type: "string" },
        description: 'Keep items whose fields contain these texts, upper or lower case, such as {"title":"login"}.',
      },
      fields: { type: "array", items: { type: "string" }, description: "Keep only these fields of each item." },
      count: { type: "boolean", description: "Only count the matching items." },
    },
    required: ["call_id"],
    additionalProperties: false,
  },
);

/** Names the daemon's own tools have: no tool of the application goes by one, because providers refuse a name given twice. */
export const OWN_NAMES: ReadonlySet<string> = new Set([SEARCH_TOOLS.name, READ_RESULT.name]);

const ownActions = new Map(
  [SEARCH_TOOLS, READ_RESULT].map(({ input_schema, ...tool }) => [
    tool.name,
    { ...tool, parameters: input_schema, transport: { kind: "builtin" } } satisfies Action,
  ]),
);

/** One of the daemon's own tools as an action, so that its arguments are checked like any other's. */
export function ownAction(name: string): Action | undefined {
  return ownActions.get(name);
}

function builtin(name: string, description: string, input_schema: JsonObject): Tool {
  const transport = { kind: "builtin" };
  return {
    name,
    description,
    input_schema,
    resource: "",
    verb: "get",
    safety: "read_only",
    provenance: "declared",
    transport,
  };
}
