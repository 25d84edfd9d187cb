// Values of text fields as a prompt has them, orders of which the target knows nothing, and numbers of a field that is called
// without its unit.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const TOOLS = [
  tool("list_parcels", "list", "GET /parcels", {
    state: { ...S, enum: ["stored", "collected"] },
    round: S,
    limit: { ...I, maximum: 50 },
  }),
  tool("list_readings", "list", "GET /readings"),
  tool("list_films", "list", "GET /films", { sort: { ...S, enum: ["length", "-length"] }, limit: I }),
];
const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  parcels: [
    { id: 1, state: "stored", shelf_name: "back room", round: "2027A", declaredValue: 30, contents: ["soap", "nuts"] },
    { id: 2, state: "stored", shelf_name: "front desk", round: "2026B", declaredValue: 210, contents: ["soap"] },
    { id: 3, state: "collected", shelf_name: "back room", round: "2027A", declaredValue: 90, contents: [] },
    { id: 4, state: "stored", shelf_name: "back room", round: "2027A", declaredValue: 400, contents: ["books"] },
  ],
  readings: [
    { id: 1, turbidityNtu: 4, hazeArcsec: 1.5, salinity_pct: 30 },
    { id: 2, turbidityNtu: 8, hazeArcsec: null, salinity_pct: 34 },
    { id: 3, turbidityNtu: 6, hazeArcsec: 0.5, salinity_pct: 35 },
  ],
  films: [
    { id: 1, title: "A", length: 90, score: 3 },
    { id: 2, title: "B", length: 120, score: 9 },
    { id: 3, title: "C", length: 100, score: 5 },
  ],
};
const answer = ({ resource }: { resource: string }, { state, limit, sort, round }: JsonObject): JsonValue => {
  const rows = (ROWS[resource] ?? [])
    .filter((row) => state === undefined || row["state"] === state)
    .filter((row) => round === undefined || row["round"] === round);
  const key = String(sort ?? "").replace("-", "");
  const sorted = rows.toSorted((a, b) => (Number(a[key]) - Number(b[key])) * (String(sort).startsWith("-") ? -1 : 1));
  return (sort === undefined ? rows : sorted).slice(0, Number(limit ?? 50));
};
const session = () => createSession(TOOLS, answer);
const ask = (prompt: string): Promise<Turn> => session()(prompt);

describe("The offline planner narrows by a value of a text field", () => {
  for (const [prompt, ids] of [
    ["list everything still stored that is kept in the back room", [1, 4]],
    ["stored parcels that were put on the front desk", [2]],
    ["back room parcels", [1, 3, 4]],
    ["2027A parcels that are stored", [1, 4]],
    ["stored parcels for 2027A", [1, 4]],
    ["which parcels contain nuts?", [1]],
    ["parcels containing soap", [1, 2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  it("and says the whole of a code that no record has", async () => {
    expect((await ask("stored parcels for 2028A")).text).to.contain('by "2028A"');
  });
});

describe("The offline planner asks a target for so many records", () => {
  for (const [prompt, call, ids] of [
    ["top 3 most valuable parcels", ["list_parcels", {}], [4, 2, 3]],
    ["the 2 most valuable parcels", ["list_parcels", {}], [4, 2]],
    ["top 2 parcels by declared value", ["list_parcels", {}], [4, 2]],
    ["show 2 parcels sorted by declared value", ["list_parcels", {}], [1, 3]],
    ["top 2 films sorted by score, highest first", ["list_films", {}], [2, 3]],
    ["show 2 films sorted by length", ["list_films", { sort: "length", limit: 2 }], [1, 3]],
    ["show 2 parcels", ["list_parcels", { limit: 2 }], [1, 2]],
  ] as const)
    it(`only in an order that it knows: "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls.at(-1)).to.deep.equal(call);
      expect(idsIn(text), text).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });
});

describe("The offline planner makes a number of a field", () => {
  for (const [prompt, text] of [
    ["average haze of the readings", "The average hazeArcsec is 1, of 3 readings (1 of them has none)."],
    ["average turbidity of readings", "The average turbidityNtu is 6, of 3 readings."],
    ["highest salinity of the readings", "The highest salinity_pct is 35, of 3 readings."],
    [
      "what is the average haze arcsec of the readings",
      "The average hazeArcsec is 1, of 3 readings (1 of them has none).",
    ],
  ] as const)
    it(`that is called without its unit: "${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.equal(text);
    });

  it("and says that there is none", async () => {
    expect((await ask("average colour of the readings")).text).to.contain('I could not narrow this by "average"');
  });
});

describe("The offline planner puts in order what it read, or offered to read", () => {
  for (const [prompts, ids] of [
    [
      ["stored parcels", "sort them by declared value, highest first"],
      [4, 2, 1],
    ],
    [
      ["stored parcels that are damp", "sort them by declared value, highest first"],
      [4, 2, 1],
    ],
    [
      ["stored parcels sorted by declared value", "now order those by declared value descending"],
      [4, 2, 1],
    ],
    [
      ["films", "sort them by length"],
      [1, 3, 2],
    ],
  ] as const)
    it(prompts.map((one) => `"${one}"`).join(", "), async () => {
      const tell = session();
      for (const prompt of prompts.slice(0, -1)) await tell(prompt);
      const { text } = await tell(prompts.at(-1) ?? "");
      expect(idsIn(text), text).to.deep.equal(ids);
    });
});
