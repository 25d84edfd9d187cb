// Tools of a database as the rest of the planner knows tools: collections with paths, a list whose filters are plain parameters, a
// tool that gets one record. Calls and results are translated on the way out and back in.
import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, parseJson, toJson } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";
import { singularOf } from "../../lib/plural.js";
import type { CompletedCall, Situation } from "../conversation.js";
import { boundOf, COLUMN_BOUNDS } from "../slots/bounds.js";
import type { Step } from "../step.js";

/** The first part of the name of a tool that gets one row: its calls are those of the list. */
const GET = "get_";

/** A database's tools, translated, and the lists behind those that get one row. */
interface Tables {
  tools: readonly Tool[];
  lists: ReadonlyMap<string, Tool>;
}

const known = new WeakMap<readonly Tool[], Tables>();

/** The plain form of a column's filter: what it is compared with, without the forms that name an operator. */
function plainForm(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  const whole = objectOf(referred(schema, root) ?? schema);
  const forms = listOf(whole["anyOf"]).map((form) => objectOf(referred(form, root) ?? form));
  const plain = forms.find((form) => !isObject(form["properties"]) && form["type"] !== "null");
  const { anyOf: _, ...rest } = whole;
  return forms.length > 0 ? { ...rest, ...plain } : whole;
}

const isOrdered = ({ type, format }: JsonObject): boolean =>
  [type].flat().some((one) => one === "number" || one === "integer") || /^(?:date|time)/.test(String(format ?? ""));

/** The filters of a list as parameters of their own. */
function listParameters({ input_schema: schema }: Tool): JsonObject {
  const { where, columns: _, after: __, ...rest } = objectOf(schema["properties"]);
  const filters = objectOf(objectOf(referred(where, schema) ?? where)["properties"]);
  const own: JsonObject = {};
  for (const [name, filter] of Object.entries(filters)) {
    const plain = plainForm(filter, schema);
    own[name] = plain;
    if (!isOrdered(plain)) continue;
    for (const prefix of Object.keys(COLUMN_BOUNDS)) own[`${prefix}_${name}`] ??= plain;
  }
  return { ...own, ...rest };
}

const pathOf = ({ resource, transport: { key = [] } }: Tool): string =>
  `/${resource}${key.map((name) => `/{${name}}`).join("")}`;

const METHODS: Readonly<Record<string, string>> = { create: "POST", update: "PATCH", delete: "DELETE" };

/** The list of a table, and the tool that gets one row where it has a key. */
function readers(list: Tool): Tool[] {
  const { resource, transport, input_schema } = list;
  const { key = [] } = transport;
  const parameters = listParameters(list);
  const schema = { ...input_schema, properties: parameters };
  const collection: Tool = {
    ...list,
    input_schema: schema,
    transport: { ...transport, method: "GET", path: `/${resource}` },
  };
  if (key.length === 0) return [collection];
  const own = `${GET}${singularOf(resource)}`;
  const keys = Object.fromEntries(key.map((name): [string, JsonValue] => [name, parameters[name] ?? {}]));
  const one: Tool = {
    ...collection,
    name: `${GET}${list.name}`,
    own_name: own,
    verb: "get",
    input_schema: { ...input_schema, properties: keys, required: [...key] },
    transport: { ...transport, method: "GET", path: pathOf(list) },
  };
  return [collection, one];
}

function translated(tool: Tool): Tool[] {
  const { transport, resource } = tool;
  const { operation = "" } = transport;
  if (operation === "list") return readers(tool);
  // Its statement is nothing that the planner could write.
  if (operation === "query") return [];
  const method = METHODS[operation];
  if (method === undefined) return [tool];
  const path = operation === "create" ? `/${resource}` : pathOf(tool);
  return [{ ...tool, transport: { ...transport, method, path } }];
}

/** Made once for a list of tools, as their index is. */
function tablesOf(tools: readonly Tool[]): Tables | undefined {
  let found = known.get(tools);
  if (found) return found;
  if (!tools.some(({ transport }) => transport.kind === "sql")) return undefined;
  const lists = tools.filter(({ transport }) => transport.kind === "sql" && transport.operation === "list");
  found = {
    tools: tools.flatMap((tool) => (tool.transport.kind === "sql" ? translated(tool) : [tool])),
    lists: new Map(lists.map((tool) => [`${GET}${tool.name}`, tool])),
  };
  known.set(tools, found);
  return found;
}

/** The filters of a list as its tool takes them. */
function toWhere(args: JsonObject, list: Tool): JsonObject {
  const { where: schema, ...others } = objectOf(list.input_schema["properties"]);
  const columns = objectOf(objectOf(referred(schema, list.input_schema) ?? schema)["properties"]);
  const where: JsonObject = {};
  const rest: JsonObject = {};
  for (const [name, value] of Object.entries(args)) {
    const bound = Object.hasOwn(columns, name) ? undefined : boundOf(name);
    if (bound && Object.hasOwn(columns, bound.column))
      where[bound.column] = { ...objectOf(where[bound.column]), [bound.operator]: value };
    else if (Object.hasOwn(columns, name)) where[name] = value;
    else if (Object.hasOwn(others, name)) rest[name] = value;
  }
  return Object.keys(where).length > 0 ? { where, ...rest } : rest;
}

/** The arguments of a list in the form of the planner. */
function fromWhere({ where, ...rest }: JsonObject): JsonObject {
  const flat: JsonObject = {};
  const prefixOf = (operator: string): string | undefined =>
    Object.keys(COLUMN_BOUNDS).find((prefix) => COLUMN_BOUNDS[prefix]?.operator === operator);
  for (const [name, filter] of Object.entries(objectOf(where))) {
    if (!isObject(filter)) flat[name] = filter;
    else
      for (const [operator, value] of Object.entries(filter)) {
        const prefix = prefixOf(operator);
        flat[prefix === undefined ? name : `${prefix}_${name}`] = value;
      }
  }
  return { ...flat, ...rest };
}

/** The one row of a list as what getting a record answers. */
function oneRow(text: string): Pick<CompletedCall, "text" | "isError"> {
  try {
    const rows = parseJson(text);
    if (!Array.isArray(rows)) return { text, isError: false };
    const [row] = rows;
    if (row !== undefined) return { text: toJson(row), isError: false };
    return { text: toJson({ error: "not_found", message: "there is no such record" }), isError: true };
  } catch {
    return { text, isError: false };
  }
}

function readCall(completed: CompletedCall, { lists }: Tables): CompletedCall {
  const { call, goal, isError, text } = completed;
  const getter = `${GET}${call.name}`;
  if (!lists.has(getter)) return completed;
  const args = fromWhere(call.arguments);
  if (goal?.tool !== getter || goal.step === "find") return { ...completed, call: { ...call, arguments: args } };
  const answer = isError ? { text, isError } : oneRow(text);
  return { ...completed, ...answer, call: { ...call, name: getter, arguments: args } };
}

/** A situation whose tools and calls of databases are as those of other applications. */
export function withTables(situation: Situation): Situation {
  const tables = tablesOf(situation.tools);
  if (!tables) return situation;
  const { conversation } = situation;
  const read = (completed: CompletedCall): CompletedCall => readCall(completed, tables);
  return {
    ...situation,
    tools: tables.tools,
    conversation: { ...conversation, turn: conversation.turn.map(read), before: conversation.before.map(read) },
  };
}

/** A step in the words of the tools that there are. */
export function toRealStep(step: Step, tools: readonly Tool[]): Step {
  const tables = tablesOf(tools);
  if (!tables) return step;
  if (step.kind === "text") {
    let { text } = step;
    for (const [getter, { name }] of tables.lists) text = text.replaceAll(`\`${getter}\``, `\`${name}\``);
    return { ...step, text };
  }
  const list = tables.lists.get(step.tool) ?? tables.lists.get(`${GET}${step.tool}`);
  return list ? { ...step, tool: list.name, args: toWhere(step.args, list) } : step;
}
