// Records that a prompt calls by the value of a category, or by a switch, and by no noun; and prompts with such a word that ask for nothing.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";

const INTEGER = { type: "integer" };
const TEXT = { type: "string" };
const DUTY = { type: "string", enum: ["standby", "rescue", "leave"] };
const BEACH = createApplication({
  guards: {
    key: "guard_id",
    keyType: INTEGER,
    rows: [
      { guard_id: 3, name: "Tove", phone: "0700 4", on_duty: true, duty: "rescue" },
      { guard_id: 4, name: "Jules", phone: "0700 5", on_duty: false, duty: "standby" },
    ],
    filters: { duty: DUTY },
    fields: { name: TEXT, phone: TEXT, on_duty: { type: "boolean" }, duty: DUTY },
    required: ["name"],
  },
  towers: {
    key: "tower_id",
    keyType: INTEGER,
    rows: [{ tower_id: 1, name: "North", level: "open" }],
    fields: { name: TEXT, heated: { type: "boolean" }, level: { type: "string", enum: ["open", "closed"] } },
  },
  kiosks: {
    key: "kiosk_id",
    keyType: INTEGER,
    rows: [{ kiosk_id: 1, name: "Kiosk A", state: "open" }],
    fields: { name: TEXT, state: { type: "string", enum: ["open", "closed"] } },
  },
});

describe("records called by a value of theirs alone", () => {
  const read = [
    [HIRE_SHOP, "average weight of the sanders", "list_machines", "The average weight_kg is 21, of 2 machines"],
    [HIRE_SHOP, "total weight of the mixers", "list_machines", "The total weight_kg is 45, of 1 machine"],
    [HIRE_SHOP, "certified sanders", "list_machines", "1 machine with kind = sander and certified = yes"],
    [HIRE_SHOP, "which of the sanders are certified", "list_machines", "certified = yes"],
    [HIRE_SHOP, "which sanders need repair?", "list_machines", "repair_needed = yes"],
    [HIRE_SHOP, "how many drills do we have", "list_machines", "1 machine with kind = drill."],
    [HIRE_SHOP, "what's out right now", "list_hires", "1 hire with status = out"],
    [BEACH, "who's on duty", "list_guards", "1 guard with on_duty = yes"],
    [BEACH, "who is on duty right now?", "list_guards", "Tove"],
    [BEACH, "is anyone on standby", "list_guards", "Jules"],
    [BEACH, "who's on standby right now", "list_guards", "Jules"],
  ] as const;
  for (const [application, prompt, tool, text] of read)
    it(`are read for "${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn)?.[0]).to.equal(tool);
      expect(turn.text).to.contain(text);
    });

  for (const [application, prompt] of [
    [HIRE_SHOP, "are sanders dangerous?"],
    [HIRE_SHOP, "what is a drill"],
    [HIRE_SHOP, "the sanders broke down again"],
    [HIRE_SHOP, "delete the sanders"],
    [HIRE_SHOP, "who is certified"],
    [BEACH, "who is heated"],
    [BEACH, "what's open right now"],
  ] as const)
    it(`are not read for "${prompt}"`, async () => {
      const { calls } = await askOf(application, prompt);
      expect(calls).to.deep.equal([]);
    });

  it("are not narrowed by half of a prompt", async () => {
    const { text } = await askOf(HIRE_SHOP, "no-shows in october");
    expect(text).to.contain('I could not narrow this by "october".');
    expect(text).not.to.contain("H-103");
  });
});
