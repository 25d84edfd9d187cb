// What a record no longer is or newly has, told as a fact; and switches and days that are set to what is said, never to the opposite.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const B = { type: "boolean" };
const DAY = { type: "string", format: "date" };

const ZOO = createApplication({
  keepers: {
    key: "keeper_id",
    keyType: I,
    rows: [
      { keeper_id: 1, name: "Signe Dahl", phone: "555 11", weekly_pay: 410 },
      { keeper_id: 2, name: "Jonas Bek", phone: "555 12", weekly_pay: 390 },
    ],
    fields: { name: S, phone: S, weekly_pay: N, town: S },
    required: ["name"],
  },
  animals: {
    key: "animal_id",
    keyType: I,
    rows: [
      { animal_id: 4, nickname: "Bruno", in_quarantine: true, off_show: true, out_of_breath: true, diet: "hay" },
      { animal_id: 5, nickname: "Tilly", in_quarantine: false, off_show: false, out_of_breath: false, diet: "fish" },
    ],
    fields: { nickname: S, in_quarantine: B, off_show: B, out_of_breath: B, diet: S },
    required: ["nickname"],
  },
  tours: {
    key: "tour_id",
    keyType: I,
    rows: [{ tour_id: 8, meeting_place: "Gate 2", tour_day: "2026-12-01" }],
    fields: { meeting_place: S, tour_day: DAY },
    required: ["meeting_place"],
  },
});

describe("The offline planner makes the change of a field that is told", () => {
  for (const [prompt, call] of [
    ["bruno is not in quarantine any more", ["update_animal", { animal_id: 4, in_quarantine: false }]],
    ["Bruno is no longer off show", ["update_animal", { animal_id: 4, off_show: false }]],
    ["the bruno isn't out of breath anymore", ["update_animal", { animal_id: 4, out_of_breath: false }]],
    ["signe dahls phone is 555 1099", ["update_keeper", { keeper_id: 1, phone: "555 1099" }]],
    ["Jonas Bek's phone is now 555 1098", ["update_keeper", { keeper_id: 2, phone: "555 1098" }]],
    ["new phone number for jonas bek: 555 1097", ["update_keeper", { keeper_id: 2, phone: "555 1097" }]],
    ["new diet for tilly: 3 herrings", ["update_animal", { animal_id: 5, diet: "3 herrings" }]],
    ["signe dahl gets 425.50 a week now", ["update_keeper", { keeper_id: 1, weekly_pay: 425.5 }]],
    ["postpone tour 8 to 9 december 2026", ["update_tour", { tour_id: 8, tour_day: "2026-12-09" }]],
    ["delay tour 8 until 2026-12-10", ["update_tour", { tour_id: 8, tour_day: "2026-12-10" }]],
    // What is set is what is said.
    ["set in_quarantine of Bruno to false", ["update_animal", { animal_id: 4, in_quarantine: false }]],
    ["set in quarantine to no for animal 4", ["update_animal", { animal_id: 4, in_quarantine: false }]],
    ["set the in quarantine of animal 5 to true", ["update_animal", { animal_id: 5, in_quarantine: true }]],
    ["move tour 8 to 2026-12-11", ["update_tour", { tour_id: 8, tour_day: "2026-12-11" }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(ZOO, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });

  for (const prompt of [
    "is bruno no longer in quarantine",
    "which animals are no longer in quarantine",
    "gina is no longer in quarantine",
    "bruno is not in quarantine",
    "bruno and tilly are not in quarantine any more",
    "bruno is probably not in quarantine any more",
    "if bruno is no longer in quarantine",
    "bruno is no longer hungry",
    "jonas phone is 555 1099",
    "new phone for jonas: 555 1099",
    "new animal for jonas bek: Otto",
    "signe dahl gets 20 an hour now",
    "signe dahl gets 425.50 a week",
    "postpone tour 8",
    "postpone the tour to 9 december",
    "postpone tour 8 to gate 3",
  ])
    it(`changes nothing for "${prompt}"`, async () => {
      const { calls } = await askOf(ZOO, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
