// The tools a model and a person see: the actions of a schema document in their public form.
import type { JsonObject } from "../lib/json.js";
import type { Action, Provenance, Safety, SchemaDocument, Verb } from "./schema-document.js";

/** One entry of GET /tools, and what a provider is given. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input_schema: JsonObject;
  resource: string;
  verb: Verb;
  safety: Safety;
  provenance: Provenance;
  transport: { kind: string; method?: string; path?: string };
}

/** The public form of an action. */
export function toTool(action: Action): Tool {
  const { kind, method, path } = action.transport;
  return {
    name: action.name,
    description: action.description,
    input_schema: action.parameters,
    resource: action.resource,
    verb: action.verb,
    safety: action.safety,
    provenance: action.provenance,
    transport: {
      kind,
      ...(typeof method === "string" && { method }),
      ...(typeof path === "string" && { path }),
    },
  };
}

/** Every tool of a document, in document order. */
export function toolsFrom(document: SchemaDocument): Tool[] {
  return document.actions.map(toTool);
}
