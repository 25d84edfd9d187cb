// Values of a prompt that could pass for those of another field.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, tool } from "../session.js";

const S = { type: "string" };
const ROWS: Readonly<Record<string, JsonValue>> = {
  list_members: [
    { id: 1, name: "Ada Moor", role: "member", town: "Ely" },
    { id: 2, name: "Ben Holt", role: "mentor", town: "Ely" },
    { id: 3, name: "Cleo Wynn", role: "member", town: "Bath" },
  ],
  list_crates: [
    { id: "1", code: "C-107", status: "full" },
    { id: "2", code: "C-108", status: "empty" },
  ],
  list_films: [
    { id: 1, title: "Goat Season", country: "Morocco", year: 2019 },
    { id: 2, title: "Cellar", country: "Ireland", year: 2021 },
  ],
};
const KEY = { id: S };
const TOOLS = [
  tool("list_members", "list", "GET /members", { town: S }),
  tool("list_crates", "list", "GET /crates"),
  tool("get_crate", "get", "GET /crates/{id}", KEY, ["id"]),
  tool("delete_crate", "delete", "DELETE /crates/{id}", KEY, ["id"]),
  tool("list_films", "list", "GET /films", { country: S }),
];
const ask = (prompt: string) =>
  createSession(TOOLS, ({ name }, args) => {
    if (name === "get_crate") return args["id"] === "1" ? { id: "1", code: "C-107" } : { error: "not_found" };
    return ROWS[name] ?? { status: 204 };
  })(prompt);

describe("The offline planner takes no value for that of another field:", () => {
  for (const [prompt, ids] of [
    ["list members", [1, 2, 3]],
    ["members who are mentors", [2]],
    ["films from 2019", [1]],
    ["films from 2019 on", [1, 2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect(idsIn((await ask(prompt)).text)).to.deep.equal(ids);
    });

  it("the name of the record whose field is asked for is no value of the field", async () => {
    const { calls } = await ask("what country is Goat Season from?");
    for (const [, args] of calls) expect(args).to.not.have.property("country");
  });

  for (const [prompt, last] of [
    ["show crate C-107", ["get_crate", { id: "1" }]],
    ["delete crate C-108", ["delete_crate", { id: "2" }]],
    ["delete crate C-999", ["list_crates", {}]],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}": the code is no key`, async () => {
      expect((await ask(prompt)).calls.at(-1)).to.deep.equal(last);
    });
});
