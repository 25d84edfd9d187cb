// Words that carry nothing, slips of keys, and questions for one value: what is understood beside them, and what is still asked.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const INTEGER = { type: "integer" };
const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const STATE = { type: "string", enum: ["planted", "harvested", "fallow"] };
const FARM = createApplication({
  tractors: {
    key: "tractor_id",
    keyType: INTEGER,
    filters: { fuel: { type: "string", enum: ["diesel", "electric"] } },
    fields: { name: TEXT, year: INTEGER, mileage: INTEGER, fuel: TEXT, day_rate: NUMBER, insurance_fee: NUMBER },
    rows: [
      { id: 1, name: "Bruno", year: 2004, mileage: 4000, fuel: "diesel", day_rate: 80, insurance_fee: 12.5 },
      { id: 2, name: "Sparky", year: 2021, mileage: 900, fuel: "electric", day_rate: 120, insurance_fee: 20 },
      { id: 3, name: "Old Tom", year: 1988, mileage: 21000, fuel: "diesel", day_rate: 45, insurance_fee: 7.25 },
    ],
  },
  contractors: {
    key: "contractor_id",
    keyType: INTEGER,
    fields: { name: TEXT, phone: TEXT, hourly_rate: NUMBER },
    rows: [
      { id: 4, name: "Greta Holm", phone: "555 40", hourly_rate: 30 },
      { id: 5, name: "Piet Maas", phone: "555 50", hourly_rate: 45 },
    ],
  },
  parcels: {
    key: "parcel_id",
    keyType: INTEGER,
    filters: { state: STATE },
    fields: { label: TEXT, state: STATE, hectares: NUMBER, contractor_id: INTEGER },
    rows: [
      { id: 11, label: "Hillside", state: "planted", hectares: 4, contractor_id: 5 },
      { id: 12, label: "Brook", state: "fallow", hectares: 9, contractor_id: 4 },
      { id: 13, label: "Long Acre", state: "planted", hectares: 12, contractor_id: 4 },
    ],
  },
});

describe("The offline planner understands beside words that carry nothing", () => {
  for (const [prompt, said] of [
    ["what's the newest tractor we've got", /newest by year first[\s\S]*Sparky/],
    ["whats the newest tractor weve got", /newest by year first[\s\S]*Sparky/],
    ["whos our cheapest contractor", /cheapest by hourly_rate first[\s\S]*Greta/],
    ["tractors running diesel", /^2 tractors/],
    ["planted ones over 5 hectares", /^1 parcel[\s\S]*Long Acre/],
  ] as const)
    it(`"${prompt}"`, async () => expect((await askOf(FARM, prompt)).text).to.match(said));

  it("and shows none of another kind for what lacks a value, or waits for it", async () => {
    for (const prompt of ["tractors lacking diesel", "parcels awaiting planted"])
      expect((await askOf(FARM, prompt)).text, prompt).to.match(/^I could not narrow|^No tool clearly fits/);
  });
});

describe("The offline planner takes a slip of a key for the only word that is near,", () => {
  for (const [prompt, said] of [
    ["contactors with an hourly rate over 40", /^I read "contactors" as "contractors".[\s\S]*Piet/],
    ["how many tracotrs are there", /^I read "tracotrs" as "tractors".\n\n3 tractors/],
    ["how many parcels are plnated", /^I read "plnated" as "planted".\n\n2 parcels/],
  ] as const)
    it(`"${prompt}", and says so`, async () => expect((await askOf(FARM, prompt)).text).to.match(said));

  it("but changes nothing by it", async () => {
    for (const prompt of ["delete tracotr 1", "set the mileaage of tractor 1 to 5", "delete contactors 4"])
      expect((await askOf(FARM, prompt)).calls, prompt).to.deep.equal([]);
  });

  it("and takes no other word, and no name, for one", async () => {
    for (const prompt of ["how many tracers are there", "who contracts parcel 11", "list the Contactors"])
      expect((await askOf(FARM, prompt)).text, prompt).not.to.contain("I read");
  });
});

describe("The offline planner answers with one value", () => {
  for (const [prompt, said] of [
    ["how much is Sparky a day", /^day_rate: 120\n/],
    ["how much is greta holm an hour", /^hourly_rate: 30\n/],
    ["what's piet maas's phone", /^phone: 555 50\n/],
    ["sum of the insurance fees", /^The total insurance_fee is 39.75, of 3 tractors/],
    ["average mileage", /^The average mileage is/],
    ["which tractor has done the most miles", /Old Tom/],
    ["tractors with more than 3000 miles", /^2 tractors with mileage > 3000/],
    ["contractors who charge more than 40 an hour", /^1 contractor with hourly_rate > 40[\s\S]*Piet/],
  ] as const)
    it(`"${prompt}"`, async () => expect((await askOf(FARM, prompt)).text).to.match(said));

  it("and not with a price for another time", async () => {
    expect((await askOf(FARM, "how much is Sparky a month")).text).to.contain("did not understand");
    expect((await askOf(FARM, "contractors who charge more than 40 a week")).text).to.contain("I could not narrow");
  });

  it("of the record that was shown, or that this refers to", async () => {
    const ask = createSession(FARM.tools, FARM.reply);
    await ask("show parcel 11");
    for (const prompt of ["what's the contractor's phone", "whats the contractors phone"])
      expect((await ask(prompt)).text).to.match(/^phone: 555 50\n/);
  });

  it("and asks for which where there is none", async () => {
    for (const prompt of ["what's the contractor's phone", "whats the contractors phone"]) {
      const { calls, text } = await askOf(FARM, prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.equal("Which contractor do you mean? Say its id or its name.");
    }
  });
});

describe("The offline planner, asked by a verb of what records have,", () => {
  const CREW = createApplication({
    people: {
      key: "id",
      keyType: INTEGER,
      rows: [
        { id: 7, name: "Ada Holm", town: "Leek", languages: ["dutch", "german"], postage: 4 },
        { id: 8, name: "Ben Moss", town: "Stoke", languages: ["english"], postage: 9 },
        { id: 9, name: "Cy Rae", town: "Derby", languages: ["dutch"], postage: 1 },
      ],
      fields: { name: TEXT, town: TEXT },
    },
  });
  for (const [prompt, answer] of [
    ["people who live in Leek or Stoke", /^2 people with town = Leek or Stoke:/],
    ["people who speak dutch or english", /^3 people/],
    ["people who don't live in Leek", /^2 people with town ≠ Leek:/],
    ["people who only speak dutch", /^I could not narrow this by/],
    ["people who speak only dutch", /^I could not narrow this by/],
    ["people who lived in Leek", /^I could not narrow this by "lived"/],
    ["the person with the most posts", /could not put this in order/],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(CREW, prompt);
      expect(text).to.match(answer);
    });
});
