// A held call in plain words, and when a click is not enough.
import { expect } from "chai";
import type { Effect } from "../../src/domain/effect.js";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject } from "../../src/lib/json.js";
import { headlineOf, headlineText, typedProof } from "../../static/turn/headline.js";

const tool = (verb: Tool["verb"], resource: string, name = `${verb}_${resource}`): Tool =>
  ({ name, application: "", resource, verb, safety: "destructive" }) as Tool;

const held = (args: JsonObject, effect?: Effect) => ({
  tool: "t",
  arguments: args,
  request: { method: "DELETE", url: "http://127.0.0.1/x" },
  ...(effect && { effect }),
});

const one = (before: JsonObject | null, after: JsonObject | null, resource = "products"): Effect => ({
  changes: [{ resource, key: { id: 4 }, before, after }],
  complete: false,
});

const many = (deleted: number): Effect => ({
  tables: [{ name: "orders", inserted: 0, updated: 0, deleted }],
  changes: Array.from({ length: Math.min(deleted, 100) }, (_, id) => ({
    resource: "orders",
    key: { id },
    before: { id },
    after: null,
  })),
  complete: true,
});

describe("The headline of a held call", () => {
  const text = (...[confirmation, of]: Parameters<typeof headlineOf>) => headlineText(headlineOf(confirmation, of));

  it("names what is deleted, changed and created", () => {
    const night = { id: 4, name: "Sumatra Night", price: 13.9, stock: 8, tags: [], note: "" };
    expect(text(held({ id: 4 }, one(night, null)), tool("delete", "products"))).to.equal(
      "Delete product 4, Sumatra Night",
    );
    expect(text(held({ id: 4 }, one(night, { ...night, price: 12 })), tool("update", "products"))).to.equal(
      "Change product 4, Sumatra Night: price",
    );
    const all = { id: 4, name: "N", price: 1, stock: 2, tags: [1], note: "x" };
    expect(text(held({ id: 4 }, one(night, all)), tool("update", "products"))).to.match(
      /: name, price, stock and 2 more$/,
    );
    expect(text(held({ name: "Ada" }), tool("create", "customers"))).to.equal("Create customer, Ada");
    expect(text(held({}), tool("create", "orders"))).to.equal("Create order");
    expect(text(held({ product_id: 7 }), tool("delete", "categories"))).to.equal("Delete category 7");
    const back = one({ id: 3, name: "Red", price: 5 }, { id: 3, name: "Red", price: 4 });
    const undo = { ...held({ history_id: 2 }, back), tool: "undo" };
    expect(text(undo, undefined)).to.equal("Undo call 2: product 4, Red");
    for (const [many, single] of [
      ["movies", "movie"],
      ["Order_Statuses", "Order Status"],
      ["staffPeople", "staffPeople"],
      ["People", "Person"],
    ] as const)
      expect(text(held({ id: 7 }), tool("delete", many))).to.equal(`Delete ${single} 7`);
    expect(text(held({}), tool("delete", "wines"))).to.equal("Delete all wines");
    expect(text(held({ status: "old" }), tool("delete", "wines"))).to.equal("Delete wines: status");
    expect(text(held({}), tool("delete", "status"))).to.equal("Delete status");
  });

  it("counts rows of several tables, names the one that takes others along, and an action by its name", () => {
    expect(text(held({}, many(12)), tool("delete", "orders"))).to.equal("Delete 12 orders");
    const stock = { id: 5, sku: "COF-005" };
    const effect = {
      tables: [
        { name: "stock", inserted: 0, updated: 0, deleted: 1 },
        { name: "movements", inserted: 0, updated: 0, deleted: 2 },
      ],
      changes: [
        { resource: "stock", key: { id: 5 }, before: stock, after: null },
        { resource: "movements", key: { id: 9 }, before: { id: 9 }, after: null },
      ],
      complete: true,
    };
    expect(text(held({ id: 5 }, effect), tool("delete", "stock"))).to.equal(
      "Delete stock 5, COF-005, with 2 movements",
    );
    expect(text({ ...held({}), tool: "ship_order" }, tool("action", "orders", "ship_order"))).to.equal("Ship order");
    const named = {
      ...effect,
      tables: [
        { ...effect.tables[0], deleted: 1 },
        { name: "club_member", inserted: 0, updated: 0, deleted: 150 },
      ],
    };
    expect(text(held({ id: 5 }, named as Effect), tool("delete", "stock"))).to.equal(
      "Delete stock 5, COF-005, with 150 club_members",
    );
    expect(text(held({}), undefined)).to.equal("Call t");
  });

  it("says what an action does by its own words, and runs it by its name where these are not certain", () => {
    const action = (own_name: string, resource: string, path = "") =>
      ({ ...tool("action", resource, `shop_${own_name}`), own_name, transport: { kind: "http", path } }) as Tool;
    const refund = { id: 5, amount: 12.5, reason: "late" };
    const path = "/orders/{id}/refund";
    for (const name of ["refundOrder", "refund_order", "refund-orders", "RefundOrder", "ordersRefund", "refund"])
      expect(text(held(refund), action(name, "orders", path)), name).to.equal("Refund order 5: amount 12.5");
    // The record is that of the path.
    const transfer = action("transferAccount", "accounts", "/accounts/{from}/transfer");
    expect(text(held({ customer_id: 9, from: "A1", amount_eur: "3" }), transfer)).to.equal(
      "Transfer account A1: amount_eur 3",
    );
    expect(text(held({ order_id: 7 }), action("mark_paid_order", "orders", "/mark"))).to.equal("Mark paid order 7");
    for (const [name, resource, of] of [
      ["orderReport", "orders", "/orders/{id}/x"],
      ["send_reminder", "orders", "/orders/{id}/remind"],
      ["refund", "orders", "/refund"],
      ["refund", "", "/orders/{id}/refund"],
      ["order", "orders", ""],
    ] as const)
      expect(text(held({ id: 5 }), action(name, resource, of)), name).to.equal(`Run ${name.replaceAll("_", " ")}`);
  });

  it("is bounded, however long a name is", () => {
    const name = "x".repeat(100_000);
    expect(text(held({ id: 4 }, one({ id: 4, name }, null)), tool("delete", "products"))).to.have.length.below(100);
  });

  it("wants a number typed before ten rows go, and the name of what goes where nobody can count", () => {
    expect(typedProof(held({}, many(9)), tool("delete", "orders"))).to.equal(undefined);
    expect(typedProof(held({}, many(4000)), tool("delete", "orders"))).to.equal("4000");
    expect(typedProof(held({}), tool("delete", "orders"))).to.equal("orders");
    expect(typedProof(held({ id: 1 }), tool("delete", "orders"))).to.equal(undefined);
    expect(typedProof(held({}), tool("action", "orders"))).to.equal(undefined);
  });
});
