// The sentence above the records is true by itself: it names what was sent with the call beside what was narrowed in what came back.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession, tool } from "../session.js";

const HIRE = createApplication({
  instruments: {
    key: "instrument_id",
    rows: [
      { id: 1, name: "Amati", family: "string", condition: "good", deposit: 40, hired: false },
      { id: 2, name: "Bach", family: "brass", condition: "good", deposit: 90, hired: false },
      { id: 3, name: "Conn", family: "brass", condition: "worn", deposit: 70, hired: true },
      { id: 4, name: "Holton", family: "brass", condition: "good", deposit: 50, hired: true },
    ],
    filters: { family: { type: "string", enum: ["string", "brass", "reed"] } },
  },
});

describe("The sentence above records", () => {
  for (const [prompt, heading] of [
    ["brass instruments that are not hired", "1 instrument with hired = no and family = brass:"],
    ["brass instruments in good condition", "2 instruments with condition = good and family = brass:"],
    ["how many brass instruments are hired", "2 instruments with hired = yes and family = brass."],
    [
      "average deposit of brass instruments that are hired",
      "The average deposit is 60, of 2 instruments with hired = yes and family = brass.",
    ],
    ["brass instruments", "3 instruments with family = brass:"],
    ["list instruments", "4 instruments:"],
  ] as const)
    it(`names every condition: "${prompt}"`, async () => {
      expect((await askOf(HIRE, prompt)).text.split("\n")[0]).to.equal(heading);
    });

  it("names what the records are of, where that stands in the path", async () => {
    const rounds = tool("listRounds", "list", "GET /walkers/{walkerId}/rounds", { walkerId: { type: "integer" } }, [
      "walkerId",
    ]);
    const ask = createSession([rounds], () => [{ id: 1, streets: 4 }]);
    expect((await ask("rounds of walker 7")).text).to.match(/^1 round with walker = 7:/);
  });
});
