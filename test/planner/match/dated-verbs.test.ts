// "opened in 2026" says of which field the day is: the records that are in another state by now are not left out.
import { expect } from "chai";
import { askOf, createApplication, lastCall } from "../samples/collections.js";
import { HAULAGE } from "../samples/haulage.js";

const RENTAL = (days: Readonly<Record<string, string | null>>[]): ReturnType<typeof createApplication> =>
  createApplication({
    orders: {
      key: "order_id",
      keyType: { type: "integer" },
      rows: days.map((one, i) => ({ order_id: i + 1, status: i === 0 ? "shipped" : "returned", ...one })),
      filters: { status: { type: "string", enum: ["draft", "shipped", "returned"] } },
    },
  });
const SHIPPED = RENTAL([
  { shipped_on: "2026-05-02", returned_on: null },
  { shipped_on: "2026-05-20", returned_on: "2026-06-02" },
]);
const PLAIN = RENTAL([{ date: "2026-05-02" }, { date: "2026-05-20" }]);
const UNDATED = RENTAL([{ note: "a" }, { note: "b" }]);

describe("A participle with a day behind it", () => {
  const year = { gte: "2026-01-01", lte: "2026-12-31" };
  const may = { gte: "2026-05-01", lte: "2026-05-31" };
  const calls: [string, Record<string, unknown>][] = [
    ["claims opened in 2026", { opened_on: year }],
    ["which claims were opened in may 2026?", { opened_on: may }],
    ["bills paid in may 2026", { paid_on: may }],
    ["how many bills were paid in may 2026", { paid_on: may }],
    ["claims closed in 2026", { closed_on: year }],
    ["open claims opened in 2026", { status: "open", opened_on: year }],
    ["open claims", { status: "open" }],
    ["paid bills", { status: "paid" }],
    ["which bills are refunded", { status: "refunded" }],
    ["claims disputed in may 2026", { status: "disputed" }],
  ];
  for (const [prompt, where] of calls)
    it(`is no state: "${prompt}"`, async () => {
      expect(lastCall(await askOf(HAULAGE, prompt))).to.deep.equal([
        prompt.includes("bills") ? "list_bills" : "list_claims",
        { where },
      ]);
    });

  it("says that a day was not understood of a state without one", async () => {
    const { text } = await askOf(HAULAGE, "claims disputed in may 2026");
    expect(text).to.match(/^I could not narrow this by "may 2026"/);
  });

  it("keeps those that were shipped then and are back", async () => {
    expect((await askOf(SHIPPED, "orders shipped in may 2026")).text).to.match(/^2 orders with shipped_on from/);
    expect((await askOf(SHIPPED, "how many orders were returned in may 2026")).text).to.match(/^No orders/);
    expect((await askOf(SHIPPED, "shipped orders")).calls).to.deep.equal([["list_orders", { status: "shipped" }]]);
  });

  it("is a state where the records have no such day", async () => {
    expect((await askOf(PLAIN, "orders shipped in may 2026")).text).to.match(/^1 order with .*status = shipped/);
    expect((await askOf(UNDATED, "orders shipped in may 2026")).text).to.match(
      /^I could not narrow this by "may 2026"/,
    );
  });

  it("is no state where it says who did it, or is the name of a field", async () => {
    expect(lastCall(await askOf(HAULAGE, "claims opened by Dan Brewer"))).to.deep.equal([
      "list_claims",
      { where: { driver_id: 2 } },
    ]);
    expect(lastCall(await askOf(HAULAGE, "update bill 2: paid_on 2026-11-20"))).to.deep.equal([
      "update_bills",
      { id: 2, paid_on: "2026-11-20" },
    ]);
    expect(lastCall(await askOf(HAULAGE, "update bill 2: status paid"))).to.deep.equal([
      "update_bills",
      { id: 2, status: "paid" },
    ]);
  });

  it("leaves out no record whose day is asked for", async () => {
    expect((await askOf(HAULAGE, "when was bill 2 paid?")).text).to.match(/paid_on: \(empty\)/);
    expect((await askOf(HAULAGE, "when was bill BILL-26-02 paid")).text).to.match(/^1 bill with bill_no = BILL-26-02/);
    expect((await askOf(HAULAGE, "when was claim 3 closed")).text).to.match(/closed_on: \(empty\)/);
  });
});
