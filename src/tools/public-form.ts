// Actions in their public form, which is a tool: with the whole schema of its arguments where that is asked for by name, otherwise
// with one that is shortened when it is too large to be read. A schema is made when it is first looked at.
import { isLargerThan, selfContained } from "../domain/definitions.js";
import type { Action, TransportDescription } from "../domain/schema-document.js";
import type { Tool } from "../domain/tool.js";
import { type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../lib/json.js";
import { shortenSchema } from "./shorten-schema.js";

/** Characters of one schema that a model can be given, some 16,000 tokens; a budget shortens it further. */
const MAX_OFFERED = 64 * 1024;
/** Characters of all schemas in a list: what a browser takes in one answer. */
const MAX_LISTED = 16 * 1024 * 1024;
/** Characters that each schema in a list may have at least. */
const MIN_LISTED = 2 * 1024;

type Arguments = Pick<Tool, "input_schema" | "shortened">;

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);

/** What the columns of the key of a table are called as arguments. */
function keyOf({ key, columns }: TransportDescription): string[] | undefined {
  if (!Array.isArray(key)) return undefined;
  const known = listOf(columns).map(objectOf);
  return textsOf(key).map((name) => textOf(known.find((column) => column["name"] === name)?.["argument"]) ?? name);
}

function publicTransport(transport: TransportDescription): Tool["transport"] {
  const { kind, method, path, operation, table, tool } = transport;
  const { schema, name } = objectOf(table);
  return {
    kind,
    method: textOf(method),
    path: textOf(path),
    operation: textOf(operation),
    table: typeof schema === "string" ? `${schema}.${textOf(name)}` : textOf(name),
    key: keyOf(transport),
    tool: textOf(tool),
  };
}

function toTool(action: Action, { input_schema, shortened }: Arguments): Tool {
  return {
    name: action.name,
    application: action.application,
    ...(action.ownName !== undefined && { own_name: action.ownName }),
    description: action.description,
    input_schema,
    ...(shortened && { shortened }),
    resource: action.resource,
    verb: action.verb,
    safety: action.safety,
    provenance: action.provenance,
    ...(action.permission && { permission: action.permission }),
    transport: publicTransport(action.transport),
  };
}

function shortenedTo(action: Action, maxSize: number): Arguments {
  if (!isLargerThan(action, maxSize)) return { input_schema: selfContained(action) };
  return { input_schema: shortenSchema(action, maxSize), shortened: true };
}

/** With the whole schema, self-contained. */
export function toWholeTool(action: Action): Tool {
  return toTool(action, { input_schema: selfContained(action) });
}

/** With the parameters as they stand in the document, for what looks at their names: references may lead out of them. */
export function toSearchedTool(action: Action): Tool {
  return toTool(action, { input_schema: action.parameters });
}

/** As one of so many in a list. */
export function toListedTool(action: Action, count: number): Tool {
  const share = Math.floor(MAX_LISTED / Math.max(1, count));
  return toTool(action, shortenedTo(action, Math.min(MAX_OFFERED, Math.max(MIN_LISTED, share))));
}

/** As a model is offered it. */
export function toOfferedTool(action: Action): Tool {
  let known: Arguments | undefined;
  const made = (): Arguments => (known ??= shortenedTo(action, MAX_OFFERED));
  const lazily = (get: () => JsonObject | boolean | undefined) => ({ get, enumerable: true });
  return Object.defineProperties(toTool(action, { input_schema: {} }), {
    input_schema: lazily(() => made().input_schema),
    shortened: lazily(() => made().shortened),
  });
}
