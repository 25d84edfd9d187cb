// A schema as the library of GraphQL reads it becomes the types that selections are made of: only what can be reached from the
// operations, only fields that can be called without arguments of their own.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { OutputField, OutputType, OutputTypes } from "./output-types.js";

/** The argument that says how many rows a field gives. */
export function pagedBy(args: readonly GraphQLArgument[]): OutputField["paged"] {
  const isCount = ({ type }: GraphQLArgument): boolean => getNamedType(type).name === "Int";
  if (args.some((one) => one.name === "first" && isCount(one))) return "first";
  return args.some((one) => one.name === "limit" && isCount(one)) ? "limit" : undefined;
}

/** A field as it can be selected; undefined for one that needs arguments nobody can guess. */
function outputField({ name, type, args, deprecationReason }: GraphQLField<unknown, unknown>): OutputField | undefined {
  const paged = pagedBy(args);
  if (args.some((one) => isRequiredArgument(one) && one.name !== paged)) return undefined;
  const field: OutputField = { name, type: String(type), base: getNamedType(type).name };
  if (paged) field.paged = paged;
  if (deprecationReason !== undefined && deprecationReason !== null) field.isDeprecated = true;
  return field;
}

function outputType(type: GraphQLNamedType, schema: GraphQLSchema): OutputType {
  const own = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  // Payloads often lead back to all queries there are.
  const root = schema.getQueryType()?.name;
  const fields = own.flatMap((field) => outputField(field) ?? []).filter(({ base }) => base !== root);
  const found: OutputType = { fields: new Map(fields.map((field) => [field.name, field])) };
  if (isAbstractType(type)) found.members = schema.getPossibleTypes(type).map(({ name }) => name);
  return found;
}

/** The types that values of the named ones may hold, at any depth. */
export function outputTypes(schema: GraphQLSchema, roots: readonly GraphQLNamedType[]): OutputTypes {
  const types = new Map<string, OutputType>();
  const open = roots.filter((type) => !isLeafType(type));
  for (let type = open.pop(); type; type = open.pop()) {
    if (types.has(type.name)) continue;
    const found = outputType(type, schema);
    types.set(type.name, found);
    for (const name of [...[...found.fields.values()].map(({ base }) => base), ...(found.members ?? [])]) {
      const next = schema.getType(name);
      if (next && !isLeafType(next) && !types.has(name)) open.push(next);
    }
  }
  return types;
}
