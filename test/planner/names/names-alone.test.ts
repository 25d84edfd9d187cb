// Records that are named without their kind, and asked for one of their fields: in small letters, in questions that look like those
// about things in general, and where there are many lists.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const B = { type: "boolean" };
const D = { type: "string", format: "date" };

const CLUB = createApplication({
  members: {
    key: "member_id",
    keyType: I,
    rows: [
      { id: 1, name: "Ada Holm", phone: "555 01", joined_on: "2019-04-02", age: 41, active: true },
      { id: 2, name: "Ole Lund", phone: "555 02", joined_on: "2021-06-11", age: 33, active: true },
      { id: 3, name: "Bruno Vik", phone: "555 03", joined_on: "2023-01-15", age: 58, active: false },
      { id: 4, name: "Ole Brandt", phone: "555 04", joined_on: "2020-02-20", age: 27, active: true },
    ],
    fields: { name: S, phone: S, joined_on: D, age: I, active: B },
    required: ["name"],
  },
  boats: {
    key: "boat_id",
    keyType: I,
    rows: [
      { id: 11, name: "Vesta", sail_no: "MX-40", colour: "red", length_m: 8.2, insured: true },
      { id: 12, name: "Tern", sail_no: "MX-41", colour: "white", length_m: 6.4, insured: false },
    ],
    fields: { name: S, sail_no: S, colour: S, length_m: N, insured: B },
    required: ["name"],
  },
  courses: {
    key: "course_id",
    keyType: I,
    rows: [{ id: 21, title: "Knots", starts_on: "2026-12-05", price: 40, places: 8 }],
    fields: { title: S, starts_on: D, price: N, places: I },
    required: ["title"],
  },
});
const INN = createApplication({
  guests: {
    key: "guest_id",
    keyType: I,
    rows: [
      { id: 1, name: "Mira Falk", phone: "600 1", nights: 3, vip: false },
      { id: 2, name: "Jonas Berg", phone: "600 2", nights: 1, vip: true },
      { id: 3, name: "Jonas Berg", phone: "600 3", nights: 2, vip: false },
    ],
    fields: { name: S, phone: S, nights: I, vip: B },
  },
  rooms: {
    key: "room_id",
    keyType: I,
    rows: [{ id: 12, name: "Attic", beds: 4, heated: false }],
    fields: { name: S, beds: I, heated: B },
  },
});
const SHIFT = { type: "string", enum: ["day", "night"] };
const WORKSHOP = createApplication({
  technicians: {
    key: "technician_id",
    rows: [
      { id: "t1", name: "Karl Rud", shift: "day", certified: true },
      { id: "t2", name: "Eva Nord", shift: "night", certified: false },
    ],
    fields: { name: S, shift: SHIFT, certified: B },
  },
  machines: {
    key: "machine_id",
    rows: [{ id: "m1", code: "MX-40", colour: "green", hours: 1200 }],
    fields: { code: S, colour: S, hours: I },
  },
});
const named = (rows: Parameters<typeof createApplication>[0][string]["rows"], fields = {}) => ({
  key: "id",
  keyType: I,
  rows,
  fields: { name: S, ...fields },
});
/** Eight lists whose records have names: too many to be read for one. */
const BAND = createApplication({
  players: named([{ id: 1, name: "Ada Holm", instrument: "oboe", phone: "901" }], { instrument: S, phone: S }),
  conductors: named([{ id: 1, name: "Vera Stahl", phone: "911" }], { phone: S }),
  halls: named([{ id: 2, name: "Old Mint", seats: 420 }], { seats: I }),
  works: named([{ id: 3, name: "Finlandia", minutes: 8 }], { minutes: I }),
  sponsors: named([{ id: 4, name: "Nordbank", amount: 5000 }], { amount: N }),
  agents: named([{ id: 5, name: "Lea Prior", phone: "931" }], { phone: S }),
  vans: named([{ id: 6, name: "Blue", seats: 9 }], { seats: I }),
  stores: named([{ id: 7, name: "Cellar" }]),
});

describe("The offline planner answers what is asked of a record that is named alone:", () => {
  for (const [application, prompt, said] of [
    [CLUB, "when did ada holm join", "joined_on: 2019-04-02"],
    [CLUB, "how old is bruno vik", "age: 58"],
    [CLUB, "is vesta insured?", "insured: yes"],
    [CLUB, "Is tern insured", "insured: no"],
    [CLUB, "does vesta have insurance", "insured: yes"],
    [CLUB, "how long is vesta", "length_m: 8.2"],
    [CLUB, "vesta's length", "length_m: 8.2"],
    [CLUB, "is ada holm still active", "active: yes"],
    [CLUB, "when does knots start", "starts_on: 2026-12-05"],
    [CLUB, "ole lund phone", "phone: 555 02"],
    [CLUB, "ada's phone", "phone: 555 01"],
    [CLUB, "how old is ada", "age: 41"],
    [INN, "is mira falk a vip?", "vip: no"],
    [INN, "how many nights is Mira Falk staying", "nights: 3"],
    [INN, "how many nights is mira falk staying", "nights: 3"],
    [WORKSHOP, "what colour is mx-40", "colour: green"],
    [WORKSHOP, "is eva nord certified", "certified: no"],
    [WORKSHOP, "what shift does eva nord work", "shift: night"],
    [WORKSHOP, "what shift is karl rud on", "shift: day"],
    [BAND, "phone number of Ada Holm", "phone: 901"],
    [BAND, "phone for vera stahl", "phone: 911"],
    [BAND, "vera stahl phone number", "phone: 911"],
    [BAND, "what instrument does Ada Holm play", "instrument: oboe"],
    [BAND, "how many seats does Old Mint have", "seats: 420"],
    [BAND, "who is Ada Holm", "**phone**: 901"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(text).to.include(said);
      expect(calls.length).to.be.at.most(6);
      expect(calls.map(([name]) => name).filter((name) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});

describe("The offline planner asks which record is meant where a name is that of two:", () => {
  for (const [application, prompt] of [
    [CLUB, "how old is ole"],
    [CLUB, "ole's phone"],
    [INN, "phone number for jonas berg"],
    [INN, "is jonas berg vip"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.match(/^2 records are called so/);
    });
});

describe("The offline planner says so where nothing has the name:", () => {
  for (const [application, prompt] of [
    [CLUB, "is titania insured"],
    [CLUB, "how old is karl nonesuch"],
    [BAND, "phone number of Karl Nonesuch"],
    [BAND, "how many seats does Boeing have"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.match(/^I found nothing called "/);
    });
});

describe("The offline planner gives no field of a record for an answer to", () => {
  for (const [application, prompt] of [
    [CLUB, "when did ada holm join the army"],
    [CLUB, "when did Ada Holm join the army"],
    [CLUB, "is vesta insured and red"],
    [CLUB, "is vesta or tern insured"],
    [CLUB, "is vesta insured until 2027"],
    [CLUB, "is vesta for sale"],
    [CLUB, "when did vesta sink"],
    [CLUB, "is ada holm's boat insured"],
    [CLUB, "colour of ada holm's boat"],
    [CLUB, "phone number for ole lund and ada holm"],
    [CLUB, "ole lund phone 555 99"],
    [CLUB, "how many places are left in Knots"],
    [INN, "how many beds does Attic have left"],
    [INN, "how many beds are free in Attic"],
    [INN, "how many nights is Mira Falk booked"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(text).to.not.match(/^\w+: /m);
      expect(calls.map(([name]) => name).filter((name) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});

describe("The offline planner looks nothing up for", () => {
  for (const [application, prompt] of [
    [CLUB, "is water wet"],
    [CLUB, "is python hard to learn"],
    [CLUB, "how old is the universe"],
    [CLUB, "how tall is vesta"],
    [CLUB, "are sanders insured"],
    [CLUB, "how is age measured"],
    [CLUB, "my phone"],
    [CLUB, "what's your age"],
    [BAND, "Old Mint is full now"],
    [BAND, "delete Ada Holm"],
    [BAND, "has Ada Holm paid"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).calls).to.deep.equal([]);
    });
});

describe("The offline planner shows all of a record that is named in small letters", () => {
  for (const [application, prompt, said] of [
    [CLUB, "show me vesta", "**id**: 11"],
    [CLUB, "tell me about the tern", "**id**: 12"],
    [CLUB, "info on ada holm", "**id**: 1"],
    [CLUB, "who is bruno", "**id**: 3"],
    [CLUB, "boat vesta", "**id**: 11"],
    [CLUB, "details of boat vesta", "**id**: 11"],
    [CLUB, "phone of member ada", "phone: 555 01"],
    [BAND, "who is lea", "**phone**: 931"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.include(said);
    });

  for (const prompt of ["find ole", "phone of member ole", "who is ole", "member ole"])
    it(`and asks which of two: "${prompt}"`, async () => {
      expect((await askOf(CLUB, prompt)).text).to.match(/^2 records are called so/);
    });

  for (const prompt of [
    "show me something",
    "find me a restaurant",
    "tell me a story",
    "who is coming",
    "open the door",
    "show planets",
    "show nothing",
  ])
    it(`and looks nothing up for "${prompt}"`, async () => {
      expect((await askOf(CLUB, prompt)).calls).to.deep.equal([]);
    });

  it("and changes none", async () => {
    for (const prompt of ["delete boat ves", "update boat vesta", "set boat vesta to red"]) {
      const { calls } = await askOf(CLUB, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    }
  });
});
