// Descriptions that are small and mean much: each would take time, memory or a document out of all proportion to its size, if
// what it refers to were written out. Used by the tests of `agentd sync` and by the soak.
import type { JsonObject, JsonValue } from "../../src/lib/json.js";

type Named<T> = Readonly<Record<string, T>>;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const from = (entries: [string, JsonValue][]): JsonObject => Object.fromEntries(entries);
const text: JsonObject = { type: "string" };

/** Levels of a chain in which each level refers to the next one twice: 2^27 when written out. */
const DOUBLINGS = 27;

/** OpenAPI 3.1 with these schemas, and one operation that sends and receives the first, beside one that needs none. */
function openapi(schemas: JsonObject, paths: JsonObject = {}, components: JsonObject = {}): JsonObject {
  const json = { "application/json": { schema: { $ref: "#/components/schemas/S0" } } };
  const post = { requestBody: { content: json }, responses: { 200: { description: "ok", content: json } } };
  return {
    openapi: "3.1.0",
    info: { title: "hostile", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/bomb": { post }, "/plain": { get: { operationId: "plain", responses: {} } }, ...paths },
    components: { schemas, ...components },
  };
}

/** The same in Swagger 2.0. */
function swagger(definitions: JsonObject, rest: JsonObject = {}): JsonObject {
  const schema = { $ref: "#/definitions/S0" };
  const post = {
    parameters: [{ name: "body", in: "body", schema }],
    responses: { 200: { description: "ok", schema } },
  };
  return {
    swagger: "2.0",
    info: { title: "hostile", version: "1" },
    host: "127.0.0.1:9",
    paths: { "/bomb": { post }, "/plain": { get: { operationId: "plain", responses: {} } } },
    definitions,
    ...rest,
  };
}

/** A chain of schemas, each made of references to the next one. */
function chain(
  levels: number,
  level: (next: JsonObject, i: number) => JsonObject,
  prefix = "#/components/schemas/",
): JsonObject {
  const links = range(levels).map((i): [string, JsonObject] => [`S${i}`, level({ $ref: `${prefix}S${i + 1}` }, i)]);
  return from([...links, [`S${levels}`, { type: "object", properties: { a: text } }]]);
}

const twice =
  (key: string) =>
  (next: JsonObject): JsonObject => ({ [key]: [next, next] });
const inProperties = (next: JsonObject): JsonObject => ({ type: "object", properties: { a: next, b: next } });
/** Each level is a choice that a discriminator makes between heirs of itself. */
const discriminated = (next: JsonObject): JsonObject => ({
  oneOf: [next, next],
  discriminator: { propertyName: "kind" },
});
const ownProperty = (next: JsonObject, i: number): JsonObject => ({
  allOf: [next, next, { type: "object", properties: { same: { const: i } } }],
});

/** Levels of schemas, each of which is made of all of the next level. */
function layers(count: number, width: number, join: (next: JsonObject[]) => JsonObject): JsonObject {
  const name = (level: number, i: number): string => (level === 0 ? "S0" : `L${level}_${i}`);
  return from(
    range(count).flatMap((level) =>
      range(level === 0 ? 1 : width).map((i): [string, JsonObject] => {
        const next = range(width).map((n) => ({ $ref: `#/components/schemas/${name(level + 1, n)}` }));
        return [name(level, i), level === count - 1 ? { type: "object" } : join(next)];
      }),
    ),
  );
}

const named = (next: JsonObject[]): JsonObject => ({
  type: "object",
  properties: from(next.map((one, i) => [`p${i}`, one])),
});

/** A value inside so many lists. */
function nested(depth: number): JsonObject {
  let schema: JsonObject = text;
  for (let i = 0; i < depth; i++) schema = { items: schema };
  return schema;
}

/** Operations that all use the same parameters or the same body. */
function operations(count: number, operation: JsonObject): JsonObject {
  return from(range(count).map((i) => [`/o${i}`, { post: { ...operation, responses: {} } }]));
}

const wide = (count: number): JsonObject => ({
  type: "object",
  properties: from(range(count).map((i) => [`name_of_property_${i}`, text])),
});
const body = (ref: string): JsonObject => ({
  requestBody: { content: { "application/json": { schema: { $ref: ref } } } },
});

/** The same operations with nothing hostile: what the others are measured against. */
export const PLAIN = (): JsonObject => openapi({ S0: { type: "object", properties: { a: text } } });

/** What every change of the import is tried on. */
export const HOSTILE: Named<() => JsonObject> = {
  "doubling allOf": () => openapi(chain(DOUBLINGS, twice("allOf"))),
  "doubling definitions of Swagger 2.0": () => swagger(chain(DOUBLINGS, twice("allOf"), "#/definitions/")),
};

/** Everything else. */
export const MORE_HOSTILE: Named<() => JsonObject> = {
  "names, addresses and patterns of a million characters": () => {
    const long = (character: string): string => `x${character.repeat(1_000_000)}x`;
    const get = (operation: JsonObject): JsonObject => ({ get: { responses: {}, ...operation } });
    const parameter = (name: string, schema = text): JsonObject => ({ name, in: "query", schema });
    const schemes = from(["_", " _", "A"].map((character) => [long(character), { type: "http", scheme: "basic" }]));
    return openapi(
      { S0: { type: "object", properties: { [long("_")]: text, [long("A")]: text } }, [long("_ ")]: text },
      {
        "/ids": get({ operationId: long("_"), tags: [long("_"), long("A")] }),
        "/words": get({ operationId: long("A"), summary: long("A"), tags: [long("A")] }),
        "/signs": get({
          operationId: long(" _"),
          parameters: [long("_"), long("A"), long("!_")].map((n) => parameter(n)),
        }),
        "/patterns": get({ parameters: [parameter("p", { type: "string", pattern: `${"[".repeat(1_000_000)}\\` })] }),
        "/servers": { ...get({}), servers: [{ url: `http://127.0.0.1:9/${long("/")}` }] },
        [`/${long("_")}`]: get({}),
        [`/${long("A")}`]: get({}),
      },
      { securitySchemes: schemes },
    );
  },
  "a body of 20,000 members in 2,000 operations": () =>
    openapi({ S0: text, Wide: wide(20_000) }, operations(2_000, body("#/components/schemas/Wide"))),
  "doubling anyOf": () => openapi(chain(DOUBLINGS, twice("anyOf"))),
  "doubling oneOf": () => openapi(chain(DOUBLINGS, twice("oneOf"))),
  "doubling properties": () => openapi(chain(DOUBLINGS, inProperties)),
  "doubling allOf, each level with a property of its own": () => openapi(chain(DOUBLINGS, ownProperty)),
  "doubling choices by discriminator": () => openapi(chain(DOUBLINGS, discriminated)),
  "doubling allOf, deeper than anything real": () => openapi(chain(2_000, twice("allOf"))),
  "a chain of 20,000 references": () => openapi(chain(20_000, (next) => next)),
  "doubling anyOf of Swagger 2.0": () => swagger(chain(DOUBLINGS, twice("x-anyOf"), "#/definitions/")),
  "doubling properties of Swagger 2.0": () => swagger(chain(DOUBLINGS, inProperties, "#/definitions/")),
  "parameters of Swagger 2.0 on paths and operations": () => {
    const list = range(5_000).map((i) => ({ $ref: `#/parameters/P${i}` }));
    const get = { parameters: list, responses: {} };
    return swagger(
      { S0: text },
      {
        parameters: from(range(5_000).map((i) => [`P${i}`, { name: `p${i}`, in: "query", type: "string" }])),
        paths: {
          "/plain": { get: { operationId: "plain", responses: {} } },
          "/a": { parameters: list, get, post: get, put: get },
        },
      },
    );
  },
  "body parameters of Swagger 2.0 on paths and operations": () => {
    const bodies = range(5_000).map((i) => ({ name: `b${i}`, in: "formData", type: "string" }));
    const paths = {
      "/plain": { get: { operationId: "plain", responses: {} } },
      "/a": { parameters: bodies, post: { parameters: bodies } },
    };
    return swagger({ S0: text }, { paths });
  },
  "responses and media types of Swagger 2.0": () => {
    const types = range(3_000).map((i) => `application/x-${i}`);
    const responses = from(range(3_000).map((i) => [`${i}`, { $ref: "#/responses/R" }]));
    const paths = { "/plain": { get: { operationId: "plain", responses } } };
    return swagger({ S0: text }, { produces: types, consumes: types, responses: { R: { schema: text } }, paths });
  },
  "a schema that is all of itself": () =>
    openapi({ S0: { allOf: [{ $ref: "#/components/schemas/S0" }, { $ref: "#/components/schemas/S0" }] } }),
  "schemas that are all of each other": () => {
    const all = range(50).map((i) => ({ $ref: `#/components/schemas/S${i}` }));
    return openapi(from(range(50).map((i) => [`S${i}`, { allOf: all }])));
  },
  "levels of a hundred parts": () => openapi(layers(8, 100, (next) => ({ allOf: next }))),
  "levels of a hundred choices": () => openapi(layers(8, 100, (next) => ({ anyOf: next }))),
  "levels of a hundred properties": () => openapi(layers(8, 100, named)),
  "levels of a hundred items": () => openapi(layers(8, 100, (next) => ({ prefixItems: next, type: "array" }))),
  "files in levels of a hundred choices": () => {
    const schemas = layers(6, 100, (next) => ({ anyOf: next }));
    const form = {
      "multipart/form-data": { schema: { type: "object", properties: { file: { $ref: "#/components/schemas/S0" } } } },
    };
    return openapi(schemas, { "/upload": { post: { requestBody: { content: form }, responses: {} } } });
  },
  "nesting of 500 levels": () => openapi({ S0: { type: "object", properties: { deep: nested(500) } } }),
  "a default of 500 levels": () => {
    const list = range(490).reduce<JsonValue>((inner) => [inner], 1);
    return openapi({ S0: { type: "object", properties: { a: { type: "array", default: list } } } });
  },
  "one property described 20,000 times": () =>
    openapi({
      S0: { allOf: range(20_000).map((i) => ({ type: "object", properties: { same: { not: { const: i } } } })) },
    }),
  "a parameter of 1 MB in 5,000 operations": () => {
    const schema = { enum: range(60_000).map((i) => `value ${i}`) };
    const parameters = { P: { name: "p", in: "query", schema } };
    const operation = { parameters: [{ $ref: "#/components/parameters/P" }] };
    return openapi({ S0: text }, operations(5_000, operation), { parameters });
  },
  "a path item of 5,000 paths": () => {
    const item = from(
      ["get", "put", "post", "delete", "patch"].map((method) => [
        method,
        { responses: {}, ...body("#/components/schemas/Wide") },
      ]),
    );
    const paths = from(range(5_000).map((i) => [`/p${i}`, { $ref: "#/components/pathItems/I" }]));
    return openapi({ S0: text, Wide: wide(500) }, paths, { pathItems: { I: item } });
  },
  "20,000 heirs of one schema": () => {
    const base = { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind" } };
    const heirs = range(20_000).map((i): [string, JsonObject] => [
      `H${i}`,
      { allOf: [{ $ref: "#/components/schemas/S0" }] },
    ]);
    return openapi(from([["S0", base], ...heirs]));
  },
  "readOnly names of 5,000 in 5,000 schemas": () => {
    const properties = from(range(5_000).map((i) => [`p${i}`, { type: "string", readOnly: true }]));
    const bases = [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }];
    const heirs = range(5_000).map((i): [string, JsonObject] => [`H${i}`, { allOf: bases }]);
    const all = {
      type: "object",
      properties: from(heirs.map(([name]) => [name, { $ref: `#/components/schemas/${name}` }])),
    };
    return openapi(
      from([["S0", all], ["A", { properties }], ["B", { properties: { b: { readOnly: true } } }], ...heirs]),
    );
  },
  "20,000 names that differ in punctuation": () => {
    const names = range(20_000).map((i) => `a${"!".repeat(i % 141)}b${"?".repeat(i / 141)}`);
    const properties = from(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
    return openapi(
      from([
        ["S0", { type: "object", properties }],
        ...names.map((name): [string, JsonValue] => [name, { type: "object" }]),
      ]),
    );
  },
  "150,000 references that lead nowhere": () => {
    const gone = (unused: number): JsonObject[] =>
      range(30_000).map((i) => ({ $ref: `#/components/schemas/Gone${unused}_${i}` }));
    return openapi(from([["S0", text], ...range(5).map((i): [string, JsonObject] => [`U${i}`, { anyOf: gone(i) }])]));
  },
  "20,000 undeclared parameters of a path": () =>
    openapi(
      { S0: text },
      {
        [`/${range(20_000)
          .map((i) => `{p${i}}`)
          .join("/")}`]: { get: { responses: {} } },
      },
    ),
  "20,000 declared parameters of a path": () => {
    const parameters = range(20_000).map((i) => ({ name: `p${i}`, in: "path", required: true, schema: text }));
    const path = `/${parameters.map(({ name }) => `{${name}}`).join("/")}`;
    return openapi({ S0: text }, { [path]: { get: { parameters, responses: {} } } });
  },
  "a server of a million characters in 500 operations": () => {
    const servers = [{ url: `http://127.0.0.1:9/${"a".repeat(1_000_000)}` }];
    const paths = from(range(500).map((i) => [`/p${i}`, { $ref: "#/components/pathItems/I" }]));
    return openapi({ S0: text }, paths, { pathItems: { I: { get: { responses: {} }, servers } } });
  },
  "10,000 ways to sign in for 5,000 operations": () => {
    const security = range(10_000).map((i) => ({ [`scheme${i}`]: [] }));
    return { ...openapi({ S0: text }, operations(5_000, {})), security };
  },
};

const yamlHead = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/plain: {get: {operationId: plain}}}\n";

/** The same in YAML's own ways. */
export const HOSTILE_YAML: Named<() => string> = {
  "a fault at each of a million places": () => `${yamlHead}x-0: [${",".repeat(1_000_000)}]\n`,
  "a tag too many at each of a million places": () => `${yamlHead}x-0: ${"!t ".repeat(1_000_000)}a\n`,
  "a million documents": () => `${yamlHead}${"---\n".repeat(1_000_000)}`,
  "aliases that double": () =>
    `${yamlHead}x-0: &a0 [1, 1]\n${range(40)
      .map((i) => `x-${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)
      .join("\n")}\n`,
  "merges that double": () =>
    `${yamlHead}x-0: &a0 {k: 1}\n${range(40)
      .map((i) => `x-${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}]}`)
      .join("\n")}\n`,
  "merges of a map of 5,000 into 5,000 maps": () =>
    `${yamlHead}x-0: &a\n${range(5_000)
      .map((i) => `  k${i}: 1`)
      .join("\n")}\nx-1:\n${range(5_000)
      .map((i) => `  m${i}: {<<: *a}`)
      .join("\n")}\n`,
  "an alias of itself": () => `${yamlHead}x-0: &a {self: *a}\n`,
};
