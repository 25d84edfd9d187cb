// Bounds of the planner: both ends of a span, either of two, a year that something is older than; a filter takes what it says only.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { visitHarbour } from "../samples/harbour.js";
import { askWarehouse, table } from "../samples/warehouse.js";
import { createSession, idsIn, tool } from "../session.js";

describe("The offline planner narrows a list by bounds:", () => {
  for (const [prompt, ids] of [
    ["boats with a length between 7 and 15", [1, 2]],
    ["moorings with a fee between 100 and 400", [31, 32]],
    ["moorings with a fee over 130 but less than 500", [32]],
    ["moorings with a fee under 200 or over 500", [31, 33]],
    ["moorings with a fee of 340 or more", [32, 33]],
    ["moorings with a fee of 340 or less", [31, 32]],
    ["boats with a draught of at least 2 and less than 3", [2]],
    ["boats with draught 2 or more", [2, 4]],
    ["boats older than 1990", [1, 4]],
    ["boats newer than 2004", [3]],
    ["boats that arent insured", [2]],
    ["boats from NO or SE", [1, 3, 4]],
    ["boats called gull or auk", [1, 3]],
    ["berthed or reserved moorings", [31, 32]],
    ["moorings in berthed or in reserved", [31, 32]],
    ["moorings starting in December 2026", [32]],
    ["moorings that ended before 2026-12-01", [33]],
    ["boats whose hull is not red", [1, 3]],
    ["moorings ending before 2026-12-01", [33]],
    ["boats of hull red", [2, 4]],
    ["boats with a length over 10", [2, 4]],
    ["boats longer than 10 m", [2, 4]],
    ["boats heavier than 5", [2, 4]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await visitHarbour()(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not narrow").and.not.contain("only for");
    });

  it("a span of which the target takes one end, without a word of the other", async () => {
    const { calls, text } = await visitHarbour()("boats with a draught between 2 and 3");
    expect(calls).to.deep.equal([["list_boats", { min_draught: 2 }]]);
    expect(idsIn(text)).to.deep.equal([2]);
    expect(text).to.not.match(/only for|could not/);
  });

  it("a span of which the target takes both ends, by its own words or by none", async () => {
    const N = { type: "number" };
    const tools = [tool("list_lamps", "list", "GET /lamps", { min_price: N, max_price: N })];
    for (const prompt of ["which lamps are between 5 and 10", "lamps with a price between 5 and 10"])
      expect((await createSession(tools, () => [])(prompt)).calls, prompt).to.deep.equal([
        ["list_lamps", { min_price: 5, max_price: 10 }],
      ]);
  });

  it("of several fields by the one that has most of what is named, and by what records are called in the plural", async () => {
    const rows = [
      { id: 1, name: "Oslo", port: "Bergen", kind: "ketch" },
      { id: 2, name: "Ida", port: "Oslo", kind: "sloop" },
      { id: 3, name: "Eik", port: "Skien", kind: "ketch" },
    ];
    const ask = createSession([tool("list_ships", "list", "GET /ships")], () => rows);
    expect(idsIn((await ask("ships in Oslo or Bergen")).text)).to.deep.equal([1, 2]);
    expect(idsIn((await ask("list the ships that are ketches")).text)).to.deep.equal([1, 3]);
  });

  it("a year is no bound of another number, and either of two bounds is no filter", async () => {
    expect((await visitHarbour()("boats older than 1990")).calls).to.deep.equal([["list_boats", {}]]);
    const { calls } = await askWarehouse("stock with a quantity under 3 or over 20");
    expect(calls).to.deep.equal([["list_stock", {}]]);
  });

  for (const prompt of [
    "boats wider than 4",
    "boats older than 30",
    "boats with a length over 10",
    "boats that cost more than 900",
    "boats with over 5 cabins",
    "boats that carry more than 3",
  ])
    it(`"${prompt}" is no bound of another number`, async () => {
      expect((await visitHarbour()(prompt)).calls).to.deep.equal([["list_boats", {}]]);
    });

  it("what is compared in unknown words is sent as no value", async () => {
    expect((await askWarehouse("stock fresher than quantity 3")).calls).to.deep.equal([["list_stock", {}]]);
  });
});

describe("The offline planner takes a name that ends in min", () => {
  const PIECES: readonly JsonObject[] = [
    { id: 1, title: "Pavane", duration_min: 7 },
    { id: 2, title: "New World", duration_min: 41 },
    { id: 3, title: "Planets", duration_min: 51 },
  ];
  const pieces = table("pieces", {
    id: { type: "integer" },
    title: { type: "string" },
    duration_min: { type: "integer" },
  });
  const askPieces = (prompt: string) => createSession(pieces, () => [...PIECES])(prompt);

  for (const [prompt, where] of [
    ["pieces with duration over 30", { duration_min: { gt: 30 } }],
    ["which pieces are longer than 30 minutes", { duration_min: { gt: 30 } }],
    ["pieces with a duration of at most 10 minutes", { duration_min: { lte: 10 } }],
    ["pieces shorter than 10 minutes", { duration_min: { lt: 10 } }],
    ["pieces with duration 41", { duration_min: 41 }],
    ["pieces with a duration between 10 and 45 minutes", { duration_min: { gte: 10, lte: 45 } }],
  ] as const)
    it(`for minutes: "${prompt}"`, async () => {
      const { calls, text } = await askPieces(prompt);
      expect(calls).to.deep.equal([["list_pieces", { where }]]);
      expect(text).to.not.contain("could not");
    });

  it("for minutes in the records, too, also where the prompt has hours", async () => {
    const ask = createSession([tool("list_pieces", "list", "GET /pieces")], () => [...PIECES]);
    expect(idsIn((await ask("pieces longer than 30 minutes")).text)).to.deep.equal([2, 3]);
    expect(idsIn((await ask("pieces between 5 and 45 minutes")).text)).to.deep.equal([1, 2]);
    expect((await ask("pieces longer than 0.5 hours")).text).to.match(
      /^2 pieces with duration_min > 30 \(0\.5 hours\):/,
    );
  });

  it("for a bound where the greatest one stands beside it", async () => {
    const min = { type: "integer" };
    const ask = createSession(
      [tool("list_pieces", "list", "GET /pieces", { duration_min: min, duration_max: min })],
      () => [],
    );
    expect((await ask("pieces with duration over 30")).calls).to.deep.equal([["list_pieces", { duration_min: 30 }]]);
  });
});

describe("The offline planner knows what an adjective measures:", () => {
  const BERTHS: readonly JsonObject[] = [
    { id: 1, depth_m: 14.5, length_m: 250 },
    { id: 2, depth_m: 9, length_m: 120 },
  ];
  const min = { type: "number", description: "at least this depth in metres" };
  const ask = createSession(
    [
      tool("list_berths", "list", "GET /berths", { min_depth: min }),
      tool("get_berth", "get", "GET /berths/{berth_id}", { berth_id: { type: "integer" } }, ["berth_id"]),
    ],
    ({ verb }, args) =>
      verb === "get"
        ? { ...BERTHS.find(({ id }) => id === args["berth_id"]) }
        : BERTHS.filter((one) => Number(one["depth_m"]) >= Number(args["min_depth"] ?? 0)),
  );

  for (const prompt of ["how deep is berth 1?", "how long is berth 1?"])
    it(`of a record, "${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.match(/^(?:depth_m: 14\.5|length_m: 250)\n\n- \*\*id\*\*: 1/);
    });

  it("of a record that has no such field, not", async () => {
    expect((await ask("how wide is berth 1?")).text).to.match(/^I found nothing about "wide" in this berth/);
  });

  it("of a bound that the target takes, with its unit", async () => {
    const { calls, text } = await ask("which berths are at least 13 metres deep");
    expect(calls).to.deep.equal([["list_berths", { min_depth: 13 }]]);
    expect(text).to.match(/^1 berth with min_depth = 13:/);
  });

  it("and leaves out what is no more than a bound that the target lets through", async () => {
    const { calls, text } = await ask("berths deeper than 9");
    expect(calls).to.deep.equal([["list_berths", { min_depth: 9 }]]);
    expect(idsIn(text)).to.deep.equal([1]);
  });

  it("but no condition that is open", async () => {
    expect((await ask("deep berths")).text).to.match(/^I could not narrow this by "deep"/);
    expect((await ask("berths at least 13 metres wide")).text).to.contain("could not narrow");
  });
});

describe("The offline planner bounds the field that is named in full:", () => {
  const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
    events: [
      { id: 1, ticket_price: 25, tickets_sold: 5 },
      { id: 2, ticket_price: 8, tickets_sold: 120 },
      { id: 3, ticket_price: 60, tickets_sold: 40 },
    ],
    crates: [
      { id: 1, bottle_cost: 30, bottles_broken: 2, net_weight_kg: 9, gross_weight_kg: 12 },
      { id: 2, bottle_cost: 3, bottles_broken: 40, net_weight_kg: 11, gross_weight_kg: 16 },
    ],
    ferries: [
      { id: 1, seat_fee: 4, seats_left: 90 },
      { id: 2, seat_fee: 70, seats_left: 12 },
    ],
  };
  const N = { type: "number" };
  const filters: Readonly<Record<string, JsonObject>> = { ferries: { max_seat_fee: N, min_seat_fee: N } };
  const ask = createSession(
    Object.keys(ROWS).map((name) => tool(`list_${name}`, "list", `GET /${name}`, filters[name] ?? {})),
    ({ resource }, args) => (Object.keys(args).length > 0 ? [] : [...(ROWS[resource] ?? [])]),
  );

  for (const [prompt, ids] of [
    ["events with tickets_sold under 10", [1]],
    ["events with fewer than 10 tickets sold", [1]],
    ["events with more than 50 tickets sold", [2]],
    ["events that sold more than 50 tickets", [2]],
    ["events whose tickets sold are over 50", [2]],
    ["events with 40 tickets sold or more", [2, 3]],
    ["events with between 10 and 50 tickets sold", [3]],
    ["events with a ticket price under 20 and more than 100 tickets sold", [2]],
    ["events over 20", [1, 3]],
    ["events under 20 euros", [2]],
    ["crates with more than 10 broken bottles", [2]],
    ["crates with a net weight over 10", [2]],
    ["crates with gross weight under 15 kg", [1]],
    ["ferries with more than 50 seats left", [1]],
    ["ferries with seats_left under 50", [2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  for (const prompt of ["events with more than 5 speakers", "events with over 50 tickets"])
    it(`but not an amount of money for what is counted: "${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.match(/^I could not narrow this by "[^"]*\d"/);
    });

  it("in the filters of a table and of a target, too", async () => {
    const I = { type: "integer" };
    const events = createSession(table("events", { id: I, ticket_price: I, tickets_sold: I }), () => []);
    for (const [prompt, where] of [
      ["events with fewer than 10 tickets sold", { tickets_sold: { lt: 10 } }],
      ["events with 40 tickets sold or more", { tickets_sold: { gte: 40 } }],
      ["events with a ticket price over 10", { ticket_price: { gt: 10 } }],
    ] as const)
      expect((await events(prompt)).calls, prompt).to.deep.equal([["list_events", { where }]]);
    expect((await ask("ferries with a seat fee under 50")).calls).to.deep.equal([
      ["list_ferries", { max_seat_fee: 50 }],
    ]);
  });
});
