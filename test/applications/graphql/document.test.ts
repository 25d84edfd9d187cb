// Schemas of GraphQL to tools: names, arguments, safety, and that every operation made of them fits the schema.
// Source: docs/graphql.md, "Tools".
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type GraphQLSchema, parse, validate } from "graphql";
import { schemaToDocument } from "../../../src/applications/graphql/document.js";
import { graphqlOperation } from "../../../src/applications/graphql/operation.js";
import { readSchemaText } from "../../../src/applications/graphql/read-schema.js";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import type { Action } from "../../../src/domain/schema-document.js";
import { readSchema } from "../../../src/domain/schema-document.js";
import { type JsonObject, objectOf, textsOf, toJson } from "../../../src/lib/json.js";
import { createArgumentChecks } from "../../../src/tools/arguments/check.js";
import { SHOP_SDL } from "../../support/graphql-shop.js";

const CONTEXT = { baseUrl: "http://127.0.0.1:4000/graphql", tail: "", needsCredential: false };

interface Made {
  schema: GraphQLSchema;
  actions: Action[];
  skipped: { operation: string; reason: string }[];
  document: JsonObject;
}

function made(sdl: string): Made {
  const schema = readSchemaText(sdl, "the schema");
  const { document, report } = schemaToDocument(schema, CONTEXT);
  const { actions } = readSchema(document, impliedByTransport);
  return { schema, actions, skipped: report.skipped, document };
}

const named = ({ actions }: Made, name: string): Action => {
  const found = actions.find((action) => action.name === name);
  if (!found) throw new Error(`no ${name} among ${actions.map((one) => one.name).join(", ")}`);
  return found;
};

/** What the schema says is wrong with the operation of a call. */
function faults({ schema }: Made, action: Action, args: JsonObject): string[] {
  const { query } = graphqlOperation(action, args);
  return validate(schema, parse(query)).map(({ message }) => `${query}: ${message}`);
}

describe("Tools of a GraphQL schema", () => {
  const shop = made(SHOP_SDL);

  it("are the first ten thousand, with the types of these and no others @all", () => {
    const fields = Array.from({ length: 10_002 }, (_, i) => i);
    const { actions, skipped, document } = made(
      `type Query { ${fields.map((i) => `q${i}: T${i}`).join(" ")} } ${fields.map((i) => `type T${i} { id: ID }`).join(" ")}`,
    );
    expect(actions).to.have.length(10_000);
    expect(skipped.map(({ operation }) => operation)).to.deep.equal(["query q10000", "query q10001"]);
    const text = JSON.stringify(document["$defs"]);
    expect([text.includes('"T9999"'), text.includes('"T10000"')]).to.deep.equal([true, false]);
  });

  it("have the names a person would say, verb and safety by their words, and are all inferred", () => {
    const found = shop.actions.map(({ name, verb, safety, provenance, resource }) =>
      [name, verb, safety, provenance, resource].join(" "),
    );
    expect(found).to.deep.equal([
      "list_products list read_only inferred products",
      "get_product get read_only inferred products",
      "get_product_by get read_only inferred products",
      "get_failing get read_only inferred products",
      "export list read_only inferred products",
      "create_product create mutating inferred products",
      "update_product update mutating inferred products",
      "delete_product delete destructive inferred products",
      "list_customers list read_only inferred customers",
      "list_categories list read_only inferred categories",
      "get_category get read_only inferred categories",
      "list_reviews list read_only inferred reviews",
      "search list read_only inferred hits",
      "get_serial get read_only inferred serials",
      "send_reminders action mutating inferred send_reminders",
      "change_failing update mutating inferred failings",
    ]);
    expect(named(shop, "create_product").aliases).to.deep.equal(["createProduct"]);
  });

  it("are not made of subscriptions and uploads, which are told with the reason", () => {
    expect(shop.skipped).to.deep.equal([
      {
        operation: "mutation uploadPicture",
        reason: "file needs a file (Upload!), which a GraphQL request in JSON cannot carry",
      },
      { operation: "subscription productAdded", reason: "a subscription is a stream without an end" },
    ]);
  });

  it("take the members of a mutation's one input object as arguments, null where it is allowed", () => {
    const { parameters } = named(shop, "create_product");
    expect(objectOf(parameters["properties"])).to.have.all.keys([
      "name",
      "price",
      "stock",
      "serial",
      "categoryId",
      "fields",
    ]);
    expect(parameters["required"]).to.deep.equal(["name", "price"]);
    expect(objectOf(objectOf(parameters["properties"])["stock"])).to.deep.equal({
      type: ["string", "null"],
      enum: ["IN_STOCK", "SOLD_OUT", null],
      default: "IN_STOCK",
    });
    expect(graphqlOperation(named(shop, "update_product"), { id: "1", price: 3 }).variables).to.deep.equal({
      id: "1",
      changes: { price: 3 },
    });
  });

  it("take null of a change wherever the schema has it, and of a query nowhere at its top", async () => {
    const values = Array.from({ length: 20 }, (_, n) => `C${n}`);
    const { actions } = made(`
      enum Country { ${values.join(" ")} }
      input Address { street: String  country: Country }
      input Changes { address: Address  country: Country  name: String! }
      type Query { people(country: Country, first: Int): [String!]! }
      type Mutation { updatePerson(id: ID!, nickname: String, home: Country, changes: Changes!): Boolean }
    `);
    const checks = createArgumentChecks();
    const takes = async (name: string, args: JsonObject): Promise<boolean> => {
      const action = actions.find((one) => one.name === name);
      return action !== undefined && (await checks.check(action, args, true)).kind === "valid";
    };
    const change = { id: "1", name: "Ada" };
    const cleared = ["nickname", "home", "country", "address"].map((name): JsonObject => ({ [name]: null }));
    for (const one of [...cleared, { address: { country: null } }])
      expect(await takes("update_person", { ...change, ...one }), toJson(one)).to.equal(true);
    expect(await takes("update_person", { ...change, name: null })).to.equal(false);
    expect(await takes("list_people", {})).to.equal(true);
    for (const name of ["country", "first"]) expect(await takes("list_people", { [name]: null }), name).to.equal(false);
    checks.close();
  });

  it("share their input objects in the document, cycles too, and take exactly one member of a oneOf", () => {
    const definitions = objectOf(shop.document["$defs"]);
    const filter = objectOf(objectOf(definitions["ProductFilter"])["properties"]);
    expect(filter["any"]).to.deep.equal({ type: ["array", "null"], items: { $ref: "#/$defs/ProductFilter" } });
    expect(definitions["ProductKey"]).to.deep.equal({
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" } },
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
    });
  });

  it("send a page of 20 where nobody says how many, from one end only", () => {
    const list = named(shop, "list_products");
    expect(graphqlOperation(list, {}).variables).to.deep.equal({ first: 20 });
    expect(graphqlOperation(list, { first: 5, after: "x" }).variables).to.deep.equal({ first: 5, after: "x" });
    expect(graphqlOperation(named(shop, "list_customers"), {}).variables).to.deep.equal({});
    const both = made("type Query { rows(first: Int, last: Int): [String] }");
    expect(graphqlOperation(named(both, "list_rows"), { last: 3 }).variables).to.deep.equal({ last: 3 });
  });

  it("ask for leaves, the rows of a connection, what other records are called, and no more", () => {
    const query = (name: string): string => graphqlOperation(named(shop, name), {}).query;
    expect(query("list_products")).to.equal(
      "query products($first: Int) { products(first: $first) { totalCount pageInfo { hasNextPage endCursor } nodes { id name price stock serial secret cost { amount currency } category { id name } } } }",
    );
    expect(query("list_customers")).to.include("edges { node { id name email title } }");
    expect(query("list_reviews")).to.include("{ total results { id text product { id name } } }");
    expect(query("delete_product")).to.include("{ deletedId errors { code message field } }");
  });

  it("make operations of the schema, with no arguments, with all, and with each field chosen", () => {
    for (const action of shop.actions) {
      const all = Object.keys(objectOf(action.parameters["properties"])).filter((name) => name !== "fields");
      for (const names of [textsOf(action.parameters["required"]), all])
        expect(faults(shop, action, Object.fromEntries(names.map((name) => [name, "x"])))).to.deep.equal([]);
    }
  });

  it("ask members of a union under another name where their types disagree", () => {
    const odd = made(`
      type A { id: ID! title: String! owner: B } type B { id: ID title: String owner: B! }
      union Any = A | B  interface Node { id: ID }  type C implements Node { id: ID! name: String! } type D implements Node { id: ID! name: Int }
      type Query { anys: [Any] node(id: ID!): Node }`);
    const { query } = graphqlOperation(named(odd, "list_anys"), {});
    expect(query).to.include("... on A { id title } ... on B { id__B: id title__B: title }");
    for (const fields of [["title"], ["owner.title", "id"], ["A.title", "B.title", "title"], ["owner"]])
      expect(faults(odd, named(odd, "list_anys"), { fields })).to.deep.equal([]);
    for (const fields of [["name"], ["id", "C.id", "D.name", "C.name"]])
      expect(faults(odd, named(odd, "get_node"), { id: "1", fields })).to.deep.equal([]);
  });

  it("ask a page for what is chosen of it beside its rows, and an edge for what only stands there", () => {
    const page = made(`type P { hasNextPage: Boolean } type Owner { id: ID name: String }
      type Edge { node: T cursor: String role: String } type T { id: ID friends: TConnection }
      type TConnection { edges: [Edge] nodes: [T] pageInfo: P totalCount: Int owner: Owner }
      type Query { things(first: Int): TConnection }`);
    const list = named(page, "list_things");
    const queryOf = (...fields: string[]) => graphqlOperation(list, { fields }).query;
    expect(queryOf("id", "owner.name", "totalCount")).to.include("{ owner { name } totalCount");
    expect(queryOf("friends.owner")).to.include("friends { owner { id name } totalCount");
    expect(queryOf("id", "edges.node.id", "edges.role"))
      .to.include("{ edges { role } totalCount")
      .and.include("{ id }");
    for (const fields of [["owner"], ["edges.cursor", "id"], ["friends.edges.role", "friends.id"]])
      expect(faults(page, list, { fields })).to.deep.equal([]);
    expect(() => queryOf("edges.rule")).to.throw('Edge has no field "edges.rule". Did you mean role?');
  });

  it("give an argument another name where the field has one called fields", () => {
    const taken = made("type T { id: ID } type Query { things(fields: [String!], first: Int): [T] }");
    const list = named(taken, "list_things");
    expect(objectOf(list.parameters["properties"])).to.have.all.keys(["fields", "first", "select_fields"]);
    expect(graphqlOperation(list, { fields: ["a"], select_fields: ["id"] })).to.deep.include({
      query: "query things($fields: [String!], $first: Int) { things(fields: $fields, first: $first) { id } }",
      variables: { fields: ["a"], first: 20 },
    });
  });

  it("have names of their own where fields would share one, none longer than 64", () => {
    const long = `a${"Very".repeat(30)}Long`;
    const clash = made(
      `type T { id: ID } type Query { users: [T] listUsers: [T] allUsers: [T] ${long}: T search_tools: T } type Mutation { ListUsers: T }`,
    );
    const names = clash.actions.map(({ name }) => name);
    expect(new Set(names).size).to.equal(6);
    expect(names.every((name) => /^[a-z0-9_]{1,64}$/.test(name) && name !== "search_tools")).to.equal(true);
  });

  for (const [what, text] of [
    ["an SDL text that only extends", "extend type Query { a: Int }"],
    ["directives nobody defined", 'type Query @key(fields: "id") { a: Int @cost(weight: 3) }'],
  ])
    it(`are made of ${what}`, () => {
      expect(made(text ?? "").actions.map(({ name }) => name)).to.deep.equal(["get_a"]);
    });

  it("are made of a large schema in a second: every operation valid, small, and the document smaller than the schema", function () {
    this.timeout(30_000);
    const sdl = readFileSync(new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8");
    const before = performance.now();
    const large = made(sdl);
    expect(performance.now() - before).to.be.below(10_000);
    expect(large.actions).to.have.length(278);
    expect(JSON.stringify(large.document).length).to.be.below(sdl.length);
    const sizes = large.actions.map((action) => {
      const required = textsOf(action.parameters["required"]);
      const args = Object.fromEntries(required.map((name) => [name, "x"]));
      expect(faults(large, action, args)).to.deep.equal([]);
      return graphqlOperation(action, args).query.length;
    });
    sizes.sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).to.be.below(300);
    expect(sizes.at(-1)).to.be.below(6_000);
  });
});
