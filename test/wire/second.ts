// The second judge: openapi-enforcer over one operation of the original document, consulted only about requests that the first cannot
// read. It knows every style of OpenAPI 3.0 and judges by a JSON Schema of its own, which is not Ajv. What it cannot judge either is
// named as its limit, never counted as valid.
import enforcer from "openapi-enforcer";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";
import type { Read, Verdict } from "./validate.js";

interface Result<T> {
  value?: T;
  error?: { toString(): string };
}

interface Description {
  request(request: object): Result<Pick<Read, "path" | "query" | "headers">>;
}

interface Rules {
  properties: Record<string, { errors?: unknown }>;
}

const load: (document: JsonObject, options: object) => Promise<Result<Description>> = enforcer;

// It reads objects in the styles spaceDelimited and pipeDelimited, and refuses their declaration: OpenAPI 3.0.3 has them in its
// examples and not in its table of styles, where 3.0.4 and 3.1 put them.
const parameter: { validator(data: unknown): Rules } = enforcer.v3_0.Parameter.enforcerDefinition;
const { validator } = parameter;
parameter.validator = (data) => {
  const rules = validator(data);
  delete rules.properties["style"]?.errors;
  return rules;
};

/** A request as it arrived, for one operation. */
export interface JudgedRequest {
  method: string;
  /** Path and query as they arrived, below the server's own path. */
  path: string;
  headers: Record<string, unknown>;
  /** As the first judge read it. */
  body: JsonValue;
  /** The parts of a multipart body that are files. */
  files: readonly { fieldname: string; buffer: Buffer }[];
}

/** The second judge's verdict, and what it read where that differs from what the first did. */
export interface Opinion {
  verdict: Verdict;
  read: Partial<Read>;
}

const OPTIONS = {
  fullResult: true,
  hideWarnings: true,
  // A body where HTTP gives it no meaning is to be ignored (OpenAPI 3.0.3, Operation Object), not refused.
  componentOptions: { requestBodyAllowedMethods: { get: true, head: true, delete: true } },
};

const oneLine = (error: unknown): string => String(error).replace(/\s+/g, " ");

const COMBINING = ["allOf", "anyOf", "oneOf", "not"];
/** Keywords that constrain no value. */
const REMARKS = ["title", "deprecated"];

/** What it would pass over in silence. All else that it does not know it refuses by name, 3.1's own keywords among it. */
function passedOver(value: JsonValue, modern: boolean): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  const keys = Object.keys(value).filter((key) => !REMARKS.includes(key));
  if (modern && keys.includes("$ref") && keys.length > 1) return "does not read what stands beside a $ref";
  if (modern && keys.includes("nullable")) return "reads nullable, which means nothing in 3.1";
  if (keys.some((key) => COMBINING.includes(key)) && keys.length > 1)
    return "does not read what stands beside an allOf, anyOf, oneOf or not";
  return Object.values(value)
    .map((inner) => passedOver(inner, modern))
    .find((found) => found !== undefined);
}

/** What stands between the items of a list, or the names and values of an object, in one part of a form. */
const BETWEEN: Readonly<Record<string, string>> = { form: ",", spaceDelimited: " ", pipeDelimited: "|" };

/** The fields of the form that an operation of 3.1 describes, each with its type and what stands between its items; 3.0 ignores styles in parts. */
function styledFields({ openapi, paths }: JsonObject): Map<string, { type: string; between: string }> {
  const inside = (value: JsonValue | undefined, key: string): JsonObject => objectOf(objectOf(value)[key]);
  const operations = Object.values(objectOf(paths)).flatMap((item) => Object.values(objectOf(item)));
  const forms = operations.map((one) => inside(inside(one, "requestBody")["content"], "multipart/form-data"));
  const fields = forms.flatMap(({ schema, encoding }) =>
    Object.entries(objectOf(encoding)).flatMap(([name, given]): [string, { type: string; between: string }][] => {
      const { style = "form", explode = style === "form" } = objectOf(given);
      const between = explode === false ? BETWEEN[String(style)] : undefined;
      const type = String(inside(objectOf(schema)["properties"], name)["type"]);
      return between === undefined ? [] : [[name, { type, between }]];
    }),
  );
  return new Map(String(openapi).startsWith("3.0") ? [] : fields);
}

/** The document without the styles of these fields, which are read here and which it does not take for every type. */
function withoutStyles(document: JsonObject, fields: ReadonlyMap<string, unknown>): JsonObject {
  const copied = JSON.stringify(document, (key, value: JsonValue) => {
    if (key !== "encoding" || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
  });
  return JSON.parse(copied) as JsonObject;
}

/** A part of a form that has no style and is an object or a list of them is JSON (OpenAPI 3.0.3, multipart content). Neither library reads either. */
function partsOf({ body, files }: JudgedRequest, document: JsonObject): object {
  const texts = isObject(body) ? Object.entries(body) : [];
  const styled = styledFields(document);
  const read = (name: string, text: JsonValue): unknown => {
    const { type, between = "" } = styled.get(name) ?? {};
    const items = String(text).split(between);
    if (type === "array") return items;
    if (type === "object") return Object.fromEntries(items.flatMap((one, i) => (i % 2 ? [[items[i - 1], one]] : [])));
    return /^[{[]/.test(String(text)) ? JSON.parse(String(text)) : text;
  };
  return Object.fromEntries([
    ...texts.map(([name, text]) => [name, read(name, text)]),
    ...files.map(({ fieldname, buffer }) => [fieldname, buffer]),
  ]);
}

/** Objects inside a list or another object of a parameter: OpenAPI leaves open how those are written. */
const NESTED =
  / parameters at: \S+ Unable to deserialize value( at: \S+ Expected an \w+\. Received: "([^"\\]|\\.)*")+$/;

/** The second judge's opinion of a request. `document` holds its operation alone. */
export async function secondOpinion(document: JsonObject, received: JudgedRequest): Promise<Opinion> {
  const unjudged = (limit: string, reason = ""): Opinion => ({
    verdict: { kind: "unjudged", limit: `openapi-enforcer ${limit}`, reason },
    read: {},
  });
  const { openapi, servers: _, security: __, components, ...rest } = document;
  const { schemas = {} } = isObject(components) ? components : {};
  const limit = passedOver([rest, schemas], String(openapi).startsWith("3.1"));
  if (limit !== undefined) return unjudged(limit);
  // It knows 3.0: in an operation of 3.1 that holds nothing it passes over or refuses, the two mean the same.
  const given = withoutStyles({ ...rest, openapi: "3.0.3", components: { schemas } }, styledFields(document));
  const described = await load(given, OPTIONS);
  if (!described.value) return unjudged("does not take the description", oneLine(described.error));
  const { method, path, headers } = received;
  const type = String(headers["content-type"] ?? "");
  const body = /^multipart/.test(type) ? partsOf(received, document) : received.body;
  const { value, error } = described.value.request({ method, path, headers, ...(type !== "" && { body }) });
  const reason = oneLine(error);
  if (NESTED.test(reason)) return unjudged("does not read objects inside lists", reason);
  if (!value) return { verdict: { kind: "invalid", reason: `openapi-enforcer: ${reason}` }, read: {} };
  // Cookies it leaves percent-encoded, and of a body it makes dates and bytes: those are compared as they arrived.
  const { path: inPath, query, headers: inHeaders } = value;
  return { verdict: { kind: "valid" }, read: { path: inPath, query, headers: inHeaders, body: body as JsonValue } };
}
