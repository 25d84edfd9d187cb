// Records that people call by a number which is no key of theirs, and by the last of their list.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const DEPOT = createApplication({
  trams: {
    key: "tram_id",
    keyType: I,
    rows: [
      { id: 1, number: 606, model: "Combino" },
      { id: 2, number: 612, model: "Tango" },
      { id: 3, number: 2, model: "Bombardier" },
    ],
    fields: { number: I, model: S },
    actions: { retire: {} },
  },
  faults: {
    key: "fault_id",
    keyType: I,
    rows: [
      { id: 11, tram_id: 1, text: "door stuck", state: "open", reported_on: "2026-11-12" },
      { id: 12, tram_id: 2, text: "brake worn", state: "fixed", reported_on: "2026-11-14" },
      { id: 13, tram_id: 1, text: "window cracked", state: "open", reported_on: "2026-11-02" },
    ],
    filters: { tram_id: I, state: { type: "string", enum: ["open", "fixed"] } },
    fields: { tram_id: I, text: S },
    required: ["tram_id", "text"],
  },
});

describe("The offline planner finds a record by its number, where no key is that", () => {
  for (const [prompt, call] of [
    ["tram 606", ["get_tram", { tram_id: 1 }]],
    ["tram number 606", ["get_tram", { tram_id: 1 }]],
    ["model of tram 612", ["get_tram", { tram_id: 2 }]],
    ["tram 3", ["get_tram", { tram_id: 3 }]],
    ["faults of tram 612", ["list_faults", { tram_id: 2 }]],
    ["retire tram 606", ["retire_tram", { tram_id: 1 }]],
    ["report a fault on tram 606: seat torn", ["create_fault", { tram_id: 1, text: "seat torn" }]],
    ["retire tram id 1", ["retire_tram", { tram_id: 1 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const turn = await askOf(DEPOT, prompt);
      expect(lastCall(turn), turn.text).to.deep.equal(call);
      expect(turn.text).not.to.match(/404|^No faults/);
    });
  it("asks which is meant where one has the number and another the key", async () => {
    const { calls, text } = await askOf(DEPOT, "retire tram 2");
    expect(calls).to.deep.equal([["list_trams", {}]]);
    expect(text).to.match(/^2 records fit "2", so nothing was changed/);
  });
  it("changes nothing where none has the number", async () => {
    const { calls } = await askOf(DEPOT, "retire tram 999");
    expect(calls).to.deep.equal([["list_trams", {}]]);
  });
});

describe("The offline planner takes the last record by its time, and says so", () => {
  for (const [prompt, id] of [
    ["last fault", 12],
    ["what was the last fault", 12],
    ["the last fault of tram 1", 11],
    ["tram 1's last fault", 11],
    ["last open fault", 11],
    ["last 2 faults", 12],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(DEPOT, prompt);
      expect(text).to.match(/^\d faults? .*latest by reported_on first:/);
      expect(text.split("\n")[4]).to.match(new RegExp(`\\| ${id} \\|`));
    });
  it('"when was the last fault of tram 1" asks for faults, though no tool takes their time', async () => {
    const { text } = await askOf(DEPOT, "when was the last fault of tram 1");
    expect(text).to.match(/^1 fault .*by reported_on first:/);
  });
  it("takes the last of the list where they have no time", async () => {
    const { text } = await askOf(DEPOT, "the last tram");
    expect(text).to.match(/^1 tram with the last place in the list:/);
  });
});
