// A haulage firm's database for the planner's tests: records with codes of their own, days beside their states, and a table that is
// called as its amount is.
import { createDatabase } from "./database.js";

const text = { type: "string" };
const whole = { type: "integer" };
const number = { type: "number" };
const day = { type: "string", format: "date" };
const driver = { type: "integer", description: "id of a driver (list_drivers)" };
const claim = { type: "integer", description: "id of a claim (list_claims)" };
const oneOf = (...options: string[]): { type: string; enum: string[] } => ({ ...text, enum: options });

export const HAULAGE = createDatabase({
  drivers: {
    columns: { id: whole, name: text, phone: text, email: text, hired_on: day },
    rows: [
      { id: 1, name: "Olga Petrov", phone: "555 10", email: "olga@haulage.example", hired_on: "2019-01-07" },
      { id: 2, name: "Dan Brewer", phone: "555 11", email: "dan@haulage.example", hired_on: "2020-03-02" },
    ],
  },
  miles: {
    columns: { id: whole, driver_id: driver, driven_on: day, miles: number, route: text },
    rows: [
      { id: 1, driver_id: 1, driven_on: "2026-05-01", miles: 120, route: "coast" },
      { id: 2, driver_id: 1, driven_on: "2026-05-02", miles: 80.5, route: "hills" },
      { id: 3, driver_id: 2, driven_on: "2026-06-03", miles: 60, route: "coast" },
    ],
  },
  claims: {
    columns: {
      id: whole,
      claim_no: text,
      driver_id: driver,
      title: text,
      status: oneOf("open", "disputed", "closed"),
      opened_on: day,
      closed_on: day,
      value: number,
    },
    rows: [
      {
        id: 1,
        claim_no: "CL-104",
        driver_id: 1,
        title: "Dented door",
        status: "closed",
        opened_on: "2025-02-01",
        closed_on: "2026-03-01",
        value: 400,
      },
      {
        id: 2,
        claim_no: "CL-105",
        driver_id: 2,
        title: "Broken lamp",
        status: "disputed",
        opened_on: "2026-02-01",
        closed_on: null,
        value: 100,
      },
      {
        id: 3,
        claim_no: "CL-106",
        driver_id: 2,
        title: "Lost crate",
        status: "open",
        opened_on: "2026-05-01",
        closed_on: null,
        value: 900,
      },
    ],
  },
  bills: {
    columns: {
      id: whole,
      bill_no: text,
      claim_id: claim,
      issued_on: day,
      amount: number,
      status: oneOf("draft", "sent", "paid", "refunded"),
      paid_on: day,
    },
    rows: [
      {
        id: 1,
        bill_no: "BILL-26-01",
        claim_id: 1,
        issued_on: "2026-04-01",
        amount: 300,
        status: "paid",
        paid_on: "2026-05-09",
      },
      {
        id: 2,
        bill_no: "BILL-26-02",
        claim_id: 2,
        issued_on: "2026-05-01",
        amount: 200,
        status: "sent",
        paid_on: null,
      },
      {
        id: 3,
        bill_no: "BILL-26-03",
        claim_id: 3,
        issued_on: "2026-05-03",
        amount: 250,
        status: "refunded",
        paid_on: "2026-05-19",
      },
    ],
  },
});
