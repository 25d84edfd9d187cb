// What columns hold, told from names and values, and how cells are set in type.

import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { cellText, chipColour } from "../../static/values/cell.js";
import { aggregatesOf, type Column, columnsOf } from "../../static/values/column.js";
import { differenceColumn } from "../../static/values/difference-column.js";
import { labelOf } from "../../static/values/names.js";
import { isDate, isDateTime, relativeTime, timeFormOf, timeOf } from "../../static/values/time.js";

const NOW = Date.UTC(2026, 10, 20, 12);

function column(name: string, values: JsonValue[]): Column {
  const [found] = columnsOf(
    [name],
    values.map((value) => ({ [name]: value })),
    { now: NOW },
  );
  if (found === undefined) throw new Error("no column");
  return found;
}

const KINDS: readonly [name: string, values: JsonValue[], kind: string][] = [
  ["quantity", [1, 2, 30], "number"],
  ["customer_id", [1, 2, 30], "id"],
  ["customerId", [1, 2], "id"],
  ["year", [2024, 2025], "id"],
  ["built", [1984, 2019], "id"],
  ["built", [3, 120], "number"],
  ["position", [{ type: "Point", coordinates: [4.4, 51.9] }], "place"],
  [
    "area",
    [
      {
        type: "Feature",
        geometry: {
          type: "LineString",
          coordinates: [
            [4, 5],
            [6, 7],
          ],
        },
      },
    ],
    "place",
  ],
  ["position", [{ type: "Point", coordinates: [92_000, 463_000] }], "nested"],
  ["zip", ["01067", "80331"], "id"],
  ["unit_price", [9.5, 12], "money"],
  ["amount_usd", ["9.50", "12.00"], "money"],
  ["item_count", [9, 12], "number"],
  ["price_count", [9, 12], "number"],
  ["tax_percent", [19, 7], "percent"],
  ["duration_ms", [12, 7000], "duration"],
  ["file_bytes", [12, 7000], "bytes"],
  ["created_at", ["2026-11-01T10:00:00Z", "2026-11-02T10:00:00.123+01:00"], "time"],
  ["born", ["1990-02-03", "1984-12-31"], "time"],
  ["updated_at", [1_763_000_000, 1_763_100_000], "time"],
  ["revenue_at_risk", [1_763_000_000], "money"],
  ["updated_ms", [1_763_000_000_000, 1_763_100_000_000], "time"],
  ["reached_at_ms", [1_763_000_000_000], "time"],
  ["created_epoch", [1_763_000_000], "time"],
  ["closed_at_ms", [1_763_000_000_000, 0, 1_763_100_000_000], "time"],
  ["elapsed_at_ms", [0, 0], "duration"],
  ["date_of_birth_unix", [1_063_000_000], "time"],
  ["reached_at_ms", [120, 700], "duration"],
  ["response_time_ms", [120, 700], "duration"],
  ["updated_bytes", [1_763_000_000], "bytes"],
  ["vat_rate", [19, 7], "number"],
  ["vat_amount", [3.8, 1.4], "money"],
  ["vat_id", [4711], "id"],
  ["phone_minutes", [12, 30], "duration"],
  ["key_length", [12, 30], "number"],
  ["phone_home", [4930123], "id"],
  ["code_postal", [75001], "id"],
  ["Kundennummer", [1000, 1001], "id"],
  ["rechnungsnr", [1000, 1001], "id"],
  ["factuurnummer", [1000, 1001], "id"],
  ["cliente_número", [1000, 1001], "id"],
  ["numéro_client", [1000, 1001], "id"],
  ["numero_de_pedidos", [1000, 1001], "number"],
  ["cost_center", [4711, 4712], "id"],
  ["cost_center", ["4711", "4712"], "id"],
  ["account", [47.11, 12.5], "number"],
  ["closed_at", ["", "2026-11-01T10:00:00Z"], "time"],
  ["budget_year", [2026], "id"],
  ["payment_terms", [14, 30], "number"],
  ["payment_status", ["open", "done", "open", "open"], "enum"],
  ["cost_per_unit", [1.5], "money"],
  ["is_open", [true, false, null], "boolean"],
  ["status", ["open", "closed", "open", "open", "closed", "open"], "enum"],
  ["name", ["a", "a", "a", "b", "b", "b"], "text"],
  ["note", ["one", "two", "three"], "text"],
  ["site", ["https://example.org/a", "http://example.org"], "link"],
  ["site", ["javascript:alert(1)"], "text"],
  ["mail", ["a@example.org"], "email"],
  ["color", ["#ff0000", "#0f0"], "color"],
  [
    "tint",
    ["#ff000080", "rgb(120,20,200)", "hsl(210deg 40% 50% / 20%)", "rgba(1, 2, 3, 0.5)", "#ff0000", "#ff0000"],
    "color",
  ],
  ["tint", ["rgb(120,20)", "rgb(120,20)", "red", "red"], "enum"],
  ["order_status", ["awaiting stock"], "enum"],
  ["status", ["a text that goes on for longer than a word does"], "text"],
  ["city", ["Oslo"], "text"],
  ["avatar", ["data:image/png;base64,AAAA"], "image"],
  ["avatar", ["https://example.org/a.png"], "link"],
  ["avatar", ["data:image/svg+xml;base64,AAAA"], "text"],
  ["items", [[{ a: 1 }]], "nested"],
  ["nothing", [null, null], "empty"],
  ["mixed", [1, "two"], "text"],
];

describe("the columns of a result", () => {
  for (const [name, values, kind] of KINDS)
    it(`takes ${name} with ${JSON.stringify(values[0])} for ${kind}`, () => {
      expect(column(name, values).kind).to.equal(kind);
    });

  it("takes the currency of amounts from their name, or from a column of currencies", () => {
    expect(column("price_eur", [1.5]).currency).to.equal("EUR");
    const rows: JsonObject[] = [
      { total: 5, currency: "EUR" },
      { total: 7.5, currency: "USD" },
    ];
    const [total] = columnsOf(["total", "currency"], rows);
    expect(total).to.include({ kind: "money", currencyField: "currency", decimals: 2 });
    // Its sum has room, as below a column that is money by its name.
    expect(total?.width).to.be.at.least(column("price", [5, 7.5]).width);
    expect(total && cellText(7.5, total, rows[1]).text).to.equal(
      new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }).format(
        7.5,
      ),
    );
  });

  it("gives amounts the digits their currency has", () => {
    const jpy = new Intl.NumberFormat(undefined, {
      style: "currency",
      currency: "JPY",
      currencyDisplay: "narrowSymbol",
    });
    expect(cellText(1200, column("price_jpy", [1200, 80])).text).to.equal(jpy.format(1200));
    const rows: JsonObject[] = [
      { amount_minor: 1200, currency: "JPY" },
      { amount_minor: 1250, currency: "EUR" },
    ];
    const [mixed] = columnsOf(["amount_minor", "currency"], rows);
    if (mixed === undefined) throw new Error("no column");
    expect(cellText(1200, mixed, rows[0]).text).to.equal(jpy.format(1200));
    expect(cellText(1250, mixed, rows[1]).text).to.contain(
      (12.5).toLocaleString(undefined, { minimumFractionDigits: 2 }),
    );
    const [alone] = columnsOf(["amount_minor", "currency"], rows.slice(0, 1));
    expect(alone).to.include({ currency: "JPY", decimals: 0, scale: 1 });
  });

  it("adds up what adds up: no rates, no shares of a hundred, no places on a map", () => {
    const first = (name: string): string | undefined => aggregatesOf(column(name, [1.5, 2]))[0];
    for (const name of ["quantity", "price", "duration_ms", "vat_amount"]) expect(first(name), name).to.equal("sum");
    for (const name of ["tax_percent", "vat_rate", "exchange_rate", "rating", "avg_weight"])
      expect(first(name), name).to.equal("avg");
    for (const name of ["latitude", "lng", "customer_id"]) expect(first(name), name).to.equal(undefined);
  });

  it("adds up no amounts of several currencies, unless each group has one", () => {
    const names = ["total", "currency"];
    const rows: JsonObject[] = [
      { total: 5, currency: "EUR" },
      { total: 7.5, currency: "USD" },
    ];
    const [mixed] = columnsOf(names, rows);
    if (mixed === undefined) throw new Error("no column");
    expect(aggregatesOf(mixed)).to.deep.equal([]);
    expect(aggregatesOf(mixed, "status")).to.deep.equal([]);
    expect(aggregatesOf(mixed, "currency")[0]).to.equal("sum");
    // These are the first rows of many, of which it is known whether they have one currency.
    for (const [distinct, first] of [
      [1, "sum"],
      [2, undefined],
    ] as const) {
      const [total] = columnsOf(names, rows.slice(0, 1), { facts: [{ name: "currency", distinct }] });
      expect(total && aggregatesOf(total)[0]).to.equal(first);
    }
  });

  it("reads amounts in cents of a currency without cents as they are", () => {
    const [yen] = columnsOf(["amount_cents", "currency"], [{ amount_cents: 1200, currency: "JPY" }]);
    expect(yen).to.include({ currency: "JPY", decimals: 0, scale: 1 });
    const rows: JsonObject[] = [
      { amount_cents: 1200, currency: "JPY" },
      { amount_cents: 1200, currency: "EUR" },
    ];
    const [mixed] = columnsOf(["amount_cents", "currency"], rows);
    if (mixed === undefined) throw new Error("no column");
    const text = (row: JsonObject | undefined): string => cellText(1200, mixed, row).text.replaceAll(/[^\d]/g, "");
    expect(rows.map(text)).to.deep.equal(["1200", "1200"]);
    expect(cellText(1200, mixed, rows[1]).text).to.contain(
      (12).toLocaleString(undefined, { minimumFractionDigits: 2 }),
    );
  });

  it("has room for what its cells are, not only for as many characters", () => {
    const width = (name: string, value: JsonValue): number => column(name, [value]).width;
    expect(width("ean", "4006381333931")).to.be.greaterThan(width("note", "elephants tow"));
    expect(width("iban", "DE89370400440532013000")).to.be.greaterThan(width("note", "twenty two letters her"));
    expect(width("name", "東京都新宿区西新宿")).to.be.greaterThan(width("name", "Shinjuku") * 1.5);
    expect(width("at", "2024-10-10T22:10:40Z")).to.be.greaterThan(width("at", "2024-10-10"));
    // With its separators and digits.
    expect(width("big", 123456789012)).to.be.at.least(12 + 3 + 4);
    expect(width("note", "x".repeat(100_000))).to.equal(width("note", "x".repeat(100)));
  });

  it("reads amounts in cents in whole units, and keeps the raw value", () => {
    expect(cellText(1999, column("price_cents", [1999]))).to.deep.equal({
      text: (19.99).toLocaleString(),
      exact: "1999",
      isFormatted: true,
    });
  });

  it("writes false as a word, which no missing value has", () => {
    const active = column("active", [true, false, null]);
    expect([true, false, null].map((value) => cellText(value, active).text)).to.deep.equal(["yes", "no", "null"]);
    expect(cellText(false, active).exact).to.equal("false");
  });

  it("takes no digits for a column's precision that only a double prints", () => {
    const noisy = [1.1099999999999999, 0.37, 1.5, 0.1 + 0.2, 1234567.1 + 0.2];
    expect(column("weight", noisy).decimals).to.equal(2);
    expect(column("weight", [1e21, 2]).decimals).to.equal(0);
    expect(column("weight", [1.25e-5, 2]).decimals).to.equal(6);
    expect(cellText(1.1099999999999999, column("weight", noisy))).to.include({
      text: (1.11).toLocaleString(),
      exact: "1.1099999999999999",
    });
  });

  it("tells what the page formatted from text of the application", () => {
    const written = (name: string, value: JsonValue): boolean => cellText(value, column(name, [value])).isFormatted;
    expect(written("price_eur", 1200.5)).to.equal(true);
    expect(written("created_at", "2026-11-01T10:00:00Z")).to.equal(true);
    expect(written("name", "A\u200bda")).to.equal(false);
    expect(written("size", { name: "A\u200bda" })).to.equal(false);
  });

  it("gives all numbers of a column one precision, and ids no separators", () => {
    const weight = column("weight", [1, 2.25, 1000.5]);
    const two = { minimumFractionDigits: 2 };
    expect([1, 2.25, 1000.5].map((value) => cellText(value, weight).text)).to.deep.equal([
      (1).toLocaleString(undefined, two),
      (2.25).toLocaleString(undefined, two),
      (1000.5).toLocaleString(undefined, two),
    ]);
    expect(cellText(1234567, column("order_id", [1234567])).text).to.equal("1234567");
  });

  it("leaves no number without digits: a small one among others has its first ones", () => {
    const weights = [-0.000000123, 12.5, 4.1e-12, 0, 0.25];
    const weight = column("weight", weights);
    expect(weights.map((value) => cellText(value, weight).text)).to.deep.equal([
      "-0.000000123",
      "12.500000",
      "4.1E-12",
      "0.000000",
      "0.250000",
    ]);
    expect(cellText(-0.000000123, weight).exact).to.equal("-1.23e-7");
    const price = column("price_usd", [0.0000125, 3.5, 0.004, 0.05]);
    expect([0.0000125, 3.5, 0.004, 0.05].map((value) => cellText(value, price).text)).to.deep.equal([
      "$0.0000125",
      "$3.50",
      "$0.004",
      "$0.05",
    ]);
    expect(cellText(0.00123, { ...column("count", [1, 0]), decimals: 2 }).text).to.equal("0.00123");
  });

  it("keeps every digit of large integers and of decimals written as text", () => {
    expect(cellText(9007199254740993n, column("n", [9007199254740993n])).text.replace(/\D/g, "")).to.equal(
      "9007199254740993",
    );
    const amount = column("amount", ["12345678901234567890.12", "1.50"]);
    expect(cellText("12345678901234567890.12", amount).text.replace(/\D/g, "")).to.equal("1234567890123456789012");
  });

  it("displays near moments as how long ago they are, others in one form without losing what differs", () => {
    expect(relativeTime(NOW - 3 * 86_400_000, NOW)).to.equal(
      new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(-3, "day"),
    );
    expect(timeFormOf([NOW - 1000, NOW - 86_400_000], NOW)).to.equal("relative");
    expect(timeFormOf([new Date(2020, 0, 5).getTime(), new Date(2020, 3, 9).getTime()], NOW)).to.equal("day");
    expect(
      timeFormOf(
        [1, 2, 3].map((month) => new Date(2020, month, 1).getTime()),
        NOW,
      ),
    ).to.equal("month");
    expect(timeFormOf([new Date(2020, 0, 1, 10, 30).getTime()], NOW)).to.equal("minutes");
  });

  it("says yesterday and tomorrow of days of the calendar alone, and of a date no hours", () => {
    const now = new Date(2026, 10, 27, 20).getTime();
    const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
    const numbers = new Intl.RelativeTimeFormat(undefined);
    for (const [date, days] of [
      ["2026-11-25", -2],
      ["2026-11-26", -1],
      ["2026-11-27", 0],
      ["2026-11-28", 1],
      ["2026-11-29", 2],
    ] as const)
      expect(relativeTime(timeOf(date), now), date).to.equal(words.format(days, "day"));
    // 28 hours away, and 46 hours, which are two days of the calendar.
    expect(relativeTime(new Date(2026, 10, 29, 0, 30).getTime(), now)).to.equal(words.format(2, "day"));
    expect(relativeTime(new Date(2026, 10, 25, 22).getTime(), now)).to.equal(words.format(-2, "day"));
    expect(relativeTime(new Date(2026, 10, 27, 17).getTime(), now)).to.equal(words.format(-3, "hour"));
    // "last week" and "last month" are those of the calendar, too: 13 days ago is one whole week, but not last week.
    expect(relativeTime(timeOf("2026-11-14"), now)).to.equal(numbers.format(-1, "week"));
    expect(relativeTime(timeOf("2026-09-30"), now)).to.equal(numbers.format(-1, "month"));
  });

  it("writes the sides of a difference as they are: no hour for a near date, no second less of a near moment", () => {
    const today = new Date();
    const date = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}-${String(today.getDate()).padStart(2, "0")}`;
    expect(differenceColumn("paid_on", [date])?.timeForm).to.equal("day");
    expect(differenceColumn("paid_at", [`${date} 10:30:00`])?.timeForm).to.equal("minutes");
    expect(differenceColumn("home.moved_at", [`${date} 10:30:21`, null])?.timeForm).to.equal("seconds");
  });

  it("writes names as labels", () => {
    expect(["customer_id", "createdAt", "HTMLBody", "unit-price", "ID", "___"].map(labelOf)).to.deep.equal([
      "Customer ID",
      "Created at",
      "HTML body",
      "Unit price",
      "ID",
      "___",
    ]);
  });

  it("gives the same text the same colour, and words that tell good from bad theirs", () => {
    expect(chipColour("paid")).to.equal("good");
    expect(chipColour("cancelled")).to.equal("bad");
    expect(chipColour("pending")).to.equal("warn");
    expect(chipColour("blue team")).to.equal(chipColour("blue team"));
  });

  it("takes no day for a moment that is not in the calendar", () => {
    for (const text of ["2026-02-30", "2025-02-29", "2026-13-01", "2026-04-31T10:00:00Z", "2026-00-10"])
      expect([isDate(text), isDateTime(text), timeOf(text)], text).to.deep.equal([false, false, Number.NaN]);
    for (const text of ["2024-02-29", "2026-12-31"]) expect(isDate(text), text).to.equal(true);
    expect(isDateTime("2024-02-29T23:59:59+02:00")).to.equal(true);
  });
});
