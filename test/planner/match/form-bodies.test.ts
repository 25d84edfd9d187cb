// The planner on descriptions that are sent as forms: changes by POST, names that only repeat the method, objects whose names are
// the sender's own, and optional parameters by the dozen.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const map: JsonObject = {
  anyOf: [
    { type: "object", additionalProperties: text },
    { type: "string", enum: [""] },
  ],
};
const address: JsonObject = {
  anyOf: [{ type: "object", properties: { city: text, country: text } }, { type: "string" }],
};
const expand: JsonObject = { type: "array", items: text };
const PAYMENTS = [
  tool("GetCustomers", "list", "GET /v1/customers", { email: text }),
  tool("PostCustomers", "create", "POST /v1/customers", {
    address,
    email: text,
    expand,
    metadata: map,
    name: text,
    limits: { type: "object", additionalProperties: number },
    status: { type: "string", enum: ["new", "active"] },
  }),
  tool(
    "PostCustomersCustomer",
    "create",
    "POST /v1/customers/{customer}",
    { active: { type: "boolean" }, customer: text, email: text, expand, metadata: map },
    ["customer"],
  ),
  tool(
    "PostChargesChargeRefund",
    "create",
    "POST /v1/charges/{charge}/refund",
    { amount: number, charge: text, expand, refund_application_fee: { type: "boolean" } },
    ["charge"],
  ),
  tool(
    "PostChargesChargeRefunds",
    "create",
    "POST /v1/charges/{charge}/refunds",
    { amount: number, charge: text, expand },
    ["charge"],
  ),
  tool("PostInvoicesInvoiceVoid", "create", "POST /v1/invoices/{invoice}/void", { expand, invoice: text }, ["invoice"]),
  tool("PostInvoicesInvoiceComment", "create", "POST /v1/invoices/{invoice}/comment", { invoice: text, body: text }, [
    "invoice",
  ]),
  ...["/v1/subscriptions/{id}", "/v1/customers/{customer}/subscriptions/{id}"].map((path, i) => ({
    ...tool(
      `DeleteSubscriptions${i}`,
      "delete",
      `DELETE ${path}`,
      { customer: text, id: text },
      i === 0 ? ["id"] : ["customer", "id"],
    ),
    description: "Cancels a subscription at once.",
  })),
  tool("DeleteCoupon", "delete", "DELETE /v1/coupons/{coupon}", { coupon: text }, ["coupon"]),
  tool("PostCoupons", "create", "POST /v1/coupons", { amount_off: number, id: text, percent_off: { type: "number" } }),
  tool("rename", "update", "POST /channels.rename", { channel: text, name: text }),
];

type Calls = [string, JsonObject][];
const callsOf = async (prompt: string, ...then: string[]): Promise<Calls> => {
  const ask = createSession(PAYMENTS, () => ({ ok: true }));
  const { calls } = await ask(prompt);
  for (const next of then) calls.push(...(await ask(next)).calls);
  return calls;
};

describe("The offline planner on descriptions sent as forms", () => {
  const customer = "create a customer with email a@b.co and metadata";
  for (const [prompt, metadata] of [
    [`${customer} tier=gold`, { tier: "gold" }],
    [`${customer}: tier=gold.`, { tier: "gold" }],
    [`${customer} tier: gold`, { tier: "gold" }],
    [`${customer} tier=gold, plan=pro`, { tier: "gold", plan: "pro" }],
    [`${customer} tier=gold and plan="pro max"`, { tier: "gold", plan: "pro max" }],
    [`${customer} {"tier": "gold", "email": "none"}`, { tier: "gold", email: "none" }],
    [`${customer} status=active`, { status: "active" }],
  ] as const)
    it(`"${prompt}" gives the names to the one parameter that takes them`, async () => {
      expect(await callsOf(prompt)).to.deep.equal([["PostCustomers", { email: "a@b.co", metadata }]]);
    });

  for (const [prompt, call] of [
    [
      "set metadata tier=gold on customer cus_1",
      ["PostCustomersCustomer", { customer: "cus_1", metadata: { tier: "gold" } }],
    ],
    [
      "set the email of customer cus_1 to x@y.org and metadata tier=gold",
      ["PostCustomersCustomer", { customer: "cus_1", email: "x@y.org", metadata: { tier: "gold" } }],
    ],
    ["create a customer named Bob with limits daily=5", ["PostCustomers", { limits: { daily: 5 }, name: "Bob" }]],
    [
      "create a customer named Bob with address city=Berlin",
      ["PostCustomers", { address: { city: "Berlin" }, name: "Bob" }],
    ],
    [
      "change the email of customer cus_1 to x@y.org",
      ["PostCustomersCustomer", { customer: "cus_1", email: "x@y.org" }],
    ],
    ["deactivate customer cus_1", ["PostCustomersCustomer", { active: false, customer: "cus_1" }]],
    ["refund charge ch_1", ["PostChargesChargeRefund", { charge: "ch_1" }]],
    ["void invoice in_1", ["PostInvoicesInvoiceVoid", { invoice: "in_1" }]],
    ["cancel subscription sub_1", ["DeleteSubscriptions0", { id: "sub_1" }]],
    ["delete coupon 25OFF", ["DeleteCoupon", { coupon: "25OFF" }]],
    ["rename channel C1 to v2.0", ["rename", { channel: "C1", name: "v2.0" }]],
    ["create a coupon for 20 percent off", ["PostCoupons", { percent_off: 20 }]],
  ] as const)
    it(`"${prompt}" is done without asking for more`, async () => {
      expect(await callsOf(prompt)).to.deep.equal([call]);
    });

  for (const prompt of [
    "create a customer with metadata tier=gold, email=a@b.co",
    "create a customer named Bob with limits daily=many",
    "create a customer named Bob colour=red",
    "create a customer named Bob with metadata gold",
    "void the charge of invoice in_1",
    "comment on invoice in_1",
    "refund customer cus_1",
  ])
    it(`"${prompt}" changes nothing`, async () => {
      expect(await callsOf(prompt)).to.deep.equal([]);
    });

  it("takes such names and values as the answer to a question", async () => {
    const calls = await callsOf("create a customer named Bob with metadata gold", "tier=gold, plan=pro");
    expect(calls).to.deep.equal([["PostCustomers", { metadata: { tier: "gold", plan: "pro" }, name: "Bob" }]]);
  });

  it("keeps what a wrapped record holds when it is replaced, and changes one field", async () => {
    const record: JsonObject = {
      allOf: [{ type: "object", properties: { name: text } }, { properties: { archived: { type: "boolean" } } }],
    };
    const wrapped = { data: record, id: number };
    const tools = [
      tool("getProject", "get", "GET /projects/{id}", { id: number }, ["id"]),
      tool("updateProject", "update", "PUT /projects/{id}", wrapped, ["id"]),
    ];
    const answers: JsonObject[] = [{ data: { name: "Moon", archived: false } }, { name: "Moon", archived: false }];
    for (const answer of answers) {
      const ask = createSession(tools, ({ name }): JsonValue => (name === "getProject" ? answer : { ok: true }));
      const { calls } = await ask("archive project 3");
      expect(calls.at(-1)).to.deep.equal(["updateProject", { data: { name: "Moon", archived: true }, id: 3 }]);
    }
  });
});
