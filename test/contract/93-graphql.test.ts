// GraphQL applications, through a whole daemon and a real server. Source: docs/graphql.md, "What comes back".
import { expect } from "chai";
import { type JsonObject, objectOf, parseJson } from "../../src/lib/json.js";
import { ask, getJson } from "../support/entry-points.js";
import { type GraphqlDaemon, LONG_SERIAL, startGraphqlDaemon } from "../support/graphql-shop.js";

const OFFLINE = { default_provider: "planner", providers: { planner: { type: "offline" } } };

describe("GraphQL", () => {
  let daemon: GraphqlDaemon;
  before(async () => (daemon = await startGraphqlDaemon({ config: OFFLINE })));
  after(() => daemon.close());

  it("lists a connection as its rows, digits kept, errors of parts beside them", async () => {
    const result = objectOf(await daemon.result("list_products", { first: 2 }));
    expect(result["items"]).to.deep.equal([
      {
        id: "1",
        name: "Rake",
        price: 12.5,
        stock: "IN_STOCK",
        serial: LONG_SERIAL,
        secret: null,
        cost: { amount: 6.25, currency: "EUR" },
        category: { id: "c1", name: "Garden" },
      },
      {
        id: "2",
        name: "Kettle",
        price: 30,
        stock: "SOLD_OUT",
        serial: 7,
        secret: null,
        cost: { amount: 15, currency: "EUR" },
        category: { id: "c2", name: "Kitchen" },
      },
    ]);
    const { total_count, has_next_page, end_cursor, errors } = result;
    expect({ total_count, has_next_page }).to.deep.equal({ total_count: 3, has_next_page: true });
    expect(errors).to.deep.equal([
      { message: "nobody may see the secret of a rake", path: ["products", "nodes", 0, "secret"] },
    ]);
    const rest = objectOf(
      await daemon.result("list_products", { first: 2, after: end_cursor ?? null, fields: ["name"] }),
    );
    expect(rest).to.deep.equal({ items: [{ name: "Spade" }], total_count: 3, has_next_page: false });
  });

  it("gives the nodes of edges, lists and envelopes as they are, and not_found for nothing", async () => {
    expect(objectOf(await daemon.result("list_customers"))["items"]).to.deep.equal([
      { id: "u1", name: "Ada", email: "ada@example.org", title: "Dr" },
      { id: "u2", name: "Bob", email: null, title: null },
    ]);
    expect(await daemon.result("list_categories", { fields: ["name"] })).to.deep.equal([
      { name: "Garden" },
      { name: "Kitchen" },
    ]);
    expect(await daemon.result("get_serial", { product: "1" })).to.equal(LONG_SERIAL);
    expect(await daemon.failure("get_product", { id: "77" })).to.deep.include({ error: "not_found" });
  });

  it("G37 takes dotted fields, through connections, unions and lists, and names what is there instead of one that is not", async () => {
    const category = await daemon.result("get_category", { id: "c1", fields: ["name", "products.name"] });
    expect(category).to.deep.equal({
      name: "Garden",
      products: {
        totalCount: 2,
        pageInfo: { hasNextPage: false, endCursor: "Mg==" },
        nodes: [{ name: "Rake" }, { name: "Spade" }],
      },
    });
    expect(await daemon.result("search", { text: "a", fields: ["name", "price", "Customer.email"] })).to.deep.include({
      __typename: "Customer",
      name: "Ada",
      email: "ada@example.org",
    });
    const { message } = await daemon.failure("get_product", { id: "1", fields: ["nam"] });
    expect(message).to.include('fields: Product has no field "nam". Did you mean name?').and.include("price");
    const sent = daemon.shop.requests.length;
    await daemon.failure("get_product", {
      id: "1",
      fields: ["name } } mutation x { deleteProduct(id: 1) { deletedId"],
    });
    expect(daemon.shop.requests).to.have.length(sent);
  });

  it("posts one named operation with its variables, and records it", async () => {
    await daemon.result("get_product", { id: "2", fields: ["id"] });
    const request = daemon.shop.requests.at(-1);
    expect(request?.method).to.equal("POST");
    expect(request?.headers["accept"]).to.equal("application/graphql-response+json, application/json;q=0.9");
    expect(parseJson(request?.body ?? "")).to.deep.equal({
      query: "query product($id: ID!) { product(id: $id) { id } }",
      operationName: "product",
      variables: { id: "2" },
    });
    const [row] = await getJson<JsonObject[]>(`${daemon.url}/history?limit=1`);
    expect(row?.["request"]).to.deep.equal({ method: "POST", url: daemon.shop.url, operation: "product" });
  });

  it("shows a mutation before the yes, sends it once, and every digit of it", async () => {
    const args = { name: "Hoe", price: 9.5, serial: LONG_SERIAL };
    const { status, result } = await daemon.callTool("create_product", args, { confirm: true });
    expect(status).to.equal("error");
    const id = String(objectOf(result)["confirmation_id"]);
    const [held] = await getJson<JsonObject[]>(`${daemon.url}/-/confirmations`);
    const { method, url, operation } = objectOf(held?.["request"]);
    expect({ method, url, operation }).to.deep.equal({
      method: "POST",
      url: daemon.shop.url,
      operation:
        "mutation createProduct($input: CreateProductInput!) { createProduct(input: $input) { product { id name price stock serial secret } } }",
    });
    const decided = await fetch(`${daemon.url}/-/confirmations/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"decision":"approve"}',
    });
    expect(decided.status).to.equal(200);
    expect(daemon.shop.products.filter(({ name }) => name === "Hoe")).to.have.length(1);
    expect(parseJson(daemon.shop.requests.at(-1)?.body ?? "")).to.deep.include({ variables: { input: args } });
  });

  it("G38 fails with what the server says, sends nothing under dry_run, refuses changes under read_only and all under strict", async () => {
    expect(await daemon.failure("get_failing")).to.deep.equal({
      error: "graphql_error",
      message: "the warehouse is closed",
      errors: [{ message: "the warehouse is closed", path: ["failing"], extensions: { code: "CLOSED" } }],
    });
    const sent = daemon.shop.requests.length;
    expect((await daemon.callTool("send_reminders", {}, { read_only: true })).status).to.equal("error");
    const dry = objectOf((await daemon.callTool("delete_product", { id: "1" }, { dry_run: true })).result);
    expect(JSON.stringify(dry)).to.include("mutation deleteProduct($id: ID!)");
    expect((await daemon.callTool("delete_product", { id: "1" }, { read_only: true })).status).to.equal("error");
    expect((await daemon.callTool("list_products", {}, { strict: true })).status).to.equal("error");
    expect(daemon.shop.requests).to.have.length(sent);
  });

  it("answers plain prompts without a model", async () => {
    const calls = async (message: string): Promise<JsonObject[]> => {
      const events = (await ask(daemon.url, { message })) as unknown as JsonObject[];
      return events
        .filter(({ kind }) => kind === "tool_call")
        .map(({ name, arguments: args }) => ({ name, args }) as JsonObject);
    };
    expect(await calls("list customers")).to.deep.equal([{ name: "list_customers", args: {} }]);
    expect(await calls("how many products are there?")).to.deep.equal([{ name: "list_products", args: {} }]);
    expect(await calls("show product 2")).to.deep.equal([{ name: "get_product", args: { id: "2" } }]);
    expect(await calls("create a product called Hoe with price 9.5")).to.deep.equal([
      { name: "create_product", args: { name: "Hoe", price: 9.5 } },
    ]);
  });
});
