// A small shop for the planner's tests, kept in memory behind the calls: products, customers, orders, notes.
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession as createConversation, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const STATUS = { type: "string", enum: ["pending", "paid", "shipped", "cancelled"] };
const PRODUCT = { name: S, price: N, stock: I };
const ORDER = { customer_id: I, product_id: I, quantity: I, status: STATUS };
/** The shop's tools. */
export const TOOLS: readonly Tool[] = [
  tool("list_products", "list", "GET /products", { max_price: N, limit: I }),
  tool("get_product", "get", "GET /products/{product_id}", { product_id: I }, ["product_id"]),
  tool("create_product", "create", "POST /products", PRODUCT, ["name", "price"]),
  tool("update_product", "update", "PATCH /products/{product_id}", { product_id: I, ...PRODUCT }, ["product_id"]),
  tool("delete_product", "delete", "DELETE /products/{product_id}", { product_id: I }, ["product_id"]),
  tool("list_customers", "list", "GET /customers"),
  tool("get_customer", "get", "GET /customers/{customer_id}", { customer_id: I }, ["customer_id"]),
  tool("list_customer_orders", "list", "GET /customers/{customer_id}/orders", { customer_id: I }, ["customer_id"]),
  tool("list_orders", "list", "GET /orders", { status: STATUS }),
  tool("create_order", "create", "POST /orders", ORDER, ["customer_id", "product_id", "quantity"]),
  tool("ship_order", "action", "POST /orders/{order_id}/ship", { order_id: I }, ["order_id"]),
  tool("replace_note", "update", "PUT /notes/{id}", { id: I, title: S, text: S, done: { type: "boolean" } }, [
    "id",
    "title",
  ]),
  tool("get_note", "get", "GET /notes/{id}", { id: I }, ["id"]),
  tool("list_notes", "list", "GET /notes"),
  tool("delete_notes", "delete", "DELETE /notes"),
];

const DATA: Readonly<Record<string, readonly JsonObject[]>> = {
  products: [
    { id: 1, name: "Lamp", price: 12.5, stock: 3 },
    { id: 2, name: "Chair", price: 45, stock: 7 },
    { id: 7, name: "Mug", price: 6, stock: 40 },
  ],
  customers: [
    { id: 1, name: "Ada Lovelace", city: "London" },
    { id: 3, name: "Alan Turing", city: "Wilmslow" },
  ],
  orders: [
    { id: 5, customer_id: 3, status: "paid" },
    { id: 6, customer_id: 1, status: "pending" },
  ],
  notes: [
    { id: 1, title: "Buy milk", text: "two litres", done: false },
    { id: 2, title: "Buy milk", text: "again", done: false },
    { id: 4, title: "Call Ada", text: "at noon", done: false },
  ],
};

/** What the shop answers; nothing is kept, so that prompts do not depend on each other. */
export function answer(called: Tool, args: JsonObject): JsonValue {
  const rows = DATA[called.resource] ?? [];
  const key = Object.keys(args).find((name) => called.transport.path?.includes(`{${name}}`));
  const row = rows.find(({ id }) => key !== undefined && id === args[key]);
  if (called.name === "list_customer_orders")
    return (DATA["orders"] ?? []).filter((order) => order["customer_id"] === args["customer_id"]);
  if (key !== undefined && !row)
    return { error: "http_404", message: "the target answered 404 Not Found", status: 404 };
  if (called.verb === "delete") return { status: 204 };
  if (called.verb === "create") return { id: 100, ...args };
  if (called.verb === "list")
    return rows.filter(({ price }) => typeof args["max_price"] !== "number" || Number(price) <= args["max_price"]);
  return { ...row, ...args };
}

/** A conversation with the planner, its calls answered by the shop or by `reply`. */
export const createSession = (tools: readonly Tool[] = TOOLS, reply = answer) => createConversation(tools, reply);

/** The calls and the text for one prompt, in a conversation of its own. */
export const ask = (prompt: string): Promise<Turn> => createSession()(prompt);
