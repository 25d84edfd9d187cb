// Commands that no tool knows, and reports: no list is read for what they name.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication({
  pets: { key: "pet_id", keyType: I, rows: [{ pet_id: 1, name: "Rex", weight: 31 }], fields: { name: S, weight: I } },
  vets: { key: "vet_id", keyType: I, rows: [{ vet_id: 7, name: "Lena Vos" }], fields: { name: S, phone: S } },
  appointments: {
    key: "appointment_id",
    keyType: I,
    rows: [{ appointment_id: 11, pet_id: 1, reason: "x-ray" }],
    fields: { pet_id: I, reason: S },
    actions: { cancel: {} },
  },
});
const CINEMA = createApplication({
  films: { key: "film_id", rows: [{ film_id: "FLM-1", title: "Paper Tigers" }], fields: { title: S } },
  screens: { key: "screen_id", rows: [{ screen_id: "SCR-1", name: "Harbor Screen" }], fields: { name: S } },
});

describe("The offline planner reads no list for", () => {
  for (const [application, prompt, said] of [
    [CLINIC, "print the x-ray of Rex", /^I did not understand "print"/],
    [CLINIC, "feed Rex", /^I did not understand "feed"/],
    [CLINIC, "mail Lena Vos the invoice", /^I did not understand "mail"/],
    [CINEMA, "buy popcorn for Harbor Screen", /^I did not understand "buy"/],
    [CINEMA, "we showed Paper Tigers last year", /^That tells what happened/],
    [CLINIC, "I fed Rex this morning", /^That tells what happened/],
    [CLINIC, "we almost sold Rex", /^That tells what happened/],
    [CLINIC, "we cancelled appointment 11", /^That tells what happened/],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(said);
    });
});

describe("The offline planner still looks for what is named in", () => {
  for (const [application, prompt, said] of [
    [CLINIC, "weight of Rex", /\*\*weight\*\*: 31/],
    [CLINIC, "phone number of Lena Vos", /Lena Vos/],
    [CLINIC, "print Rex", /\*\*weight\*\*: 31/],
    [CLINIC, "I need the weight of Rex", /\*\*weight\*\*: 31/],
    [CLINIC, "blood type of Rex", /^"Rex" is pet 1/],
    [CLINIC, "can you cancel appointment 11", /^Done: `cancel_appointment` 11/],
    [CINEMA, "details of Harbor Screen", /SCR-1/],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.match(said);
    });
});
