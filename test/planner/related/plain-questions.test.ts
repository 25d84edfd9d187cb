// Questions as people type them about what belongs to persons, where these are, what is left, and what was read before. The
// application is a pottery studio: its members, the kilns, and the firings that members book.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession, idsIn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const MEMBERS: JsonObject[] = [
  { id: 1, name: "Ada Holm", email: "ada@studio.example", city: "Leek" },
  { id: 2, name: "Bo Lind", email: "bo@studio.example", city: "Stoke" },
];
const GLAZES: JsonObject[] = [
  { id: 1, name: "Celadon", finish: "gloss", stock: 0 },
  { id: 2, name: "Tenmoku", finish: "gloss", stock: 4 },
  { id: 3, name: "Shino", finish: "matt", stock: 0 },
];
const FIRINGS: JsonObject[] = Array.from({ length: 23 }, (_, at) => ({
  id: at + 1,
  member_id: at % 5 === 0 ? 1 : 2,
  member: at % 5 === 0 ? "Ada Holm" : "Bo Lind",
  state: ["booked", "fired", "collected", "cancelled"][at % 4] ?? "",
  fee: 10 + at,
}));

const studio = createApplication({
  members: {
    key: "member_id",
    keyType: I,
    rows: MEMBERS,
    filters: { city: S },
    fields: { name: S, email: S, city: S },
  },
  glazes: {
    key: "glaze_id",
    keyType: I,
    rows: GLAZES,
    filters: { finish: S },
    fields: { name: S, finish: S, stock: I },
  },
});
const STATE = { type: "string", enum: ["booked", "fired", "collected", "cancelled"] };
const tools = [
  ...studio.tools,
  tool("list_firings", "list", "GET /firings", { state: STATE, limit: { ...I, default: 10, maximum: 50 }, offset: I }),
  tool("get_firing", "get", "GET /firings/{firing_id}", { firing_id: I }, ["firing_id"]),
  tool("create_firing", "create", "POST /firings", { member_id: I, state: STATE, fee: N }, ["member_id"]),
];
const reply = (called: (typeof tools)[number], args: JsonObject): JsonValue => {
  if (called.name === "get_firing")
    return FIRINGS.find(({ id }) => id === args["firing_id"]) ?? { error: "404 Not Found" };
  if (called.name !== "list_firings") return studio.reply(called, args);
  const offset = Number(args["offset"] ?? 0);
  const found = FIRINGS.filter(({ state }) => args["state"] === undefined || state === args["state"]);
  return { items: found.slice(offset, offset + Number(args["limit"] ?? 10)), total: found.length };
};
const ask = (prompt: string) => askOf({ tools, reply }, prompt);
const behind = async (first: string, then: string): Promise<string> => {
  const session = createSession(tools, reply);
  await session(first);
  return (await session(then)).text;
};

const idsWhere = (meets: (firing: JsonObject) => boolean): unknown[] => FIRINGS.filter(meets).map(({ id }) => id);

describe("The offline planner, asked in plain words", () => {
  for (const prompt of ["firings by Ada Holm", "firings placed by Ada Holm", "firings of Ada Holm"])
    it(`lists what a person has: "${prompt}"`, async () => {
      expect(idsIn((await ask(prompt)).text)).to.have.members(idsWhere(({ member }) => member === "Ada Holm"));
    });

  it("takes the noun of a list for a verb", async () => {
    const orders = createApplication({
      members: { key: "member_id", keyType: I, rows: MEMBERS, fields: { name: S, email: S } },
      orders: {
        key: "order_id",
        keyType: I,
        rows: [
          { id: 1, member_id: 1, clay: "porcelain" },
          { id: 2, member_id: 2, clay: "stoneware" },
          { id: 3, member_id: 1, clay: "raku" },
        ],
        fields: { member_id: I, clay: S },
      },
    });
    for (const prompt of ["what did Ada Holm order", "what has Ada Holm ordered?"])
      expect(idsIn((await askOf(orders, prompt)).text)).to.deep.equal([1, 3]);
    const session = createSession(orders.tools, orders.reply);
    await session("who is Ada Holm");
    expect(idsIn((await session("what did she order")).text)).to.deep.equal([1, 3]);
    expect((await askOf(orders, "what did they order")).text).to.match(/^I cannot tell which records that is about/);
  });

  for (const [prompt, id] of [
    ["who lives in Leek", 1],
    ["who is from Stoke", 2],
    ["who's from Stoke?", 2],
  ] as const)
    it(`asks the only list of persons: "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls.map(([name]) => name)).to.deep.equal(["list_members"]);
      expect(idsIn(text)).to.deep.equal([id]);
    });

  it("reads a list on where it narrows it by a bound without a field", async () => {
    const { text } = await ask("firings over 20");
    expect(idsIn(text)).to.deep.equal(idsWhere(({ fee }) => Number(fee) > 20));
    expect(text).not.to.contain("may go on");
  });

  it("denies both of neither and nor", async () => {
    const { text } = await ask("firings that are neither booked nor cancelled");
    expect(idsIn(text)).to.deep.equal(idsWhere(({ state }) => state === "fired" || state === "collected"));
  });

  it("makes the average value of the only field of money", async () => {
    expect((await ask("average firing value")).text).to.equal("The average fee is 21, of 23 firings.");
    expect((await ask("average value of the booked firings")).text).to.match(/^The average fee is 20, of 6 firings/);
  });

  it("takes a noun before the plural of what belongs to it for a part of that", async () => {
    expect((await ask("member firings over 30")).calls[0]?.[0]).to.equal("list_firings");
  });

  it("takes what is low for nothing that is there", async () => {
    expect((await ask("glazes low on stock")).text).not.to.contain("stock > 0");
    expect(idsIn((await ask("glazes on stock")).text)).to.deep.equal([2]);
  });

  it("forbids nothing in a question that denies something", async () => {
    expect((await ask("which members have never fired anything")).text).not.to.contain("You said not to");
    expect((await ask("never create a firing")).text).to.contain("You said not to");
  });

  it("says who placed something", async () => {
    expect((await ask("who placed firing 6")).text).to.contain("Ada Holm");
  });

  it("says how many are left of one thing", async () => {
    for (const prompt of ["how many Tenmoku are left", "how much Tenmoku do we have", "how many Tenmoku are in stock?"])
      expect((await ask(prompt)).text).to.match(/^stock: 4\n/);
  });

  it("writes a note that a record has as a text", async () => {
    const notes = createApplication({
      kilns: { key: "kiln_id", keyType: I, rows: [{ id: 2, name: "Big", remark: "" }], fields: { name: S, remark: S } },
    });
    expect((await askOf(notes, "add a remark to kiln 2: door sticks")).calls.at(-1)).to.deep.equal([
      "update_kiln",
      { kiln_id: 2, remark: "door sticks" },
    ]);
    expect((await askOf(notes, "add a shelf to kiln 2: top")).calls).to.deep.equal([]);
  });

  it("makes a number for each group, whatever stands between", async () => {
    const { text } = await ask("sum of the fees of the booked firings by member");
    expect(text)
      .to.match(/Ada Holm[^\n]*\b40\b/)
      .and.to.match(/Bo Lind[^\n]*\b80\b/);
  });

  it("takes no key for money by the letters in its name", async () => {
    const costumes = createApplication({
      costumes: {
        key: "costume_id",
        keyType: I,
        rows: [
          { costume_id: 1, name: "Ghost armour", value_eur: 1900 },
          { costume_id: 2, name: "Fencing jacket", value_eur: 290 },
        ],
        filters: { order_by: { type: "string", enum: ["costume_id", "-costume_id", "name", "-name"] } },
        fields: { name: S, value_eur: N },
      },
    });
    const { calls, text } = await askOf(costumes, "most expensive costume");
    expect(calls).to.deep.equal([["list_costumes", {}]]);
    expect(text).to.match(/^1 costume(?:,| with) most expensive by value_eur first:[\s\S]*Ghost armour/);
  });

  for (const prompt of [
    "translate the remarks into spanish",
    "remind Ada Holm of her firing",
    "fax all members the rules",
  ])
    it(`looks for nothing where something is to be sent or translated: "${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.match(/^I did not understand "/);
    });

  it("does not take the address of somebody for something to be sent", async () => {
    expect((await ask("email of Ada Holm")).text).to.match(/^email: ada@studio\.example/);
  });

  it("shows no things for who does something to them", async () => {
    const plays = createApplication({
      plays: {
        key: "play_id",
        keyType: I,
        rows: [{ id: 3, title: "Hamlet" }],
        filters: { title: S },
        fields: { title: S },
      },
    });
    expect((await askOf(plays, "who plays Hamlet")).text).not.to.match(/^1 play|\*\*title\*\*: Hamlet/);
  });

  it("reads then before a number for than", async () => {
    expect(idsIn((await ask("firings with fee higher then 20")).text)).to.deep.equal(
      idsWhere(({ fee }) => Number(fee) > 20),
    );
  });

  it("looks for nothing that is to be reported", async () => {
    const { calls, text } = await ask("report a new firing for member 2: too hot, fee 12");
    expect(calls.map(([name]) => name)).not.to.include("list_firings");
    expect(text).to.match(/`create_firing`/);
    expect((await ask("log a new firing for member 2 with fee 12")).calls).to.deep.equal([
      ["create_firing", { member_id: 2, fee: 12 }],
    ]);
  });

  it("takes what a report tells again for the same record", async () => {
    const report: (typeof tools)[number] = tool("low_glazes", "list", "GET /reports/low-glazes");
    const { text } = await askOf(
      {
        tools: [...tools, report],
        reply: (called, args) => (called === report ? [{ id: 2, name: "Tenmoku", stock: 4 }] : reply(called, args)),
      },
      "show Tenmoku",
    );
    expect(text).to.contain("- **finish**: gloss");
  });

  for (const [prompt, said] of [
    ["is firing 2 collected", /^state: fired\n/],
    ["has firing 1 been fired yet?", /^state: booked\n/],
    ["was firing 2 stolen", /^I found nothing about "stolen"/],
  ] as const)
    it(`says the state that a record is in: "${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.match(said);
    });

  it("says a switch before the state", async () => {
    const lots = createApplication({
      lots: {
        key: "lot_id",
        keyType: I,
        rows: [{ id: 1, state: "open", paid: true }],
        fields: { state: S, paid: { type: "boolean" } },
      },
    });
    expect((await askOf(lots, "is lot 1 paid")).text).to.match(/^paid: yes\n/);
  });

  it("does not tell where something is by a number", async () => {
    expect((await ask("where is Tenmoku stored")).text).to.match(/^I found no field that says where\./);
  });
});

describe("The offline planner, asked to compare", () => {
  const store = createApplication({
    clays: {
      key: "clay_id",
      keyType: I,
      rows: [
        { id: 1, name: "White Raku", price: 9, weight_kg: 12, on_shelf: 3, reorder_at: 5 },
        { id: 2, name: "Porcelain", price: 14, weight_kg: 10, on_shelf: 9, reorder_at: 5 },
        { id: 3, name: "Red Earth", price: 6, weight_kg: 25, on_shelf: 5, reorder_at: 6 },
      ],
      fields: { name: S, price: N, weight_kg: N, on_shelf: I, reorder_at: I },
    },
  });
  for (const [prompt, ids] of [
    ["clays cheaper than White Raku", [3]],
    ["which clays are more expensive than white raku", [2]],
    ["clays heavier than the White Raku", [3]],
    ["clays with on_shelf < reorder_at", [1, 3]],
    ["clays with on shelf below the reorder level", [1, 3]],
  ] as const)
    it(`shows those that have more, or less: "${prompt}"`, async () => {
      expect(idsIn((await askOf(store, prompt)).text)).to.deep.equal(ids);
    });

  for (const prompt of [
    "clays nicer than White Raku",
    "clays deeper than White Raku",
    "clays not cheaper than White Raku",
  ])
    it(`shows nothing for what it cannot compare: "${prompt}"`, async () => {
      expect((await askOf(store, prompt)).text).to.match(/^I (?:could not narrow|cannot)/);
    });
});

describe("The offline planner, asked about several months", () => {
  const sales = createApplication({
    sales: {
      key: "sale_id",
      keyType: I,
      rows: [3, 5, 6, 7, 8].map((month, at) => ({ id: at + 1, sold_on: `2026-0${month}-30`, total: 5 })),
      fields: { sold_on: { type: "string", format: "date" }, total: N },
    },
  });
  for (const [prompt, ids] of [
    ["sales between may and july", [2, 3, 4]],
    ["sales from May to June", [2, 3]],
    ["sales between march and may", [1, 2]],
  ] as const)
    it(`has both ends of "${prompt}"`, async () => {
      expect(idsIn((await askOf(sales, prompt)).text)).to.deep.equal(ids);
    });
});

describe("The offline planner, asked for another time than before", () => {
  const log = createApplication({
    visits: {
      key: "visit_id",
      keyType: I,
      rows: ["2026-10-24", "2026-11-07", "2026-11-20", "2026-12-02"].map((seen_on, at) => ({ id: at + 1, seen_on })),
      fields: { seen_on: { type: "string", format: "date" } },
    },
  });
  for (const [first, then, ids] of [
    ["visits in november", "and december?", [4]],
    ["visits in november", "what about in October", [1]],
    ["visits on 24 october", "and on 7 november?", [2]],
  ] as const)
    it(`reads "${then}" behind "${first}"`, async () => {
      const session = createSession(log.tools, log.reply);
      await session(first);
      expect(idsIn((await session(then)).text)).to.deep.equal(ids);
    });
});

describe("The offline planner, asked about a list that it showed", () => {
  it("looks at those for what another list is about, too", async () => {
    const text = await behind("list gloss glazes", "which of them are out of stock");
    expect(text).to.match(/^1 glaze with finish = gloss and stock = 0/);
    expect(idsIn(text)).to.deep.equal([1]);
  });

  it("shows their fields, over all pages", async () => {
    const text = await behind("firings that are not booked or cancelled", "what are their fees");
    expect(idsIn(text)).to.deep.equal(idsWhere(({ state }) => state === "fired" || state === "collected"));
  });

  it("adds them up, and no others", async () => {
    const sum = FIRINGS.filter(({ fee }) => Number(fee) > 20).reduce((all, { fee }) => all + Number(fee), 0);
    expect(await behind("firings over 20", "and their total")).to.match(
      new RegExp(`^The (?:total|sum of the) fee is ${sum}\\b`),
    );
  });

  it("puts just those in order", async () => {
    const text = await behind("firings by Ada Holm", "sort by fee, highest first");
    expect(idsIn(text)).to.deep.equal([21, 16, 11, 6, 1]);
  });

  it("puts nothing in order that it kept back", async () => {
    expect(await behind("firings hotter than 1200", "sort by fee")).to.match(/^I could not narrow this by/);
  });

  it("adds up a field of them in two words", async () => {
    expect(await behind("booked firings", "total fee?")).to.match(/^The (?:total|sum of the) fee is 120, of 6 firings/);
    expect(await behind("booked firings", "total?")).to.match(/fee is 120, of 6 firings/);
  });

  for (const then of ["what firings do those have", "which firings did they book", "how many firings do they have"])
    it(`shows those of all others for no "${then}"`, async () => {
      expect(await behind("members in Leek", then)).to.match(/^I cannot tell/);
    });

  it("drops no letter by which something is called", async () => {
    const shifts = createApplication({
      shifts: {
        key: "shift_id",
        keyType: I,
        rows: [
          { id: 1, kind: "night", line_id: 4 },
          { id: 2, kind: "night", line_id: 5 },
        ],
        filters: { kind: S },
        fields: { kind: { type: "string", enum: ["day", "night"] }, line_id: I },
      },
    });
    const session = createSession(shifts.tools, shifts.reply);
    await session("night shifts");
    expect((await session("how many of them are on line D")).text).to.match(/^I could not narrow this by "line D"/);
  });

  it("says so where their records have no such field", async () => {
    expect(await behind("firings over 20", "and their colours")).to.match(/^I cannot tell that from the firings/);
  });
});

describe("The offline planner, asked for a field of the only record that it showed", () => {
  const conversation = async (...prompts: string[]): Promise<string> => {
    const session = createSession(tools, reply);
    let text = "";
    for (const prompt of prompts) ({ text } = await session(prompt));
    return text;
  };

  it("reads that record, also again", async () => {
    expect(await conversation("glazes with stock over 1", "its stock")).to.match(/^stock: 4\n/);
    expect(await conversation("members in Leek", "and their email", "what's her city")).to.match(/^city: Leek\n/);
    expect(await conversation("show glaze 2", "its finish", "and its stock")).to.match(/^stock: 4\n/);
  });

  it("asks where several were shown, or none has it", async () => {
    expect(await conversation("list gloss glazes", "its stock")).to.match(/^I cannot tell/);
    expect(await conversation("show glaze 2", "its colour")).not.to.match(/^colour/);
  });

  it("keeps to what has run out when it bounds it", async () => {
    expect(
      await conversation("list gloss glazes", "which of them are out of stock", "only those with stock under 9"),
    ).to.match(/^1 glaze with .*stock = 0/);
  });

  it("shows one where the one at an end is asked for", async () => {
    expect(idsIn(await conversation("fired firings", "the cheapest"))).to.deep.equal([2]);
  });
});

describe("The offline planner, asked how something is done", () => {
  it("names the tool of that verb", async () => {
    const orders = [
      tool("list_orders", "list", "GET /orders"),
      tool("create_order", "create", "POST /orders", { member_id: I }, ["member_id"]),
      tool("cancel_order", "action", "POST /orders/{order_id}/cancel", { order_id: I }, ["order_id"]),
    ];
    const { text } = await askOf({ tools: orders, reply: () => null }, "how do I cancel an order");
    expect(text).to.match(/^That is done by `cancel_order`/);
  });
});
