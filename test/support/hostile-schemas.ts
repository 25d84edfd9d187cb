// Schemas that a description may declare and arguments that a model may write, for which a plain validator takes minutes, all
// memory, or both. Each fits in a reply of some megabytes.
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { petShop } from "./daemon.js";

/** A schema of the argument `x`, and a value for it. */
export interface HostileSchema {
  schema: JsonObject;
  $defs?: JsonObject;
  value: JsonValue;
}

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const record = (length: number, make: (i: number) => JsonValue): JsonObject =>
  Object.fromEntries(list(length, (i) => [`p${i}`, make(i)]));

/** Doublings: each definition refers to the next one twice, so that there are 2^30 ways through them. */
const DOUBLINGS = 30;
const next = (i: number): JsonObject => ({ $ref: `#/$defs/s${i + 1}` });

function doubling(twice: (ref: JsonObject) => JsonObject, last: JsonObject = { type: "string" }): HostileSchema {
  const $defs = Object.fromEntries(list(DOUBLINGS, (i) => [`s${i}`, twice(next(i))]));
  return { schema: { $ref: "#/$defs/s0" }, $defs: { ...$defs, [`s${DOUBLINGS}`]: last }, value: 7 };
}

function nested(depth: number, value: JsonValue): JsonValue {
  return depth === 0 ? value : { c: nested(depth - 1, value) };
}

/**
 * Every case by its name. No value fits its schema, except where checking it takes any machine too long: a check that ends in time
 * refuses it too.
 */
export const HOSTILE_SCHEMAS: Readonly<Record<string, HostileSchema>> = {
  "anyOf that doubles": doubling((ref) => ({ anyOf: [ref, ref] })),
  "oneOf that doubles": doubling((ref) => ({ oneOf: [ref, ref] })),
  "allOf that doubles": doubling((ref) => ({ allOf: [ref, ref] }), {}),
  "if, then and else that double": doubling((ref) => ({ if: ref, else: ref })),
  "not that doubles": doubling((ref) => ({ anyOf: [{ not: { not: ref } }, ref] })),
  "dependentSchemas that double": {
    ...doubling(
      (ref) => ({ anyOf: [{ dependentSchemas: { c: ref } }, { dependentSchemas: { c: ref } }] }),
      false as never,
    ),
    value: { c: 1 },
  },
  "unevaluatedProperties that double": {
    ...doubling((ref) => ({ anyOf: [ref, ref], unevaluatedProperties: ref })),
    value: { c: 1 },
  },
  "a recursive schema that doubles with each level": {
    schema: { $ref: "#/$defs/node" },
    $defs: {
      node: {
        anyOf: [
          { type: "object", properties: { c: { $ref: "#/$defs/node" } } },
          { type: "object", properties: { c: { $ref: "#/$defs/node" } } },
        ],
      },
    },
    value: nested(60, 1),
  },
  "contains that doubles": { ...doubling((ref) => ({ contains: { anyOf: [ref, ref] } })), value: nestedList(40) },
  "references by URI that double": {
    schema: { $ref: "tag:x,1:s0" },
    $defs: Object.fromEntries(
      list(DOUBLINGS + 1, (i): [string, JsonObject] => {
        const ref = { $ref: `tag:x,1:s${i + 1}` };
        return [`s${i}`, { $id: `tag:x,1:s${i}`, ...(i < DOUBLINGS ? { anyOf: [ref, ref] } : { type: "string" }) }];
      }),
    ),
    value: 7,
  },
  "uniqueItems of 30,000 objects": {
    schema: { type: "array", uniqueItems: true },
    value: list(30_000, (i) => ({ a: "same", b: Math.max(i, 1) })),
  },
  "a pattern of a thousand letters on 200,000": {
    schema: { type: "string", pattern: "\\pL{1000}\\pN" },
    value: "a".repeat(200_000),
  },
  "a pattern as long as a book": {
    schema: { type: "string", pattern: `^${list(60_000, (i) => `(w${i}|x)?`).join("")}$` },
    value: "y",
  },
  "a pattern of ranges over all of Unicode, in either case": {
    schema: { type: "string", pattern: `^(?i:${"[a-\u{10ffff}]".repeat(800)})$` },
    value: "b",
  },
  "patternProperties of a range a thousand times, in either case": {
    schema: { type: "object", patternProperties: { [`(?si)[${"a-\u{10ffff}".repeat(1_000)}]`]: { type: "string" } } },
    value: { b: 1 },
  },
  "a format on 200,000 characters": {
    schema: { type: "string", format: "url" },
    value: `http://${":@".repeat(100_000)}`,
  },
  "an enum of 20,000 texts and a list of 20,000": {
    schema: { allOf: [{ items: { anyOf: [{ enum: list(20_000, (i) => `v${i}`) }, {}] } }, { maxItems: 1 }] },
    value: list(20_000, (i) => `w${i}`),
  },
  "an enum of 20,000 objects and a list of 20,000": {
    schema: { allOf: [{ items: { anyOf: [{ enum: list(20_000, (i) => ({ a: { b: i } })) }, {}] } }, { maxItems: 1 }] },
    value: list(20_000, () => ({ a: { b: -1 } })),
  },
  "30,000 properties with patterns": {
    schema: { type: "object", properties: record(30_000, (i) => ({ type: "string", pattern: `^a{${i % 900}}b$` })) },
    value: { p0: "c" },
  },
  "3,000 patternProperties and 20,000 names": {
    schema: { type: "object", patternProperties: record(3_000, () => ({ type: "string" })) },
    value: record(20_000, () => 1),
  },
  "3,000 references to an object of 3,000 properties": {
    schema: { type: "object", properties: record(3_000, () => ({ $ref: "#/$defs/large" })) },
    $defs: { large: { type: "object", properties: record(3_000, () => ({ type: "string" })) } },
    value: { p0: 1 },
  },
  "definitions nested 5,000 deep": {
    schema: { $ref: "#/$defs/s0" },
    $defs: Object.fromEntries(list(5_000, (i) => [`s${i}`, { allOf: [next(i), { properties: { [`n${i}`]: {} } }] }])),
    value: { c: 1 },
  },
  "names of 20,000 characters on each of a hundred levels": { schema: longNames(100), value: 7 },
  "a definition that is itself": { schema: { $ref: "#/$defs/a" }, $defs: { a: { $ref: "#/$defs/a" } }, value: 1 },
};

function longNames(depth: number): JsonObject {
  return { type: "object", ...(depth > 0 && { properties: { ["k".repeat(20_000)]: longNames(depth - 1) } }) };
}

function nestedList(depth: number): JsonValue {
  return depth === 0 ? 1 : [nestedList(depth - 1)];
}

/** The parameters of a tool with this case's schema. */
export function hostileParameters({ schema, $defs }: HostileSchema): JsonObject {
  return { type: "object", properties: { x: schema }, required: ["x"], ...($defs && { $defs }) };
}

/** The name of the tool of a case. */
export const toolOf = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]+/g, "_").slice(0, 60);

/** The pet shop with a tool for each case that creates something. */
export function hostileShop(target: string, cases: Readonly<Record<string, HostileSchema>>): object {
  const actions = Object.entries(cases).map(([name, hostile]) => ({
    name: toolOf(name),
    provenance: "declared",
    parameters: hostileParameters(hostile),
    transport: { kind: "http", method: "POST", path: "/hostile", body: { properties: { x: "x" } } },
  }));
  const shop = petShop(target) as { resources: object[] };
  return { ...shop, resources: [...shop.resources, { name: "hostile", actions }] };
}
