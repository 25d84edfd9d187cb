// What is to be bought is no list of what it is for.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const GALLERY = createApplication({
  paintings: { key: "painting_id", rows: [{ painting_id: "p1", title: "Fjord" }] },
  rooms: { key: "room_id", rows: [{ room_id: "r1", name: "North" }] },
});

describe("The offline planner reads nothing for", () => {
  for (const prompt of [
    "buy 3 lamps for the rooms",
    "order 2 new frames for the paintings",
    "purchase some glue for the rooms",
  ])
    it(`"${prompt}"`, async () => {
      const { calls } = await askOf(GALLERY, prompt);
      expect(calls).to.deep.equal([]);
    });

  it("but orders what it lists", async () => {
    const { calls } = await askOf(GALLERY, "order the paintings by title");
    expect(calls.map(([name]) => name)).to.deep.equal(["list_paintings"]);
  });
});
