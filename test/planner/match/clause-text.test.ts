// Texts that a change is given without the name of a field, verbs of two words, and words that are none.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { visitHarbour } from "../samples/harbour.js";
import { createSession, tool } from "../session.js";

describe("The offline planner takes", () => {
  for (const [prompt, calls] of [
    [
      "cancel mooring 32: engine trouble in Skagen",
      [["cancel_mooring", { mooring_id: 32, reason: "engine trouble in Skagen" }]],
    ],
    ["cancel mooring 32 please: no crew", [["cancel_mooring", { mooring_id: 32, reason: "no crew" }]]],
    [
      "cancel mooring 31 because the owner sold her.",
      [["cancel_mooring", { mooring_id: 31, reason: "the owner sold her" }]],
    ],
    ["cancel mooring 31 because of ice", [["cancel_mooring", { mooring_id: 31, reason: "ice" }]]],
    ['report damage on boat 2: "cracked rudder"', [["report_damage", { boat_id: 2, description: "cracked rudder" }]]],
    ["CANCEL MOORING 33", [["cancel_mooring", { mooring_id: 33 }]]],
    ["cancel mooring 33 if you don't mind", [["cancel_mooring", { mooring_id: 33 }]]],
    ["check in mooring 32", [["check_in_mooring", { mooring_id: 32 }]]],
    ["check mooring 32 in", [["check_in_mooring", { mooring_id: 32 }]]],
    ["check mooring 32", [["get_mooring", { mooring_id: 32 }]]],
    ["skipper 22", [["get_skipper", { skipper_id: 22 }]]],
    ['search skippers for "Vik"', [["list_skippers", { q: "Vik" }]]],
    ["dont cancel mooring 32", []],
    ["cancel mooring 32 because of ice and delete boat 2", []],
  ] as [string, [string, JsonObject][]][])
    it(`"${prompt}"`, async () => {
      expect((await visitHarbour()(prompt)).calls).to.deep.equal(calls);
    });

  it("a name with a weekday in it for a name", async () => {
    const text = { type: "string" };
    const tools = [tool("create_sale", "create", "POST /sales", { name: text, budget: { type: "number" } }, ["name"])];
    const { calls } = await createSession(tools, () => ({ id: 1 }))("create a sale: name Green Monday, budget 300");
    expect(calls).to.deep.equal([["create_sale", { name: "Green Monday", budget: 300 }]]);
  });

  it("one option for the other only where it is said", async () => {
    const kind = { type: "string", enum: ["news", "sports"] };
    const tools = [
      tool("create_channel", "create", "POST /channels", { name: { type: "string" }, kind }, ["name", "kind"]),
    ];
    const { calls } = await createSession(tools, () => ({ id: 1 }))('new channel "Nine", kind sports');
    expect(calls).to.deep.equal([["create_channel", { name: "Nine", kind: "sports" }]]);
  });
});
