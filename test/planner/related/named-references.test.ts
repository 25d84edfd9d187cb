// A question for somebody, or for a record of another collection, is answered with what that is called and not only with its key.
import { expect } from "chai";
import { askOf, lastCall } from "../samples/collections.js";
import { HIRE_SHOP } from "../samples/hire-shop.js";

describe("the names behind keys", () => {
  const named = [
    ["who is hire 2 for", "get_client", "client 8 is Omar Reyes."],
    ["hire H-102 - what is the fee and who is it for", "get_client", "client 8 is Omar Reyes."],
    ["which machine is hire 4 for?", "get_machine", "machine 4 is Twister."],
    ["which machine is on hire H-104?", "get_machine", "machine 4 is Twister."],
    ["who was a no-show", "get_client", "client 9 is Mei Tan."],
    ["who are the hires for?", "list_clients", "client 7 is Ilse Brandt, client 8 is Omar Reyes, client 9 is Mei Tan."],
  ] as const;
  for (const [prompt, tool, text] of named)
    it(`stand above the answer to "${prompt}"`, async () => {
      const turn = await askOf(HIRE_SHOP, prompt);
      expect(lastCall(turn)?.[0]).to.equal(tool);
      expect(turn.text.split("\n")[0]).to.equal(text);
      expect(turn.text).to.contain("client_id");
    });

  it("take no further call where their list was read", async () => {
    const { calls, text } = await askOf(HIRE_SHOP, "which client has H-101");
    expect(text).to.contain("client 7 is Ilse Brandt.");
    expect(calls.map(([name]) => name)).not.to.include("get_client");
  });

  for (const prompt of [
    "list hires",
    "show hire 2",
    "which hires are out?",
    "hires whose notes mention gate",
    "which clients are there?",
  ])
    it(`are not asked for by "${prompt}"`, async () => {
      const { calls } = await askOf(HIRE_SHOP, prompt);
      expect(calls).to.have.length(1);
    });

  it("are missed where they cannot be read", async () => {
    const { text } = await askOf(
      {
        tools: HIRE_SHOP.tools,
        reply: (called, args) => (called.name === "get_client" ? { error: "403" } : HIRE_SHOP.reply(called, args)),
      },
      "who is hire 2 for",
    );
    expect(text).to.contain("I could not look up the client behind client_id.");
  });
});
