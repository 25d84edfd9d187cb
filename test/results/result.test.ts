// What becomes of a large result.
import { expect } from "chai";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import { type ReadQuery, readResult } from "../../src/results/page.js";
import { RECORD_LIMIT, forRecord as record, forModel as show, toResult } from "../../src/results/result.js";
import { listIn, type Rows } from "../../src/results/rows.js";

const rows = Array.from({ length: 5_000 }, (_, id) => ({
  id,
  name: `name ${id}`,
  state: id % 2 ? "open" : "closed",
  note: "x".repeat(100),
}));

const forModel = (value: JsonValue, budget: number, id: string) => show(toResult(value), budget, id);
const forRecord = (value: JsonValue) => record(toResult(value));
const read = async (value: JsonValue, query: ReadQuery, budget = 10_000): Promise<JsonValue> =>
  parseJson(await readResult(toResult(value), query, { budget }));

/** Rows that are not in memory, as a transport gives them: three at a time. */
function longRows(all: JsonValue[], path: string[] = [], truncated = false): Rows {
  return {
    path,
    count: all.length,
    bytes: toJson(all).length,
    truncated,
    async *read(from = 0) {
      for (let at = from; at < all.length; at += 3) yield all.slice(at, at + 3);
    },
    close: async () => undefined,
  };
}

describe("Large results", () => {
  it("are no images, sounds or files of an MCP server: the model reads their type and size, the record has them", () => {
    const texts = { type: "text", text: "A page." };
    const mimeType = "image/png";
    const blocks: JsonValue[] = [
      texts,
      { type: "image", data: "AAAAAA==", mimeType },
      { type: "resource", resource: { uri: "a:b", mimeType, blob: "AAAA" } },
      { type: "image", data: "https://example.org/a.png", mimeType },
      { type: "resource", resource: { uri: "a:b", text: "A text." } },
    ];
    const value = { content: blocks };
    expect(JSON.parse(forModel(value, 10_000, "c").text)).to.deep.equal({
      content: [
        texts,
        { type: "image", mimeType, bytes: 4 },
        { type: "resource", resource: { uri: "a:b", mimeType, bytes: 3 } },
        ...blocks.slice(3),
      ],
    });
    expect(forRecord(value)).to.deep.equal(value);
    const photo = { content: [texts, { type: "image", data: "A".repeat(100_000), mimeType }] };
    expect(forModel(photo, 1_000, "c")).to.deep.equal({
      text: toJson({ content: [texts, { type: "image", mimeType, bytes: 75_000 }] }),
      cut: false,
    });
  });

  it("are no pictures: the model reads what they are, and the record has them", () => {
    const described = { binary: true, type: "image/png", bytes: 3, sha256: "ab" };
    const picture = { ...described, data: "data:image/png;base64,AAAA" };
    expect(forModel(picture, 10_000, "c")).to.deep.equal({ text: toJson(described), cut: false });
    expect(forRecord(picture)).to.deep.equal(picture);
    const large = { ...described, data: `data:image/png;base64,${"A".repeat(RECORD_LIMIT)}` };
    expect(forRecord(large)).to.deep.equal(described);
    const field = { data: "data:image/png;base64,AAAA" };
    expect(forModel(field, 10_000, "c").text).to.equal(toJson(field));
  });

  it("shows a small result whole", () => {
    expect(forModel({ a: 1 }, 100, "c")).to.deep.equal({ text: '{"a":1}', cut: false });
  });

  it("shows the model valid JSON under the budget, with shape and counts", () => {
    const nested = { deep: { deep: { deep: { list: rows } } } };
    const keyed = Object.fromEntries(rows.map((row) => [`key${row.id}`, row]));
    const values: JsonValue[] = [rows, { data: rows }, "y".repeat(100_000), nested, keyed];
    for (const value of values)
      for (const budget of [500, 2_000, 20_000]) {
        const view = forModel(value, budget, "call_1");
        expect(view.cut).to.equal(true);
        expect(view.text.length).to.be.at.most(budget + 100);
        expect(parseJson(view.text)).to.include({ truncated: true, call_id: "call_1" });
      }
    expect(forModel(rows, 5_000, "c").text)
      .to.contain('"total_items":5000')
      .and.contain("array of 5000 objects with id, name");
  });

  it("keeps up to 1 MiB for events and the history, and says what was left out", () => {
    const small = rows.slice(0, 10);
    expect(forRecord(small)).to.equal(small);
    const big = Array.from({ length: 20 }, () => rows).flat();
    const kept = forRecord(big);
    expect(toJson(kept).length).to.be.at.most(RECORD_LIMIT);
    expect(kept).to.include({ truncated: true, total_items: 100_000 });
  });

  it("keeps most of a text that is too long for the record, whatever it is made of", () => {
    for (const [sign, most] of [
      ["x", 850_000],
      ['"', 390_000],
      ["\u0001", 90_000],
    ] as const)
      for (const value of [sign.repeat(1.1 * 1024 * 1024), { page: 1, text: sign.repeat(1.1 * 1024 * 1024) }]) {
        const kept = toJson(forRecord(value));
        expect(kept.length).to.be.within(most, RECORD_LIMIT);
        expect(JSON.parse(kept)).to.include({ truncated: true });
      }
  });

  it("keeps the rows inside an object that wraps them, and what stands around them", () => {
    const big = Array.from({ length: 4 }, () => rows).flat();
    const kept = forRecord({ data: { items: big }, next: "page2" }) as { items: unknown[] };
    expect(kept).to.deep.include({ total_items: 20_000, list: "/data/items", rest: { data: {}, next: "page2" } });
    expect(kept.items.length).to.be.above(5_000);
    expect(toJson(kept).length).to.be.at.most(RECORD_LIMIT);
  });

  it("pages, filters, picks and counts", async () => {
    expect(await read(rows, { offset: 10, limit: 2, fields: ["id"] })).to.deep.equal({
      matching_items: 5000,
      total_items: 5000,
      offset: 10,
      items: [{ id: 10 }, { id: 11 }],
      next_offset: 12,
    });
    expect(await read(rows, { where: { state: "open" }, count: true })).to.deep.equal({
      count: 2500,
      total_items: 5000,
    });
    expect(await read(rows, { where: { id: 4999 }, fields: ["name"] })).to.deep.include({
      items: [{ name: "name 4999" }],
    });
    expect(await read(rows, { path: "/3/name" })).to.deep.include({ text: "name 3" });
    expect(await read(rows, { path: "/99999" })).to.include({ error: "no_such_path" });
    expect(await read(rows, { offset: 6000 })).to.deep.include({ items: [] });
  });

  it("filters and picks by a field inside a field, and by a key that holds a dot", async () => {
    const deep: JsonValue[] = [{ user: { name: "ada" }, "a.b": 1 }, { user: { name: "bob" } }];
    expect(await read(deep, { where: { "user.name": "ada" }, fields: ["a.b", "user.name"] })).to.deep.include({
      items: [{ "a.b": 1, "user.name": "ada" }],
    });
  });

  const count = async (list: JsonValue[], query: ReadQuery): Promise<JsonValue> =>
    ((await read(list, { ...query, count: true })) as { count: number }).count;

  it("filters by equal values: no part of a text, no other letters, lists and objects by what is in them", async () => {
    const big = 12_345_678_901_234_567_890n;
    const list: JsonValue[] = ["active", "inactive", "Active"].flatMap((status, x) => [
      { status, deep: { x, y: [1, { z: big }] }, id: big + BigInt(x), n: x, text: `${x}`, on: x === 1, none: null },
      { status, deep: "[object Object]", id: `0${x}`, n: 0.5, text: "x", on: "true", none: "null" },
    ]);
    const wanted: [JsonObject, number][] = [
      [{ status: "active" }, 2],
      [{ status: "" }, 0],
      [{ deep: { y: [1, { z: big }], x: 1 } }, 1],
      [{ deep: { x: 1 } }, 0],
      [{ "deep.x": 1, status: "inactive" }, 1],
      [{ deep: "[object Object]" }, 3],
      [{ id: big }, 1],
      [{ id: Number(big) }, 0],
      [{ id: `${big + 1n}` }, 1],
      [{ id: 1 }, 0],
      [{ n: 1 }, 1],
      [{ n: 1n }, 1],
      [{ text: 1 }, 1],
      [{ n: 0.5 }, 3],
      [{ on: true }, 1],
      [{ none: null }, 3],
      [{ missing: null }, 0],
    ];
    for (const [where, expected] of wanted) expect(await count(list, { where }), toJson(where)).to.equal(expected);
  });

  it("takes a number for the text that writes it in plain digits, as in CSV, and for no code with zeros before it", async () => {
    const list: JsonValue[] = ["7", "007", "7.0", "7.05", "70", "12.50", "12.5", "-0.5", "1e1", "", "true"].map(
      (cell) => ({
        cell,
      }),
    );
    const wanted: [JsonValue, number][] = [
      [7, 2],
      ["7", 1],
      ["007", 1],
      [70, 1],
      [12.5, 2],
      ["12.50", 1],
      [-0.5, 1],
      [10, 0],
      [0, 0],
      [true, 0],
      ["true", 1],
    ];
    for (const [cell, expected] of wanted)
      expect(await count(list, { where: { cell } }), toJson(cell)).to.equal(expected);
    expect(await count([{ cell: `0.${"0".repeat(1_000_000)}1` }], { where: { cell: 0 } })).to.equal(0);
  });

  it("filters by a text inside of text, upper or lower case", async () => {
    const list: JsonValue[] = ["active", "inactive", "Active", "gone"].map((status, id) => ({
      status,
      id: id + 10,
      tags: [status, "all"],
      deep: { status },
      none: null,
    }));
    const wanted: [ReadQuery, number][] = [
      [{ contains: { status: "ACTIVE" } }, 3],
      [{ contains: { status: "act", id: "2" } }, 1],
      [{ contains: { status: "active" }, where: { status: "active" } }, 1],
      [{ contains: { tags: "inact" } }, 1],
      [{ contains: { "deep.status": "on" } }, 1],
      [{ contains: { deep: "object" } }, 0],
      [{ contains: { none: "null" } }, 0],
      [{ contains: { missing: "" } }, 0],
    ];
    for (const [query, expected] of wanted) expect(await count(list, query), toJson(query)).to.equal(expected);
  });

  it("says that what is no list cannot be filtered, and counts nothing", async () => {
    for (const query of [{ where: { a: 1 } }, { contains: { a: "1" } }])
      expect(await read({ a: 1, text: "t" }, { ...query, count: true })).to.include({ error: "not_a_list" });
  });

  it("finds the rows inside an object that wraps them", async () => {
    const both: JsonValue[] = [
      { data: rows, more: true },
      { truncated: true, body: { data: rows } },
    ];
    for (const wrapped of both)
      expect(await read(wrapped, { count: true }, 1_000)).to.deep.equal({ count: 5000, total_items: 5000 });
  });

  it("does not take a short list inside of something else for the rows", () => {
    expect(listIn({ text: "y".repeat(1000), tags: ["a", "b"] })).to.equal(undefined);
    expect(listIn({ tags: ["a"], items: rows })?.path).to.deep.equal(["items"]);
  });

  it("fits its pages into the budget and says where the next one starts", async () => {
    let offset = 0;
    let seen = 0;
    for (;;) {
      const text = await readResult(toResult(rows.slice(0, 200)), { offset, limit: 200 }, { budget: 3_000 });
      expect(text.length).to.be.at.most(3_000);
      const page = parseJson(text) as { items: unknown[]; next_offset?: number };
      seen += page.items.length;
      if (page.next_offset === undefined) break;
      offset = page.next_offset;
    }
    expect(seen).to.equal(200);
  });

  it("shows an item that is longer than the budget in part, and goes on behind it", async () => {
    const list = [{ text: "z".repeat(50_000) }, { text: "short" }];
    const page = (await read(list, {}, 1_000)) as { item: { truncated: boolean }; next_offset: number };
    expect(page.item.truncated).to.equal(true);
    expect(await read(list, { offset: page.next_offset }, 1_000)).to.deep.include({ items: [{ text: "short" }] });
  });
});

describe("Results whose rows are not in memory", () => {
  const head = rows.slice(0, 10);
  const bare = { ...toResult(head), rows: longRows(rows) };
  const wrapped = {
    ...toResult({ meta: { page: 1 }, data: { items: head } }),
    rows: longRows(rows, ["data", "items"]),
  };

  it("are counted whole for the model and for the record", () => {
    for (const result of [bare, wrapped]) {
      const view = show(result, 2_000, "call_1");
      expect(view.cut).to.equal(true);
      expect(view.text.length).to.be.at.most(2_100);
      expect(parseJson(view.text)).to.include({ truncated: true, call_id: "call_1", total_items: 5000 });
      expect(view.text).to.match(/… \(49\d\d more items\)/);
      expect(record(result)).to.deep.include({ total_items: 5000, items: head });
    }
    expect(record(bare)).to.include({ shape: "array of 5000 objects with id, name, state, note" });
    expect(record(wrapped)).to.deep.include({ list: "/data/items", rest: { meta: { page: 1 }, data: {} } });
  });

  it("say when the answer went on", () => {
    const cut = { ...toResult(head), rows: longRows(rows, [], true) };
    expect(record(cut)).to.have.property("incomplete").that.contains("5000");
  });

  it("are paged, filtered and counted like those in memory", async () => {
    const queries: ReadQuery[] = [
      {},
      { count: true },
      { offset: 4_998 },
      { offset: 5_001 },
      { offset: 7, limit: 4, fields: ["id"] },
      { where: { state: "open" }, count: true },
      { where: { state: "open" }, contains: { name: "99" }, offset: 3, limit: 2, fields: ["name"] },
      { where: { id: 4999 } },
      { contains: { name: "NAME 49" }, count: true },
    ];
    for (const query of queries) {
      const expected = await readResult(toResult(rows), query, { budget: 3_000 });
      expect(await readResult(bare, query, { budget: 3_000 }), toJson(query)).to.equal(expected);
      expect(await readResult(wrapped, { ...query, path: "/data/items" }, { budget: 3_000 }), toJson(query)).to.equal(
        expected,
      );
    }
  });

  it("are found by a path, and so is what stands around them", async () => {
    const at = async (path: string) => parseJson(await readResult(wrapped, { path }, { budget: 3_000 }));
    expect(await at("/data/items/4321/name")).to.deep.include({ text: "name 4321" });
    expect(await at("/meta/page")).to.equal(1);
    expect(await at("/data")).to.deep.include({ total_items: 5000 });
    expect(await at("/data/items/5000")).to.include({ error: "no_such_path" });
    expect(await at("/nothing")).to.include({ error: "no_such_path" });
  });

  it("are read no further once the turn is stopped", async () => {
    const stop = AbortSignal.abort(new Error("stopped"));
    const failed = await readResult(bare, { where: { id: 1 } }, { budget: 3_000, signal: stop }).catch(
      (error: Error) => error.message,
    );
    expect(failed).to.equal("stopped");
  });
});
