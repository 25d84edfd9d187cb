// The question before, repeated for another record, and fields that only the records have.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const I = { type: "integer" };

const TRAVEL = createApplication({
  hotels: {
    key: "hotel_id",
    keyType: I,
    rows: [
      { id: 1, name: "Hotel Meridian", phone: "040 123", stars: 4 },
      { id: 2, name: "Pension Lind", phone: "030 99", stars: 2 },
    ],
  },
  tours: {
    key: "tour_id",
    keyType: I,
    rows: [
      { id: 11, name: "Harbour Walk", guide_id: 1, seats: 10 },
      { id: 12, name: "Castle Hill", guide_id: 2, seats: 12 },
    ],
    filters: { guide_id: I },
  },
  guides: {
    key: "guide_id",
    keyType: I,
    rows: [
      { id: 1, name: "Ann Voss", languages: "de" },
      { id: 2, name: "Aaron Feld", languages: "fr" },
    ],
  },
});

describe("The offline planner repeats a question for another record that is called by its name", () => {
  for (const next of ["and Aaron Feld", "and for Aaron Feld?", "what about aaron feld"])
    it(`"${next}"`, async () => {
      const say = createSession(TRAVEL.tools, TRAVEL.reply);
      expect((await say("tours by Ann Voss")).text).to.match(/Harbour Walk/);
      const { text } = await say(next);
      expect(text)
        .to.match(/Castle Hill/)
        .and.not.to.match(/Harbour Walk/);
    });
  it("shows nothing for a name that no record has", async () => {
    const say = createSession(TRAVEL.tools, TRAVEL.reply);
    await say("tours by Ann Voss");
    expect((await say("and Bob Zorn")).text)
      .to.match(/"Bob/)
      .and.not.to.match(/Walk|Hill/);
  });
});

describe("The offline planner answers with a field that only the records have", () => {
  for (const [prompt, answer] of [
    ["phone of hotel meridian", /^phone: 040 123\n/],
    ["phone number of pension lind", /^phone: 030 99\n/],
    ["stars of pension lind", /^stars: 2\n/],
    ["how many seats does harbour walk have", /^seats: 10\n/],
    ["weight of pension lind", /did not understand|nothing about "weight"/],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await askOf(TRAVEL, prompt)).text).to.match(answer);
    });
});
