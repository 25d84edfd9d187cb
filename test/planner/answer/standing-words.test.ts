// Words that leave no record out: where things stand, a "single" beside a superlative, and who handles something.

import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const N = { type: "integer" };

const vets = createApplication({
  visits: {
    key: "id",
    keyType: N,
    rows: [
      { id: 7, dog: "Rex", vet_id: 2, customer_id: 1, minutes: 30 },
      { id: 8, dog: "Bo", vet_id: 1, customer_id: 1, minutes: 50 },
    ],
  },
  vets: {
    key: "id",
    keyType: N,
    rows: [
      { id: 1, name: "Nora Pike", phone: "1" },
      { id: 2, name: "Jo Vance", phone: "2" },
    ],
    fields: { name: S, phone: S },
  },
  customers: { key: "id", keyType: N, rows: [{ id: 1, name: "Al Reed", phone: "3" }], fields: { name: S, phone: S } },
  ponds: {
    key: "id",
    keyType: N,
    rows: [
      { id: 1, name: "Long Mere" },
      { id: 2, name: "High Tarn" },
    ],
  },
  boats: {
    key: "id",
    keyType: N,
    rows: [
      { id: 1, name: "Swift", pond_id: 1, built_on: "2020-05-01" },
      { id: 2, name: "Otter", pond_id: 2, built_on: "2021-05-01" },
      { id: 3, name: "Heron", pond_id: 1, built_on: "2022-06-01" },
    ],
  },
});

describe("The offline planner takes no condition from", () => {
  for (const [prompt, expected] of [
    ["how many boats lie at Long Mere?", /^2 boats with pond_id = 1/],
    ["which boats stand at High Tarn?", /^1 boat with pond_id = 2/],
    ["boats moored at Long Mere", /^2 boats with pond_id = 1/],
    ["longest single visit", /^1 visit with longest by minutes first/],
    ["who handles visit 7?", /^vet 2 is Jo Vance\./],
    ["who looks after visit 8?", /^vet 1 is Nora Pike\./],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(vets, prompt)).text).to.match(expected);
    });

  for (const [prompt, expected] of [
    ["how many single boats are there?", /^I could not narrow this by "single"/],
    ["which boats sink at Long Mere?", /could not narrow this by "sink"/],
    ["boats parked in May", /could not narrow this by "parked"/],
    ["who handles pond 1?", /^I cannot tell who handles this pond\./],
    ["who feeds visit 7?", /^I found nothing about "feeds"/],
  ] as const)
    it(`but says what it does not know of "${prompt}"`, async () => {
      expect((await askOf(vets, prompt)).text).to.match(expected);
    });
});
