// States that a prompt asks for: a switch for them is on, a day says that something was done, and what no value says is not narrowed
// in silence.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, idsIn, tool } from "../session.js";

const TICKETS: readonly JsonObject[] = [
  { id: 1, title: "Lens dirty", severity: "high", opened_at: "2026-11-01T09:00:00", closed_at: null, billed: 3 },
  {
    id: 2,
    title: "Coolant leak",
    severity: "high",
    opened_at: "2026-11-02T09:00:00",
    closed_at: "2026-11-05T09:00:00",
    billed: 0,
  },
  { id: 3, title: "Belt loose", severity: "low", opened_at: "2026-11-03T09:00:00", closed_at: null, billed: 1 },
];
const severity = { type: "string", enum: ["high", "low"] };
const flag = { type: "boolean" };
const withFilters = (filters: JsonObject) =>
  createSession([tool("list_tickets", "list", "GET /tickets", { severity, ...filters })], (_, args) =>
    TICKETS.filter(
      (one) =>
        (args["severity"] === undefined || one["severity"] === args["severity"]) &&
        (args["open_only"] !== true || one["closed_at"] === null),
    ),
  );

describe("The offline planner takes a state from", () => {
  for (const [prompt, args] of [
    ["open tickets", { open_only: true }],
    ["how many open tickets", { open_only: true }],
    ["high severity tickets that are still open", { severity: "high", open_only: true }],
    ["tickets opened before 2026-11-03", {}],
    ["tickets that are not open", {}],
    ["closed tickets", {}],
  ] as const)
    it(`the words of "${prompt}", for the switch that leaves out all others`, async () => {
      expect((await withFilters({ open_only: flag })(prompt)).calls).to.deep.equal([["list_tickets", args]]);
    });

  for (const [prompt, ids] of [
    ["open tickets", [1, 3]],
    ["high severity tickets that are still open", [1]],
    ["closed tickets", [2]],
    ["which tickets are closed?", [2]],
    ["latest closed tickets", [2]],
    ["tickets that haven't been closed yet", [1, 3]],
    ["unclosed tickets", [1, 3]],
  ] as const)
    it(`the day on which it was done: "${prompt}"`, async () => {
      const { text } = await withFilters({})(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not narrow");
    });

  it("no more of a negation than its state", async () => {
    const { text } = await withFilters({})("tickets that haven't been closed yet overdue");
    expect(text).to.match(/^I could not narrow this by "overdue"\.\n\nSay "yes"/);
  });

  it("the same where it counts", async () => {
    expect((await withFilters({})("how many open tickets are there?")).text).to.equal("2 tickets with no closed_at.");
  });

  for (const prompt of ["billed tickets", "how many billed tickets", "tickets that are billed"])
    it(`no field that is only called so: "${prompt}"`, async () => {
      const { text } = await withFilters({ include_billed: flag })(prompt);
      expect(text).to.match(/^I could not narrow this by "billed"\.\n\nSay "yes"/);
    });

  for (const prompt of ["the best rated tickets", "the most billed ticket", "show full ticket details"])
    it(`no word of an order or of the answer: "${prompt}"`, async () => {
      const rated = TICKETS.map((one) => ({ ...one, rating: one["billed"] ?? null }));
      const ask = createSession([tool("list_tickets", "list", "GET /tickets")], () => rated);
      expect((await ask(prompt)).text).to.not.contain("could not");
    });
});
