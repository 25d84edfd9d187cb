// The tools a model and a person see: the actions of a schema document in their public form.
import { z } from "zod";
import { AnyObject } from "./json-schemas.js";
import { type Action, Provenance, Safety, type SchemaDocument, Verb } from "./schema-document.js";

/** One entry of GET /tools, and what a provider is given. */
export const Tool = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  input_schema: AnyObject,
  resource: z.string(),
  verb: Verb,
  safety: Safety,
  provenance: Provenance,
  transport: z.object({ kind: z.string(), method: z.string().optional(), path: z.string().optional() }),
});
export type Tool = z.infer<typeof Tool>;

/** The public form of an action. */
function toTool(action: Action): Tool {
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
      method: typeof method === "string" ? method : undefined,
      path: typeof path === "string" ? path : undefined,
    },
  };
}

/** Every tool of a document, in document order. */
export function toolsFrom(document: SchemaDocument): Tool[] {
  return document.actions.map(toTool);
}
