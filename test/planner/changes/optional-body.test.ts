// Changes whose body may be left out, as descriptions generated from C# say: what the body has to have is asked for.
import { expect } from "chai";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const id = { type: "integer" };

/** A tool whose body has to have these members once it has any. */
function withBody(one: ReturnType<typeof tool>, required: readonly string[], members: readonly string[]) {
  const others = (name: string): string[] => required.filter((other) => other !== name);
  const dependentRequired = Object.fromEntries(members.map((name) => [name, others(name)]));
  return { ...one, input_schema: { ...one.input_schema, dependentRequired } };
}

const ORDER = { machineId: id, title: text, priority: { ...text, enum: ["Low", "High"] } };
const TOOLS = [
  tool("list_orders", "list", "GET /api/Orders"),
  withBody(tool("create_order", "create", "POST /api/Orders", ORDER), ["machineId", "title"], Object.keys(ORDER)),
  withBody(
    tool("update_order", "update", "PATCH /api/Orders/{id}", { id, ...ORDER }, ["id"]),
    ["machineId", "title"],
    Object.keys(ORDER),
  ),
];
const ask = () => createSession(TOOLS, () => ({ id: 1 }));

describe("The offline planner, where a body may be left out,", () => {
  it("asks for what it has to have", async () => {
    const session = ask();
    const { calls, text: said } = await session("create a high priority order for machine 3");
    expect(calls).to.deep.equal([]);
    expect(said).to.match(/^Which title\?/);
    const next = await session("belt squeaks");
    expect(next.calls).to.deep.equal([["create_order", { machineId: 3, title: "belt squeaks", priority: "High" }]]);
  });

  it("but not for the fields that an update leaves as they are", async () => {
    expect((await ask()("set the priority of order 3 to low")).calls).to.deep.equal([
      ["update_order", { id: 3, priority: "Low" }],
    ]);
  });
});
