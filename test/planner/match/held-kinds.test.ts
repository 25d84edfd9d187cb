// A code or a name is sent for no day, phone number or address: what it names is looked up.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { HAULAGE } from "../samples/haulage.js";

const CAMP = createApplication({
  sites: { key: "site_id", keyType: { type: "integer" }, rows: [{ id: 1, name: "Beech Corner" }] },
  stays: {
    key: "reference",
    rows: [
      { reference: "ST-401", site_id: 1, starts_on: "2026-07-01", paid_on: null },
      { reference: "ST-402", site_id: 2, starts_on: "2026-06-01", paid_on: "2026-06-02" },
    ],
    filters: { starts_on: { type: "string" }, site_id: { type: "integer" } },
    fields: { site_id: { type: "integer" }, starts_on: { type: "string", format: "date" } },
    required: ["site_id"],
  },
  campers: {
    key: "camper_id",
    keyType: { type: "integer" },
    rows: [
      { id: 1, name: "Nora Lindqvist", phone: "070 1", email: "nora@camp.example" },
      { id: 2, name: "Ivo Marek", phone: "071 2", email: "ivo@camp.example" },
    ],
    filters: { phone: { type: "string" }, email: { type: "string" } },
  },
});

describe("A code or a name for a slot that cannot hold it", () => {
  const answers: [typeof CAMP, string, RegExp][] = [
    [HAULAGE, "When was BILL-26-01 paid?", /2026-05-09/],
    [HAULAGE, "when was CL-104 closed", /2026-03-01/],
    [HAULAGE, "When was CL-106 opened?", /2026-05-01/],
    [HAULAGE, "phone of Dan Brewer", /^phone: 555 11/],
    [HAULAGE, "claims of Dan Brewer", /^2 claims/],
    [CAMP, "When was ST-402 paid?", /2026-06-02/],
    [CAMP, "which stays start at Beech Corner?", /^1 stay/],
    [CAMP, "email of Ivo Marek", /ivo@camp/],
  ];
  for (const [application, prompt, answer] of answers)
    it(`is looked up: "${prompt}"`, async () => {
      const { text, calls } = await askOf(application, prompt);
      expect(text).to.match(answer);
      const sent = calls.map(([, args]) => JSON.stringify(args)).join(" ");
      expect(sent).not.to.match(/"(?:\w+_on|phone|email)":"|"claim_no":"Dan/);
    });

  it("is never told as none", async () => {
    for (const [prompt, said] of [
      ["is BILL-26-02 paid?", /BILL-26-02/],
      ["when does Nora Lindqvist start?", /Nora Lindqvist/],
      ["phone number of Beech Corner", /Beech Corner/],
    ] as const) {
      const { text } = await askOf(prompt.includes("BILL") ? HAULAGE : CAMP, prompt);
      expect(text, prompt)
        .to.match(said)
        .and.not.match(/^No (?!tool)/m);
    }
  });

  it("takes what the slot can hold as before", async () => {
    expect((await askOf(CAMP, 'campers with phone "071 2"')).text).to.match(/Ivo Marek/);
    expect((await askOf(CAMP, "stays that start on 2026-07-01")).text).to.match(/ST-401/);
    expect((await askOf(HAULAGE, "bill BILL-26-02")).calls).to.deep.equal([
      ["list_bills", { where: { bill_no: "BILL-26-02" } }],
    ]);
  });

  it("is no day of a change", async () => {
    const { calls, text } = await askOf(CAMP, "update stay ST-401: starts_on Beech Corner");
    expect(text).to.contain("starts_on");
    expect(calls.filter(([name]) => name.startsWith("update"))).to.deep.equal([]);
  });
});
