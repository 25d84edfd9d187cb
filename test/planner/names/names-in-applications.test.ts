// A record that is named without its noun is looked for in every application, and found in one goes on there.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { type Application, askOf, createApplication, joined, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication(
  {
    pets: {
      key: "pet_id",
      keyType: I,
      rows: [
        { pet_id: 1, name: "Rex", weight: 31 },
        { pet_id: 2, name: "Bruno", weight: 4 },
      ],
      fields: { name: S, weight: I },
    },
    owners: { key: "owner_id", keyType: I, rows: [{ owner_id: 3, name: "Ada Holm" }], fields: { name: S } },
  },
  "clinic",
);
const SHOP = createApplication(
  { pets: { key: "pet_id", keyType: I, rows: [{ pet_id: 9, name: "Rex", price: 20 }], fields: { name: S, price: I } } },
  "shop",
);
const PORT = createApplication(
  { vessels: { key: "vessel_id", rows: [{ vessel_id: "V-1", name: "Wilhelmine" }], fields: { name: S } } },
  "port",
);
const ALL = joined(CLINIC, SHOP, PORT);
const UNREADABLE: Application = {
  tools: ALL.tools,
  reply: (called, args) => (called.name === "port_list_vessels" ? { error: "503" } : ALL.reply(called, args)),
};

describe("The offline planner, with several applications,", () => {
  for (const [prompt, said] of [
    ["show Bruno", /\*\*weight\*\*: 4/],
    ["show Wilhelmine", /V-1/],
    ["what is the weight of Bruno?", /\*\*weight\*\*: 4/],
    ["show Rex", /^2 records are called so[\s\S]*\| clinic \|[\s\S]*\| shop \|/],
    ["show Rex in the shop", /\*\*price\*\*: 20/],
    ["show Garden Party", /^I found nothing called "Garden Party"/],
  ] as const)
    it(`finds what "${prompt}" names`, async () => {
      expect((await askOf(ALL, prompt)).text).to.match(said);
    });

  for (const [prompt, call] of [
    ["delete Bruno", ["clinic_delete_pet", { pet_id: 2 }]],
    ["delete Wilhelmine", ["port_delete_vessel", { vessel_id: "V-1" }]],
  ] as [string, [string, JsonObject]][])
    it(`changes it where it is: "${prompt}"`, async () => {
      expect(lastCall(await askOf(ALL, prompt))).to.deep.equal(call);
    });

  it("reads no list where the noun of several stands beside the name", async () => {
    expect((await askOf(ALL, "delete the pet Bruno")).calls).to.deep.equal([]);
  });

  for (const [application, prompt] of [
    [ALL, "delete Rex"],
    [UNREADABLE, "delete Bruno"],
  ] as const)
    it(`changes nothing where it may be another: "${prompt}"`, async () => {
      const { calls } = await askOf(application, prompt);
      expect(calls.every(([name]) => name.includes("_list_"))).to.equal(true);
    });
});
