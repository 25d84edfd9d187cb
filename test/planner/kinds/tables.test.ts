// The offline planner on the tools of a database: it reads, filters, orders, counts, adds up, and makes single changes, as it does
// on those of an HTTP application.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { answerOf, askWarehouse, table, warehouseTools } from "../samples/warehouse.js";
import { createSession, tool } from "../session.js";

describe("The offline planner on a database", () => {
  it("names each tool once", async () => {
    for (const prompt of ["hello", "get rid of the cheap ones"]) {
      const named = [...(await askWarehouse(prompt)).text.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name);
      expect(named, prompt).to.have.length.above(1);
      expect(named, prompt).to.deep.equal([...new Set(named)]);
    }
  });

  const calls: [string, [string, JsonObject][]][] = [
    ["list stock", [["list_stock", {}]]],
    ["show stock 2", [["list_stock", { where: { id: 2 } }]]],
    ["stock with quantity 25", [["list_stock", { where: { quantity: 25 } }]]],
    ["stock with quantity under 10", [["list_stock", { where: { quantity: { lt: 10 } } }]]],
    ["stock with a quantity over 5", [["list_stock", { where: { quantity: { gt: 5 } } }]]],
    ["stock with a quantity of at least 8", [["list_stock", { where: { quantity: { gte: 8 } } }]]],
    ["stock with a quantity of at most 8", [["list_stock", { where: { quantity: { lte: 8 } } }]]],
    ["stock counted since 2026-02-01", [["list_stock", { where: { counted_at: { gte: "2026-02-01" } } }]]],
    ["stock counted before 2026-02-01", [["list_stock", { where: { counted_at: { lt: "2026-02-01" } } }]]],
    ["stock below 10 on shelf 1", [["list_stock", { where: { quantity: { lt: 10 }, shelf_id: 1 } }]]],
    ["stock with sku TEA-002", [["list_stock", { where: { sku: "TEA-002" } }]]],
    ["stock with quantity between 5 and 10", [["list_stock", { where: { quantity: { gte: 5, lte: 10 } } }]]],
    ["stock of product Sencha", [["list_stock", { where: { product: "Sencha" } }]]],
    ["stock ordered by quantity descending", [["list_stock", { order_by: ["-quantity"] }]]],
    ["the first 2 shelves", [["list_shelves", { limit: 2 }]]],
    ["list 2 shelves", [["list_shelves", { limit: 2 }]]],
    ["stock in 10", [["list_stock", {}]]],
    ["stock counted in 2026", [["list_stock", { where: { counted_at: { gte: "2026-01-01", lte: "2026-12-31" } } }]]],
    [
      "stock counted in february 2026",
      [["list_stock", { where: { counted_at: { gte: "2026-02-01", lte: "2026-02-28" } } }]],
    ],
    ["shelves with 25 items", [["list_shelves", {}]]],
    ["shelf 2", [["list_shelves", { where: { id: 2 } }]]],
    ["the 2 largest stock by quantity", [["list_stock", { order_by: ["-quantity"], limit: 2 }]]],
    ["set the quantity of stock 2 to 40", [["update_stock", { id: 2, quantity: 40 }]]],
    ["add a shelf named C3 in room cool", [["create_shelves", { name: "C3", room: "cool" }]]],
    ["delete stock 3", [["delete_stock", { id: 3 }]]],
    [
      "delete the shelf named B2",
      [
        ["list_shelves", { where: { name: "B2" } }],
        ["delete_shelves", { id: 2 }],
      ],
    ],
    [
      "set quantity of stock of Sencha to 30",
      [
        ["list_stock", {}],
        ["update_stock", { quantity: 30, id: 2 }],
      ],
    ],
  ];
  for (const [prompt, expected] of calls)
    it(`calls what "${prompt}" asks for`, async () => {
      expect((await askWarehouse(prompt)).calls).to.deep.equal(expected);
    });

  const texts: [string, RegExp][] = [
    ['stock with product "sencha"', /^1 result with product = sencha/],
    ["how many shelves are there", /^2 shelves\.$/],
    ["how many stock items have a quantity over 5", /^2 results with quantity > 5\.$/],
    ["total quantity of stock", /^The total quantity is 37, of 3 results\.$/],
    ["total quantity of the stock on shelf 1", /^The total quantity is 29, of 2 results/],
    ["average quantity of stock", /^The average quantity is 12\.33, of 3 results\.$/],
    ["show stock 2", /^- \*\*id\*\*: 2\n/],
    ["show stock 99", /`list_stock` failed: there is no such record/],
  ];
  for (const [prompt, expected] of texts)
    it(`answers "${prompt}"`, async () => {
      expect((await askWarehouse(prompt)).text).to.match(expected);
    });

  it("writes no statement of its own", async () => {
    const query = {
      ...tool("query", "list", "GET /query", { sql: { type: "string" } }, ["sql"]),
      transport: { kind: "sql", operation: "query" },
    };
    const ask = createSession([...warehouseTools(), query], answerOf);
    for (const prompt of ["query the stock", "run the query DROP TABLE stock", 'query "select 1"'])
      expect((await ask(prompt)).calls.map(([name]) => name)).to.not.include("query");
  });

  it("goes on with a row it has read", async () => {
    const ask = createSession(warehouseTools(), answerOf);
    await ask("show stock 2");
    expect((await ask("set its quantity to 7")).calls).to.deep.equal([["update_stock", { id: 2, quantity: 7 }]]);
  });
});

describe("The offline planner adds up", () => {
  const ask = createSession([tool("list_orders", "list", "GET /orders")], () => [
    { id: 1, total: 0.1, weight: 9007199254740993n.toString() },
    { id: 2, total: 0.2, weight: "1" },
  ]);
  const cases: [string, RegExp][] = [
    ["what is the sum of the total of all orders", /^The sum of the total is 0\.3, of 2 orders\.$/],
    ["total weight of the orders", /^The total weight is 9007199254740994, of 2 orders\.$/],
    ["the lowest total of the orders", /^The lowest total is 0\.1, of 2 orders/],
  ];
  for (const [prompt, expected] of cases)
    it(`for "${prompt}" without losing a digit`, async () => {
      expect((await ask(prompt)).text).to.match(expected);
    });

  it("what a field is in, where a condition stands behind it", async () => {
    const columns = { id: { type: "integer" }, composer: { type: "string" }, duration_min: { type: "integer" } };
    const list = createSession(table("pieces", columns), () => [
      { id: 3, composer: "Dvořák", duration_min: 41 },
      { id: 4, composer: "Dvořák", duration_min: 4 },
    ]);
    for (const prompt of ["total duration of all pieces by Dvořák", "sum of the duration of the pieces by Dvořák"])
      expect((await list(prompt)).text).to.equal("The total duration_min is 45, of 2 pieces with composer = Dvořák.");
  });

  it("what was done to so many, and says where it is not clear what", async () => {
    const concerts = createSession([tool("list_concerts", "list", "GET /concerts")], () => [
      { id: 1, seats: 500, sold: 431 },
      { id: 2, seats: 220, sold: 220 },
    ]);
    expect((await concerts("total tickets sold for all concerts")).text).to.equal(
      "The total sold is 651, of 2 concerts.",
    );
    expect((await concerts("total revenue of the concerts")).text).to.match(/^I could not narrow this by "revenue"/);
    expect((await concerts("the total of the concerts")).text).to.match(
      /^I found no field to make a number of for "total"\./,
    );
  });

  it("only where a prompt asks for it", async () => {
    expect((await ask("orders with their total")).text).to.include("| id |");
  });
});
