// What belongs to a record, asked for by a verb, and what happened in one.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const PARISH = createApplication({
  churches: { key: "church_id", keyType: I, rows: [{ church_id: 7, name: "Saint Olaf" }], fields: { name: S } },
  workers: {
    key: "worker_id",
    keyType: I,
    rows: [{ worker_id: 3, name: "Yasmin Aziz", church_id: 7 }],
    filters: { church_id: I },
    fields: { name: S, church_id: I },
  },
  payments: {
    key: "payment_id",
    keyType: I,
    rows: [{ payment_id: 80, worker_id: 3, amount: 55 }],
    filters: { worker_id: I },
    fields: { worker_id: I, amount: I },
  },
  accidents: {
    key: "accident_id",
    keyType: I,
    rows: [{ accident_id: 5, code: "AC-305", text: "A bell fell" }],
    fields: { code: S, text: S },
  },
});

describe("The offline planner lists what belongs to a record by the verb of the question", () => {
  for (const [prompt, call] of [
    ["who works at Saint Olaf", ["list_workers", { church_id: 7 }]],
    ["who works at Saint Olaf?", ["list_workers", { church_id: 7 }]],
    ["what has Yasmin Aziz paid so far", ["list_payments", { worker_id: 3 }]],
    ["workers of Saint Olaf", ["list_workers", { church_id: 7 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(PARISH, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
    });
  for (const [prompt, said] of [
    ["what happened in AC-305", /A bell fell/],
    ["what happened at Saint Olaf?", /Saint Olaf/],
    ["who sleeps at Saint Olaf", /^"Saint Olaf" is church 7, and I did not understand/],
  ] as const)
    it(`answers "${prompt}"`, async () => {
      expect((await askOf(PARISH, prompt)).text).to.match(said);
    });
});

const DEPOT = createApplication({
  halls: {
    key: "hall_id",
    keyType: I,
    rows: [
      { id: 1, name: "North" },
      { id: 2, name: "South" },
    ],
    fields: { name: S },
  },
  racks: {
    key: "rack_id",
    keyType: I,
    rows: [{ id: 5, code: "N-1", hall_id: 1 }],
    fields: { code: S, hall_id: I },
  },
  crates: {
    key: "crate_id",
    keyType: I,
    rows: [
      { id: 8, content: "tiles", rack_id: 5 },
      { id: 9, content: "rope", rack_id: 6 },
    ],
    fields: { content: S, rack_id: I },
  },
});

describe("Everything at a record is what belongs to it", () => {
  for (const prompt of [
    "everything on rack 5",
    "all the stuff lying on rack 5",
    "show me the things on rack 5",
    "whats on rack 5",
    "what is on rack 5",
  ])
    it(`"${prompt}", where that is of one kind`, async () => {
      expect(idsIn((await askOf(DEPOT, prompt)).text)).to.deep.equal([8]);
    });

  for (const prompt of [
    "everything standing in the north hall",
    "anything in hall 1",
    "all the stuff in the North hall",
  ])
    it(`"${prompt}", with a question where it may be of several`, async () => {
      const { text } = await askOf(DEPOT, prompt);
      expect(text).to.equal("That may be any of the racks or crates of hall 1, so I went no further. Say which.");
    });

  it("and no other condition is left out", async () => {
    const { text } = await askOf(DEPOT, "everything broken on rack 5");
    expect(text).to.equal("That may be any of the crates of rack 5, so I went no further. Say which.");
  });
});
