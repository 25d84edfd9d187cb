// Numbers in a text, in the forms people write them, and the one cell each of them comes from.
import { expect } from "chai";
import type { JsonValue } from "../../src/lib/json.js";
import { numbersIn } from "../../static/values/numbers.js";
import {
  addHits,
  firstNumbers,
  type Hits,
  type Known,
  placeOf,
  placesIn,
  searchResult,
  type Total,
} from "../../static/values/origins.js";

const readings = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(Array.from(numbersIn(text), (one) => [one.text, one.readings]));

/** What a loop in slices comes to. */
function outcomeOf<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** What each number of a text leads to: its column and row, a total, or a thing; `about` is what else is known of the results. */
function placesOf(text: string, results: JsonValue[], about: Partial<Known> = {}): Record<string, string> {
  const numbers = outcomeOf(firstNumbers(text));
  const wanted = new Set(numbers.flatMap((one) => one.readings));
  const hits = new Map<string, Hits>();
  for (const [i, result] of results.entries()) {
    const found = outcomeOf(searchResult({ id: `call_${i}`, name: "list_orders" }, result, wanted));
    if (found === undefined) return {};
    addHits(hits, found);
  }
  const known: Known = { hits, totals: [], nounsOf: () => ["order"], thingOf: () => undefined, ...about };
  const places = outcomeOf(placesIn(text, numbers, known));
  return Object.fromEntries(
    numbers.flatMap((one): [string, string][] => {
      const around = { before: text.slice(0, one.at), after: text.slice(one.at + one.text.length) };
      const place = placeOf(one, around, known);
      expect(places.includes(one.at)).to.equal(place !== undefined);
      if (place === undefined) return [];
      if (place.kind === "thing") return [[one.text, `${place.thing.tool} ${place.key}`]];
      if (place.kind === "total") return [[one.text, `${place.total.aggregate} ${place.total.column}`.trim()]];
      const { call_id, index, column } = place.origin;
      return [[one.text, `${call_id} ${index} ${column}`]];
    }),
  );
}

/** What each number of a text leads to in these results alone. */
const originsOf = (text: string, ...results: JsonValue[]): Record<string, string> => placesOf(text, results);

describe("numbers of an answer", () => {
  const total = (aggregate: Total["aggregate"], value: number, column = "", call_id = "call_0"): Total => ({
    call_id,
    tool: "list_orders",
    column,
    aggregate,
    value,
  });

  it("are read with separators, signs, currencies and percent signs", () => {
    expect(readings("It is 1,234.50, or 1.234,50 €, or $99, or −7.25 or 12.5 %.")).to.deep.equal({
      "1,234.50": ["1234.5"],
      "1.234,50 €": ["1234.5"],
      $99: ["99"],
      "−7.25": ["-7.25"],
      "12.5 %": ["12.5", "0.125"],
    });
    expect(readings("1,234 and 1'234'567.8 and 12\u202f345")).to.deep.equal({
      "1,234": ["1234", "1.234"],
      "1'234'567.8": ["1234567.8"],
      "12\u202f345": ["12345"],
    });
    expect(readings("order 01067, and 9007199254740993")).to.deep.equal({
      "01067": ["01067"],
      "9007199254740993": ["9007199254740993"],
    });
  });

  it("are no parts of words, dates, times, versions, addresses and codes, and no 0 or 1", () => {
    const text =
      "COF-003 on 2024-05-01 at 10:30, v1.2.3, 127.0.0.1, 3rd, 12kg, abc12, 5-10, 0, 1, 0.0, $1, 1.00, 10/12";
    expect(readings(text)).to.deep.equal({});
  });

  it("lead to the one cell with their value", () => {
    const orders = [
      { id: 101, total: 1234.5, zip: "01067", rate: 0.125, paid: true },
      { id: 102, total: 20, zip: "10115", rate: 0.5, paid: false },
    ];
    const text = "Order 101 of 1,234.50 € to 01067 (12.5%), not 1067, and 20.00 for 102. There are 33.";
    expect(originsOf(text, { orders, page: 3 })).to.deep.equal({
      "101": "call_0 0 id",
      "1,234.50 €": "call_0 0 total",
      "01067": "call_0 0 zip",
      "12.5%": "call_0 0 rate",
      "20.00": "call_0 1 total",
      "102": "call_0 1 id",
    });
  });

  it("of one digit lead to the one cell whose label or unit stands beside them", () => {
    const pet = { id: 4, name: "Rex", stock_quantity: 7, rating: 3, delivery_days: 5, weight_kg: 9, owner_id: 8 };
    const cell = (column: string) => `call_0 -1 ${column}`;
    const cases: [text: string, expected: Record<string, string>][] = [
      ["Stock: 7, and a rating of **3**.", { "7": cell("stock_quantity"), "3": cell("rating") }],
      ["It comes in 5 days and weighs 9 kg.", { "5": cell("delivery_days"), "9": cell("weight_kg") }],
      ["Order 4 is that of owner 8.", { "4": cell("id"), "8": cell("owner_id") }],
      ["id 4", { "4": cell("id") }],
      ["A rating of 2, then 3 times 9.", {}],
      ["It has 7 legs, 3 of them short; 8 owners. Rating\n2. 5 of them, 4 orders", {}],
      ["| rating | 4 |\n| stock | 3 |", {}],
    ];
    for (const [text, expected] of cases) expect(originsOf(text, pet), text).to.deep.equal(expected);
    const pets = [
      { id: 3, rating: 4 },
      { id: 4, rating: 5 },
      { id: 5, rating: 5 },
    ];
    expect(originsOf("A rating of 4, and 5 as a rating.", pets)).to.deep.equal({ "4": "call_0 0 rating" });
    expect(originsOf("A rating of 4.", pets, { rating: 4 })).to.deep.equal({});
    expect(originsOf("4", { 12: 4 })).to.deep.equal({});
    expect(placesOf("3 orders", [pets], { totals: [total("count", 3)] })).to.deep.equal({ "3": "count" });
    expect(placesOf("3 on average", [pets], { totals: [total("avg", 3, "rating")] })).to.deep.equal({});
  });

  it("lead nowhere when the value is there twice: in cells, in another call, nested, or beside the rows", () => {
    expect(originsOf("42", [{ a: 42 }, { a: 42 }])).to.deep.equal({});
    expect(originsOf("42", [{ a: 42 }], [{ b: "42.0" }])).to.deep.equal({});
    expect(originsOf("42", [{ a: 42, items: [{ n: 42 }] }])).to.deep.equal({});
    expect(originsOf("42", { items: [{ a: 42 }], total: 42 })).to.deep.equal({});
    expect(originsOf("1,234", [{ a: 1234 }, { a: 1.234 }])).to.deep.equal({});
  });

  it("lead to the one field of an object, or of what stands beside the rows, but not into it", () => {
    expect(originsOf("42", { a: 42 })).to.deep.equal({ "42": "call_0 -1 a" });
    expect(originsOf("42", { items: [{ a: 11 }], total: 42 })).to.deep.equal({ "42": "call_0 -1 total" });
    expect(originsOf("42", { a: { b: 42 } })).to.deep.equal({});
    expect(originsOf("42", 42)).to.deep.equal({});
  });

  it("are looked for within bounds", () => {
    const rows = Array.from({ length: 100_001 }, (_, id) => ({ id, of: id + 200_000 }));
    expect(originsOf("55555", rows.slice(0, 90_000))).to.deep.equal({ "55555": "call_0 55555 id" });
    expect(originsOf("55555", rows)).to.deep.equal({});
  });

  it("lead to the number of rows where the word behind them is what the rows are called, or no cell has it", () => {
    const totals = [total("count", 5000)];
    const rows = Array.from({ length: 20 }, (_, i) => ({ id: 4990 + i }));
    expect(placesOf("There are 5,000 orders.", [rows], { totals })).to.deep.equal({ "5,000": "count" });
    expect(placesOf("There are **5,000** paid orders.", [rows], { totals })).to.deep.equal({ "5,000": "count" });
    expect(placesOf("5,000 rows", [[{ id: 11 }]], { totals })).to.deep.equal({ "5,000": "count" });
    expect(placesOf("5,000 in all", [[{ id: 11 }]], { totals })).to.deep.equal({ "5,000": "count" });
    // The id 5000 is there, too.
    expect(placesOf("5,000 in all", [rows], { totals })).to.deep.equal({});
    const two = [total("count", 5000), total("count", 5000, "", "call_1")];
    expect(placesOf("5,000 orders", [rows], { totals: two })).to.deep.equal({});
  });

  it("lead to the sum or the average of a column that they are, as exactly as they are written", () => {
    const totals = [
      total("sum", 1284332.1800000002, "total"),
      total("avg", 256.8664364, "total"),
      total("avg", 42.4, "age"),
    ];
    expect(placesOf("1,284,332.18 € in all, 256.87 each", [], { totals })).to.deep.equal({
      "1,284,332.18 €": "sum total",
      "256.87": "avg total",
    });
    expect(placesOf("256.9 or 256.866 each", [], { totals })).to.deep.equal({
      "256.9": "avg total",
      "256.866": "avg total",
    });
    expect(placesOf("1,284,332 and 256.88, 256.80, 257 and 42", [], { totals })).to.deep.equal({});
    // A cell that has the value, or another sum.
    expect(placesOf("42.4", [[{ age: 42.4 }]], { totals })).to.deep.equal({ "42.4": "call_0 0 age" });
    expect(placesOf("42.4", [], { totals: [...totals, total("sum", 42.4, "x")] })).to.deep.equal({});
  });

  it("lead to the thing whose id they are, where the word before them says so", () => {
    const thingOf: Known["thingOf"] = ({ column }) =>
      column === "customer_id" ? { thing: { tool: "get_customer", argument: "id" }, noun: "customer" } : undefined;
    const rows = [
      { id: 11, customer_id: 120 },
      { id: 12, customer_id: 120 },
      { id: 13, customer_id: 77 },
    ];
    const text = "Customer 120, customer #120, **Customer** no. 120; order 120, 120 customers, and customer 77.";
    expect(placesOf("Customer 120 has two.", [rows], { thingOf })).to.deep.equal({ "120": "get_customer 120" });
    expect(placesOf("order 120, 120 customers", [rows], { thingOf })).to.deep.equal({});
    expect(placesOf("customer 999", [rows], { thingOf })).to.deep.equal({});
    expect(placesOf(text, [rows], { thingOf })["77"]).to.equal("call_0 2 customer_id");
    for (const before of ["customer #", "**Customer** no. ", "customers: ", "customer id "])
      expect(placesOf(`${before}120`, [rows], { thingOf }), before).to.deep.equal({ "120": "get_customer 120" });
  });
});
