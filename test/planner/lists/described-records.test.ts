// Records that a prompt describes, or calls by a field that is called no name, and fields of objects within them.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const STUDIO = createApplication({
  sessions: {
    key: "session_id",
    rows: [
      { session_id: "SE-1", style: "tango", hall: "Blue", day: "2026-11-03" },
      { session_id: "SE-2", style: "salsa", hall: "Blue", day: "2026-11-04" },
      { session_id: "SE-3", style: "tango", hall: "Red", day: "2026-12-01" },
    ],
    fields: { style: S, hall: S, day: { type: "string", format: "date" } },
    actions: { cancel: {} },
  },
  dancers: {
    key: "dancer_id",
    rows: [
      {
        dancer_id: "D-1",
        name: "Ida Roth",
        contact: { email: "ida@x.example", phone: "555-01", nextOfKin: "Per Roth" },
      },
      {
        dancer_id: "D-2",
        name: "Max Lund",
        contact: { email: "max@x.example", phone: "555-02", nextOfKin: "Eva Lund" },
      },
    ],
    fields: { name: S },
  },
});
const STORE = createApplication({
  materials: {
    key: "material_id",
    keyType: I,
    rows: [
      { material_id: 1, item: "Gloves", quantity: 20, shelf: "A" },
      { material_id: 2, item: "Masks", quantity: 30, shelf: "A" },
      { material_id: 3, item: "A4 paper", quantity: 5, shelf: "B" },
    ],
    fields: { item: S, quantity: I, shelf: S },
  },
  deliveries: {
    key: "delivery_id",
    keyType: I,
    rows: [
      { delivery_id: 1, goods: "TEA", arrived_on: "2026-11-02" },
      { delivery_id: 2, goods: "OAT", arrived_on: "2026-11-05" },
      { delivery_id: 3, goods: "TEA", arrived_on: "2026-10-05" },
    ],
    fields: { goods: S },
  },
});

const CLUB = createApplication({
  members: {
    key: "member_id",
    rows: [{ member_id: "M-1", name: "Ida", status: "active", level: "advanced" }],
    filters: {
      status: { type: "string", enum: ["active", "paused"] },
      level: { type: "string", enum: ["beginner", "advanced"] },
    },
    fields: { name: S, level: S },
    actions: { activate: {}, pause: {} },
  },
});

describe("The offline planner", () => {
  for (const [prompt, count] of [
    ["cancel the tango session", 2],
    ["delete the blue session", 2],
  ] as [string, number][])
    it(`asks which of ${count} is meant by "${prompt}"`, async () => {
      const { calls, text } = await askOf(STUDIO, prompt);
      expect(calls.map(([name]) => name)).to.deep.equal(["list_sessions"]);
      expect(text).to.match(new RegExp(`may be any of ${count}, so nothing was changed`));
    });

  it("asks for a record of which the words are only a part of its texts", async () => {
    const lots = createApplication({
      lots: {
        key: "lot_id",
        keyType: I,
        rows: [
          { lot_id: 1, name: "North", remark: "harp" },
          { lot_id: 2, name: "South", remark: "a harp, and its bow" },
          { lot_id: 3, name: "West", remark: "harpoon" },
        ],
        fields: { name: S },
      },
    });
    const { calls, text } = await askOf(lots, "delete the harp lot");
    expect(calls).to.deep.equal([["list_lots", {}]]);
    expect(text).to.match(/^"harp lot" may be any of 2, so nothing was changed/);
    expect(text).not.to.contain("West");
  });

  it("says that there is none where no record has that value", async () => {
    expect((await askOf(STUDIO, "cancel the waltz session")).text).to.match(/^I found no session called/);
  });

  for (const [prompt, text] of [
    ["phone number of dancer Ida Roth", /\*\*contact\.phone\*\*: 555-01/],
    ["phone of Max Lund", /\*\*contact\.phone\*\*: 555-02/],
    ["next of kin of dancer Max Lund", /\*\*contact\.nextOfKin\*\*: Eva Lund/],
  ] as [string, RegExp][])
    it(`answers "${prompt}" by a field of an object in the record`, async () => {
      const { text: said } = await askOf(STUDIO, prompt);
      expect(said).to.match(text);
      expect(said).not.to.match(/I found nothing|did not understand/);
    });

  it("says so where no object in the record has the field", async () => {
    expect((await askOf(STUDIO, "mobile of dancer Ida Roth")).text).to.match(/I found nothing about "mobile"|email/);
  });

  it("finds a record by the first text that each has another one in", async () => {
    const turn = await askOf(STORE, "set the shelf of masks to C");
    expect(lastCall(turn)).to.deep.equal(["update_material", { material_id: 2, shelf: "C" }]);
    expect((await askOf(STORE, "show Gloves")).text).to.match(/Gloves/);
    expect((await askOf(STORE, "set Gloves to 7")).text).not.to.match(/I found nothing called/);
  });

  it("reads two states before a noun as two conditions", async () => {
    expect(lastCall(await askOf(CLUB, "active advanced members"))).to.deep.equal([
      "list_members",
      { status: "active", level: "advanced" },
    ]);
    expect(lastCall(await askOf(CLUB, "activate member M-1"))?.[0]).to.equal("activate_member");
  });

  it("takes no value of several records for what one is called", async () => {
    expect(lastCall(await askOf(STUDIO, "set Tango to Red"))?.[0] ?? "list").to.match(/^list/);
  });

  it("narrows by a value with another condition behind it, and shows nothing where it cannot", async () => {
    expect((await askOf(STORE, "deliveries of tea in november")).text).to.match(/^1 delivery with/);
    expect((await askOf(STORE, "deliveries of rice in november")).text).not.to.match(/\| TEA \|/);
  });
});
