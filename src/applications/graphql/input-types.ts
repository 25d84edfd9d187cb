// Types of arguments as JSON Schemas. Input objects and long enums stand once, in the definitions of the document, so that cycles
// are references; an argument that would need a file cannot be described. Source: GraphQL, section 3.10; docs/graphql.md, "Tools".
import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import { isObject, type JsonObject, type JsonValue, stringOf } from "../../lib/json.js";
import { ARGUMENT_TEXT, INNER_TEXT, plain } from "../http/openapi/text.js";
import { isUpload, usualScalar } from "./scalars.js";

/** A shorter enum is written where it is used. */
const MAX_INLINE_VALUES = 12;
/** Characters of a default that is worth telling. */
const MAX_DEFAULT = 100;

/** The schemas of one description. */
export interface InputSchemas {
  /** What the schemas refer to, by name; grows with them. */
  definitions: JsonObject;
  /** The schema of a value that is not null. */
  schemaOf(type: GraphQLInputType): JsonObject;
  /** The schema of a value, null where the type has it. */
  nullableSchemaOf(type: GraphQLInputType): JsonObject;
  /** The schema of a member of an input object, with what is said of it. */
  memberSchema(field: GraphQLInputField): JsonObject;
  /** Whether values of the type cannot be written without a file. */
  needsFile(type: GraphQLInputType): boolean;
}

/** What an argument or a member says of itself. */
interface Described {
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
  defaultValue?: unknown;
}

/** A default as JSON; undefined for none, and where it may have lost digits or is long. */
function defaultOf(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  const isExact = (one: unknown): boolean =>
    typeof one !== "object" || one === null
      ? typeof one !== "number" || Number.isSafeInteger(one) || !Number.isInteger(one)
      : Object.values(one).every(isExact);
  const text = isExact(value) ? JSON.stringify(value) : undefined;
  return text === undefined || text.length > MAX_DEFAULT ? undefined : (JSON.parse(text) as JsonValue);
}

/** A schema with description, deprecation and default. */
export function described(
  schema: JsonObject,
  { description, deprecationReason, defaultValue }: Described,
  max = ARGUMENT_TEXT,
): JsonObject {
  const deprecated = deprecationReason ? `Deprecated: ${deprecationReason}` : "";
  const own = stringOf(schema["description"]);
  const text = plain([deprecated, description ?? own].filter((part) => part !== "").join(" "), max);
  const value = defaultOf(defaultValue);
  return {
    ...schema,
    ...(text !== "" && { description: text }),
    ...(deprecated !== "" && { deprecated: true }),
    ...(value !== undefined && { default: value }),
  };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (schema["$ref"] !== undefined) return { anyOf: [schema, { type: "null" }] };
  if (type === undefined) return schema;
  const nullable: JsonObject = { ...schema, type: [...([type].flat() as JsonValue[]), "null"] };
  if (Array.isArray(values)) nullable["enum"] = [...values, null];
  return nullable;
}

function scalarSchema({ name, description, specifiedByURL }: GraphQLScalarType): JsonObject {
  const usual = usualScalar(name);
  if (usual) return { ...usual };
  const parts = [description ?? name, specifiedByURL ? `See ${specifiedByURL}` : ""];
  return { description: plain(parts.filter((part) => part !== "").join(" "), INNER_TEXT) };
}

function enumSchema(type: GraphQLEnumType): JsonObject {
  const values = type.getValues();
  const meanings = values.flatMap(({ name, description }) =>
    description ? [`${name}: ${plain(description, 80)}`] : [],
  );
  const text = plain([type.description ?? "", ...meanings].filter((part) => part !== "").join(" "), ARGUMENT_TEXT);
  return { type: "string", enum: values.map(({ name }) => name), ...(text !== "" && { description: text }) };
}

/** Schemas for the types of one description. */
export function createInputSchemas(): InputSchemas {
  const definitions: JsonObject = {};
  const files = new Map<string, boolean>();

  const needsFile = (type: GraphQLInputType): boolean => {
    if (isNonNullType(type)) return needsFile(type.ofType);
    if (isListType(type)) return needsFile(type.ofType);
    if (!isInputObjectType(type)) return isUpload(type.name) && !isEnumType(type);
    const known = files.get(type.name);
    if (known !== undefined) return known;
    // Required members make no cycles: such a type would have no value.
    files.set(type.name, false);
    const fields = Object.values(type.getFields());
    const isNeeded = type.isOneOf
      ? fields.length > 0 && fields.every((field) => needsFile(field.type))
      : fields.some((field) => isRequiredInputField(field) && needsFile(field.type));
    files.set(type.name, isNeeded);
    return isNeeded;
  };

  const schemaOf = (type: GraphQLInputType): JsonObject => {
    if (isNonNullType(type)) return schemaOf(type.ofType);
    if (isListType(type)) return { type: "array", items: schemaOf(type.ofType) };
    if (isInputObjectType(type)) return refer(type.name, () => objectSchema(type));
    if (!isEnumType(type)) return scalarSchema(type);
    return type.getValues().length > MAX_INLINE_VALUES ? refer(type.name, () => enumSchema(type)) : enumSchema(type);
  };

  const refer = (name: string, make: () => JsonObject): JsonObject => {
    if (!isObject(definitions[name])) {
      // Before what is in it, which may refer to it.
      definitions[name] = {};
      definitions[name] = make();
    }
    return { $ref: `#/$defs/${name}` };
  };

  const nullableSchemaOf = (type: GraphQLInputType): JsonObject =>
    isNonNullType(type) ? schemaOf(type) : orNull(schemaOf(type));

  const memberSchema = (field: GraphQLInputField): JsonObject =>
    described(nullableSchemaOf(field.type), field, INNER_TEXT);

  const objectSchema = (type: GraphQLInputObjectType): JsonObject => {
    const fields = Object.values(type.getFields()).filter((field) => !needsFile(field.type));
    const required = fields.filter(isRequiredInputField).map(({ name }) => name);
    const member = (field: GraphQLInputField): JsonObject =>
      type.isOneOf ? described(schemaOf(field.type), field, INNER_TEXT) : memberSchema(field);
    const description = plain(type.description ?? "", INNER_TEXT);
    return {
      type: "object",
      ...(description !== "" && { description }),
      properties: Object.fromEntries(fields.map((field) => [field.name, member(field)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
    };
  };

  return { definitions, schemaOf, nullableSchemaOf, memberSchema, needsFile };
}
