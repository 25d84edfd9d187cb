// Lists that a prompt describes by the fields of their records: each condition is met, or said to be open.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const integer = { type: "integer" };
const text = { type: "string" };

const brewery = createApplication({
  kegs: {
    key: "keg_id",
    keyType: integer,
    rows: [
      {
        id: 1,
        beer: "Amber",
        status: "full",
        cellar: "A",
        deposit: 40,
        in_stock: 3,
        built: 2004,
        certificate_expires: "2029-01-01",
        grade: "A",
      },
      {
        id: 2,
        beer: "Stout",
        status: "empty",
        cellar: "B",
        deposit: 60,
        in_stock: 0,
        built: 1998,
        certificate_expires: "2027-01-01",
        grade: "A",
      },
      {
        id: 3,
        beer: "Amber",
        status: "full",
        cellar: "B",
        deposit: 60,
        in_stock: 8,
        built: 2011,
        certificate_expires: "2026-12-01",
        grade: "C",
      },
    ],
    fields: { beer: text, status: { type: "string", enum: ["full", "empty"] }, cellar: text, deposit: integer },
  },
  leaks: {
    key: "leak_id",
    keyType: integer,
    rows: [
      {
        id: 71,
        severity: 1,
        state: "open",
        found_on: "2026-03-05",
        due_on: "2026-04-05",
        repair: { amount: 90, currency: "EUR" },
      },
      {
        id: 72,
        severity: 2,
        state: "open",
        found_on: "2026-05-15",
        due_on: "2026-03-20",
        repair: { amount: 40, currency: "EUR" },
      },
      {
        id: 73,
        severity: 1,
        state: "closed",
        found_on: "2026-03-25",
        due_on: "2026-06-05",
        repair: { amount: 70, currency: "EUR" },
      },
    ],
    fields: { severity: integer, state: { type: "string", enum: ["open", "closed"] }, found_on: text },
  },
});
/** Nothing says which fields its records have. */
const gauges = createApplication({
  valves: {
    key: "valve_id",
    keyType: integer,
    rows: [
      { id: 1, level: 2, fitted_on: "2009-05-01", status: "open" },
      { id: 2, level: 1, fitted_on: "2012-05-01", status: "shut" },
      { id: 3, level: 1, fitted_on: "2007-05-01", status: "open" },
    ],
  },
});

describe("A list that is described by the fields of its records", () => {
  for (const [prompt, ids] of [
    ["open leaks with severity 1", [71]],
    ["closed severity 1 leaks", [73]],
    ["leaks with severity 1 or 2 that are open", [71, 72]],
    ["open leaks from march", [71]],
    ["kegs with a deposit of 60", [2, 3]],
    ["full kegs with deposit 60", [3]],
    ["amber kegs in cellar A", [1]],
    ["kegs built before 2005", [1, 2]],
    ["full kegs built after 2005", [3]],
    ["kegs that are out of stock", [2]],
    ["kegs with a deposit under 50 that are in stock", [1]],
    ["oldest keg", [2]],
    ["second oldest keg", [1]],
  ] as const)
    it(prompt, async () => {
      const { text: answer } = await askOf(brewery, prompt);
      expect(idsIn(answer), answer).to.deep.equal(ids);
      expect(answer).to.not.contain("could not");
    });

  for (const [prompt, ids] of [
    ["open valves with level 1", [3]],
    ["open valves of level 1 or 2", [1, 3]],
    ["open valves fitted before 2010", [1, 3]],
  ] as const)
    it(`${prompt}, where no tool says which fields there are`, async () => {
      const { text: answer } = await askOf(gauges, prompt);
      expect(idsIn(answer), answer).to.deep.equal(ids);
    });

  for (const prompt of [
    "kegs in cellar C",
    "leaks that are out of stock",
    "open leaks with a depth of 3",
    "the second cheapest leak with severity 9",
  ])
    it(`shows nothing as an answer to what no field has: ${prompt}`, async () => {
      const { text: answer } = await askOf(brewery, prompt);
      expect(idsIn(answer), answer).to.deep.equal([]);
      expect(answer).to.match(/^I could not narrow this by|^No tool clearly fits/);
    });

  it("makes no request for what is told of the records", async () => {
    expect((await askOf(brewery, "leaks with severity 1 are annoying")).calls).to.deep.equal([]);
  });

  it("says of how many records a greatest value is", async () => {
    expect((await askOf(brewery, "what is the highest repair of the leaks")).text).to.contain("90, of 3 leaks");
  });

  it("counts nothing that is not in the place", async () => {
    expect((await askOf(brewery, "how many kegs are in cellar A")).text).to.contain("1 keg with cellar = A");
  });
});

describe("A question that names a field and no records", () => {
  for (const [prompt, ids] of [
    ["what's out of stock", [2]],
    ["whose certificate expires before 2027", [3]],
  ] as const)
    it(`${prompt}: of the only list that has it`, async () => {
      expect(idsIn((await askOf(brewery, prompt)).text)).to.deep.equal(ids);
    });

  it("what is the highest repair: of the only list that has it", async () => {
    expect((await askOf(brewery, "what is the highest repair")).text).to.contain("90, of 3 leaks");
  });

  it("says that no list has the field", async () => {
    for (const prompt of ["what is the highest mountain", "whose dog barked before 2020"])
      expect((await askOf(brewery, prompt)).text).to.contain("I found no field for that");
    expect((await askOf(gauges, "what's out of stock")).text).to.contain("I found no field for that");
  });

  it("asks where several have it", async () => {
    const row = { id: 1, fee: 4 };
    const both = createApplication({
      boats: { key: "boat_id", keyType: integer, rows: [row] },
      tents: { key: "tent_id", keyType: integer, rows: [row] },
    });
    expect((await askOf(both, "what is the highest fee")).text).to.contain("boats or tents");
  });
});
