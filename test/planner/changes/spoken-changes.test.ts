// Changes in everyday verbs and forms of sentences: the value goes to the one parameter that takes it.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const AUCTION = createApplication({
  lots: {
    key: "lot_id",
    keyType: I,
    rows: [
      { lot_id: 8, code: "LT-208", fish: "hake", weight_kg: 500 },
      { lot_id: 9, code: "LT-209", fish: "cod", weight_kg: 300 },
    ],
    fields: { fish: S },
    actions: { weigh: { weight_kg: N }, sell: { buyer: S, price_per_kg: N }, reject: { reason: S } },
  },
  boats: {
    key: "boat_id",
    keyType: I,
    rows: [{ boat_id: 3, name: "Vesta", skipper: "Ola Brandt", length: 12 }],
    fields: { name: S, skipper: S, agent_name: S, length: N },
    required: ["name"],
  },
  moorings: {
    key: "mooring_code",
    rows: [{ mooring_code: "N3", boat_id: null }],
    actions: { assign: { boat_id: I } },
  },
});
const SCHOOL = createApplication({
  classes: {
    key: "class_id",
    rows: [{ class_id: "CL-519", subject: "cello", room: "Room 1" }],
    fields: { subject: S, room: S, notes: S },
    required: ["subject"],
    actions: { reschedule: { starts_at: { type: "string", format: "date-time" } } },
  },
  pupils: {
    key: "pupil_id",
    keyType: I,
    rows: [{ pupil_id: 4, name: "Oskar Berg", status: "paused" }],
    fields: { name: S, mentor: S },
    required: ["name"],
    actions: { resume: {}, pay: { amount_eur: N } },
  },
  halls: {
    key: "hall_id",
    keyType: I,
    rows: [{ hall_id: 5, code: "HX-05", name: "North" }],
    actions: { open: {}, close: {} },
  },
});

describe("The offline planner makes the change of", () => {
  for (const [application, prompt, call] of [
    [AUCTION, "weigh lot 8 at 640 kg", ["weigh_lot", { lot_id: 8, weight_kg: 640 }]],
    [
      AUCTION,
      "sell LT-209 to Nordfisk AS for 20.5 per kg",
      ["sell_lot", { lot_id: 9, buyer: "Nordfisk AS", price_per_kg: 20.5 }],
    ],
    [
      AUCTION,
      "sell lot 9 to Nordfisk AS for 20.5 per kg",
      ["sell_lot", { lot_id: 9, buyer: "Nordfisk AS", price_per_kg: 20.5 }],
    ],
    [AUCTION, "reject lot 8, fish not gutted", ["reject_lot", { lot_id: 8, reason: "fish not gutted" }]],
    [AUCTION, "reject lot 8, fish too small", ["reject_lot", { lot_id: 8, reason: "fish too small" }]],
    [AUCTION, "give mooring N3 to Vesta", ["assign_mooring", { mooring_code: "N3", boat_id: 3 }]],
    [AUCTION, "the new skipper of Vesta is Karl Rud", ["update_boat", { boat_id: 3, skipper: "Karl Rud" }]],
    [AUCTION, "new agent of the Vesta is Karl Rud", ["update_boat", { boat_id: 3, agent_name: "Karl Rud" }]],
    [AUCTION, "new skipper of boat 3 is Karl Rud", ["update_boat", { boat_id: 3, skipper: "Karl Rud" }]],
    [SCHOOL, "the new mentor of Oskar Berg is Lena Vos", ["update_pupil", { pupil_id: 4, mentor: "Lena Vos" }]],
    [
      SCHOOL,
      "move class CL-519 to 2026-12-10 at 16:00",
      ["reschedule_class", { class_id: "CL-519", starts_at: "2026-12-10T16:00:00Z" }],
    ],
    [SCHOOL, "put class CL-519 in Hall B", ["update_class", { class_id: "CL-519", room: "Hall B" }]],
    [SCHOOL, "move class CL-519 to Hall B", ["update_class", { class_id: "CL-519", room: "Hall B" }]],
    [SCHOOL, "open HX-05 again", ["open_hall", { hall_id: 5 }]],
    [SCHOOL, "open hall 5 again", ["open_hall", { hall_id: 5 }]],
    [SCHOOL, "Oskar Berg is back, please resume him", ["resume_pupil", { pupil_id: 4 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });
});

describe("The offline planner makes no change for", () => {
  for (const [application, prompt] of [
    [AUCTION, "weigh lot 8 at 640 lb"],
    [AUCTION, "sell lot 9 to Nordfisk AS for 20.5 per box"],
    [AUCTION, "reject lot 8, fish is rotten, weigh lot 9"],
    [AUCTION, "weigh lot 8, fish not gutted"],
    [AUCTION, "give mooring N3 to Bismarck"],
    [SCHOOL, "put class CL-519 in danger"],
    [SCHOOL, "which pupils are without training"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
      expect(text).to.not.match(/You said not to/);
    });
});
