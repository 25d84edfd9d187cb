// What an MCP server lists, as a schema document: a tool for each of its tools, with what pins it. Pure.
// Source: docs/mcp.md, "Tools that change".
import type { Provenance, Safety } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { BUILTIN_NAMES } from "../../tools/builtin-tools.js";
import { createArgumentNames, hash, legal, MAX_NAME, withSuffix } from "../names.js";
import type { Imported, ImportReport } from "../source.js";
import { cleanSchema, cleanText, MAX_TOOL_TEXT } from "./clean.js";
import type { Era, McpDescription } from "./description.js";
import { headerFault } from "./http-headers.js";
import type { LiveTool } from "./listing.js";

/** What becomes a document. */
interface ServerCatalogue {
  tools: ReadonlyMap<string, LiveTool>;
  era: Era;
  /** What the document says the application's address is. */
  address: string;
  /** What the server calls itself. */
  serverName: string;
  /** Whether it is reached by HTTP, where arguments may be wanted in headers. */
  isHttp: boolean;
  trustsAnnotations: boolean;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MAX_TITLE = 100;
/** Digits that tell a name from another. */
const SUFFIX = 6;

/** Names of tools, each given once: the server's own where it is legal. */
function createToolNames(): (own: string) => string {
  const taken = new Set<string>(BUILTIN_NAMES);
  return (own) => {
    let name = legal(own) || `tool_${hash(own, SUFFIX)}`;
    if (name.length > MAX_NAME) name = withSuffix(name, hash(own, SUFFIX));
    for (let round = 0; taken.has(name); round++) name = withSuffix(name, hash(`${own} ${round}`, SUFFIX));
    taken.add(name);
    return name;
  };
}

/** A reference that leads out of the schema, or nowhere within it. */
function strayReference(value: JsonValue, root: JsonObject): string | undefined {
  if (Array.isArray(value)) return value.map((item) => strayReference(item, root)).find((found) => found !== undefined);
  if (!isObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref === "string" && !isWithin($ref, root)) return $ref;
  return strayReference(Object.values(value), root);
}

function isWithin(reference: string, root: JsonObject): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  const steps = reference
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: JsonValue | undefined = root;
  for (const step of steps)
    at = Array.isArray(at) ? at[Number(step)] : isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return isObject(at) || typeof at === "boolean";
}

/** Why a tool cannot be one of ours; undefined when it can. */
function faultOf({ tool }: LiveTool, isHttp: boolean): string | undefined {
  const { inputSchema } = tool;
  if (!isObject(inputSchema) || inputSchema["type"] !== "object")
    return "its arguments are no JSON Schema of an object";
  const { properties = {}, required = [] } = inputSchema;
  if (!isObject(properties)) return "the properties of its arguments are no object";
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string"))
    return "its required arguments are no list of names";
  let stray: string | undefined;
  try {
    stray = strayReference(inputSchema, inputSchema);
  } catch {
    return "a reference in its arguments cannot be read";
  }
  if (stray !== undefined) return `its arguments refer to ${cleanText(stray, 80)}, which is not in them`;
  return isHttp ? headerFault(inputSchema) : undefined;
}

/** What a tool may do, and how that is known: what the server says counts only where the operator trusts it. */
function safetyOf(annotations: JsonObject, isTrusted: boolean): { safety: Safety; provenance: Provenance } {
  const { readOnlyHint, destructiveHint } = annotations;
  if (!isTrusted) return { safety: "destructive", provenance: "inferred" };
  if (readOnlyHint === true && destructiveHint !== true) return { safety: "read_only", provenance: "declared" };
  if (readOnlyHint !== true && destructiveHint === false) return { safety: "mutating", provenance: "declared" };
  const isSaid = destructiveHint === true;
  return { safety: "destructive", provenance: isSaid ? "declared" : "inferred" };
}

/** Arguments under names that every model takes, and what the server calls those that have others. */
function parametersOf(inputSchema: JsonObject): { parameters: JsonObject; renamed: Record<string, string> } {
  const schema = cleanSchema(inputSchema) as JsonObject;
  // What reads it later knows this one.
  if (schema["$schema"] !== DIALECT) delete schema["$schema"];
  const nameOf = createArgumentNames();
  const names = Object.keys(objectOf(schema["properties"])).map((own) => [own, nameOf("argument", own)] as const);
  const renamed = Object.fromEntries(names.filter(([own, name]) => own !== name).map(([own, name]) => [name, own]));
  const byOwn = new Map(names);
  const properties = Object.entries(objectOf(schema["properties"])).map(([own, value]) => [
    byOwn.get(own) ?? own,
    value,
  ]);
  const required = Array.isArray(schema["required"])
    ? schema["required"].map((own) => byOwn.get(String(own)) ?? own)
    : [];
  return { parameters: { ...schema, properties: Object.fromEntries(properties), required }, renamed };
}

function actionOf(live: LiveTool, name: string, { era, trustsAnnotations }: ServerCatalogue): JsonObject {
  const { tool, hash: pin, parts } = live;
  const own = String(tool["name"]);
  const annotations = objectOf(tool["annotations"]);
  const title = [tool["title"], annotations["title"]].find((text) => typeof text === "string");
  const words = [title, tool["description"]].flatMap((text) =>
    typeof text === "string" ? [cleanText(text, MAX_TOOL_TEXT)] : [],
  );
  const description = words.at(-1) || `The tool ${cleanText(own, MAX_TITLE)}.`;
  const { parameters, renamed } = parametersOf(objectOf(tool["inputSchema"]));
  const transport: McpDescription = { kind: "mcp", tool: own, era, hash: pin, parts };
  if (Object.keys(renamed).length > 0) transport.arguments = renamed;
  return {
    name,
    description,
    verb: "action",
    ...safetyOf(annotations, trustsAnnotations),
    parameters,
    transport: transport as JsonObject,
  };
}

/** The document of a server's tools, and the report. */
export function toServerDocument(catalogue: ServerCatalogue): Omit<Imported, "origin"> {
  const { tools, address, serverName, isHttp } = catalogue;
  const title = cleanText(serverName, MAX_TITLE);
  const nameOf = createToolNames();
  const report: ImportReport = {
    operations: tools.size,
    things: "tools",
    imported: 0,
    skipped: [],
    renamed: [],
    readsByWords: [],
    warnings: [],
  };
  const actions = [...tools].flatMap(([own, live]) => {
    const reason = faultOf(live, isHttp);
    if (reason !== undefined) {
      report.skipped.push({ operation: cleanText(own, MAX_TITLE), reason });
      return [];
    }
    return [actionOf(live, nameOf(own), catalogue)];
  });
  report.imported = actions.length;
  const document: JsonObject = {
    version: 1,
    source: "mcp",
    base_url: address,
    ...(title !== "" && { title }),
    resources: [{ name: legal(title) || "tools", description: "", actions }],
  };
  return { document, isNamed: true, report };
}
