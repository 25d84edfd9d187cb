// What belongs to a record two joins away, and who lacks what others did.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const THEATRE = createApplication({
  productions: {
    key: "production_id",
    keyType: I,
    rows: [
      { id: 1, title: "Hamlet" },
      { id: 2, title: "The Seagull" },
    ],
    fields: { title: S },
  },
  screenings: {
    key: "screening_id",
    keyType: I,
    rows: [{ id: 11, production_id: 1, hall: "A", starts_at: "2026-11-25T19:00:00Z" }],
    filters: { production_id: I },
    fields: { production_id: I, hall: S },
  },
  roles: {
    key: "role_id",
    keyType: I,
    rows: [
      { id: 31, production_id: 1, actor_id: 5, part: "Hamlet" },
      { id: 32, production_id: 2, actor_id: 6, part: "Nina" },
    ],
    filters: { production_id: I },
    fields: { production_id: I, actor_id: I, part: S },
  },
  actors: {
    key: "actor_id",
    keyType: I,
    rows: [
      { id: 5, name: "Aaron Feld" },
      { id: 6, name: "Olga Rehm" },
    ],
    fields: { name: S },
  },
});

const HUTS = createApplication({
  huts: { key: "hut_id", keyType: I, rows: [{ id: 4, name: "Aarhut" }], fields: { name: S } },
  rooms: { key: "room_id", keyType: I, rows: [{ id: 1, name: "Attic", hut_id: 4 }], fields: { name: S, hut_id: I } },
  bookings: {
    key: "booking_id",
    keyType: I,
    rows: [{ id: 9, hut_id: 4, guest: "Mira Sand" }],
    filters: { hut_id: I },
    fields: { hut_id: I, guest: S },
  },
});

const WORKSHOP = createApplication({
  repairs: {
    key: "repair_id",
    keyType: I,
    rows: [
      { id: 21, reference: "R-21", machine_id: 3, mechanic_id: 6 },
      { id: 22, reference: "R-22", machine_id: 4, mechanic_id: 6 },
    ],
    filters: { machine_id: I, mechanic_id: I },
    fields: { reference: S, machine_id: I, mechanic_id: I },
  },
  mechanics: { key: "mechanic_id", keyType: I, rows: [{ id: 6, name: "Ines Pohl" }], fields: { name: S } },
  machines: {
    key: "machine_id",
    keyType: I,
    rows: [
      { id: 3, name: "Long Lathe", mechanic_id: 6 },
      { id: 4, name: "Band Saw", mechanic_id: 6 },
    ],
    fields: { name: S, mechanic_id: I },
  },
});

const SHOP = createApplication({
  customers: {
    key: "customer_id",
    keyType: I,
    rows: [
      { id: 1, name: "Aaron Feld" },
      { id: 2, name: "Mira Sand" },
    ],
    fields: { name: S },
  },
  orders: {
    key: "order_id",
    keyType: I,
    rows: [
      { id: 7, customer_id: 1, customer: "Aaron Feld", total: 30, placed_on: "2026-11-20" },
      { id: 8, customer_id: 1, customer: "Aaron Feld", total: 70, placed_on: "2026-11-02" },
    ],
    filters: { customer_id: I },
    fields: { customer_id: I, total: I },
  },
  stock: {
    key: "stock_id",
    keyType: I,
    rows: [
      { id: 1, item: "Sugar", quantity: 40 },
      { id: 2, item: "Salt", quantity: 8 },
    ],
    fields: { item: S, quantity: I },
  },
});

describe("The offline planner finds what is two joins away", () => {
  for (const prompt of ["cast of Hamlet", "actors of production 1", "cast of production 1", "actors in Hamlet"])
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(THEATRE, prompt);
      expect(text).to.match(/^1 actor of production 1 by roles:/);
      expect(text).to.contain("Aaron Feld").and.not.contain("Olga");
    });
  it("goes on from an event to what that is of, and says so", async () => {
    const { text } = await askOf(THEATRE, "cast of screening 11");
    expect(text).to.match(/^This screening has no actors of its own, these are those of its production 1\./);
    expect(text).to.contain("Aaron Feld").and.not.contain("Olga");
  });
  for (const prompt of ["repairs for long lathe", "repairs of the Long Lathe"])
    it(`shows what is a record's own before that of what it refers to: "${prompt}"`, async () => {
      const { text } = await askOf(WORKSHOP, prompt);
      expect(text).to.contain("R-21").and.not.contain("R-22").and.not.contain("of its own");
    });
  it("does not take what is booked in a hut for that of one of its rooms", async () => {
    const { text } = await askOf(HUTS, "bookings of room 1");
    expect(text)
      .to.match(/^This room has no bookings of its own\./)
      .and.not.contain("Mira");
  });
});

describe("The offline planner lists those who never did something", () => {
  for (const prompt of [
    "which customers have never ordered",
    "customers who haven't ordered anything yet",
    "who has never placed an order",
  ])
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(SHOP, prompt);
      expect(text).to.match(/^Left out are those with any orders/);
      expect(text).to.contain("Mira Sand").and.not.contain("Aaron");
    });
  for (const prompt of ["which customers have never complained", "which customers have not ordered this month"])
    it(`shows nobody for "${prompt}"`, async () => {
      expect((await askOf(SHOP, prompt)).text).not.to.match(/Mira|Aaron/);
    });
});

describe("The offline planner takes the noun of a deed for what it is", () => {
  it("leads from an order to who ordered it", async () => {
    const nested = tool("list_customer_orders", "list", "GET /customers/{customer_id}/orders", { customer_id: I }, [
      "customer_id",
    ]);
    const shop = { ...SHOP, tools: [...SHOP.tools, nested] };
    expect(lastCall(await askOf(shop, "who ordered order 7"))).to.deep.equal(["get_customer", { customer_id: 1 }]);
  });
  it("takes the last order of a customer from all of theirs", async () => {
    const { text } = await askOf(SHOP, "last order of Aaron Feld");
    expect(text)
      .to.match(/^1 order .*latest by placed_on first:/)
      .and.contain("| 7 |");
  });
  it("adds up what is in stock", async () => {
    expect((await askOf(SHOP, "how much stock do we have")).text).to.equal("The total quantity is 48, of 2 results.");
  });
});
