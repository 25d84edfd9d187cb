// Who did something, by name: the field that says it is named by what was done, or by what they are.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";

const I = { type: "integer" };
const S = { type: "string" };
const PERSON = { ...I, description: "id of a volunteer (list_volunteers)" };

const RESERVE = createDatabase({
  volunteers: {
    columns: { id: I, full_name: S, village: S },
    rows: [
      { id: 3, full_name: "Ines Okoro", village: "Holm" },
      { id: 8, full_name: "Rolf Aasen", village: "Vik" },
    ],
  },
  surveys: {
    columns: { id: I, surveyor_id: PERSON, checker_id: PERSON, weather: { ...S, enum: ["dry", "wet"] } },
    rows: [
      { id: 1, surveyor_id: 3, checker_id: 8, weather: "dry" },
      { id: 2, surveyor_id: 8, checker_id: 3, weather: "dry" },
      { id: 4, surveyor_id: 3, checker_id: 8, weather: "wet" },
    ],
  },
  walks: {
    columns: { id: I, route: S, leader_id: PERSON },
    rows: [
      { id: 5, route: "Marsh loop", leader_id: 8 },
      { id: 6, route: "Ridge", leader_id: 3 },
    ],
  },
});

describe("What somebody did, by name", () => {
  for (const [prompt, heading] of [
    ["surveys by Ines Okoro", "2 surveys with surveyor_id = 3:"],
    ["dry surveys by Ines Okoro", "1 survey with surveyor_id = 3 and weather = dry:"],
    ["how many surveys by Ines Okoro", "2 surveys with surveyor_id = 3."],
    ["surveys checked by Ines Okoro", "1 survey with checker_id = 3:"],
    ["surveys done by Rolf Aasen", "1 survey with surveyor_id = 8:"],
    ["walks led by Rolf Aasen", "1 walk with leader_id = 8:"],
  ] as const)
    it(`is told by the field for it: "${prompt}"`, async () => {
      const lines = (await askOf(RESERVE, prompt)).text.split("\n");
      expect(lines).to.contain(heading);
    });

  for (const prompt of ["walks by Rolf Aasen", "surveys paid by Ines Okoro", "walks cancelled by Ines Okoro"])
    it(`is asked about where no field is for it: "${prompt}"`, async () => {
      expect((await askOf(RESERVE, prompt)).text).to.match(/could not narrow|did not understand/);
    });
});

const CLINIC = createApplication({
  nurses: {
    key: "nurseId",
    keyType: I,
    rows: [
      { id: 4, name: "Ada Lund" },
      { id: 7, name: "Jon Berg" },
    ],
  },
  scans: {
    key: "scanId",
    keyType: I,
    rows: [
      { id: 1, performedById: 4, part: "knee" },
      { id: 2, performedById: 7, part: "hip" },
      { id: 3, performedById: 4, part: "hip" },
    ],
    fields: { performedById: { ...I, description: "The nurse who did it" }, part: S },
  },
});

describe("What somebody did, where no parameter takes who", () => {
  for (const [prompt, heading] of [
    ["scans by Ada Lund", "2 scans with performedById = 4:"],
    ["how many scans done by Ada Lund", "2 scans with performedById = 4."],
    ["scans with performedById = 7", "1 scan with performedById = 7:"],
  ] as const)
    it(`is narrowed by the field: "${prompt}"`, async () => {
      expect((await askOf(CLINIC, prompt)).text.split("\n")).to.contain(heading);
    });
});
