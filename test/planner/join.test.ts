// One question over two applications, answered by the offline planner: both lists are read, and what shares a key is the answer.
import { expect } from "chai";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { answerOf, warehouseTools } from "./samples/warehouse.js";
import { createSession, type Turn, tool } from "./session.js";

const I = { type: "integer" };
const SHOP: readonly Tool[] = [
  tool("listProducts", "list", "GET /products", { max_price: { type: "number" }, limit: I }),
  tool("getProduct", "get", "GET /products/{product_id}", { product_id: I }, ["product_id"]),
  tool("deleteProduct", "delete", "DELETE /products/{product_id}", { product_id: I }, ["product_id"]),
];
const PRODUCTS: readonly JsonObject[] = [
  { id: 6, name: "Assam Breakfast", price: 8.9, sku: "TEA-001" },
  { id: 7, name: "Sencha", price: 14.2, sku: "TEA-002" },
  { id: 4, name: "Sumatra Night", price: 13.9, sku: "COF-001" },
  { id: 9, name: "Kettle", price: 89, sku: "EQP-001" },
];

function answer(called: Tool, args: JsonObject): JsonValue {
  if (called.application !== "") return answerOf(called, args);
  const most = Number(args["max_price"] ?? Number.POSITIVE_INFINITY);
  return { items: PRODUCTS.filter(({ price }) => Number(price) <= most) };
}

const ask = (prompt: string, tools: readonly Tool[] = [...SHOP, ...warehouseTools("warehouse")]): Promise<Turn> =>
  createSession(tools, answer)(prompt);

describe("The offline planner over two applications", () => {
  it("answers which records of one have what is asked of them in the other", async () => {
    const { calls, text } = await ask("which products under 20 have fewer than 10 in the warehouse");
    expect(calls).to.deep.equal([
      ["listProducts", { max_price: 20 }],
      ["warehouse_list_stock", { where: { quantity: { lt: 10 } } }],
    ]);
    expect(text).to.match(/^2 products with quantity < 10 in warehouse:\n/);
    expect(text).to.match(/\| 4 \|.*Assam Breakfast.*\n.*\| 8 \|.*Sumatra Night|Assam Breakfast[\s\S]*Sumatra Night/);
    expect(text).to.not.include("Sencha");
  });

  it("says that there are none", async () => {
    const { text } = await ask("products under 20 with a quantity over 500 in the warehouse");
    expect(text).to.equal("No products with quantity > 500 in warehouse.");
  });

  const alone: [string, string][] = [
    ["list stock in the warehouse", "warehouse_list_stock"],
    ["stock with quantity under 10 in the warehouse", "warehouse_list_stock"],
    ["list products under 20", "listProducts"],
  ];
  for (const [prompt, name] of alone)
    it(`asks one application for "${prompt}"`, async () => {
      expect((await ask(prompt)).calls.map(([called]) => called)).to.deep.equal([name]);
    });

  it("changes nothing in such a way", async () => {
    const { calls } = await ask("delete the products under 20 that have fewer than 10 in the warehouse");
    expect(calls).to.deep.equal([]);
  });

  it("asks the application that is named where it has such records itself", async () => {
    const own = tool("list_products", "list", "GET /products", { sku: { type: "string" } });
    const depot: Tool = { ...own, name: "depot_list_products", own_name: "list_products", application: "depot" };
    const { calls } = await ask("products with sku TEA-001 in the depot", [...SHOP, depot]);
    expect(calls.map(([name]) => name)).to.deep.equal(["depot_list_products"]);
  });
});
