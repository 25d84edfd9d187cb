// The name of an application that is part of a value names no application.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createMentions } from "../../../src/tools/search/application-mentions.js";
import { askOf, createApplication, joined, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const LOANS = {
  loans: {
    key: "loan_id",
    keyType: I,
    rows: [{ id: 1, artwork: "M.1952.4", borrower: "Maritime Museum" }],
    filters: { borrower: S },
    fields: { artwork: S, borrower: S },
  },
};
const MUSEUM = createApplication(LOANS, "museum");
const BOTH = joined(MUSEUM, createApplication({ trips: { key: "trip_id", rows: [], fields: { title: S } } }, "shop"));

describe("The offline planner leaves the name of an application in a value:", () => {
  for (const [prompt, call] of [
    [
      "set the borrower of loan 1 to the Maritime Museum",
      ["museum_update_loan", { loan_id: 1, borrower: "Maritime Museum" }],
    ],
    [
      'set the borrower of loan 1 to "the Maritime Museum"',
      ["museum_update_loan", { loan_id: 1, borrower: "the Maritime Museum" }],
    ],
    [
      "set the borrower of loan 1 to Museum of Trade",
      ["museum_update_loan", { loan_id: 1, borrower: "Museum of Trade" }],
    ],
    ["loans where the borrower is Maritime Museum", ["museum_list_loans", { borrower: "Maritime Museum" }]],
    ["list loans in the museum", ["museum_list_loans", {}]],
  ] as [string, [string, JsonObject]][])
    for (const application of [MUSEUM, BOTH])
      it(`"${prompt}"`, async () => {
        expect(lastCall(await askOf(application, prompt))).to.deep.equal(call);
      });

  const mentions = createMentions(["museum", "shop"]);
  for (const text of [
    "loan it to the Maritime Museum",
    "Museum of Trade",
    "orders of the Corner Shop",
    "notes of Shop Smith",
  ])
    it(`"${text}" names none`, () => {
      expect(mentions(text)).to.deep.equal([]);
    });
  for (const text of ["Show Museum loans", "loans in the Museum", "the Shop API", "list orders in the shop"])
    it(`"${text}" names one`, () => {
      expect(mentions(text)).to.have.length(1);
    });
});
