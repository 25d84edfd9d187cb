// Negations and comparisons: applied as they are said, or reported above the rows; never the other way round, never left out.
import { expect } from "chai";
import { isObject, type JsonObject, type JsonValue } from "../../../src/lib/json.js";
import { createSession, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const SIZES = { length_gt: I, length_lt: I };
const TOOLS = [
  tool("list_tasks", "list", "GET /tasks", { done: { type: "boolean" }, priority: { ...S, enum: ["low", "high"] } }),
  tool("create_task", "create", "POST /tasks", { title: S }, ["title"]),
  tool("delete_task", "delete", "DELETE /tasks/{task_id}", { task_id: I }, ["task_id"]),
  tool("list_members", "list", "GET /members", { country: S, country_gt: S, age_gt: I, age_lt: I }),
  tool("list_boats", "list", "GET /boats", SIZES),
  tool("list_ports", "list", "GET /ports"),
  tool("stop_engine", "action", "POST /engines/{engine_id}/stop", { engine_id: I }, ["engine_id"]),
];
const ROWS: Readonly<Record<string, JsonObject[]>> = {
  tasks: [
    { id: 1, title: "paint", done: false, priority: "low", owner: "Ada" },
    { id: 2, title: "sweep", done: true, priority: "high", owner: null },
  ],
  members: [
    { id: 3, name: "Ada", country: "Germany", active: true },
    { id: 4, name: "Eve", country: "France", active: false },
  ],
  boats: [
    { id: 5, length: 90 },
    { id: 6, length: 150 },
  ],
  ports: [
    { id: 7, name: "North", city: "Bremen" },
    { id: 8, name: "South", city: "Genoa" },
  ],
};

const ask = (prompt: string): Promise<Turn> =>
  createSession(
    TOOLS,
    ({ resource, verb }): JsonValue => (verb === "list" ? (ROWS[resource] ?? []) : { id: 9 }),
  )(prompt);

/** The ids in the first column or later of the table of an answer. */
function idsIn(text: string): number[] {
  const [head = "", , ...lines] = text.split("\n").filter((line) => line.startsWith("|"));
  const at = head.split("|").findIndex((cell) => cell.trim() === "id");
  return lines.map((line) => Number(line.split("|")[at]));
}

describe("The offline planner narrows by what is said", () => {
  for (const [prompt, ids] of [
    ["list tasks that are not done", [1]],
    ["list tasks that aren't done", [1]],
    ["show all tasks but not the done ones", [1]],
    ["tasks that are done", [2]],
    ["list tasks with priority not high", [1]],
    ["list non-high priority tasks", [1]],
    ["tasks without an owner", [2]],
    ["tasks except those of Ada", [2]],
    ["members not from Germany", [4]],
    ["list members outside Germany", [4]],
    ["list members from Germany", [3]],
    ["list inactive members", [4]],
    ["ports in bremen", [7]],
    ["ports not in Bremen", [8]],
    ["boats no longer than 90", [5]],
    ["boats at least 150", [6]],
    ["boats not under 150", [6]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not narrow");
      const [, sent] = calls[0] ?? [];
      expect(isObject(sent) && sent["done"]).to.not.equal(ids[0] === 1);
    });

  for (const [prompt, said] of [
    ["members that never paid", "never paid"],
    ["list violet tasks", "violet"],
    ["ports in atlantis", "atlantis"],
    ["boats thicker than 100 and not sold", "not sold"],
  ] as const)
    it(`"${prompt}" reports what it did not understand above the rows`, async () => {
      const [first = ""] = (await ask(prompt)).text.split("\n");
      expect(first).to.contain("I could not narrow this by").and.contain(`"${said}"`);
    });
});

describe("The offline planner reads comparisons", () => {
  for (const [prompt, args] of [
    ["boats longer than 100", { length_gt: 100 }],
    ["boats shorter than 100", { length_lt: 100 }],
    ["boats with a length over 100", { length_gt: 100 }],
    ["members from Germany", { country: "Germany" }],
    ["members from germany", { country: "Germany" }],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await ask(prompt)).calls[0]?.[1]).to.deep.equal(args);
    });

  for (const prompt of ["boats purpler than 100", "boats longer than 2 hours"])
    it(`"${prompt}" is sent as no bound, and reported`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls[0]?.[1]).to.deep.equal({});
      expect(text).to.match(/^I could not narrow this by/);
    });
});

describe("The offline planner tells what forbids from what is said", () => {
  for (const title of ["stop the press", "don't panic", "never mind the gap"])
    it(`creates "${title}"`, async () => {
      expect((await ask(`create a task "${title}"`)).calls).to.deep.equal([["create_task", { title }]]);
    });
  it("stops what can be stopped", async () => {
    expect((await ask("stop engine 5")).calls).to.deep.equal([["stop_engine", { engine_id: 5 }]]);
  });
  for (const prompt of [
    "don't delete task 1",
    "stop, delete task 1 no more",
    "stop deleting task 1",
    "delete task 1 without asking",
    "delete task 1, not task 2",
    "never delete task 1",
    "delete task 1 instead of 2",
  ])
    it(`"${prompt}" changes nothing`, async () => {
      expect((await ask(prompt)).calls.filter(([name]) => !name.startsWith("list"))).to.deep.equal([]);
    });
});
