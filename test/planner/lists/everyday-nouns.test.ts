// Collections by the nouns that people have for them every day: "families" for households, "bookings" for reservations, "people" for the
// only persons there are. What was taken for what is said above the answer.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const D = { type: "string", format: "date" };

const NURSERY = createApplication({
  households: {
    key: "household_id",
    keyType: I,
    rows: [
      { id: 1, name: "Marlow", phone: "700 1", balance: 0 },
      { id: 2, name: "Okafor", phone: "700 2", balance: 45.5 },
    ],
    fields: { name: S, phone: S, balance: N },
    required: ["name"],
  },
  children: {
    key: "child_id",
    keyType: I,
    rows: [
      { id: 11, name: "Bruno Marlow", born: "2021-03-04", household_id: 1, group: "Foxes" },
      { id: 12, name: "Lila Okafor", born: "2022-07-19", household_id: 2, group: "Owls" },
    ],
    filters: { household_id: I, group: S },
    fields: { name: S, born: D, household_id: I, group: S },
    required: ["name", "born", "household_id"],
  },
  staff: {
    key: "staff_id",
    keyType: I,
    rows: [{ id: 21, name: "Ingrid Dahl", phone: "700 21" }],
    fields: { name: S, phone: S },
  },
});
const INN = createApplication({
  guests: {
    key: "guest_id",
    keyType: I,
    rows: [
      { id: 1, name: "Ada Falk", country: "NO" },
      { id: 2, name: "Pia Roth", country: "SE" },
    ],
    filters: { country: S },
    fields: { name: S, country: S },
  },
  rooms: { key: "room_id", keyType: I, rows: [{ id: 12, name: "Attic", beds: 2 }], fields: { name: S, beds: I } },
  reservations: {
    key: "reservation_id",
    keyType: I,
    rows: [
      { id: 21, guest_id: 1, room_id: 12, day: "2026-11-22", paid: false },
      { id: 22, guest_id: 2, room_id: 12, day: "2026-11-24", paid: true },
    ],
    filters: { guest_id: I, paid: { type: "boolean" } },
    fields: { guest_id: I, room_id: I, day: D },
    required: ["guest_id", "room_id", "day"],
    actions: { cancel: {} },
  },
});
/** A plant has a family, children and pupils are two kinds, and bookings are there beside reservations. */
const SCHOOL = createApplication({
  plants: {
    key: "plant_id",
    keyType: I,
    rows: [{ id: 1, name: "Lupin", family: "Fabaceae" }],
    fields: { name: S, family: S },
  },
  households: { key: "household_id", keyType: I, rows: [{ id: 2, name: "Marlow" }], fields: { name: S } },
  children: { key: "child_id", keyType: I, rows: [{ id: 3, name: "Bo" }], fields: { name: S } },
  pupils: { key: "pupil_id", keyType: I, rows: [{ id: 4, name: "Mia" }], fields: { name: S } },
  reservations: { key: "reservation_id", keyType: I, rows: [{ id: 5, day: "2026-11-22" }], fields: { day: D } },
  bookings: { key: "booking_id", keyType: I, rows: [{ id: 6, day: "2026-11-23" }], fields: { day: D } },
});
const OFFICE = createApplication({
  companies: {
    key: "company_id",
    keyType: I,
    rows: [{ id: 1, name: "Nordfisk", phone: "1", email: "n@x.example" }],
    fields: { name: S, phone: S, email: S },
  },
  tickets: { key: "ticket_id", keyType: I, rows: [{ id: 2, title: "Leak" }], filters: { q: S }, fields: { title: S } },
});

describe("The offline planner takes an everyday noun for the only collection it can mean:", () => {
  for (const [application, prompt, note, call] of [
    [NURSERY, "families", "families: households", ["list_households", {}]],
    [NURSERY, "Families with a balance over 10", "families: households", ["list_households", {}]],
    [NURSERY, "how many families do we have", "families: households", ["list_households", {}]],
    [NURSERY, "phone number of the Marlow family", "family: household", ["get_household", { household_id: 1 }]],
    [NURSERY, "kids in group Owls", "kids: children", ["list_children", { group: "Owls" }]],
    [NURSERY, "kids of family 2", "kids: children, family: household", ["list_children", { household_id: 2 }]],
    [NURSERY, "kid 12", "kid: child", ["get_child", { child_id: 12 }]],
    [INN, "show bookings", "bookings: reservations", ["list_reservations", {}]],
    [INN, "unpaid bookings", "bookings: reservations", ["list_reservations", { paid: false }]],
    [INN, "bookings of Pia Roth", "bookings: reservations", ["list_reservations", { guest_id: 2 }]],
    [INN, "ada's bookings", "bookings: reservations", ["list_reservations", { guest_id: 1 }]],
    [INN, "how many bookings does Ada have", "bookings: reservations", ["list_reservations", { guest_id: 1 }]],
    [INN, "list people", "people: guests", ["list_guests", {}]],
    [INN, "people from SE", "people: guests", ["list_guests", { country: "SE" }]],
    [INN, "how many visitors are there", "visitors: guests", ["list_guests", {}]],
  ] as [typeof INN, string, string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
      expect(turn.text.startsWith(`${note}\n\n`), turn.text).to.equal(true);
      expect(turn.text).to.not.match(/I could not narrow/);
    });

  for (const [application, prompt, call] of [
    [INN, "cancel booking 21", ["cancel_reservation", { reservation_id: 21 }]],
    [NURSERY, "delete family 2", ["delete_household", { household_id: 2 }]],
    [NURSERY, "rename family 2 to Kids", ["update_household", { household_id: 2, name: "Kids" }]],
    [
      NURSERY,
      "add a kid: Noa Rossi, born 2022-05-01, household 1",
      ["create_child", { name: "Noa Rossi", born: "2022-05-01", household_id: 1 }],
    ],
  ] as [typeof INN, string, [string, JsonObject]][])
    it(`and right behind the verb of a change: "${prompt}"`, async () => {
      expect(lastCall(await askOf(application, prompt))).to.deep.equal(call);
    });
});

describe("The offline planner takes an everyday noun for nothing", () => {
  for (const [why, application, prompt] of [
    ["of two collections", SCHOOL, "kids"],
    ["where a field is called so", SCHOOL, "families"],
    ["where several are persons", NURSERY, "list people"],
    ["where a company may be none", OFFICE, "list people"],
    ["where there is none", OFFICE, "kids"],
    ["that is asked of its kind", NURSERY, "do kids need sleep"],
    ["that is asked of its kind", NURSERY, "are kids cute"],
    ["that is counted for room", INN, "how many people can Attic sleep"],
    ["that is told a joke of", NURSERY, "tell me a joke about kids"],
  ] as const)
    it(`${why}: "${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(text).to.not.match(/^\w+: \w+\n/);
      expect(
        calls.filter(([name]) => /guests|households|children|companies/.test(name) && !/Attic/.test(prompt)),
      ).to.deep.equal([]);
    });

  it("where a collection has that name", async () => {
    expect((await askOf(SCHOOL, "list bookings")).calls).to.deep.equal([["list_bookings", {}]]);
  });

  it("that is searched for", async () => {
    const { calls } = await askOf(OFFICE, "search tickets for kids");
    expect(calls).to.deep.equal([["list_tickets", { q: "kids" }]]);
  });

  for (const prompt of [
    "delete visitor 2",
    "delete people",
    "delete all families",
    "Delete kid 12 and family 2",
    "don't delete family 2",
  ])
    it(`that changes something: "${prompt}"`, async () => {
      for (const application of [INN, NURSERY]) {
        const { calls } = await askOf(application, prompt);
        expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
      }
    });

  it("that is the value which was asked for", async () => {
    const ask = createSession(NURSERY.tools, NURSERY.reply);
    await ask("add a household");
    expect((await ask("Families")).calls).to.deep.equal([["create_household", { name: "Families" }]]);
  });
});
