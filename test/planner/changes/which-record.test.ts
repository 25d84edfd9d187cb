// A change of a record that the prompt describes: which one is asked for, and the id that is answered is taken.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const I = { type: "integer" };

const STATION = createApplication({
  warnings: {
    key: "warning_id",
    keyType: I,
    actions: { confirm: {} },
    rows: [
      { warning_id: 1, kind: "fog", level: "red" },
      { warning_id: 2, kind: "fog", level: "green" },
      { warning_id: 3, kind: "storm", level: "green" },
    ],
  },
});

describe("The offline planner asks which record is meant", () => {
  for (const [prompts, calls] of [
    [["confirm the fog warning"], [["list_warnings", {}]]],
    [["confirm the fog warning", "2"], [["confirm_warning", { warning_id: 2 }]]],
    [["please confirm the storm warning", "3"], [["confirm_warning", { warning_id: 3 }]]],
    [["confirm the fog warning", "warning 1"], [["confirm_warning", { warning_id: 1 }]]],
    [["confirm the fog warning", "cancel"], []],
    [["confirm the fog warning", "yes"], []],
    [["confirm the fog warning", "both"], []],
    [["confirm the fog warning", "not 2"], []],
    [["confirm the snow warning", "2"], []],
    [["confirm all fog warnings"], []],
    [["don't confirm the fog warning"], []],
    [["should I confirm the fog warning?"], []],
  ] as [string[], [string, JsonObject][]][])
    it(prompts.map((one) => `"${one}"`).join(", "), async () => {
      const ask = createSession(STATION.tools, STATION.reply);
      for (const prompt of prompts.slice(0, -1)) await ask(prompt);
      expect((await ask(prompts.at(-1) ?? "")).calls).to.deep.equal(calls);
    });

  it("also of one that it may mean", async () => {
    const { calls, text } = await createSession(STATION.tools, STATION.reply)("confirm the storm warning");
    expect(calls).to.deep.equal([["list_warnings", {}]]);
    expect(text).to.match(
      /^No warning is called "storm warning", but one is described by that, so nothing was changed/,
    );
  });
});
