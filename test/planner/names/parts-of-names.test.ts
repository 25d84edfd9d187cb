// A unique part of what a record is called is enough to read it, and not to change it.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const CLINIC = createApplication({
  vets: {
    key: "vet_id",
    keyType: I,
    rows: [
      { id: 1, name: "Dr. Irene Castell", room: "A" },
      { id: 2, name: "Dr. Paul Nyman", room: "B" },
    ],
    fields: { name: S, room: S },
  },
  owners: {
    key: "owner_id",
    keyType: I,
    rows: [
      { id: 7, name: "Amara Okafor", phone: "555-1" },
      { id: 8, name: "Paul Holm", phone: "555-2" },
    ],
    fields: { name: S, phone: S },
  },
});

describe("The offline planner reads a record by a part of its name", () => {
  for (const [prompt, said] of [
    ["show Dr. Castell", "Irene Castell"],
    ["which room is Dr. Castell in?", "**room**: A"],
    ["phone number of Mrs Okafor", "555-1"],
    ["show Irene", "Irene Castell"],
    ["show Paul", "2 records are called so"],
    ["show Dr. Irene Nyman", "I found nothing called"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(CLINIC, prompt)).text).to.include(said);
    });

  it("and changes none by it", async () => {
    const { calls } = await askOf(CLINIC, "delete Irene");
    expect(calls.map(([name]) => name)).to.not.include("delete_vet");
  });
});

const CLUB = createApplication({
  members: {
    key: "member_id",
    keyType: I,
    rows: [
      { id: 1, name: "Ada Holm", phone: "555 01", age: 41 },
      { id: 2, name: "Ole Lund", phone: "555 02", age: 33 },
      { id: 4, name: "Ole Brandt", age: 27 },
      { id: 5, name: "Rose Kelly", phone: "555 05", age: 64 },
    ],
    fields: { name: S, phone: S, age: I },
  },
  boats: {
    key: "boat_id",
    keyType: I,
    rows: [
      { id: 13, name: "Rose", built: 2011, insured: true },
      { id: 14, name: "Storm petrel", built: 1999, insured: false },
    ],
    fields: { name: S, built: I, insured: { type: "boolean" } },
  },
  bookings: {
    key: "booking_id",
    keyType: I,
    rows: [{ id: 31, member_id: 1, boat_id: 13, day: "2026-11-22" }],
    filters: { member_id: I, boat_id: I },
    fields: { member_id: I, boat_id: I, day: S },
  },
});
describe("The offline planner makes no new record for what one is asked for", () => {
  for (const prompt of ["member 1's phone", "member 1 phone", "phone of member 1", "ada's phone"])
    it(`"${prompt}"`, async () => {
      expect((await askOf(CLUB, prompt)).calls.filter(changes)).to.deep.equal([]);
    });
});

const changes = ([name]: [string, unknown]): boolean => !/^(?:list|get)_/.test(name);

describe("The offline planner says the whole name of a record above the answer", () => {
  for (const [prompt, note, said] of [
    ["ada's phone", '"ada" is member 1, Ada Holm.', "phone: 555 01"],
    ["Ada's bookings", '"Ada" is member 1, Ada Holm.', "1 booking with member_id = 1:"],
    ["how old is Ada", '"Ada" is member 1, Ada Holm.', "age: 41"],
    ["is the storm petrel insured", "", "insured: no"],
    ["when were the storm petrels built", '"storm petrels" is boat 14, Storm petrel.', "built: 1999"],
    ["phone number of Ada Holm", "", "phone: 555 01"],
  ] as const)
    it(`to "${prompt}"`, async () => {
      const { text } = await askOf(CLUB, prompt);
      expect(text.slice(0, 60)).to.match(new RegExp(`^${note === "" ? said : note}`));
      expect(text).to.include(said);
    });
});

describe("The offline planner takes a name of two records of several lists for the one that has what is asked for", () => {
  for (const [prompt, said] of [
    ["what's Rose's phone number", '"Rose" is member 5, Rose Kelly.\n\nphone: 555 05'],
    ["is Rose insured", "insured: yes"],
    ["how old is Rose", "2 records are called so"],
    ["show Rose", "2 records are called so"],
    // Nothing says that the other one has no phone.
    ["Ole's phone", "2 records are called so"],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(CLUB, prompt)).text).to.include(said);
    });
});

describe("The offline planner, told a change by a part of a name,", () => {
  for (const [prompt, answer, call] of [
    ["change Ada's phone to 555 99", "yes", ["update_member", { member_id: 1, phone: "555 99" }]],
    ["change Ada's phone to 555 99", "member 1", ["update_member", { member_id: 1, phone: "555 99" }]],
    ["delete Ada", "yes", ["delete_member", { member_id: 1 }]],
  ] as const)
    it(`makes it once it is said which record is meant: "${prompt}", "${answer}"`, async () => {
      const ask = createSession(CLUB.tools, CLUB.reply);
      const first = await ask(prompt);
      expect(first.calls.filter(changes)).to.deep.equal([]);
      expect(first.text).to.equal(
        '"Ada" is not the whole name of member 1, "Ada Holm". Nothing was changed: say "yes" or "member 1" if you mean that one.',
      );
      expect((await ask(answer)).calls).to.deep.equal([call]);
    });

  for (const answer of ["no", "member 2", "show the boats", "yes, but not the phone"])
    it(`makes none of it behind "${answer}"`, async () => {
      const ask = createSession(CLUB.tools, CLUB.reply);
      await ask("change Ada's phone to 555 99");
      expect((await ask(answer)).calls.filter(changes)).to.deep.equal([]);
    });

  for (const prompt of ["delete Ole", "set Ole's phone to 555 99", "set the phone of Da to 555 99"])
    it(`changes nothing of two records, and none by a part of a word: "${prompt}"`, async () => {
      const ask = createSession(CLUB.tools, CLUB.reply);
      expect((await ask(prompt)).calls.filter(changes)).to.deep.equal([]);
      expect((await ask("yes")).calls.filter(changes)).to.deep.equal([]);
    });
});
