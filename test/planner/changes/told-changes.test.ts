// Changes told as a fact: what is now, where something has to go, and a state said behind "as".
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const B = { type: "boolean" };

const WORKS = createApplication({
  machines: {
    key: "machine_id",
    keyType: I,
    rows: [
      { machine_id: 3, code: "MX-30", state: "idle", listed: false },
      { machine_id: 4, code: "MX-40", state: "running", listed: false },
    ],
    fields: { code: S, state: { type: "string", enum: ["idle", "running", "in_repair"] }, listed: B },
    required: ["code"],
  },
  trainees: {
    key: "trainee_id",
    keyType: I,
    rows: [
      { trainee_id: 7, name: "Maja Holt", status: "active", exam_passed: false, employer: "Norsk Stål" },
      { trainee_id: 8, name: "Per Lie", status: "active", exam_passed: false, employer: null },
    ],
    fields: {
      name: S,
      status: { type: "string", enum: ["active", "passed", "left"] },
      exam_passed: B,
      insured: B,
      employer: S,
    },
    required: ["name"],
  },
  mills: {
    key: "mill_id",
    keyType: I,
    rows: [{ mill_id: 5, title: "Tower mill", listed: false }],
    fields: { title: S, listed: B },
    required: ["title"],
  },
});

describe("The offline planner makes the change that is told", () => {
  for (const [prompt, call] of [
    ["MX-30 is mended now, set it to running", ["update_machine", { machine_id: 3, state: "running" }]],
    ["MX-40 was too hot, please set it to idle", ["update_machine", { machine_id: 4, state: "idle" }]],
    ["MX-40 has to go into repair", ["update_machine", { machine_id: 4, state: "in_repair" }]],
    ["MX-40 goes into repair now", ["update_machine", { machine_id: 4, state: "in_repair" }]],
    ["maja holt is insured now", ["update_trainee", { trainee_id: 7, insured: true }]],
    ["maja holt works at Vik Verft now", ["update_trainee", { trainee_id: 7, employer: "Vik Verft" }]],
    ["Maja Holt passed her exam today, can you update her", ["update_trainee", { trainee_id: 7, exam_passed: true }]],
    ["set the exam passed of Maja Holt to true", ["update_trainee", { trainee_id: 7, exam_passed: true }]],
    ["mark tower mill as listed", ["update_mill", { mill_id: 5, listed: true }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(WORKS, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });

  for (const prompt of [
    "MX-30 is mended now",
    "MX-30 is not mended, do not set it to running",
    "if MX-30 is mended, set it to running",
    "MX-30 and MX-40 are mended, set them to running",
    "MX-40 has to go to Bergen",
    "Maja Holt works at Vik Verft",
    "Maja Holt worked at Vik Verft",
    "Maja Holt passed her exam today",
    "Maja Holt passed her driving test, can you update her",
    "ola nes is insured now",
    "mark lighthouse as listed",
    "MX-40 goes into repair",
    "MX-40 should go into repair",
    "MX-40 is almost mended, set it to running",
    ...["home", "night", "speed", "me", "another firm", "Vik Verft as a cook"].map(
      (at) => `Maja Holt works at ${at} now`,
    ),
    "Maja Holt works for free now",
    "Maja Holt now works with Per Lie",
    "Maja Holt would have passed her exam, can you update her",
    "Per says Maja Holt passed her exam, update her",
  ])
    it(`changes nothing for "${prompt}"`, async () => {
      const { calls } = await askOf(WORKS, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
