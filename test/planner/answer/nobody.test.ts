// What nobody has done is what was not done, and never the opposite.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const office = createApplication({
  parcels: {
    key: "id",
    rows: [
      { id: 1, kind: "gift", confirmed: false, collected_at: null, code: "PK-11" },
      { id: 2, kind: "gift", confirmed: true, collected_at: "2026-11-02", code: "PK-12" },
      { id: 3, kind: "letter", confirmed: false, collected_at: "2026-11-03", code: "PK-13" },
    ] satisfies JsonObject[],
  },
  invoices: {
    key: "id",
    rows: [
      { id: 1, customer: "Ada Holm", amount: 12, paid_on: null },
      { id: 2, customer: "Ben Oak", amount: 20, paid_on: "2026-10-03" },
    ] satisfies JsonObject[],
  },
});

describe("The offline planner takes what nobody has done for not done:", () => {
  for (const [prompt, ids] of [
    ["parcels nobody has confirmed yet", [1, 3]],
    ["gift parcels nobody confirmed", [1]],
    ["gift parcels that no one has confirmed", [1]],
    ["letter parcels no-one has ever confirmed", [3]],
    ["parcels not yet confirmed", [1, 3]],
    ["still unconfirmed parcels", [1, 3]],
    ["parcels that were never confirmed", [1, 3]],
    ["parcels nobody has collected", [1]],
    ["parcels never collected", [1]],
    ["parcels not yet collected", [1]],
    ["which invoices has nobody paid yet?", [1]],
    ["invoices no one has paid", [1]],
    ["confirmed parcels", [2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect(idsIn((await askOf(office, prompt)).text)).to.deep.equal(ids);
    });

  for (const prompt of ["parcels nobody has weighed yet", "invoices nobody has signed", "parcels never insured"])
    it(`and shows nothing for "${prompt}", which is no field`, async () => {
      const { text } = await askOf(office, prompt);
      expect(text).to.not.contain("|");
      expect(text).to.match(/^I could not narrow this by/);
    });
});
