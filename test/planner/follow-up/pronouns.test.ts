// Pronouns that stand for the one record that was read.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const I = { type: "integer" };
const MEMBER = { id: 7, name: "Gwen Ashe", email: "gwen@mail.example", shift: "late" };
const HIVE = { id: 3, code: "H-03", member_id: 7, weight_kg: 40 };
const PATH = { hive_id: I };
const TOOLS = [
  tool("list_members", "list", "GET /members"),
  tool("get_member", "get", "GET /members/{member_id}", { member_id: I }, ["member_id"]),
  tool("list_hives", "list", "GET /hives"),
  tool("get_hive", "get", "GET /hives/{hive_id}", PATH, ["hive_id"]),
  tool("update_hive", "update", "PATCH /hives/{hive_id}", { ...PATH, weight_kg: { type: "number" } }, ["hive_id"]),
];
const answers: Readonly<Record<string, JsonValue>> = {
  list_members: [MEMBER, { ...MEMBER, id: 8, name: "Bo Lund" }],
  get_member: MEMBER,
  list_hives: [HIVE, { ...HIVE, id: 4, member_id: 8 }],
  get_hive: HIVE,
};

describe("The offline planner takes a pronoun", () => {
  for (const [prompts, calls] of [
    [["show member 7", "what shift is she on?"], [["get_member", { member_id: 7 }]]],
    [["show member 7", "and her email?"], [["get_member", { member_id: 7 }]]],
    [["show member 7", "show hive 3", "what is his email?"], [["get_member", { member_id: 7 }]]],
    [["show hive 3", "what is its weight?"], [["get_hive", { hive_id: 3 }]]],
    [["show hive 3", "set its weight to 41"], [["update_hive", { hive_id: 3, weight_kg: 41 }]]],
    [["show member 7", "which hives are there?"], []],
    [["show hive 3", "what is the weather like there?"], []],
    [["show hive 3", "what does she do?"], []],
    [["show hive 3", "Its weight?"], [["get_hive", { hive_id: 3 }]]],
    [["show member 7", "WHAT SHIFT IS SHE ON?"], [["get_member", { member_id: 7 }]]],
    [["show hive 3", "show me It"], []],
    [["show hive 3", "set the weight of hive It to 41"], []],
    [["what hives does she have?"], []],
    [["show member 7", "what hives are hers and why did she go?"], []],
  ] as [string[], [string, JsonObject][]][])
    it(prompts.map((one) => `"${one}"`).join(", "), async () => {
      const ask = createSession(TOOLS, (called) => answers[called.name] ?? { status: 204 });
      for (const prompt of prompts.slice(0, -1)) await ask(prompt);
      expect((await ask(prompts.at(-1) ?? "")).calls).to.deep.equal(calls);
    });

  for (const prompt of [
    "Hey, I'm trying to help my daughter with her homework. Can you find out what the square root of 256 is?",
    "the customer has lost his wallet, what is to be done?",
  ])
    it(`for whom the sentence speaks of: "${prompt}"`, async () => {
      const { calls, text } = await createSession(TOOLS, () => [])(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.not.match(/I cannot tell who/);
    });

  it("and goes on with no read that was not the last prompt's", async () => {
    const ask = createSession(TOOLS, (called) => answers[called.name] ?? { status: 204 });
    await ask("list hives");
    await ask("order me a pizza");
    expect(await ask("only the heavy ones"))
      .to.have.property("text")
      .that.match(/^I read nothing for the prompt/);
  });
});
