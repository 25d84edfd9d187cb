// The tools a model and a person see: the actions of a schema document in their public form.
import type { z } from "zod";
import { selfContained } from "./definitions.js";
import type { Action, SchemaDocument } from "./schema-document.js";
import type { ToolSchema } from "./schemas/tool.js";

/** One entry of GET /tools, and what a provider is given. */
export type Tool = z.infer<typeof ToolSchema>;

/** The public form of an action. */
function toTool(action: Action): Tool {
  const { kind, method, path } = action.transport;
  return {
    name: action.name,
    description: action.description,
    input_schema: selfContained(action),
    resource: action.resource,
    verb: action.verb,
    safety: action.safety,
    provenance: action.provenance,
    transport: {
      kind,
      method: typeof method === "string" ? method : undefined,
      path: typeof path === "string" ? path : undefined,
    },
  };
}

/** Every tool of a document, in document order. */
export function toolsFrom(document: SchemaDocument): Tool[] {
  return document.actions.map(toTool);
}
