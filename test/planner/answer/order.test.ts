// Superlatives of the planner: by what they measure, the one that is meant or as many as are asked for.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { visitHarbour } from "../samples/harbour.js";
import { table } from "../samples/warehouse.js";
import { createSession, idsIn, tool } from "../session.js";

describe("The offline planner puts records in order by", () => {
  for (const [prompt, ids] of [
    ["the heaviest boat", [4]],
    ["the two lightest boats", [3, 1]],
    ["which boat is the shortest?", [3]],
    ["longest boat", [4]],
    ["newest boat", [3]],
    ["which boat has the largest draught", [4]],
    ["boats from the lightest to the heaviest", [3, 1, 2, 4]],
    ["the youngest skipper", [22]],
    ["who is the oldest skipper", [21]],
    ["the mooring with the highest fee", [33]],
    ["the most expensive mooring by fee", [33]],
    ["boats sorted by length", [3, 1, 2, 4]],
    ["the boat of skipper 21 with the largest draught", [1]],
    ["boats sorted by built", [4, 1, 2, 3]],
    ["boats sorted by length, longest first", [4, 2, 1, 3]],
    ["boats sorted by length, shortest first", [3, 1, 2, 4]],
    ["boats sorted by draught (deepest first)", [4, 2, 1, 3]],
    ["list boats ordered by length with the longest first", [4, 2, 1, 3]],
    ["boats sorted by built, newest first", [3, 2, 1, 4]],
    ["moorings sorted by fee, most expensive first", [33, 32, 31]],
    ["moorings sorted by fee, cheapest first", [31, 32, 33]],
    ["boats sorted by length descending", [4, 2, 1, 3]],
    ["boats sorted by length please", [3, 1, 2, 4]],
    ["moorings sorted by starts on, latest first", [32, 31, 33]],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect(idsIn((await visitHarbour()(prompt)).text)).to.deep.equal(ids);
    });

  it("without a word of what it understood", async () => {
    expect((await visitHarbour()("boats sorted by length, longest first")).text).to.match(/^4 boats:/);
  });

  it("an option of the target in the direction of a superlative", async () => {
    const sort = { type: "string", enum: ["hourly_rate", "-hourly_rate"] };
    const ask = createSession([tool("list_machines", "list", "GET /machines", { sort })], () => []);
    const { calls } = await ask("machines sorted by hourly rate, most expensive first");
    expect(calls).to.deep.equal([["list_machines", { sort: "-hourly_rate" }]]);
  });

  for (const [prompt, said] of [
    ["total of all moorings", "The total fee is 970"],
    ["what is the highest fee of the moorings", "The highest fee is 510"],
  ] as const)
    it(`and answers "${prompt}" with a number`, async () => {
      expect((await visitHarbour()(prompt)).text).to.contain(said);
    });

  it("no parameter that only begins as a direction does", async () => {
    const order = { type: "array", items: { type: "string", enum: ["description", "-description", "cost", "-cost"] } };
    const ask = createSession([tool("list_repairs", "list", "GET /repairs", { order_by: order })], () => []);
    expect((await ask("the most expensive repair")).calls).to.deep.equal([["list_repairs", { order_by: ["-cost"] }]]);
  });

  it("nothing that the records do not have", async () => {
    expect((await visitHarbour()("the fastest boat")).text).to.match(/I could not put this in order: fastest\./);
  });
});

describe("The offline planner puts records in order", () => {
  const I = { type: "integer" };
  const FILMS: readonly JsonObject[] = [
    { id: 1, title: "Metropolis", year: 1927, runtime_minutes: 153, ticket_price: 9, tickets_sold: 40 },
    { id: 2, title: "Run", year: 1998, runtime_minutes: 81, ticket_price: 7, tickets_sold: 200 },
    { id: 3, title: "Amelie", year: 2001, runtime_minutes: 122, ticket_price: 12, tickets_sold: 90 },
  ];
  const VASES: readonly JsonObject[] = [
    { id: 1, name: "Urn", value_eur: 900, acquired_year: 1899, weight_kg: 4, age: 200 },
    { id: 2, name: "Bowl", value_eur: 5000, acquired_year: 2019, weight_kg: 1, age: 30 },
    { id: 3, name: "Jug", value_eur: 20, acquired_year: 1950, weight_kg: 9, age: 80 },
  ];
  const ask = createSession(
    [tool("list_films", "list", "GET /films"), tool("list_vases", "list", "GET /vases")],
    ({ resource }) => [...(resource === "films" ? FILMS : VASES)],
  );
  for (const [prompt, ids] of [
    ["newest films", [3, 2, 1]],
    ["oldest film", [1]],
    ["the latest vase", [2]],
    ["films ordered by tickets sold, most first", [2, 3, 1]],
    ["films ordered by tickets sold, fewest first", [1, 3, 2]],
    ["films ordered by ticket price descending", [3, 1, 2]],
    ["films ordered by tickets sold in descending order", [2, 3, 1]],
    ["films sorted by price high to low", [3, 1, 2]],
    ["films by runtime, longest first", [1, 3, 2]],
    ["films sorted by title z to a", [2, 1, 3]],
    ["films sorted by title please", [3, 1, 2]],
    ["films with the most tickets sold", [2, 3, 1]],
    ["vases sorted by value, highest first", [2, 1, 3]],
    ["vases sorted by value, lowest first", [3, 1, 2]],
    ["vases sorted by value descending", [2, 1, 3]],
    ["vases by value, largest first", [2, 1, 3]],
    ["vases ordered by value with the most valuable first", [2, 1, 3]],
    ["vases ordered by weight with the heaviest first", [3, 1, 2]],
    ["vases sorted by age, oldest first", [1, 3, 2]],
    ["vases sorted by value", [3, 1, 2]],
  ] as const)
    it(`as it is said: "${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  const films = createSession(
    table("films", { id: I, title: { type: "string" }, runtime_minutes: I, year: I, ticket_price: I, tickets_sold: I }),
    () => [],
  );
  for (const [prompt, order] of [
    ["newest films", "-year"],
    ["the oldest films", "year"],
    ["films ordered by tickets sold, most first", "-tickets_sold"],
    ["films ordered by ticket price, cheapest first", "ticket_price"],
    ["films sorted by runtime descending", "-runtime_minutes"],
  ] as const)
    it(`by a column of a table: "${prompt}"`, async () => {
      expect((await films(prompt)).calls).to.deep.equal([["list_films", { order_by: [order] }]]);
    });

  it("by the time that a target sorts by, and by no length of time", async () => {
    const sort = {
      type: "string",
      enum: ["prep_time", "-prep_time", "updated_at", "-updated_at", "added_on", "-added_on"],
    };
    const recipes = createSession([tool("list_recipes", "list", "GET /recipes", { sort })], () => []);
    expect((await recipes("newest recipes")).calls).to.deep.equal([["list_recipes", { sort: "-added_on" }]]);
  });

  it("in no direction that it does not know", async () => {
    expect((await ask("films from the most to the fewest tickets sold")).text).to.contain(
      "could not put this in order",
    );
  });
});

describe("The offline planner shows one record where one is meant", () => {
  const rows = [
    { id: 1, address: "Mill Lane 4", kind: "barn", built_year: 1911 },
    { id: 2, address: "Forest Edge 2", kind: "villa", built_year: 1742 },
    { id: 3, address: "Pond Street 7", kind: "barn", built_year: 1999 },
  ];
  const list = { ...tool("list_properties", "list", "GET /properties"), description: "List properties (houses)." };
  for (const [prompt, ids] of [
    ["oldest house", [2]],
    ["oldest houses", [2, 1, 3]],
  ] as const)
    it(`"${prompt}", by the word of its description`, async () => {
      expect(idsIn((await createSession([list], () => rows)(prompt)).text)).to.deep.equal(ids);
    });

  const auction = createApplication({
    lots: {
      key: "lot_id",
      keyType: { type: "integer" },
      rows: [
        { id: 1, title: "tin soldier", stage: "hall", value_eur: 30 },
        { id: 2, title: "harp", stage: "hall", value_eur: 900 },
        { id: 3, title: "silver spoon", stage: "sold", value_eur: 1200 },
      ],
      filters: { stage: { type: "string", enum: ["hall", "sold"] } },
    },
  });
  for (const [prompt, ids] of [
    ["most valuable thing we have in the hall", [2]],
    ["least valuable thing sold", [3]],
    ["cheapest thing in the hall", [1]],
    ["most valuable things in the hall", [2, 1]],
  ] as const)
    it(`"${prompt}", by a general noun`, async () => {
      expect(idsIn((await askOf(auction, prompt)).text)).to.deep.equal(ids);
    });
});
