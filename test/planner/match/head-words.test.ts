// The head noun behind the name of a field belongs to that name: "the phone number", "the email address". It is no value.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const S = { type: "string" };
const N = { type: "integer" };

const FIELDS = { phone: S, email: S, credit: S, contact: S, colour: S, label: S };
const TOOLS = ["garages/garage", "pilots/pilot"].flatMap((names) => {
  const [plural = "", one = ""] = names.split("/");
  const path = `/${plural}/{id}`;
  return [
    tool(`list_${plural}`, "list", `GET /${plural}`),
    tool(`get_${one}`, "get", `GET ${path}`, { id: N }, ["id"]),
    tool(`update_${one}`, "update", `PATCH ${path}`, { id: N, ...FIELDS }, ["id"]),
  ];
});

const ask = (prompt: string) => createSession(TOOLS, (_, args) => ({ ...args }))(prompt);

describe("The offline planner takes no head noun behind the name of a field for its value:", () => {
  for (const [prompt, field] of [
    ["change the phone number of garage 3", "phone"],
    ["change the email address of pilot 3", "email"],
    ["update the phone number for pilot 7", "phone"],
    ["set the email address of garage 2", "email"],
    ["change pilot 4's phone number", "phone"],
  ] as const)
    it(`asks for the ${field} in "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(new RegExp(`(?:Which|What|could not tell what) [^\\n]*\\b${field}\\b`));
    });

  for (const prompt of [
    "change the credit limit of garage 4",
    "change the contact person of pilot 4",
    "change the contact person of pilot 4 to Ada Holm",
    "change pilot 4's credit line",
  ])
    it(`changes nothing for "${prompt}"`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([]);
    });

  for (const [prompt, args] of [
    ["change the phone number of garage 3 to 555 01", { id: 3, phone: "555 01" }],
    ["change the email address of pilot 3 to a@b.org", { id: 3, email: "a@b.org" }],
    ["update garage 5 with colour green", { id: 5, colour: "green" }],
    ["set colour green for garage 5", { id: 5, colour: "green" }],
  ] as [string, JsonObject][])
    it(`takes the value that "${prompt}" has`, async () => {
      const { calls } = await ask(prompt);
      expect(calls.map(([, given]) => given)).to.deep.equal([args]);
    });
});
