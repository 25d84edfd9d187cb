// The arguments of a root field as the parameters of a tool, and what a call has to know to give them back: which variable each one
// is, what is sent when it is not given. The one input object of a mutation is taken apart, so that its members are arguments.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { createArgumentNames } from "../names.js";
import type { WrittenGraphqlDescription } from "./description.js";
import { described, type InputSchemas } from "./input-types.js";
import { pagedBy } from "./output-schema.js";
import { ECHOED } from "./selection.js";

/** Rows of a page when nobody says how many. */
const PAGE_ROWS = 20;
/** What the arguments of a page mean where the schema does not say. Source: GraphQL Cursor Connections Specification, section 4. */
const PAGE_WORDS: Readonly<Record<string, string>> = {
  first: "how many",
  limit: "how many",
  after: "the end_cursor of the page before",
  last: "how many, from the end",
  before: "only what stands before this cursor",
};

/** The root field of an operation, with its arguments. */
export type RootGraphqlField = GraphQLField<unknown, unknown>;

/** What becomes of the arguments of a field. */
interface ToolArguments {
  parameters: JsonObject;
  transport: Pick<WrittenGraphqlDescription, "variables" | "input" | "names" | "defaults" | "fields">;
}

/** The input object of the one argument whose members are arguments of the tool; undefined where it stays an object. */
function takenApart(args: readonly GraphQLArgument[]): { name: string; type: GraphQLInputObjectType } | undefined {
  const objects = args.flatMap(({ name, type }) => {
    const inner = isNonNullType(type) ? type.ofType : undefined;
    return isInputObjectType(inner) && !inner.isOneOf ? [{ name, type: inner }] : [];
  });
  const [only] = objects;
  const others = args.filter(({ name }) => name !== only?.name);
  if (!only || objects.length > 1 || others.some(({ type }) => isInputObjectType(getNamedType(type)))) return undefined;
  const members = only.type.getFields();
  return others.some(({ name }) => Object.hasOwn(members, name)) ? undefined : only;
}

/** The count that is sent when no argument names one. */
function defaultCount(args: readonly GraphQLArgument[]): JsonObject {
  const paged = pagedBy(args);
  const found = args.find(({ name }) => name === paged);
  return paged && found && found.defaultValue === undefined ? { [paged]: PAGE_ROWS } : {};
}

/** Properties under names that a tool may have, and which of them are required. */
class Properties {
  readonly members: JsonObject = {};
  readonly required: string[] = [];
  readonly names: Record<string, string> = {};
  readonly #nameOf = createArgumentNames();

  add(wire: string, schema: JsonObject, isRequired: boolean): void {
    const name = this.#nameOf("argument", wire);
    this.members[name] = schema;
    if (name !== wire) this.names[name] = wire;
    if (isRequired) this.required.push(name);
  }

  /** A name for an argument of our own. */
  addOwn(wanted: readonly string[], schema: JsonObject): string {
    const name = wanted.find((one) => !Object.hasOwn(this.members, one)) ?? this.#nameOf("choose", wanted[0] ?? "");
    this.members[name] = schema;
    return name;
  }
}

function addArgument(
  properties: Properties,
  argument: GraphQLArgument,
  { isMutation, defaults, schemas }: { isMutation: boolean; defaults: JsonObject; schemas: InputSchemas },
): void {
  const own: JsonValue | undefined = defaults[argument.name];
  const description = argument.description ?? PAGE_WORDS[argument.name];
  // Of a change null is a value, which mostly clears one; of a query it is what is left out.
  const type = isMutation ? schemas.nullableSchemaOf(argument.type) : schemas.schemaOf(argument.type);
  const schema = described(type, { ...argument, description });
  const counted = own === undefined ? schema : { ...schema, default: own };
  properties.add(argument.name, counted, isRequiredArgument(argument) && own === undefined);
}

function addMembers(properties: Properties, type: GraphQLInputObjectType, schemas: InputSchemas): void {
  const usable = (field: GraphQLInputField): boolean =>
    (field.name !== ECHOED || isRequiredInputField(field)) && !schemas.needsFile(field.type);
  for (const field of Object.values(type.getFields()).filter(usable))
    properties.add(field.name, schemas.memberSchema(field), isRequiredInputField(field));
}

/** What may be chosen of a value, named by some of it. */
function choiceSchema(examples: readonly string[]): JsonObject {
  const like = examples.length > 0 ? ` such as ${examples.map((one) => JSON.stringify(one)).join(", ")}` : "";
  return {
    type: "array",
    items: { type: "string" },
    description: `only these fields of each record, dotted paths${like}`,
  };
}

/** The parameters of a tool for a field; `examples` are fields of what it gives, undefined where that is a leaf. */
export function toolArguments(
  { args }: RootGraphqlField,
  {
    isMutation,
    examples,
    schemas,
  }: { isMutation: boolean; examples: readonly string[] | undefined; schemas: InputSchemas },
): ToolArguments {
  const usable = args.filter(({ type }) => !schemas.needsFile(type));
  const apart = isMutation ? takenApart(usable) : undefined;
  const defaults = isMutation ? {} : defaultCount(usable);
  const properties = new Properties();
  for (const argument of usable)
    if (apart?.name === argument.name) addMembers(properties, apart.type, schemas);
    else addArgument(properties, argument, { isMutation, defaults, schemas });
  const { required } = properties;
  const fields = examples && properties.addOwn(["fields", "select_fields", "result_fields"], choiceSchema(examples));
  return {
    parameters: {
      type: "object",
      properties: properties.members,
      ...(required.length > 0 && { required: [...required] }),
      additionalProperties: false,
    },
    transport: {
      ...(usable.length > 0 && { variables: Object.fromEntries(usable.map(({ name, type }) => [name, String(type)])) }),
      ...(apart && { input: apart.name }),
      ...(Object.keys(properties.names).length > 0 && { names: properties.names }),
      ...(Object.keys(defaults).length > 0 && { defaults }),
      ...(fields !== undefined && { fields }),
    },
  };
}

/** Why a field cannot be called; undefined when it can. */
export function missingFile({ args }: RootGraphqlField, { needsFile }: InputSchemas): string | undefined {
  const found = args.find((one) => isRequiredArgument(one) && needsFile(one.type));
  return found && `${found.name} needs a file (${String(found.type)}), which a GraphQL request in JSON cannot carry`;
}
