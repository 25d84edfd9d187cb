// A GraphQL schema as a schema document: a tool for each root field of Query and Mutation. Pure.
// Source: docs/graphql.md, "Tools".
import { type GraphQLSchema, getNamedType } from "graphql";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { INNER_TEXT, plain, sentences, TOOL_TEXT } from "../http/openapi/text.js";
import type { Imported } from "../source.js";
import { missingFile, type RootGraphqlField, toolArguments } from "./arguments.js";
import type { WrittenGraphqlDescription } from "./description.js";
import { createInputSchemas, type InputSchemas } from "./input-types.js";
import { nameRootFields, type RootField, resourcesOf, rootFieldVerb } from "./names.js";
import { outputTypes } from "./output-schema.js";
import { type OutputField, type OutputTypes, writeOutputTypes } from "./output-types.js";
import { rootFieldSafety } from "./safety.js";
import { leavesOf, usualSelection } from "./selection.js";
import { connectionOf, givesMany, itemOf } from "./shape.js";

/** Root fields of one schema; real ones have up to a few thousand. */
const MAX_OPERATIONS = 10_000;
/** Fields that the description of the argument `fields` names. */
const MAX_EXAMPLES = 3;

/** What a document is made of beside the schema. */
interface DocumentContext {
  /** Where calls go, "" when nobody has said. */
  baseUrl: string;
  /** What stands behind it: "/", a query. */
  tail: string;
  /** Whether the endpoint asked for a credential. */
  needsCredential: boolean;
}

/** The one scheme there is: a GraphQL schema says nothing of how to sign in. */
export const BEARER = { bearer: { type: "http", scheme: "bearer" } };

/** A root field that becomes a tool. */
interface Operation extends RootField {
  definition: RootGraphqlField;
}

function rootFields(schema: GraphQLSchema): { operation: "query" | "mutation"; definition: RootGraphqlField }[] {
  const of = (operation: "query" | "mutation", type: ReturnType<GraphQLSchema["getQueryType"]>) =>
    Object.values(type?.getFields() ?? {}).map((definition) => ({ operation, definition }));
  return [...of("query", schema.getQueryType()), ...of("mutation", schema.getMutationType())];
}

/** Leaves of a record, as examples for what can be chosen. */
function examplesOf(item: string, types: OutputTypes): string[] | undefined {
  const type = types.get(item);
  if (!type) return undefined;
  const leaves = leavesOf(type, types).map(({ name }) => name);
  const isRecord = ({ base }: OutputField): boolean =>
    types.get(base)?.fields.has("id") === true && !connectionOf(base, types);
  const other = [...type.fields.values()].find((field) => !field.isDeprecated && isRecord(field));
  return [...leaves.slice(0, MAX_EXAMPLES - 1), ...(other ? [`${other.name}.id`] : [])];
}

/** What a tool does, in the words of the schema, or at least in those of its name. */
function descriptionOf({ definition }: Operation, name: string): string {
  const { description, deprecationReason } = definition;
  const own = plain(description ?? "", TOOL_TEXT - INNER_TEXT);
  const words = name.replaceAll("_", " ");
  const said = own || `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return deprecationReason ? sentences(plain(`Deprecated: ${deprecationReason}`, INNER_TEXT), said) : said;
}

/** What the making of actions shares. */
interface Making extends DocumentContext {
  types: OutputTypes;
  schemas: InputSchemas;
}

function toAction(operation: Operation, name: string, { types, schemas, tail, needsCredential }: Making): JsonObject {
  const { definition, field, item } = operation;
  const returns = String(definition.type);
  const base = getNamedType(definition.type).name;
  const isMutation = operation.operation === "mutation";
  const examples = types.has(base) ? (examplesOf(item, types) ?? []) : undefined;
  const { parameters, transport } = toolArguments(definition, { isMutation, examples, schemas });
  const description = descriptionOf(operation, name);
  const safety = rootFieldSafety(operation.operation, field, definition.description ?? "");
  const selection = usualSelection(returns, types);
  const connection = connectionOf(base, types);
  const written: WrittenGraphqlDescription = {
    kind: "graphql",
    operation: operation.operation,
    field,
    returns,
    ...transport,
    ...(selection !== undefined && { selection }),
    ...(connection && !returns.startsWith("[") && { rows: connection.rows }),
    ...(tail !== "" && { tail }),
    ...(needsCredential && { security: [{ bearer: [] }] }),
  };
  return {
    name,
    ...(name !== field && { aliases: [field] }),
    description,
    verb: rootFieldVerb(operation, safety === "read_only"),
    safety,
    provenance: "inferred",
    parameters,
    transport: written as JsonObject,
  };
}

/** Actions under the resources they are about, both in the order of the schema. */
function grouped(actions: readonly JsonObject[], resources: readonly string[]): JsonObject[] {
  const groups = new Map<string, JsonValue[]>();
  for (const [at, action] of actions.entries()) {
    const name = resources[at] ?? "";
    groups.set(name, [...(groups.get(name) ?? []), action]);
  }
  return [...groups].map(([name, own]) => ({ name, actions: own }));
}

/** The document of a schema, and what became of everything in it. */
export function schemaToDocument(
  schema: GraphQLSchema,
  context: DocumentContext,
): Pick<Imported, "document" | "report"> {
  const found = rootFields(schema);
  const schemas = createInputSchemas();
  const skipped: Imported["report"]["skipped"] = [];
  const usable = found.filter(({ operation, definition }) => {
    const reason = missingFile(definition, schemas);
    if (reason !== undefined) skipped.push({ operation: `${operation} ${definition.name}`, reason });
    return reason === undefined;
  });
  for (const { operation, definition } of usable.splice(MAX_OPERATIONS))
    skipped.push({ operation: `${operation} ${definition.name}`, reason: `more than ${MAX_OPERATIONS} operations` });
  const types = outputTypes(
    schema,
    usable.map(({ definition }) => getNamedType(definition.type)),
  );
  const operations = usable.map(({ operation, definition }): Operation => {
    const { name: field, type } = definition;
    const returns = String(type);
    const item = itemOf(returns, types);
    return { operation, definition, field, givesMany: givesMany(returns, types), item: types.has(item) ? item : "" };
  });
  const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
  for (const field of subscriptions)
    skipped.push({ operation: `subscription ${field}`, reason: "a subscription is a stream without an end" });
  const names = nameRootFields(operations);
  const making = { ...context, types, schemas };
  const actions = operations.map((operation, at) => toAction(operation, names[at] ?? operation.field, making));
  const about = plain(schema.description ?? "", INNER_TEXT);
  const definitions = { ...schemas.definitions, ...writeOutputTypes(types) };
  return {
    document: {
      version: 1,
      source: "graphql",
      ...(about !== "" && { description: about }),
      base_url: context.baseUrl,
      auth: BEARER,
      resources: grouped(actions, resourcesOf(operations)),
      $defs: definitions,
    },
    report: {
      operations: found.length + subscriptions.length,
      imported: actions.length,
      skipped,
      renamed: [],
      readsByWords: [],
      warnings: [],
    },
  };
}
