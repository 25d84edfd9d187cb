// Parameters of Swagger 2.0 as OpenAPI 3.0 writes them: their keywords as a schema, collection formats as styles, and what is in
// a body or a form as a request body.
// Source: Swagger 2.0 specification, Parameter Object and Items Object.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../lib/json.js";
import { INNER_STYLES, spelled, textOf } from "./read.js";

/** Fields of a parameter that are no keywords of its values. */
const NOT_SCHEMA = new Set([
  "name",
  "in",
  "description",
  "required",
  "schema",
  "collectionFormat",
  "allowEmptyValue",
  "deprecated",
  "example",
  "x-deprecated",
  "x-example",
  "x-ms-skip-url-encoding",
]);
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** How a list is written, by collection format. */
const COMMAS: JsonObject = { style: "form", explode: false };
const STYLES: Readonly<Record<string, JsonObject>> = {
  csv: COMMAS,
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

/** Whether a parameter is part of the body. */
export function isBodyParameter({ in: location }: JsonObject): boolean {
  return location === "body" || location === "formData";
}

/** Lists inside of lists that are looked at. */
const MAX_LEVELS = 8;

/** The styles of the lists inside of a list. */
function innerStyles({ items }: JsonObject): string[] {
  const styles: string[] = [];
  for (let one = objectOf(items); one["type"] === "array" && styles.length < MAX_LEVELS; one = objectOf(one["items"]))
    styles.push(spelled((STYLES[textOf(one["collectionFormat"]) ?? "csv"] ?? COMMAS)["style"]));
  return styles;
}

/** The style of a list; none for single values, and for lists in paths and headers with commas, which is what they have anyway. */
function styleOf(parameter: JsonObject): JsonObject | undefined {
  const { type, in: location, collectionFormat } = parameter;
  if (type !== "array") return undefined;
  const style = STYLES[textOf(collectionFormat) ?? "csv"];
  const isPair = location === "query" || location === "formData";
  const inner = innerStyles(parameter);
  return {
    ...((isPair || (style && !spelled(style["style"]).startsWith("form"))) && style),
    ...(inner.length > 0 && { [INNER_STYLES]: inner }),
  };
}

/** The parameter's keywords as a schema; without a type it is a text, and a file is bytes. */
function schemaOf(parameter: JsonObject): JsonObject {
  const { schema, type } = parameter;
  if (isObject(schema) && type === undefined) return schema;
  const keywords = Object.entries(parameter).filter(([key]) => !NOT_SCHEMA.has(key));
  const bytes = type === "file" && { type: "string", format: "binary" };
  return { type: "string", ...Object.fromEntries(keywords), ...bytes };
}

const converted = new WeakMap<JsonObject, JsonObject>();

/**
 * A path, query or header parameter, the same one for the same; what is none, such as a reference that leads nowhere, stays as it
 * is.
 */
export function convertParameter(raw: JsonValue): JsonValue {
  if (!isObject(raw) || raw["name"] === undefined) return raw;
  let parameter = converted.get(raw);
  if (!parameter) converted.set(raw, (parameter = convertDescribed(raw)));
  return parameter;
}

function convertDescribed(raw: JsonObject): JsonObject {
  const { name, in: location, description, required } = raw;
  const optional = {
    description,
    required,
    deprecated: raw["x-deprecated"] ?? raw["deprecated"],
    example: raw["x-example"] ?? raw["example"],
    allowReserved: location === "query" ? raw["x-ms-skip-url-encoding"] : undefined,
  };
  const given = Object.entries(optional).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return {
    name: name ?? null,
    in: location ?? null,
    ...Object.fromEntries(given),
    ...styleOf(raw),
    schema: schemaOf(raw),
  };
}

const properties = new WeakMap<JsonObject, JsonObject>();

/** A form field as the property of an object: the same one for the same field. */
function propertyOf(field: JsonObject): JsonObject {
  let property = properties.get(field);
  if (!property) {
    const notes = { description: field["description"], example: field["x-example"] ?? field["example"] };
    const given = Object.entries(notes).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
    properties.set(field, (property = { ...Object.fromEntries(given), ...schemaOf(field) }));
  }
  return property;
}

/** Form fields as the properties of an object. A file can only be sent as multipart, whatever `consumes` lists. */
function formBody(fields: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const isMultipart = consumes.includes(MULTIPART) || fields.some((field) => field["type"] === "file");
  const properties = fields.map((field) => [spelled(field["name"]), propertyOf(field)]);
  const required = fields.filter((field) => field["required"] === true).map((field) => spelled(field["name"]));
  const schema: JsonObject = { type: "object", properties: Object.fromEntries(properties) };
  if (required.length > 0) schema["required"] = required;
  const styles = fields.flatMap((field) => {
    const style = styleOf(field);
    const differs = style && (style["explode"] === false || style[INNER_STYLES] !== undefined);
    return differs ? [[spelled(field["name"]), style]] : [];
  });
  const media: JsonObject = { schema };
  if (styles.length > 0) media["encoding"] = Object.fromEntries(styles);
  return { required: required.length > 0, content: { [isMultipart ? MULTIPART : FORM]: media } };
}

/** The request body that `body` and `formData` parameters make; undefined when there are none. */
export function requestBodyOf(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
  const body = parameters.findLast((one) => one["in"] === "body");
  if (!body) return parameters.length > 0 ? formBody(parameters, consumes) : undefined;
  const { description, required, schema } = body;
  const types = consumes.length > 0 ? consumes : ["application/json"];
  return {
    ...(description !== undefined && { description }),
    required: required === true,
    content: Object.fromEntries(types.map((type) => [type, { schema: schema ?? {} }])),
  };
}
