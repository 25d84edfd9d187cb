// Records that a prompt calls by their codes, in an application with six lists: a field of one of them, or a change.

import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const N = { type: "integer" };
const RATE = { type: "number" };

const hire = createApplication({
  charters: {
    key: "id",
    keyType: N,
    rows: [
      {
        id: 1,
        reference: "CH-3101",
        skipper: "Ines Brandt",
        days: 4,
        state: "paid",
        paid_on: "2026-05-03",
        lake_id: 1,
      },
      { id: 2, reference: "CH-3102", skipper: "Tom Weld", days: 2, state: "requested", paid_on: null, lake_id: 2 },
    ],
    fields: { skipper: S, days: N },
    required: ["skipper"],
  },
  bills: {
    key: "id",
    keyType: N,
    rows: [
      { id: 1, bill_no: "BL-31", status: "paid", paid_on: "2026-03-03" },
      { id: 2, bill_no: "BL-32", status: "open", paid_on: null },
    ],
    filters: { status: { type: "string", enum: ["paid", "open"] }, paid_on: S },
  },
  sails: {
    key: "id",
    keyType: N,
    rows: [{ id: 1, tag: "OAT-26-02", cloth: "oat", weight: 12.9 }],
    filters: { cloth: S },
    fields: { cloth: S, weight: RATE },
    required: ["cloth"],
  },
  lakes: { key: "id", keyType: N, rows: [{ id: 1, name: "Long Mere" }] },
  boats: { key: "id", keyType: N, rows: [{ id: 1, name: "Swift" }] },
  members: { key: "id", keyType: N, rows: [{ id: 1, name: "Ines Brandt" }] },
});

describe("The offline planner finds a code among six lists", () => {
  for (const [prompt, expected] of [
    ["how many days is CH-3102 for?", /^days: 2\n/],
    ["days CH-3102", /^days: 2\n/],
    ["which skipper has CH-3102?", /^skipper: Tom Weld\n/],
    ["when was CH-3101 paid?", /^paid_on: 2026-05-03\n/],
    ["on which day was CH-3101 paid?", /^paid_on: 2026-05-03\n/],
    ["When was BL-31 paid?", /^paid_on: 2026-03-03\n/],
    ["OAT-26-02 weight?", /^weight: 12.9\n/],
    ["OAT-26-02 cloth?", /^cloth: oat\n/],
  ] as const)
    it(`to read "${prompt}"`, async () => {
      const { calls, text } = await askOf(hire, prompt);
      expect(text).to.match(expected);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });

  for (const [prompt, call] of [
    ["change CH-3102 to 4 days", ["update_charter", { id: 2, days: 4 }]],
    ["set the days of CH-3102 to 5", ["update_charter", { id: 2, days: 5 }]],
    ["delete CH-3102", ["delete_charter", { id: 2 }]],
  ] as const)
    it(`for "${prompt}"`, async () => {
      expect(lastCall(await askOf(hire, prompt))).to.deep.equal(call);
    });

  for (const [prompt, said] of [
    ["change CH-3199 to 4 days", /^I found nothing called "CH-3199"/],
    ["when was CH-3101 delivered?", /did not understand what is wanted of it/],
    ["CH-3101 colour?", /did not understand what is wanted of it/],
    ["When was BL-77 paid?", /^I found nothing called "BL-77"/],
    ["sail 1 cloth?", /^I cannot tell what is wanted of sail 1/],
  ] as const)
    it(`and changes nothing for "${prompt}"`, async () => {
      const { calls, text } = await askOf(hire, prompt);
      expect(text)
        .to.match(said)
        .and.not.match(/found with/);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
