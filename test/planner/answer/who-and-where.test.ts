// Questions for somebody, for a place and for the one at an end of an order: what cannot tell it is no answer.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { createSession, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const museum = createApplication({
  paintings: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, code: "PT-101", title: "Dusk", restored_on: "2021-03-04", hall: "B", year: 1890 },
      { id: 2, code: "PT-102", title: "Dawn", restored_on: "2019-06-11", hall: "A", year: 1902 },
    ],
    filters: { hall: S },
    fields: { code: S, title: S, restored_on: { type: "string", format: "date" }, hall: S, year: I },
  },
  repairs: {
    key: "id",
    rows: [{ id: "RP-1", title: "Frame", assigned_to: "W-1" }],
    fields: { title: S },
  },
});

describe("The offline planner, asked who, where or which is the first,", () => {
  for (const prompt of ["who restored PT-101?", "where was PT-101 restored", "and who restored PT-102"])
    it(`does not answer "${prompt}" with a day`, async () => {
      const { text } = await askOf(museum, prompt);
      expect(text).not.to.match(/^restored_on:/);
    });

  it("says where nothing tells who", async () => {
    expect((await askOf(museum, "who restored PT-101?")).text).to.match(
      /^I found no field that says who\.|did not understand/,
    );
  });

  it("says where nothing tells when it was done, though it has another day", async () => {
    const parcels = createApplication({
      parcels: {
        key: "id",
        keyType: I,
        rows: [{ id: 3, state: "collected", packed_on: "2026-02-03" }],
        fields: { state: S },
      },
    });
    expect((await askOf(parcels, "when was parcel 3 collected")).text).to.match(/^I found no field that says when\./);
    expect((await askOf(parcels, "when was parcel 3 packed")).text).to.match(/^packed_on: 2026-02-03/);
  });

  it("does not say so where the record is somebody's", async () => {
    const shop = createApplication({
      orders: { key: "id", keyType: I, rows: [{ id: 3, customer: "Klara Holm", total: 7 }], fields: { total: I } },
    });
    expect((await askOf(shop, "who ordered order 3")).text)
      .to.contain("Klara Holm")
      .and.not.contain("I found no");
  });

  it("reads the place that a record refers to", async () => {
    const finds = createApplication({
      coins: {
        key: "id",
        keyType: I,
        rows: [{ id: 4, code: "CN-204", site_id: 2, found_on: "2020-05-01" }],
        fields: { code: S, site_id: I, found_on: S },
      },
      sites: { key: "id", keyType: I, rows: [{ id: 2, name: "Hill Farm", county: "Avon" }], fields: { name: S } },
    });
    const turn = await askOf(finds, "where was CN-204 found");
    expect(lastCall(turn)).to.deep.equal(["get_site", { id: 2 }]);
    expect(turn.text).to.match(/Hill Farm/);
  });

  it("says so where several fields may say where", async () => {
    const finds = createApplication({
      coins: {
        key: "id",
        keyType: I,
        rows: [{ id: 4, code: "CN-204", site_id: 2, shelf: "B2", found_on: "2020-05-01" }],
        fields: { code: S, site_id: I, shelf: S, found_on: S },
      },
      sites: { key: "id", keyType: I, rows: [{ id: 2, name: "Hill Farm", county: "Avon" }], fields: { name: S } },
    });
    for (const prompt of ["where was CN-204 found", "where was CN-204 stored"])
      expect((await askOf(finds, prompt)).text).to.match(
        /^More than one field may say where: site_id, shelf\.[\s\S]*B2/,
      );
  });

  it("answers a question for the day with it", async () => {
    expect((await askOf(museum, "when was PT-101 restored")).text).to.match(/^restored_on: 2021-03-04/);
  });

  it("finds the oldest in the list, and asks for no key", async () => {
    const turn = await askOf(museum, "Oldest painting in the shed");
    expect(lastCall(turn)?.[0]).to.equal("list_paintings");
    expect(turn.text).not.to.match(/needs it/);
  });

  it("still shows one by its key", async () => {
    expect(lastCall(await askOf(museum, "painting 2"))).to.deep.equal(["get_painting", { id: 2 }]);
  });

  for (const prompt of ["is the curator repairing today?", "repair for tomorrow"])
    it(`reads no record with a day for its key: "${prompt}"`, async () => {
      expect((await askOf(museum, prompt)).calls.filter(([name]) => name.startsWith("get_"))).to.deep.equal([]);
    });

  it("takes a day for a key that is one", async () => {
    const menu = tool("get_menu", "get", "GET /menus/{date}", { date: S }, ["date"]);
    const ask = createSession([menu], () => ({ date: "2026-11-22", soup: "leek" }));
    expect((await ask("show the menu for tomorrow")).calls).to.deep.equal([["get_menu", { date: "2026-11-22" }]]);
  });
});

describe("The offline planner, told to give something,", () => {
  const sent = createApplication({
    repairs: {
      key: "id",
      rows: [{ id: "RP-1", title: "Frame" }],
      fields: { title: S },
      actions: { assign: { workerId: S } },
    },
    workers: { key: "id", rows: [{ id: "W-1", name: "Ada Holm" }], fields: { name: S } },
  });
  for (const prompt of ["give RP-1 to ada", "hand RP-1 to ada holm"])
    it(`does not show it instead: "${prompt}"`, async () => {
      const { calls, text } = await askOf(sent, prompt);
      expect(calls.filter(([name]) => name === "get_repair")).to.deep.equal([]);
      expect(text).not.to.match(/Frame/);
    });

  for (const prompt of ["give me RP-1", "give RP-1 to me"])
    it(`shows it to the listener: "${prompt}"`, async () => {
      expect((await askOf(sent, prompt)).text).to.match(/Frame/);
    });
});

describe("The offline planner shows a record", () => {
  const get = tool("get_parcel", "get", "GET /parcels/{id}", { id: I }, ["id"]);
  const list = tool("list_parcels", "list", "GET /parcels");
  for (const wrapped of [
    { data: { id: 7, label: "Books", weight: 3 } },
    { success: true, data: { id: 7, label: "Books", weight: 3 } },
    { item: { id: 7, label: "Books", weight: 3 }, meta: { version: 2 } },
  ] as JsonObject[])
    it(`without its wrapper: ${Object.keys(wrapped).join(", ")}`, async () => {
      const ask = createSession([list, get], () => wrapped);
      const { text } = await ask("show parcel 7");
      expect(text).to.match(/\*\*label\*\*: Books/);
      expect(text).to.match(/\*\*weight\*\*: 3/);
      expect(text).not.to.match(/\*\*(?:data|item)\*\*/);
    });

  it("with an object that is one field of several", async () => {
    const ask = createSession([list, get], () => ({ id: 7, data: { label: "Books" } }));
    expect((await ask("show parcel 7")).text).to.match(/\*\*data\*\*/);
  });
});

describe("The offline planner takes no state from what is waited for:", () => {
  const claims = tool("list_claims", "list", "GET /claims", {
    status: { type: "string", enum: ["sent", "approved", "paid"] },
    topic: { type: "string", enum: ["inspection", "storm"] },
  });
  const ROWS = [
    { id: 1, status: "sent" },
    { id: 2, status: "approved" },
  ];
  for (const prompt of ["claims waiting for approval", "show claims wating for approval", "claims that need approval"])
    it(`"${prompt}"`, async () => {
      const { calls, text } = await createSession([claims], () => ROWS)(prompt);
      for (const [, args] of calls) expect(args).to.not.have.property("status");
      expect(text).to.not.match(/^1 claim/);
    });

  for (const [prompt, args] of [
    ["approved claims", { status: "approved" }],
    ["claims for inspection", { topic: "inspection" }],
  ] as const)
    it(`but from what was done, and from a value itself: "${prompt}"`, async () => {
      expect((await createSession([claims], () => ROWS)(prompt)).calls).to.deep.equal([["list_claims", args]]);
    });
});
