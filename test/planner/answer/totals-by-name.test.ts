// A total where several fields have the word in their names, numbers that are a part of a name, and switches with a "no" in theirs.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const I = { type: "integer" };
const SALES = createApplication({
  sales: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, status: "open", boxesTotal: 3, total: 40 },
      { id: 2, status: "open", boxesTotal: 5, total: 60 },
      { id: 3, status: "sent", boxesTotal: 9, total: 5 },
    ],
    filters: { status: { type: "string", enum: ["open", "sent"] } },
  },
});
const CHOIR = createApplication({
  concerts: {
    key: "id",
    keyType: I,
    rows: [
      { id: 11, title: "Spring", hall_id: 8, called_off: false },
      { id: 12, title: "Advent", hall_id: 4, called_off: true },
    ],
    filters: { called_off: { type: "boolean" }, hall_id: I },
  },
});

describe("The offline planner reads words that are a part of a name with the whole of it", () => {
  it("adds up the field that is called so alone", async () => {
    for (const prompt of ["what's the total of all open sales", "total of the open sales"])
      expect((await askOf(SALES, prompt)).text).to.match(/^The sum of the total is 100, of 2 sales/);
  });

  it("takes the off of called off for no negation", async () => {
    expect(idsIn((await askOf(CHOIR, "concerts that were called off")).text)).to.deep.equal([12]);
    expect(idsIn((await askOf(CHOIR, "concerts that were not called off")).text)).to.deep.equal([11]);
    expect(idsIn((await askOf(CHOIR, "concerts with called_off = false")).text)).to.deep.equal([11]);
  });

  it("takes no number out of a code for a key", async () => {
    const { calls, text } = await askOf(CHOIR, "concerts in hall 8A");
    expect(calls.map(([, args]) => args)).to.not.deep.include({ hall_id: 8 });
    expect(text).to.contain('"8A"').and.not.match(/^No /);
    expect((await askOf(CHOIR, "concerts in hall 8")).calls).to.deep.equal([["list_concerts", { hall_id: 8 }]]);
  });
});
