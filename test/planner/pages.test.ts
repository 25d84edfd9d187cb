// Lists that their target gives in pages.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { createSession, type Turn, tool } from "./session.js";

const I = { type: "integer" };
const S = { type: "string" };

const KITES = Array.from({ length: 23 }, (_, at) => ({
  id: at + 1,
  name: `Kite ${"ABCDEFGHIJKLMNOPQRSTUVW"[at]}`,
  colour: at % 5 === 0 ? "red" : "blue",
  price: 10 + at,
}));

const numberIn = (args: JsonObject, name: string, otherwise: number): number => Number(args[name] ?? otherwise);

/** The same records behind each way to ask for a page. */
const WAYS: Readonly<Record<string, { parameters: JsonObject; page: (args: JsonObject) => JsonValue }>> = {
  "an offset": {
    parameters: { limit: { ...I, default: 5 }, offset: I },
    page: (args) => KITES.slice(numberIn(args, "offset", 0)).slice(0, numberIn(args, "limit", 5)),
  },
  "an offset, and a larger page": {
    parameters: { limit: { ...I, default: 5, maximum: 50 }, skip: I },
    page: (args) => KITES.slice(numberIn(args, "skip", 0)).slice(0, numberIn(args, "limit", 5)),
  },
  "a number of the page, from 1": {
    parameters: { page: { ...I, default: 1 }, size: { ...I, default: 10 } },
    page: (args) => KITES.slice((numberIn(args, "page", 1) - 1) * 10, numberIn(args, "page", 1) * 10),
  },
  "a number of the page, from 0": {
    parameters: { page: { ...I, minimum: 0 }, size: { ...I, default: 10 } },
    page: (args) => KITES.slice(numberIn(args, "page", 0) * 10, (numberIn(args, "page", 0) + 1) * 10),
  },
  "a number that the answer tells": {
    parameters: { page: I },
    page: (args) => {
      const page = numberIn(args, "page", 1);
      return { items: KITES.slice((page - 1) * 10, page * 10), total: KITES.length, page };
    },
  },
  "a cursor": {
    parameters: { cursor: S },
    page: (args) => {
      const from = numberIn(args, "cursor", 0);
      const has_more = from + 8 < KITES.length;
      return { data: KITES.slice(from, from + 8), has_more, next_cursor: has_more ? String(from + 8) : null };
    },
  },
};

const fly = (
  { parameters, page }: { parameters: JsonObject; page: (args: JsonObject) => JsonValue },
  options: { maxIterations?: number } = {},
) =>
  createSession(
    [
      tool("list_kites", "list", "GET /kites", parameters),
      tool("delete_kite", "delete", "DELETE /kites/{kite_id}", { kite_id: I }, ["kite_id"]),
    ],
    (called, args) => (called.name === "list_kites" ? page(args) : { status: 204 }),
    options,
  );

describe("The offline planner reads a list on by", () => {
  for (const [name, way] of Object.entries(WAYS))
    it(name, async () => {
      expect((await fly(way)("show me all the kites")).text).to.contain("23 kites");
      expect((await fly(way)("how many kites are there")).text).to.contain("23 kites");
      expect((await fly(way)("how many red kites")).text).to.match(/^5 kites with colour = red\.$/);
      const last = await fly(way)("the most expensive kite");
      expect(last.text).to.contain("Kite W").and.not.contain("may go on");
      expect((await fly(way)("delete the kite Kite V")).calls.at(-1)).to.deep.equal(["delete_kite", { kite_id: 22 }]);
    });

  it("no more than a few pages, and says where the list goes on", async () => {
    const endless = (args: JsonObject): JsonValue =>
      Array.from({ length: 5 }, (_, at) => ({ id: numberIn(args, "offset", 0) + at, colour: "red" }));
    const { calls, text }: Turn = await fly({ parameters: { limit: { ...I, default: 5 }, offset: I }, page: endless })(
      "list red kites",
    );
    expect(calls).to.have.length(5);
    expect(text).to.match(/^These are the first 25 of a list that may go on/);
  });

  it("as long as its pages are as long as the first, where nothing else says that it goes on", async () => {
    const page = (args: JsonObject): JsonValue =>
      Array.from({ length: 20 }, (_, at) => ({ id: numberIn(args, "page", 1) * 20 + at, price: 10 }));
    const ask = fly({ parameters: { page: { ...I, minimum: 1 } }, page });
    const { calls, text } = await ask("how many kites are there");
    expect(calls).to.have.length(5);
    expect(text)
      .to.match(/^These are the first 100 of a list that may go on/)
      .and.contain("At least 100 kites");
  });

  it("as far as it may, and changes nothing of a name where the list goes on behind that", async () => {
    const page = (args: JsonObject): JsonValue =>
      Array.from({ length: 5 }, (_, at) => numberIn(args, "offset", 0) + at).map((id) => ({
        id,
        name: id === 3 ? "Heron" : `Kite ${id}`,
      }));
    const ask = fly({ parameters: { limit: { ...I, default: 5 }, offset: I }, page });
    const { calls, text } = await ask("delete the kite Heron");
    expect(calls.filter(([name]) => name === "delete_kite")).to.deep.equal([]);
    expect(text).to.match(/^One kite is called "Heron" among the \d+ I was shown, and there may be more/);
    expect((await ask("delete kite 3")).calls).to.deep.equal([["delete_kite", { kite_id: 3 }]]);
  });

  it("nothing where it is too long to be read to its end", async () => {
    const page = (): JsonValue => ({ items: KITES.slice(0, 5), total: 5000 });
    const { calls, text } = await fly({ parameters: { limit: { ...I, default: 5 }, offset: I }, page })("list kites");
    expect(calls).to.have.length(1);
    expect(text).to.contain("may go on").and.contain("of 5000");
  });

  it("nothing where the list is only to be seen, or the prompt says how many it wants", async () => {
    const way = WAYS["an offset"];
    if (!way) throw new Error("there is no such way");
    for (const prompt of ["the first 3 kites", "list 4 kites", "list kites", "show me the kites"])
      expect((await fly(way)(prompt)).calls).to.have.length(1);
  });

  for (const [way, prompt, args] of [
    ["a number of the page, from 1", "list the kites on page 2", { page: 2 }],
    ["a number that the answer tells", "list all the kites on page 2", { page: 2 }],
    ["an offset", "list kites with offset 10", { offset: 10 }],
  ] as const)
    it(`nothing where the prompt says which page it wants: ${prompt}`, async () => {
      const given = WAYS[way];
      if (!given) throw new Error("there is no such way");
      expect((await fly(given)(prompt)).calls).to.deep.equal([["list_kites", args]]);
    });

  for (const [maxIterations, read] of [
    [2, 5],
    [3, 5],
    [4, 10],
    [5, 15],
  ] as const)
    it(`no further than a turn of ${maxIterations} model calls has an answer`, async () => {
      const way = WAYS["an offset"];
      if (!way) throw new Error("there is no such way");
      const { text } = await fly(way, { maxIterations })("how many kites are there");
      expect(text).to.contain(`At least ${read} kites`);
    });

  it("goes on with all of what it read", async () => {
    const way = WAYS["an offset"];
    if (!way) throw new Error("there is no such way");
    const ask = fly(way);
    await ask("list red kites");
    expect((await ask("delete the last one")).calls).to.deep.equal([["delete_kite", { kite_id: 21 }]]);
  });
});
