// The daemon's own tools, as the model is offered them: search_tools, read_result and undo. What answers the first two is in
// applications/builtin.ts, and undo is a call to the application; all are judged, validated and recorded like any other.
import { BUILTIN_KIND } from "../domain/builtin-kind.js";
import type { Action } from "../domain/schema-document.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";

/**
 * Characters of one call's arguments, as JSON: a question about a result is a few lines long, and what is looked for in every
 * row of it takes its time as often as there are rows. Source: docs/reference.md, "Limits and promises".
 */
export const MAX_OWN_ARGUMENTS = 16 * 1024;
/** Characters of a query: a few words, or a name. */
const MAX_QUERY = 1_000;
/** Fields picked of each item; more than a model can read of many. */
const MAX_FIELDS = 100;
/** Conditions of one filter, each judged for every row. */
const MAX_CONDITIONS = 20;

/** The tool that finds tools, offered when a catalogue is too large to show. Source: docs/reference.md, "Large catalogues". */
export const SEARCH_TOOLS: Tool = builtin(
  "search_tools",
  "Find more tools of the application by what they do. A tool marked (shortened) has more parameters than shown: its exact name as query shows it whole. Tools found can be called from then on.",
  {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: MAX_QUERY,
        description: "What the tool should do, in a few words, or its exact name.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
);

/** The tool that reads the rest of a result that was cut. Source: docs/reference.md, "Large results". */
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
        maxProperties: MAX_CONDITIONS,
        description:
          'Keep items whose fields equal these values exactly, such as {"status":"open","user.id":7}; "Open" is another value. In CSV all is text: 7 finds "7" and "7.0", not "007"; true finds nothing, "true" does.',
      },
      contains: {
        type: "object",
        maxProperties: MAX_CONDITIONS,
        additionalProperties: { type: "string" },
        description: 'Keep items whose fields contain these texts, upper or lower case, such as {"title":"login"}.',
      },
      fields: {
        type: "array",
        maxItems: MAX_FIELDS,
        items: { type: "string" },
        description: "Keep only these fields of each item.",
      },
      count: { type: "boolean", description: "Only count the matching items." },
    },
    required: ["call_id"],
    additionalProperties: false,
  },
);

/** The tool that takes a change back, offered while there is one that can be. Source: docs/reference.md, "Undo". */
export const UNDO: Tool = {
  ...builtin(
    "undo",
    "Take back a change that was made in this conversation, when the person asks for that: without arguments the newest one. Refused when what is there now is not what the change left.",
    {
      type: "object",
      properties: {
        history_id: {
          type: "integer",
          minimum: 1,
          description: "The call to take back, where another one than the newest is meant.",
        },
      },
      additionalProperties: false,
    },
  ),
  verb: "action",
  safety: "destructive",
};

const actions = new Map(
  [SEARCH_TOOLS, READ_RESULT, UNDO].map(({ input_schema, ...tool }) => [
    tool.name,
    { ...tool, parameters: input_schema } satisfies Action,
  ]),
);

/** Names of the daemon's own tools: no tool of the application goes by one, because providers refuse a name given twice. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set(actions.keys());

/** One of the daemon's own tools as an action, so that its calls are judged and checked like any other. */
export function builtinAction(name: string): Action | undefined {
  return actions.get(name);
}

function builtin(name: string, description: string, input_schema: JsonObject): Tool {
  return {
    name,
    application: "",
    description,
    input_schema,
    resource: "",
    verb: "get",
    safety: "read_only",
    provenance: "declared",
    transport: { kind: BUILTIN_KIND },
  };
}
