// Prompts that ask what was read before for one of its fields.
import { expect } from "chai";
import { createApplication } from "../samples/collections.js";
import { createSession } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const { tools, reply } = createApplication({
  artworks: {
    key: "artwork_id",
    keyType: I,
    rows: [
      { artwork_id: 1, title: "Two Sisters", artist_id: 2, value: 1000 },
      { artwork_id: 2, title: "Dusk", artist_id: 5, value: 2500 },
    ],
    filters: { artist_id: I },
    fields: { title: S, artist_id: I, value: N },
  },
  wines: {
    key: "wine_id",
    keyType: I,
    rows: [
      { wine_id: 1, label: "Riesling", price: 9 },
      { wine_id: 2, label: "Merlot", price: 12 },
    ],
    fields: { label: S, price: N },
  },
  customers: {
    key: "customer_id",
    keyType: I,
    rows: [{ customer_id: 1, name: "Berg Ltd", credit_limit: 500 }],
    fields: { name: S, credit_limit: N },
  },
});

describe("The offline planner, behind what it read,", () => {
  for (const [first, then, said] of [
    ["list artworks", "what are they worth?", /total value is 3500/],
    ["artworks of artist 2", "how much are they worth in total?", /total value is 1000/],
    ["list wines", "how much do they cost?", /total price is 21/],
    ["show customer 1", "and their credit limit?", /\*\*credit_limit\*\*: 500/],
    ["show Berg Ltd", "and their credit limit?", /\*\*credit_limit\*\*: 500/],
    ["show customer 1", "and its name?", /Berg Ltd/],
    // Customers are worth nothing that they say.
    ["list customers", "what are they worth?", /^No tool clearly fits that/],
  ] as const)
    it(`"${first}", answers "${then}"`, async () => {
      const ask = createSession(tools, reply);
      await ask(first);
      const { calls, text } = await ask(then);
      expect(calls.every(([name]) => /^(?:list|get)_/.test(name))).to.equal(true);
      expect(text).to.match(said);
    });
});
