// Everyday prompts for the offline planner: spans, orders, switches, names. And what its answers admit.
import { expect } from "chai";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { createSession, type Turn, tool } from "./session.js";

const S = { type: "string" };
const I = { type: "integer" };
const DATE = { type: "string", format: "date" };
const SORT = { type: "string", enum: ["price", "-price", "created_at", "-created_at"] };
const KEY = { product_id: I };
const TOOLS: readonly Tool[] = [
  tool("list_products", "list", "GET /products", {
    search: S,
    in_stock: { type: "boolean" },
    sort: SORT,
    limit: I,
  }),
  tool("get_product", "get", "GET /products/{product_id}", KEY, ["product_id"]),
  tool("create_product", "create", "POST /products", { name: S, sku: S, desc: S, price: { type: "number" } }, ["name"]),
  tool("update_product", "update", "PATCH /products/{product_id}", { ...KEY, name: S, price: I }, ["product_id"]),
  tool("delete_product", "delete", "DELETE /products/{product_id}", KEY, ["product_id"]),
  tool("list_customers", "list", "GET /customers", { city: S, country: S }),
  tool("list_customer_orders", "list", "GET /customers/{customer_id}/orders", { customer_id: I }, ["customer_id"]),
  tool("list_orders", "list", "GET /orders", { from: DATE, to: DATE }),
  tool("get_order", "get", "GET /orders/{order_id}", { order_id: I }, ["order_id"]),
  tool("count_todos", "get", "GET /todos/count"),
  tool("list_todos", "list", "GET /todos"),
  tool("list_pets", "list", "GET /pets", { species: { type: "string", enum: ["dog", "cat", "bird"] }, page: I }),
];

const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  products: [
    { id: 1, name: "Desk", price: 120, created_at: "2026-01-01" },
    { id: 2, name: "Ada Lamp", price: 15, created_at: "2026-03-01" },
  ],
  customers: [{ id: 4, name: "Ada Lindqvist" }],
  orders: [
    { id: 5, total: 80, created_at: "2026-03-02" },
    { id: 6, total: 150, created_at: "2026-04-02" },
  ],
  todos: [
    { id: 1, title: "Buy milk", done: true },
    { id: 2, title: "Call Ada", done: false },
  ],
};

function answer(called: Tool, args: JsonObject): JsonValue {
  if (called.name === "count_todos") return { count: 2 };
  if (called.name === "get_order") return { id: 5, lines: [{ product: "Desk", quantity: 2 }] };
  if (called.verb === "list") return [...(ROWS[called.resource] ?? [])].filter(() => args["city"] === undefined);
  return { id: 1, ...args };
}

const ask = (prompt: string): Promise<Turn> => createSession(TOOLS, answer)(prompt);

describe("The offline planner understands", () => {
  const cases: [string, [string, JsonObject][]][] = [
    ["orders in March 2026", [["list_orders", { from: "2026-03-01", to: "2026-03-31" }]]],
    ["orders since March 2026", [["list_orders", { from: "2026-03-01" }]]],
    ["list dogs", [["list_pets", { species: "dog" }]]],
    ["how many cats are there", [["list_pets", { species: "cat" }]]],
    ["list birds", [["list_pets", { species: "bird" }]]],
    ["list pets", [["list_pets", {}]]],
    ["orders since August", [["list_orders", { from: "2026-08-01" }]]],
    ["orders over 100", [["list_orders", {}]]],
    ["the 3 cheapest products", [["list_products", { sort: "price", limit: 3 }]]],
    ["latest 2 products", [["list_products", { sort: "-created_at", limit: 2 }]]],
    ["latest 1 orders", [["list_orders", {}]]],
    ["which products are out of stock?", [["list_products", { in_stock: false }]]],
    ["which products are we out of", [["list_products", { in_stock: false }]]],
    ["products we've run out of", [["list_products", { in_stock: false }]]],
    ["list products in stock", [["list_products", { in_stock: true }]]],
    ["search products for kettle", [["list_products", { search: "kettle" }]]],
    ["is product 3 in stock?", [["get_product", { product_id: 3 }]]],
    ["search for a notebook", []],
    ["the cheapest one of the products", [["list_products", { sort: "price" }]]],
    ["customers in Germany", [["list_customers", { country: "Germany" }]]],
    ["customers in Berlin", [["list_customers", { city: "Berlin" }]]],
    ["show order 5's customer", [["get_order", { order_id: 5 }]]],
    [
      "set the name of product 3 to tea we are out of",
      [["update_product", { product_id: 3, name: "tea we are out of" }]],
    ],
    ["add product Oak Table with price 80", [["create_product", { name: "Oak Table", price: 80 }]]],
    ['create a product "Mug" with description "holds tea"', [["create_product", { name: "Mug", desc: "holds tea" }]]],
    ["count completed todos", [["list_todos", {}]]],
    ["how many todos are there?", [["count_todos", {}]]],
  ];
  for (const [prompt, calls] of cases)
    it(`"${prompt}"`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal(calls);
    });
});

describe("The offline planner changes nothing that is not exactly meant", () => {
  for (const prompt of ["change the price of the Desk lamp to 5", "delete the Desk lamp"])
    it(`"${prompt}" is not the Desk`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls.map(([name]) => name))
        .to.not.include.members(["update_product"])
        .and.not.include("delete_product");
      expect(text).to.match(/no product called "Desk lamp"|No tool clearly fits/);
    });

  for (const prompt of ["delete all products", "set the price of all products to 0", "delete the cheapest product"])
    it(`"${prompt}" looks nothing up`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/one product at a time|Which product_id/);
    });

  it("and asks what should change when the prompt does not mention it", async () => {
    const session = createSession(TOOLS, answer);
    expect((await session("update product 1")).text).to.contain("What should change?");
    expect((await session("11")).calls).to.deep.equal([]);
    expect((await session("price: 11")).calls).to.deep.equal([["update_product", { product_id: 1, price: 11 }]]);
  });
});

describe("The answers of the offline planner", () => {
  const says: [string, string][] = [
    ["which orders are still open?", 'I could not narrow this by "open".'],
    ["customers in Berlin", "No customers found with city = Berlin."],
    ["show product 1 and product 2", 'This leaves out "2"'],
    ["delete product 1 and create product Vase", "I make one change a prompt"],
    ["orders of Ada Byron", 'I found no customer called "Ada Byron"'],
    ["count completed todos", "1 todo with done = yes."],
    ["todos about milk", '1 todo with "milk" in them'],
    ["latest 1 orders", "1 order with latest by created_at first"],
    ["show order 5", "**lines**:\n\n| product | quantity |"],
    ["thanks!", "You are welcome."],
    ["please help", "I can call these tools"],
  ];
  for (const [prompt, text] of says)
    it(`say to "${prompt}": ${text.split("\n")[0]}`, async () => {
      expect((await ask(prompt)).text).to.contain(text);
    });

  it("leave out no word that was taken up", async () => {
    for (const prompt of [
      "orders of Ada Lindqvist",
      "the 3 cheapest products",
      "list products in stock",
      "orders since March 2026",
    ])
      expect((await ask(prompt)).text).to.not.contain("could not narrow");
  });
});
