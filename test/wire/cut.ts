// Some operations of a description, cut out so that the independent validators can read them in milliseconds: what has no bearing
// on requests is left out, what OpenAPI takes for granted is written out. Every line that changes more than that has its reason beside it.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import { referenceNames, referred, valueAt } from "../../src/lib/json-pointer.js";

/** Every local reference in a value, as text; discriminators refer through their mapping. */
function refsIn(value: JsonValue | undefined, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) refsIn(item, found);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (key === "example" || key === "examples") continue;
      if (key === "$ref" && typeof inner === "string") found.add(inner);
      else if (key === "mapping" && isObject(inner))
        for (const target of Object.values(inner)) if (String(target).startsWith("#/")) found.add(String(target));
      refsIn(inner, found);
    }
  return found;
}

/** Kind and name of the component that a reference leads to, or into; empty when it leads elsewhere. */
function componentOf(ref: JsonValue | undefined): [kind: string, name: string] {
  const [section, kind = "", name = ""] = referenceNames(String(ref));
  return section === "components" && name !== "" ? [kind, name] : ["", ""];
}

/** The components that a value refers to, directly or not; undefined when it refers to anything else. */
function reachable(value: JsonValue, root: JsonObject): JsonObject | undefined {
  const components = objectOf(root["components"]);
  const kept: Record<string, JsonObject> = {};
  const queue = [...refsIn(value, new Set())];
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    const [kind, name] = componentOf(ref);
    if (kind === "") return undefined;
    const ofKind = (kept[kind] ??= {});
    if (Object.hasOwn(ofKind, name)) continue;
    const target = objectOf(components[kind])[name];
    ofKind[name] = target ?? {};
    queue.push(...refsIn(target, new Set()));
  }
  return kept;
}

/** A discriminator may map to a schema's bare name; the validator knows references only. */
function mappingOf(mapping: JsonObject): JsonObject {
  const toRef = (target: JsonValue): JsonValue =>
    /[#/]/.test(String(target)) ? target : `#/components/schemas/${String(target)}`;
  return Object.fromEntries(Object.entries(mapping).map(([value, target]) => [value, toRef(target)]));
}

const FORMATS = new Set(
  [
    "date date-time time duration uri uri-reference uri-template email hostname ipv4 ipv6 uuid regex",
    "json-pointer relative-json-pointer byte binary password int32 int64 float double",
  ].flatMap((names) => names.split(" ")),
);

const isModern = (root: JsonObject): boolean => /^3\.[12]/.test(String(root["openapi"]));

/** Where in a description a copy is: schemas lose and keep other things than the objects around them. */
type Around = "schema" | "names" | "other";

const componentAt = (root: JsonObject, kind: string, name: string): JsonObject =>
  objectOf(valueAt(root, ["components", kind, name]));

const namedSchema = (ref: JsonValue | undefined, root: JsonObject): [name: string, schema: JsonObject] => {
  const [kind, name] = componentOf(ref);
  return [name, kind === "schemas" ? componentAt(root, kind, name) : {}];
};

/**
 * A discriminator is a hint where to look first and changes nothing of what is valid (OpenAPI 3.1, Discriminator Object). Without a
 * mapping the validator takes the schemas' names for its values, also where the schemas themselves name others.
 */
function isMisread(schema: JsonObject, root: JsonObject): boolean {
  const { propertyName, mapping } = objectOf(schema["discriminator"]);
  return [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].some((branch) => {
    const [name, { properties }] = namedSchema(objectOf(branch)["$ref"], root);
    const { enum: values, const: value } = objectOf(objectOf(properties)[String(propertyName)]);
    const allowed = value === undefined ? listOf(values) : [value];
    return mapping === undefined && allowed.length > 0 && !allowed.includes(name);
  });
}

/** A copy of its own, without what has no bearing on requests and with what OpenAPI takes for granted written out. */
function copied(value: JsonValue, around: Around, root: JsonObject): JsonValue {
  const modern = isModern(root);
  if (Array.isArray(value)) return value.map((item) => copied(item, around, root));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (around === "names") out[key] = copied(inner, "schema", root);
    else if (key === "example" || key === "examples" || key === "description" || key.startsWith("x-")) continue;
    // It ignores a format it does not know, with a warning.
    else if (key === "format" && !FORMATS.has(String(inner))) continue;
    // What an item of a stream is has no place in 3.1; such a body is not read.
    else if (key === "itemSchema") continue;
    // Defaults refuse nothing, but the validator fills them in and then judges those.
    else if (key === "default" && around === "schema") continue;
    // Without a type it allows nothing more (OpenAPI 3.0.3, Schema Object), and the validator refuses to compile it.
    else if (key === "nullable" && value["type"] === undefined) continue;
    else if (key === "discriminator" && isMisread(value, root)) continue;
    else if (key === "enum" || key === "const") out[key] = structuredClone(inner);
    // 3.0's way of writing it in a 3.1 document: meant, and nothing the validator compiles.
    else if (modern && (key === "exclusiveMinimum" || key === "exclusiveMaximum") && typeof inner === "boolean") {
      const bound = value[key === "exclusiveMinimum" ? "minimum" : "maximum"];
      if (inner && bound !== undefined) out[key] = bound;
    } else if (key === "mapping" && isObject(inner)) out[key] = mappingOf(inner);
    else if (key === "properties" || key === "schemas") out[key] = copied(inner, "names", root);
    else out[key] = copied(inner, key === "schema" || around === "schema" ? "schema" : "other", root);
  }
  return out;
}

const USUAL: Record<string, string> = { path: "simple", query: "form", header: "simple", cookie: "form" };

function parameterOf(raw: JsonValue, root: JsonObject): JsonValue {
  const given = objectOf(raw);
  const [kind, name] = componentOf(given["$ref"]);
  if (given["$ref"] !== undefined && kind !== "parameters") return raw;
  const one = given["$ref"] === undefined ? given : componentAt(root, kind, name);
  const style = one["style"] ?? USUAL[String(one["in"])] ?? "form";
  const schema = isObject(one["schema"]) ? withoutReadOnly(one["schema"], root) : one["schema"];
  return {
    ...one,
    ...(one["content"] === undefined && { style, explode: one["explode"] ?? style === "form" }),
    ...(schema !== undefined && { schema }),
  };
}

/** The members of a whole query string (OpenAPI 3.2) as parameters of 3.1: what a form of plain members means. */
function unfolded(raw: JsonValue, root: JsonObject): JsonValue[] {
  const one = objectOf(raw);
  if (one["in"] !== "querystring") return [raw];
  const [media] = Object.values(objectOf(one["content"])).map(objectOf);
  const { schema, encoding } = media ?? {};
  const [, { properties, required } = objectOf(schema)] =
    objectOf(schema)["$ref"] === undefined ? [] : namedSchema(objectOf(schema)["$ref"], root);
  return Object.entries(objectOf(properties)).map(([name, member]) => {
    const { contentType, ...style } = objectOf(objectOf(encoding)[name]);
    const { type, items, allOf } = objectOf(member);
    const isNested = [type, objectOf(items)["type"]].flat().includes("object") || allOf !== undefined;
    const isRequired = one["required"] === true && listOf(required).includes(name);
    const parameter: JsonObject = { name, in: "query", required: isRequired };
    if (contentType !== undefined) return { ...parameter, content: { [String(contentType)]: { schema: member } } };
    const usual: JsonObject = isNested && Object.keys(style).length === 0 ? { style: "deepObject", explode: true } : {};
    return { ...parameter, ...usual, ...style, schema: member };
  });
}

/** `readOnly` means something for properties only (OpenAPI 3.1, Schema Object); the validator heeds it everywhere. */
function withoutReadOnly(schema: JsonObject, root: JsonObject): JsonObject {
  const [kind, name] = componentOf(schema["$ref"]);
  const target = kind === "schemas" ? componentAt(root, kind, name) : schema;
  if (target["readOnly"] !== true) return schema;
  const { readOnly: _, ...rest } = target;
  return rest;
}

/** What OpenAPI says is ignored when it is described as a header parameter. */
const IGNORED = /^header (accept|content-type|authorization)$/i;

/** What identifies an operation in its document. */
export interface OperationKey {
  path: string;
  method: string;
}

/** A path item, or the one it refers to. */
function itemAt(root: JsonObject, path: string): JsonObject {
  const item = objectOf(valueAt(root, ["paths", path]));
  return item["$ref"] === undefined ? item : objectOf(referred(item, root));
}

/** One operation on its own; undefined when the document does not have it. */
function operationOf(root: JsonObject, { path, method }: OperationKey): JsonObject | undefined {
  const { [method]: given, parameters } = itemAt(root, path);
  if (given === undefined) return undefined;
  const { responses: _, callbacks: __, servers: ___, requestBody, ...rest } = objectOf(given);
  const [, bodyName] = componentOf(objectOf(requestBody)["$ref"]);
  const body = bodyName === "" ? requestBody : componentAt(root, "requestBodies", bodyName);
  const own = listOf(rest["parameters"])
    .flatMap((one) => unfolded(one, root))
    .map((one) => parameterOf(one, root));
  const key = (one: JsonValue): string => `${objectOf(one)["in"]} ${objectOf(one)["name"]}`;
  const shared = listOf(parameters).map((one) => parameterOf(one, root));
  const all = [...shared.filter((one) => !own.some((other) => key(other) === key(one))), ...own];
  const kept = {
    ...rest,
    parameters: all.filter((one) => !IGNORED.test(key(one))),
    ...(body !== undefined && { requestBody: { required: false, ...objectOf(body) } }),
  };
  return { ...objectOf(copied(kept, "other", root)), responses: { 200: { description: "ok" } } };
}

/** The document with some of its operations, at `base`; a document that cannot be cut is given whole. */
export function cutTo(root: JsonObject, operations: readonly OperationKey[], base: string): JsonObject {
  const servers = [{ url: base || "/" }];
  const paths: Record<string, JsonObject> = {};
  for (const key of operations) {
    const operation = operationOf(root, key);
    if (!operation) return { ...structuredClone(root), servers };
    const path = key.path.split("#")[0] ?? "";
    paths[path] = { ...paths[path], [key.method]: operation };
  }
  const components = reachable(paths, root);
  if (!components) return { ...structuredClone(root), servers };
  const { securitySchemes } = objectOf(root["components"]);
  return {
    // YAML reads 3.0 as a number; of 3.2 what is left is 3.1.
    openapi: typeof root["openapi"] === "string" ? root["openapi"].replace(/^3\.2\.\d+/, "3.1.1") : "3.0.0",
    info: { title: "cut", version: "1" },
    servers,
    ...(root["security"] !== undefined && { security: root["security"] }),
    paths,
    components: {
      ...objectOf(copied(components, "other", root)),
      ...(securitySchemes !== undefined && { securitySchemes: structuredClone(securitySchemes) }),
    },
  };
}

/** Whether a router could take a request for one path for the other's. */
function confusable(a: string, b: string): boolean {
  const [left, right] = [a.split("/"), b.split("/")];
  if (a === b || left.length !== right.length) return false;
  return left.every((segment, i) => segment === right[i] || `${segment}${right[i]}`.includes("{"));
}

/** Operations judged by one instance of the validator: making one takes 20 ms, and it grows slow with many. */
const GROUP = 24;

/** Operations in groups that no router can confuse. `kindOf` keeps apart what must not share a group. */
export function grouped<T extends OperationKey>(operations: readonly T[], kindOf: (one: T) => string): T[][] {
  const groups: { kind: string; members: T[] }[] = [];
  for (const one of operations) {
    const kind = kindOf(one);
    const free = groups.find(
      (group) =>
        group.kind === kind &&
        group.members.length < GROUP &&
        !group.members.some(
          ({ path, method }) => confusable(path, one.path) || (path === one.path && method === one.method),
        ),
    );
    if (free) free.members.push(one);
    else groups.push({ kind, members: [one] });
  }
  return groups.map(({ members }) => members);
}
