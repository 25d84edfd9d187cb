// Deciding and extending several held calls at once.
import { expect } from "chai";
import type { Confirmation } from "../../src/domain/record.js";
import { agentd, dataDir } from "../support/spawn.js";

describe("agentd approvals", () => {
  it("gives several calls more time, and decides several, none where one id is wrong @all", async () => {
    const calls = [1, 2].map((id) => ({ id: `c${id}`, name: "delete_pet", arguments: { id } }));
    const home = dataDir({ turns: [{ prompt: "delete", replies: [{ calls }, { text: "Held." }] }] });
    const here = (...args: string[]) => agentd([...args, "--data-dir", home.dir]);
    await here("run", "delete", "--confirm");
    const waiting = JSON.parse((await here("approvals", "--json")).stdout) as Confirmation[];
    const ids = waiting.map(({ id }) => id);
    expect(ids.length).to.equal(2);
    const found = await here("approvals", "--search", "delete_pet pets/2", "--json");
    expect((JSON.parse(found.stdout) as Confirmation[]).map(({ id }) => id)).to.deep.equal(
      waiting.flatMap(({ id, arguments: given }) => (given["id"] === 2 ? [id] : [])),
    );
    expect((await here("approvals", "--search", "walrus")).stderr).to.include("No call that waits fits.");
    const longer = await here("approvals", "extend", ...ids, "--seconds", "3600", "--json");
    for (const line of longer.stdout.trim().split("\n")) {
      const { id, expires_at } = JSON.parse(line) as Confirmation;
      const before = waiting.find((one) => one.id === id);
      expect(Date.parse(expires_at)).to.be.above(Date.parse(before?.expires_at ?? "") + 600_000);
    }
    expect((await here("approvals", "deny", ids[0] ?? "", "ffffffffffff")).code).to.equal(1);
    expect((await here("approvals", "deny", ...ids)).code).to.equal(0);
    expect((await here("approvals")).stderr).to.include("No call waits");
    // Nine commands, one after another.
  }).timeout(60_000);
});
