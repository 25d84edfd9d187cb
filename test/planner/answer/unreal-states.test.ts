// What was once so, will be so or is wanted is none of what the records are now; what is taken of the records that are there is no new one.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const B = { type: "boolean" };
const AT = { type: "string", format: "date-time" };

const STABLE = createApplication({
  riders: {
    key: "rider_id",
    keyType: I,
    rows: [
      { id: 1, name: "Ada Berg", town: "Corby", active: true },
      { id: 2, name: "Bo Ek", town: "Kendal", active: false },
    ],
    filters: { town: S },
    fields: { name: S, town: S, active: B },
    required: ["name"],
  },
  saddles: {
    key: "saddle_id",
    keyType: I,
    rows: [
      { id: 7, name: "Vega", state: "mended", price: 60 },
      { id: 8, name: "Lyra", state: "waiting", price: 90 },
    ],
    fields: { name: S, state: S, price: I },
    required: ["name"],
  },
  rides: {
    key: "ride_id",
    keyType: I,
    rows: [
      { id: 31, title: "Dawn Loop", starts_at: "2026-12-01T07:00:00" },
      { id: 32, title: "Moor Walk", starts_at: "2026-12-03T10:00:00" },
    ],
    fields: { title: S, starts_at: AT },
    required: ["title", "starts_at"],
  },
});
const WITH_BOOKINGS = createApplication({
  rides: {
    key: "ride_id",
    keyType: I,
    rows: [{ id: 31, title: "Dawn Loop", starts_at: "2026-12-01T07:00:00" }],
    fields: { title: S, starts_at: AT },
    required: ["title", "starts_at"],
  },
  bookings: {
    key: "booking_id",
    keyType: I,
    rows: [{ id: 41, ride_id: 31, rider: "Ida" }],
    fields: { ride_id: I, rider: S },
    required: ["ride_id", "rider"],
  },
});

describe("The offline planner shows no record as what it is not now", () => {
  for (const prompt of [
    "people who used to live in Corby",
    "riders who used to live in Corby",
    "riders who will live in Corby",
    "riders that want to live in corby",
    "riders who might live in Corby",
    "riders who are going to live in Corby",
    "which riders used to be active",
    "riders who will be active",
    "saddles to be mended",
    "saddles that are about to be mended",
    "which saddles are still to be mended",
    "saddles waiting to be mended",
    "saddles that will be mended",
  ])
    it(`"${prompt}"`, async () => {
      expect((await askOf(STABLE, prompt)).text).to.not.match(/Ada Berg|Bo Ek|Vega|Lyra/);
    });

  for (const [prompt, shown] of [
    ["riders who live in Corby", /Ada Berg/],
    ["which riders are active", /Ada Berg/],
    ["mended saddles", /Vega/],
    ["which saddles are waiting", /Lyra/],
    ["which rides will start after 2026-12-02", /Moor Walk/],
  ] as const)
    it(`but what is so: "${prompt}"`, async () => {
      expect((await askOf(STABLE, prompt)).text).to.match(shown);
    });
});

describe("The offline planner makes nothing new of what is to be taken of the records that are there", () => {
  for (const prompt of [
    "book the next ride",
    "book me on the next ride",
    "order the cheapest saddle",
    "reserve the last ride",
  ])
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(STABLE, prompt);
      expect(text).to.not.contain("create_");
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });

  it("and asks for it where it is booked by another record", async () => {
    const { text } = await askOf(WITH_BOOKINGS, "book the next ride for Ida");
    expect(text).to.match(/^Which values for ride_id, rider\? `create_booking` needs them/);
  });

  for (const [prompt, tool] of [
    ["book a ride", "create_ride"],
    ["add the next ride", "create_ride"],
    ["order a new saddle", "create_saddle"],
  ] as const)
    it(`but of a new one: "${prompt}"`, async () => {
      expect((await askOf(STABLE, prompt)).text).to.contain(tool);
    });
});
