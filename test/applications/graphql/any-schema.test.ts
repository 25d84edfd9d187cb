// Any schema: interfaces whose fields are narrowed, unions, cycles, nested lists, inputs of inputs, oneOf. Whatever it is, each
// operation fits it, and so does each value that the parameters of a tool take. Source: docs/graphql.md, "Tools".
import { readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { coerceInputValue, type GraphQLInputType, type GraphQLSchema, parse, validate, validateSchema } from "graphql";
import { schemaToDocument } from "../../../src/applications/graphql/document.js";
import { graphqlOperation } from "../../../src/applications/graphql/operation.js";
import { readOutputTypes } from "../../../src/applications/graphql/output-types.js";
import { readSchemaText } from "../../../src/applications/graphql/read-schema.js";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import { type Action, readSchema } from "../../../src/domain/schema-document.js";
import { type JsonObject, objectOf } from "../../../src/lib/json.js";
import { schemaValue } from "../../support/schema-values.js";

/** Paths of one action that are tried one by one. */
const MAX_ALONE = 10;

/** As many as one call may have. */
const MAX_TOGETHER = 200;

const CONTEXT = { baseUrl: "", tail: "", needsCredential: false };

/** Types of fields, from least to most: what an implementing type may make of an interface's field. */
const LEAVES = ["ID", "String", "Int", "Float", "Boolean", "Colour", "Any"];
const FIELDS = [
  "id",
  "name",
  "title",
  "code",
  "size",
  "owner",
  "parts",
  "other",
  "nodes",
  "pageInfo",
  "errors",
  "items",
];
const WRAPPERS = ["%", "%!", "[%]", "[%!]!", "[[%]]"];

const wrapped = (wrapper: string, type: string): string => wrapper.replace("%", type);

/** The text of a schema. */
const sdl: fc.Arbitrary<string> = fc
  .record({
    objects: fc.integer({ min: 1, max: 5 }),
    interfaces: fc.integer({ min: 0, max: 2 }),
    unions: fc.integer({ min: 0, max: 2 }),
    inputs: fc.integer({ min: 1, max: 4 }),
    seed: fc.array(fc.nat(1_000_000), { minLength: 400, maxLength: 400 }),
  })
  .map(({ objects, interfaces, unions, inputs, seed }) => {
    let at = 0;
    const random = (below: number): number => (seed[at++ % seed.length] ?? 0) % below;
    const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    const some = <T>(list: readonly T[]): T[] => list.filter(() => random(2) === 0);
    const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => prefix + i);
    const objectNames = names("T", objects);
    const interfaceNames = names("I", interfaces);
    const unionNames = names("U", unions);
    const inputNames = names("In", inputs);
    const composites = [...objectNames, ...interfaceNames, ...unionNames];
    const args = (): string => {
      const found = some(["first: Int", "limit: Int!", `filter: ${oneOf(inputNames)}`, "key: ID!", "fields: [String]"]);
      return found.length > 0 && random(3) === 0 ? `(${found.join(", ")})` : "";
    };
    const field = (name: string): string =>
      `${name}${args()}: ${wrapped(oneOf(WRAPPERS), oneOf([...LEAVES, ...composites]))}${random(8) === 0 ? ' @deprecated(reason: "old")' : ""}`;
    const fieldsOf = (): string[] => [...new Set(["id", ...some(FIELDS)])].map(field);
    const own = new Map(interfaceNames.map((name) => [name, fieldsOf()]));
    // An interface's field without arguments may be made non-null by who implements it.
    const narrowed = (text: string): string =>
      /!\s*(@|$)/.test(text) || random(2) === 0 ? text : text.replace(/(: [^@]*\S)(\s*@.*)?$/, "$1!$2");
    const types = objectNames.map((name) => {
      const implemented = interfaceNames.filter(() => random(2) === 0).slice(0, 1);
      const inherited = implemented.flatMap((one) => (own.get(one) ?? []).map(narrowed));
      const taken = new Set(inherited.map((text) => text.split(/[(:]/)[0]));
      const rest = fieldsOf().filter((text) => !taken.has(text.split(/[(:]/)[0]));
      const head = implemented.length > 0 ? ` implements ${implemented.join(" & ")}` : "";
      return `type ${name}${head} { ${[...inherited, ...rest].join(" ")} }`;
    });
    const inputFields = (isOneOf: boolean): string[] =>
      [...new Set(["a", ...some(["b", "c", "d", "clientMutationId"])])].map((name) => {
        const isObject = random(3) === 0 && !(isOneOf && name === "a");
        const type = isObject ? oneOf(inputNames) : oneOf(LEAVES);
        const wrapper = isOneOf || isObject ? oneOf(["%", "[%]", "[%!]"]) : oneOf(["%", "%!", "[%!]!"]);
        return `${name}: ${wrapped(wrapper, type)}`;
      });
    const inputTypes = inputNames.map((name) => {
      const isOneOf = random(4) === 0;
      return `input ${name}${isOneOf ? " @oneOf" : ""} { ${inputFields(isOneOf).join(" ")} }`;
    });
    const root = (prefix: string): string =>
      names(prefix, 4)
        .map((name) => {
          const variables = some([
            `input: ${oneOf(inputNames)}!`,
            "id: ID!",
            "first: Int",
            `more: [${oneOf(inputNames)}!]`,
            "fields: Int",
          ]);
          const given = variables.length > 0 ? `(${variables.join(", ")})` : "";
          return `${name}${given}: ${wrapped(oneOf(WRAPPERS), oneOf([...composites, "String"]))}`;
        })
        .join(" ");
    return [
      "enum Colour { RED GREEN BLUE } scalar Any",
      ...interfaceNames.map((name) => `interface ${name} { ${own.get(name)?.join(" ")} }`),
      ...types,
      ...unionNames.map(
        (name) => `union ${name} = ${[...new Set([oneOf(objectNames), ...some(objectNames)])].join(" | ")}`,
      ),
      ...inputTypes,
      `type Query { ${root("query")} } type Mutation { ${root("update")} }`,
    ].join("\n");
  });

function actionsOf(text: string): { schema: GraphQLSchema; actions: Action[]; definitions: JsonObject } {
  const schema = readSchemaText(text, "it");
  const { document } = schemaToDocument(schema, CONTEXT);
  return {
    schema,
    actions: readSchema(document, impliedByTransport).actions,
    definitions: objectOf(document["$defs"]),
  };
}

/** Throws Error when the operation or its variables do not fit the schema. */
function checkCall(schema: GraphQLSchema, action: Action, args: JsonObject): void {
  const { query, variables } = graphqlOperation(action, args);
  const [fault] = validate(schema, parse(query));
  if (fault) throw new Error(`${fault.message} in ${query}`);
  const { operation, field } = action.transport as JsonObject & { kind: string };
  const root = operation === "query" ? schema.getQueryType() : schema.getMutationType();
  const types = new Map(root?.getFields()[String(field)]?.args.map(({ name, type }) => [name, type]));
  for (const [name, value] of Object.entries(variables))
    coerceInputValue(value, types.get(name) as GraphQLInputType, (path, _, error) => {
      throw new Error(`${action.name}: ${name}.${path.join(".")}: ${error.message}`);
    });
}

/** Each field of what an action gives, alone, and the fields of those. */
function pathsOf(action: Action): string[] {
  const types = readOutputTypes(action.definitions);
  const base = (text: string): string => text.replace(/[[\]!]/g, "");
  const own = types.get(base(String(action.transport["returns"])));
  const members = [...(own?.fields.values() ?? [])];
  const inherited = (own?.members ?? []).flatMap((member) => [...(types.get(member)?.fields.values() ?? [])]);
  return [...members, ...inherited].flatMap((field) => [
    field.name,
    ...[...(types.get(field.base)?.fields.keys() ?? [])].map((inner) => `${field.name}.${inner}`),
  ]);
}

function checkAction(schema: GraphQLSchema, action: Action, definitions: JsonObject): void {
  const choice = action.transport["fields"];
  for (const whole of [false, true])
    for (const pick of [0, 1]) {
      const { [String(choice)]: _, ...args } = objectOf(
        schemaValue(action.parameters, definitions, { whole, pick: whole ? pick : 0 }),
      );
      checkCall(schema, action, args);
      if (typeof choice !== "string") continue;
      const paths = pathsOf(action);
      for (const path of paths.slice(0, MAX_ALONE)) checkCall(schema, action, { ...args, [choice]: [path] });
      checkCall(schema, action, { ...args, [choice]: paths.slice(0, MAX_TOGETHER) });
    }
}

describe("Any GraphQL schema", function () {
  this.timeout(120_000);

  const property = fc.property(sdl, (text) => {
    const { schema, actions, definitions } = actionsOf(text);
    fc.pre(validateSchema(schema).length === 0);
    expect(actions.length).to.be.greaterThan(0);
    for (const action of actions) checkAction(schema, action, definitions);
  });

  it("G39 becomes operations and values that fit it", () => {
    fc.assert(property, { numRuns: 10, endOnFailure: true });
  });

  it("becomes operations and values that fit it, many times @all", () => {
    fc.assert(property, { numRuns: 300, endOnFailure: true });
  });

  it("of a large service takes each value that its tools take @all", () => {
    const file = new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
    const { schema, actions, definitions } = actionsOf(readFileSync(file, "utf8"));
    for (const action of actions) {
      for (const whole of [false, true])
        for (const pick of whole ? [0, 1] : [0]) {
          const args = objectOf(schemaValue(action.parameters, definitions, { whole, pick }));
          const { fields: _, ...rest } = args;
          checkCall(schema, action, rest);
        }
      const paths = pathsOf(action).slice(0, 200);
      if (paths.length > 0)
        checkCall(schema, action, {
          ...objectOf(schemaValue(action.parameters, definitions, { whole: false })),
          fields: paths,
        });
    }
  });
});
