// A program: the client of MCP servers as the conformance suite wants one. It goes through the source and the transport that agentd itself
// uses: reads the server at the address, its last argument, then calls each tool as the scenario wants it, else with small values.
import { impliedByTransport } from "../../src/applications/kinds.js";
import { mcpSource } from "../../src/applications/mcp/source.js";
import { createMcpTransport } from "../../src/applications/mcp/transport.js";
import type { Target } from "../../src/applications/transport.js";
import type { InputAnswer, InputRequest } from "../../src/domain/input.js";
import { type Action, readSchema } from "../../src/domain/schema-document.js";
import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, textsOf, toJson } from "../../src/lib/json.js";
import { createRedactor } from "../../src/lib/redact/redact.js";

const location = process.argv.at(-1) ?? "";
const { MCP_CONFORMANCE_CONTEXT = "{}" } = process.env;
const TIMEOUT_MS = 20_000;
const FOCAL = "json_schema_2020_12_tool";

/** A value that a schema takes. */
function sample(schema: JsonValue | undefined): JsonValue {
  const { type, enum: choices, default: preset, properties, required } = objectOf(schema);
  if (preset !== undefined) return preset;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (type === "object")
    return Object.fromEntries(textsOf(required).map((name) => [name, sample(objectOf(properties)[name])]));
  return type === "integer" || type === "number" ? 5 : type === "boolean" ? true : type === "array" ? [] : "text";
}

/** Accepts, and fills in what has no default. */
async function ask({ fields }: InputRequest): Promise<InputAnswer> {
  const values = Object.entries(objectOf(fields?.["properties"])).flatMap(([name, field]) =>
    objectOf(field)["default"] === undefined ? [[name, sample(field)] as const] : [],
  );
  return { action: "accept", values: Object.fromEntries(values) };
}

/** The calls that the scenario names for a tool, or one with small values. */
function callsOf({ transport, parameters }: Action, actions: readonly Action[]): JsonObject[] {
  // Wants the schema of another tool back, as we have it.
  if (transport["tool"] === "json_schema_echo")
    return actions.flatMap((other) => (other.transport["tool"] === FOCAL ? [{ schema: other.parameters }] : []));
  const { toolCalls } = objectOf(parseJson(MCP_CONFORMANCE_CONTEXT));
  const named = listOf(toolCalls).filter((call) => objectOf(call)["name"] === transport["tool"]);
  return named.length > 0
    ? named.map((call) => objectOf(objectOf(call)["arguments"]))
    : [objectOf(sample({ ...parameters, required: Object.keys(objectOf(parameters["properties"])) }))];
}

const { document, report } = await mcpSource.read({ location });
for (const { operation, reason } of report.skipped) console.error(`skipped ${operation}: ${reason}`);
const target: Target = {
  application: "",
  baseUrl: String(document["base_url"]),
  location,
  headers: {},
  schemes: {},
  credentials: {},
  timeoutMs: TIMEOUT_MS,
  allowFiles: false,
};
const log = { debug() {}, info: note, warn: note, error: note };
function note(fields: object, message: string): void {
  console.error(message, toJson(fields));
}
const transport = createMcpTransport({ redact: createRedactor([]), log });
const { actions } = readSchema(document, impliedByTransport);
for (const action of actions)
  for (const args of callsOf(action, actions)) {
    const outcome = await transport.execute(transport.prepare(action, { sent: args, shown: args }, target), target, {
      ask,
    });
    console.error(action.name, toJson(args), outcome.status, toJson(outcome.value).slice(0, 300));
  }
await transport.close?.();
