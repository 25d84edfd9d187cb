// Lists of the planner that are not what was asked for are kept back: they are shown once the person says yes, and nothing refers to
// their records before.
import { expect } from "chai";
import { visitHarbour } from "../samples/harbour.js";
import { idsIn } from "../session.js";

describe("The offline planner keeps a list back", () => {
  for (const [prompt, said] of [
    ["boats that leak", '"leak"'],
    ["list purple boats", '"purple"'],
    ["how many boats cost more than 9000 crowns", '"more than 9000"'],
    ["boats wider than 4", '"wider than 4"'],
    ["boats of the shipyard Hansen", '"Hansen"'],
    ["moorings that are overdue", '"overdue"'],
    ["reserved moorings that are overdue", '"overdue"'],
    ["wooden insured boats", '"wooden"'],
    ["the prettiest boats", '"prettiest"'],
  ] as const)
    it(`of "${prompt}", and says why`, async () => {
      const { text } = await visitHarbour()(prompt);
      expect(text)
        .to.match(/^I could not narrow this by/)
        .and.contain(said);
      expect(text).to.match(/Say "yes" to see the \d \w+(?: with [^\n]+,)? without that(?: and without [^\n]+)?\.$/);
      expect(idsIn(text)).to.deep.equal([]);
    });

  it("until the person says yes", async () => {
    const ask = visitHarbour();
    await ask("boats that leak");
    expect(idsIn((await ask("yes")).text)).to.deep.equal([1, 2, 3, 4]);
  });

  it("and changes none of its records by their place in it", async () => {
    const ask = visitHarbour();
    await ask("boats that leak");
    expect((await ask("delete the second one")).calls).to.deep.equal([]);
    await ask("boats that leak");
    await ask("yes");
    expect((await ask("delete the second one")).calls).to.deep.equal([["delete_boat", { boat_id: 2 }]]);
  });

  it("but not for a word beside a condition that is met", async () => {
    const { text } = await visitHarbour()("reserved moorings for the harbour master");
    expect(idsIn(text)).to.deep.equal([32]);
    expect(text).to.contain('could not narrow this by "harbour"');
  });

  it("where only the first of two questions would be answered", async () => {
    const { text } = await visitHarbour()("which boats are insured and which moorings are reserved?");
    expect(text).to.match(/^I answer one question a prompt/);
    expect(idsIn(text)).to.deep.equal([]);
  });
});
