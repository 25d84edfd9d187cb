// Prompts that ask the applications for nothing: given up, told, of the world, or of what no tool does. And commands that look alike.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };

const CLINIC = createApplication({
  dogs: { key: "dog_id", keyType: I, rows: [{ id: 3, name: "Rex" }], fields: { name: S } },
  vets: { key: "vet_id", keyType: I, rows: [{ id: 1, name: "Ann Berg" }], fields: { name: S } },
  appointments: {
    key: "appointment_id",
    keyType: I,
    rows: [{ id: 11, start_time: "2026-11-24T09:00:00Z" }],
    filters: { start_time: S },
    actions: { cancel: {} },
  },
  invoices: { key: "invoice_id", keyType: I, rows: [{ id: 9005, total: 80 }], actions: { pay: {} } },
});

describe("The offline planner calls nothing for", () => {
  for (const prompt of [
    "my own dog ate chocolate, what should I do",
    "what time is it in Tokyo",
    "weather in Skagen",
    "forget it, appointment 11 can stay as it is",
    "never mind the invoice, I already paid it",
    "we almost sold Rex last year",
    "they nearly lost Rex in the forest",
    "hire a new vet",
    "call the insurance company for me",
  ])
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(CLINIC, prompt);
      expect(calls).to.deep.equal([]);
      expect(text).to.not.match(/Say "yes"|That is done by/);
    });
});

describe("The offline planner still does", () => {
  for (const [prompt, call] of [
    ["cancel appointment 11", ["cancel_appointment", { appointment_id: 11 }]],
    ["never mind the price, show invoice 9005", ["get_invoice", { invoice_id: 9005 }]],
    ["pay invoice 9005", ["pay_invoice", { invoice_id: 9005 }]],
    ["add a new vet called Ola Holm", ["create_vet", { name: "Ola Holm" }]],
  ] as [string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      expect(lastCall(await askOf(CLINIC, prompt))).to.deep.equal(call);
    });
});
