// Tools of a GraphQL endpoint as the rest of the planner knows tools: each with a method and a path that say what its keys are and
// what it does to which record, as an HTTP application would. Names and arguments stay as they are, so calls need no translation.

import { ownName, type Tool } from "../../domain/tool.js";
import { type JsonObject, objectOf } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import { KEY_NAME, type Slot, slotsOf } from "../slots/slot.js";

const known = new WeakMap<readonly Tool[], readonly Tool[]>();

const METHODS: Readonly<Partial<Record<Tool["verb"], string>>> = { update: "PATCH", delete: "DELETE" };

const pluralNoun = (noun: readonly string[]): string =>
  [...noun.slice(0, -1), pluralOf(singularOf(noun.at(-1) ?? ""))].join("_");

/** The noun that a key is one of: "customer" of `customerId`; none of a plain `id`. */
const nounOf = ({ name }: Slot): string[] => words(name).filter((word) => !/^(?:ids?|uuid)$/.test(word));

/** What an action does, in the words of its name that are not its noun: "assign" of `assign_ticket`. */
function actionOf(tool: Tool, noun: readonly string[]): string {
  const parts = words(ownName(tool));
  const rest = parts.filter((word) => !noun.includes(singularOf(word)));
  return (rest.length > 0 ? rest : parts).join("-");
}

/** The path of a tool: its collection, its record, or what belongs to the record of another collection. */
function pathOf(tool: Tool): string {
  const noun = words(tool.resource);
  const single = [...noun.slice(0, -1), singularOf(noun.at(-1) ?? "")];
  const collection = `/${pluralNoun(noun)}`;
  const required = slotsOf(tool).filter(({ path, required: must }) => must && path.length === 1);
  const keys = required.filter(({ name }) => KEY_NAME.test(name));
  const isOwn = (key: Slot): boolean => ["", single.join(" ")].includes(nounOf(key).join(" "));
  const own = keys.find(isOwn);
  const holder = keys.find((key) => !isOwn(key));
  if (tool.verb === "create" || tool.verb === "list")
    return holder && required.length < 3 ? `/${pluralNoun(nounOf(holder))}/{${holder.name}}${collection}` : collection;
  if (tool.verb === "get") {
    const key = own ?? (required.length === 1 ? required[0] : undefined);
    return key ? `${collection}/{${key.name}}` : `/${tool.resource}`;
  }
  if (own) return `${collection}/{${own.name}}${tool.verb === "action" ? `/${actionOf(tool, single)}` : ""}`;
  if (holder) return `/${pluralNoun(nounOf(holder))}/{${holder.name}}/${actionOf(tool, [])}`;
  return `/${actionOf(tool, [])}`;
}

/** The schema without the argument that chooses fields of the records: its words are in many prompts. */
function withoutFields({ input_schema: schema }: Tool): JsonObject {
  const { fields, ...others } = objectOf(schema["properties"]);
  return objectOf(fields)["type"] === "array" ? { ...schema, properties: others } : schema;
}

function routed(tool: Tool): Tool {
  const { transport, resource, safety, verb } = tool;
  if (transport.kind !== "graphql" || resource === "") return tool;
  const method = safety === "read_only" ? "GET" : (METHODS[verb] ?? "POST");
  return { ...tool, input_schema: withoutFields(tool), transport: { ...transport, method, path: pathOf(tool) } };
}

/** A situation whose tools of GraphQL endpoints have paths. */
export function withRoutes(situation: Situation): Situation {
  const { tools } = situation;
  if (!tools.some(({ transport }) => transport.kind === "graphql")) return situation;
  let found = known.get(tools);
  if (!found) known.set(tools, (found = tools.map(routed)));
  return { ...situation, tools: found };
}
