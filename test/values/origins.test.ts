// Numbers in a text, in the forms people write them, and the one cell each of them comes from.
import { expect } from "chai";
import type { JsonValue } from "../../src/lib/json.js";
import { numbersIn } from "../../static/values/numbers.js";
import { findOrigins, originOf } from "../../static/values/origins.js";

const readings = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(Array.from(numbersIn(text), (one) => [one.text, one.readings]));

/** What each number of a text leads to: its column and row. */
function originsOf(text: string, ...results: JsonValue[]): Record<string, string> {
  const calls = results.map((result, i) => ({ id: `call_${i}`, name: "list_orders", result }));
  const work = findOrigins(text, calls);
  for (;;) {
    const step = work.next();
    if (!step.done) continue;
    return Object.fromEntries(
      Array.from(numbersIn(text)).flatMap((one) => {
        const origin = originOf(one, step.value.cells);
        expect(step.value.places.includes(one.at)).to.equal(origin !== undefined);
        return origin === undefined ? [] : [[one.text, `${origin.call_id} ${origin.index} ${origin.column}`]];
      }),
    );
  }
}

describe("numbers of an answer", () => {
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

  it("are no parts of words, dates, times, versions, addresses and codes, and no 0, 1 or lone digit", () => {
    const text =
      "COF-003 on 2024-05-01 at 10:30, v1.2.3, 127.0.0.1, 3rd, 12kg, abc12, 5-10, 0, 1, 7, 0.0, $1, 1.00, 10/12";
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
});
