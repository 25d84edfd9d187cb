// The table of an answer as rows: what a locale writes is read as the number it was.
import { expect } from "chai";
import { writtenRows } from "../../static/values/written-table.js";

const column = (texts: string[], title = "N") =>
  writtenRows(
    [title],
    texts.map((text) => [text]),
  );

describe("the rows of a written table", () => {
  const amounts = [1234.5, 7, -98765.43, 0.25, 1234567.89, 12, 1234567];
  const locales = ["en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "pt-BR", "sv-SE", "es-ES"];
  for (const locale of locales)
    it(`reads the numbers of ${locale} as they were`, () => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
      expect(column(amounts.map((one) => format.format(one)))).to.deep.equal(amounts.map((N) => ({ N })));
      // Some write "EUR-5", which may be a code as well.
      const sums = amounts.map(Math.abs);
      const money = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" });
      expect(column(sums.map((one) => money.format(one)))).to.deep.equal(sums.map((one) => ({ "N (EUR)": one })));
    });

  it("names the unit of a column once", () => {
    expect(
      writtenRows(
        ["Price ($)", "Share", "Took"],
        [
          ["$3.50", "12 %", "16 ms"],
          ["$12", "—", "1,016 ms"],
        ],
      ),
    ).to.deep.equal([
      { "Price ($)": 3.5, "Share (%)": 12, "Took (ms)": 16 },
      { "Price ($)": 12, "Share (%)": null, "Took (ms)": 1016 },
    ]);
  });

  it("leaves what is no amount as it is written", () => {
    const texts = [
      ["0041", "12"],
      ["555-1234", "1"],
      ["2026-11-25", "2026-11-26"],
      ["3 kg", "4 m"],
      ["1.2.3", "4.5.6"],
      ["4/5", "1/2"],
      ["INV-1001", "INV-1002"],
      ["Jan 2025", "Jan 2026"],
      ["P3", "P4"],
      ["name 7", "name 8"],
      ["Q1", "Q2"],
      ["#12", "#13"],
      ["A-12", "A-13"],
      ["v1.10", "v1.9"],
      ["<5", "<6"],
      ["~12", "~13"],
      ["+4917012345", "+4917012346"],
      ["TOP 10", "TOP 20"],
      ["1.234", "2.500"],
      ["$1.234", "$2.500"],
      ["10:30", "11:45"],
      ["12e5", "1e3"],
      ["1980s", "1990s"],
      ["12A", "14A"],
    ];
    for (const pair of texts) expect(column(pair)).to.deep.equal(pair.map((N) => ({ N })));
  });

  it("reads points between thousands where the column or its currency shows them", () => {
    expect(column(["1.234 €", "999 €"])).to.deep.equal([{ "N (EUR)": 1234 }, { "N (EUR)": 999 }]);
    expect(column(["1.234", "2.500,5"])).to.deep.equal([{ N: 1234 }, { N: 2500.5 }]);
    expect(column(["1.234", "0.5"])).to.deep.equal([{ N: 1.234 }, { N: 0.5 }]);
    expect(column(["+12 %", "−3 %", "-0.5 %"])).to.deep.equal([{ "N (%)": 12 }, { "N (%)": -3 }, { "N (%)": -0.5 }]);
    expect(column(["-$5", "$-7.25", "$1,000"])).to.deep.equal([{ "N ($)": -5 }, { "N ($)": -7.25 }, { "N ($)": 1000 }]);
  });

  it("keeps every digit", () => {
    const [row] = column(["9007199254740993"]);
    expect(String(row?.["N"])).to.equal("9007199254740993");
  });

  it("reads JSON's own words, nothing and short rows", () => {
    expect(writtenRows(["on", "x"], [["true", ""], ["false"], ["", "a"]])).to.deep.equal([
      { on: true, x: null },
      { on: false, x: null },
      { on: null, x: "a" },
    ]);
  });

  it("gives each column a name of its own", () => {
    expect(
      writtenRows(["a", "a", "", "__proto__"], [["1", "2", "b", "c"]]).map((row) => Object.entries(row)),
    ).to.deep.equal([
      [
        ["a", 1],
        ["a 2", 2],
        ["Column 3", "b"],
        ["__proto__", "c"],
      ],
    ]);
  });
});
