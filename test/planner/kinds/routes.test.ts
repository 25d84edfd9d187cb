// Tools of a GraphQL endpoint: the planner reads and changes records by their keys, as those of any other application.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text = { type: "string" };
const fields = { type: "array", items: text, description: "only these fields of each record" };
const state = { ...text, enum: ["OPEN", "PENDING", "CLOSED"] };
const plan = { ...text, enum: ["DSL_50", "FIBRE_1000"] };

/** A tool as the import of a GraphQL endpoint makes it. */
function field(...given: [...Parameters<typeof tool>, resource: string]): ReturnType<typeof tool> {
  const [name, verb, route, properties, required, resource] = given;
  const reads: JsonObject = verb === "list" || verb === "get" ? { fields } : {};
  const made = tool(name, verb, route, { ...properties, ...reads }, required);
  return { ...made, resource, transport: { kind: "graphql" } };
}

const TOOLS = [
  field("list_tickets", "list", "GET /", { status: state, customerId: text }, [], "tickets"),
  field("get_ticket", "get", "GET /", { id: text }, ["id"], "tickets"),
  field("update_ticket", "update", "PATCH /", { id: text, status: state, subject: text }, ["id"], "tickets"),
  field("close_ticket", "action", "POST /", { id: text }, ["id"], "tickets"),
  field("list_customers", "list", "GET /", { plan }, [], "customers"),
  field("change_plan", "update", "PATCH /", { customerId: text, plan }, ["customerId", "plan"], "plans"),
  field("list_agents", "list", "GET /", {}, [], "agents"),
];
const ROWS: Record<string, JsonObject[]> = {
  list_tickets: [
    { id: "t1", subject: "no signal", status: "OPEN", openedAt: "2026-11-02T10:00:00Z" },
    { id: "t2", subject: "slow router", status: "CLOSED", openedAt: "2026-11-20T10:00:00Z" },
  ],
  list_customers: [{ id: "c1", name: "Ada", city: "Bath" }],
  list_agents: [
    { id: "a1", team: "Field" },
    { id: "a2", team: "Support" },
  ],
};
const session = () => createSession(TOOLS, ({ name }, { id = "t1" }) => ROWS[name] ?? { id });

describe("The offline planner, of a GraphQL endpoint,", () => {
  for (const [prompt, calls, said] of [
    ["tickets about router", [["list_tickets", {}]], /^1 ticket with "router" in them:/],
    ["customers in bath", [["list_customers", {}]], /^1 customer with city = bath:/],
    ["tickets opened before nov 10th", [["list_tickets", {}]], /^1 ticket with openedAt < 2026-11-10:/],
    ["open tickets", [["list_tickets", { status: "OPEN" }]], /^1 ticket/],
    ["fibre 1000 customers", [["list_customers", { plan: "FIBRE_1000" }]], /^1 customer with plan = FIBRE_1000:/],
    ["agents in the field team", [["list_agents", {}]], /^1 agent with team = field:/],
    [
      "change the plan of customer c1 to dsl 50",
      [
        ["list_customers", {}],
        ["change_plan", { customerId: "c1", plan: "DSL_50" }],
      ],
      /./,
    ],
    ["escalate ticket t1", [], /^I did not understand "escalate", so I called nothing/],
    ["close all tickets", [], /works on one ticket at a time/],
  ] as [string, [string, JsonObject][], RegExp][])
    it(`"${prompt}"`, async () => {
      const turn = await session()(prompt);
      expect(turn.calls).to.deep.equal(calls);
      expect(turn.text).to.match(said);
    });

  it("goes on with a record it has read", async () => {
    const ask = session();
    await ask("ticket t1");
    expect((await ask("set its status to pending")).calls).to.deep.equal([
      ["update_ticket", { id: "t1", status: "PENDING" }],
    ]);
    expect((await ask("close it")).calls).to.deep.equal([["close_ticket", { id: "t1" }]]);
  });
});
