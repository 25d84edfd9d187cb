// The offline planner takes a change back when that is all a prompt asks for, with the daemon's own tool.
import { expect } from "chai";
import { UNDO } from "../../src/tools/builtin-tools.js";
import { createSession, tool } from "./session.js";

const ORDERS = [
  tool("list_orders", "list", "GET /orders"),
  tool("revert_order", "action", "POST /orders/{order_id}/revert", { order_id: { type: "integer" } }, ["order_id"]),
];

describe("The offline planner takes a change back", () => {
  const ask = createSession([...ORDERS, UNDO], ({ name }) => (name === "undo" ? [1] : [3]));

  for (const prompt of [
    "undo",
    "undo that",
    "Undo it, please.",
    "take that back",
    "revert the last change",
    "roll back",
  ])
    it(`for "${prompt}"`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([["undo", {}]]);
    });

  for (const prompt of ["undo call 17", "undo 17", "take back the change #17"])
    it(`the one that "${prompt}" names`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([["undo", { history_id: 17 }]]);
    });

  for (const prompt of ["revert order 3", "undo order 3", "don't undo that", "how do I undo that?", "undo everything"])
    it(`not for "${prompt}"`, async () => {
      expect((await ask(prompt)).calls.map(([name]) => name)).to.not.include("undo");
    });

  it("and says that there is none where nothing can be taken back", async () => {
    const { calls, text } = await createSession(ORDERS, () => null)("undo that");
    expect([calls, text]).to.deep.equal([[], "There is no change of this conversation that I could take back."]);
  });
});
