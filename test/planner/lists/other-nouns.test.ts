// Records that a prompt calls by another noun than that of their collection.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { createSession, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const MUSEUM = createApplication({
  artworks: {
    key: "artwork_id",
    keyType: I,
    rows: [{ artwork_id: 1, title: "Dusk", artist_id: 2 }],
    filters: { artist_id: I },
    fields: { title: S, artist_id: I },
  },
  artists: { key: "artist_id", keyType: I, rows: [{ artist_id: 2, name: "Orla Quill" }], fields: { name: S } },
});
const PORT = createApplication({
  vessels: {
    key: "vessel_id",
    rows: [{ vessel_id: "V-1", name: "Havbris", length: 90 }],
    fields: { name: S, length: I },
  },
  quays: { key: "quay_id", rows: [{ quay_id: "Q1", name: "North" }], fields: { name: S } },
});
const CLUB = createApplication({
  memberships: { key: "membership_id", keyType: I, rows: [{ membership_id: 1, level: "gold" }], fields: { level: S } },
  notebooks: { key: "notebook_id", keyType: I, rows: [{ notebook_id: 4, title: "Log" }], fields: { title: S } },
  workbooks: { key: "workbook_id", keyType: I, rows: [{ workbook_id: 5, title: "Sums" }], fields: { title: S } },
});
const SHOP = createApplication({
  orders: {
    key: "order_id",
    keyType: I,
    rows: [{ order_id: 1, note: "x" }],
    fields: { note: S },
    actions: { ship: {} },
  },
  boats: { key: "boat_id", keyType: I, rows: [{ boat_id: 3, name: "Tern" }], fields: { name: S } },
});

describe("The offline planner takes the word that describes a nested list", () => {
  const described = [
    tool("list_races", "list", "GET /races"),
    {
      ...tool("list_heats", "list", "GET /races/{race_id}/heats", { race_id: I }, ["race_id"]),
      description: "Timetable of a race",
    },
    tool("get_race", "get", "GET /races/{race_id}", { race_id: I }, ["race_id"]),
  ];
  const ask = createSession(described, ({ name }) =>
    name === "list_heats" ? [{ id: 1, start: "09:00" }] : [{ race_id: 7, name: "Spring Cup" }],
  );

  for (const prompt of ["timetable of race 7", "show me the timetable for race 7"])
    it(`for its records: "${prompt}"`, async () => {
      expect((await ask(prompt)).calls).to.deep.equal([["list_heats", { race_id: 7 }]]);
    });

  it("and no other word", async () => {
    expect((await ask("weather of race 7")).calls.map(([name]) => name)).not.to.include("list_heats");
  });
});

describe("The offline planner takes a noun for that of the only collection it may mean:", () => {
  for (const [application, prompt, call] of [
    [MUSEUM, "list works", ["list_artworks", {}]],
    [MUSEUM, "how many works do we have?", ["list_artworks", {}]],
    [MUSEUM, "works by Orla Quill", ["list_artworks", { artist_id: 2 }]],
    [PORT, "ships", ["list_vessels", {}]],
    [PORT, "list all ships over 80 length", ["list_vessels", {}]],
  ] as [typeof MUSEUM, string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(application, prompt))).to.deep.equal(call);
    });

  for (const [application, prompt] of [
    // A membership is no ship, and there are two kinds of books.
    [CLUB, "list ships"],
    [CLUB, "list books"],
    [SHOP, "ships"],
    [PORT, "list works"],
  ] as const)
    it(`but not "${prompt}"`, async () => {
      expect((await askOf(application, prompt)).text).to.match(/^No tool clearly fits|^I could not narrow this by/);
    });
});
