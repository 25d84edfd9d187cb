// The record of a change is looked for in the list of its collection before the change is made.

import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const whole = { type: "integer" };

describe("The offline planner, that replaces a record as a whole which a prompt calls by a name or a code,", () => {
  const FIELDS = { name: text, colour: text, plate: text, seats: whole };
  const VANS: Readonly<Record<string, JsonObject>> = {
    "V-12": { id: "V-12", name: "Blue Van", colour: "blue", plate: "AA11", seats: 4 },
    "V-99": { id: "V-99", name: "Red Van", colour: "black", plate: "ZZ99", seats: 7 },
  };
  const TOOLS = [
    tool("list_vehicles", "list", "GET /vehicles"),
    tool("replace_vehicle", "update", "PUT /vehicles/{id}", { id: text, ...FIELDS }, ["id"]),
    tool("get_vehicle", "get", "GET /vehicles/{id}", { id: text }, ["id"]),
  ];
  const vehicles = (listed: JsonValue) =>
    createSession(TOOLS, ({ name }, args) =>
      name === "list_vehicles" ? listed : (VANS[String(args["id"])] ?? { error: "not_found" }),
    );
  const CHANGED = ["replace_vehicle", { ...VANS["V-99"], colour: "white" }];
  const READ = ["get_vehicle", { id: "V-99" }];

  for (const [name, listed, between] of [
    ["has all of the record", Object.values(VANS), []],
    [
      "has a part of it",
      [
        { id: "V-12", name: "Blue Van", colour: "blue" },
        { id: "V-99", name: "Red Van", colour: "black" },
      ],
      [READ],
    ],
  ] as [string, JsonValue, unknown[]][])
    for (const prompt of ["set the colour of vehicle V-99 to white", 'set the colour of vehicle "Red Van" to white'])
      it(`loses none of its fields where the list ${name}: ${prompt}`, async () => {
        const { calls } = await vehicles(listed)(prompt);
        expect(calls).to.deep.equal([["list_vehicles", {}], ...between, CHANGED]);
      });

  it("loses none of its fields where the list that was read has keys of this form and not this one", async () => {
    const { calls } = await vehicles([VANS["V-12"] ?? {}])("set the colour of vehicle V-99 to white");
    expect(calls).to.deep.equal([["list_vehicles", {}], READ, CHANGED]);
  });
});

describe("The offline planner, of a key that looks like a code,", () => {
  const tools = (fields: JsonObject) => [
    tool("list_orders", "list", "GET /orders"),
    tool("get_order", "get", "GET /orders/{id}", { id: text }, ["id"]),
    tool("create_order", "create", "POST /orders", fields),
    tool("delete_order", "delete", "DELETE /orders/{id}", { id: text }, ["id"]),
  ];
  const orders = (fields: JsonObject, listed: JsonValue, options: { maxIterations?: number } = {}) =>
    createSession(
      tools(fields),
      ({ name }) => {
        if (name === "list_orders") return listed;
        return name === "get_order" ? { error: "not_found" } : { ok: true };
      },
      options,
    );
  const LISTED = ["list_orders", {}];
  const DELETED = ["delete_order", { id: "ord_123" }];

  for (const listed of [[], { error: "forbidden" }, "no list", [{ id: "ord_124", reference: "R-1" }]] as JsonValue[])
    it(`deletes the record of this key where its list gives no other: ${JSON.stringify(listed)}`, async () => {
      const { calls } = await orders({ reference: text }, listed)("delete order ord_123");
      expect(calls).to.deep.equal([LISTED, DELETED]);
    });

  it("deletes nothing where the keys are of another form and no record has this code", async () => {
    const { calls, text: said } = await orders({ reference: text }, [{ id: "7", reference: "R-1" }])(
      "delete order ord_123",
    );
    expect(calls).to.deep.equal([LISTED]);
    expect(said).to.match(/^I found no order called "ord_123"/);
  });

  it("reads no list where the records have no code beside their key", async () => {
    const { calls } = await orders({ amount: whole }, { error: "forbidden" })("delete order ord_123");
    expect(calls).to.deep.equal([DELETED]);
  });

  for (const listed of [[], { error: "forbidden" }, [{ id: "ord_124", reference: "R-1" }]] as JsonValue[])
    it(`says that there is no such record to be read: ${JSON.stringify(listed)}`, async () => {
      const { calls, text: said } = await orders({ reference: text }, listed)("show order ord_123");
      expect(calls).to.deep.equal([["get_order", { id: "ord_123" }], LISTED]);
      expect(said).to.match(
        /^I found no order called "ord_123"|`(?:get|list)_order.?` failed: (?:not_found|forbidden)/,
      );
    });

  it("takes it for the key where the turn has no call left for a list", async () => {
    const { calls } = await orders({ reference: text }, [], { maxIterations: 2 })("delete order ord_123");
    expect(calls).to.deep.equal([DELETED]);
  });

  it("does not look for it where the turn has no call left for what it finds", async () => {
    const ask = orders({ reference: text }, [{ id: "7", reference: "ord_123" }], { maxIterations: 2 });
    const { calls, text: said } = await ask("show order ord_123");
    expect(calls).to.deep.equal([["get_order", { id: "ord_123" }]]);
    expect(said).to.contain("not_found");
  });
});
