// A shop that hires out machines, for the planner's tests: keys of numbers, records with more fields than a table has columns, amounts
// in an object of their own.
import { createApplication } from "./collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const B = { type: "boolean" };
const DAY = { type: "string", format: "date" };
const KIND = { type: "string", enum: ["drill", "sander", "mixer"] };
const STATE = { type: "string", enum: ["booked", "out", "returned", "refused", "no_show"] };

const machine = (
  machine_id: number,
  name: string,
  kind: string,
  [year_built, bought_on]: [number, string],
  [weight_kg, repair_needed, maker_id]: [number, boolean, number | null],
) => ({
  machine_id,
  name,
  kind,
  year_built,
  bought_on,
  created_at: "2024-01-01",
  weight_kg,
  repair_needed,
  certified: machine_id !== 2,
  maker_id,
});

const hire = (
  hire_id: number,
  [machine_id, client_id]: [number, number],
  status: string,
  starts_on: string,
  [fee, notes]: [number, string | null],
) => ({
  hire_id,
  code: `H-${100 + hire_id}`,
  machine_id,
  client_id,
  status,
  starts_on,
  ends_on: "2026-12-24",
  fee,
  deposit: 50,
  paid: fee > 60,
  branch: "north",
  notes,
});

export const HIRE_SHOP = createApplication({
  machines: {
    key: "machine_id",
    keyType: I,
    rows: [
      machine(1, "Grinder", "sander", [1999, "2021-04-01"], [30, true, 1]),
      machine(2, "Ripper", "sander", [2012, "2015-06-09"], [12, false, 2]),
      machine(3, "Big Bore", "drill", [2005, "2019-02-02"], [8, false, null]),
      machine(4, "Twister", "mixer", [2020, "2022-10-10"], [45, true, 1]),
    ],
    filters: { kind: KIND },
    fields: { name: S, kind: KIND, weight_kg: N, certified: B, repair_needed: B, maker_id: I },
    required: ["name", "kind"],
  },
  makers: {
    key: "maker_id",
    keyType: I,
    rows: [
      { maker_id: 1, name: "Holmgren", founded: 1931, closed: 1998 },
      { maker_id: 2, name: "Pasquale", founded: 1962, closed: null },
    ],
    fields: { name: S, founded: I, closed: I },
    required: ["name"],
  },
  clients: {
    key: "client_id",
    keyType: I,
    rows: [
      {
        client_id: 7,
        full_name: "Ilse Brandt",
        email: "ilse@mail.example",
        account: { balanceDue: 620, creditLimit: 500 },
      },
      {
        client_id: 8,
        full_name: "Omar Reyes",
        email: "omar@mail.example",
        account: { balanceDue: 80, creditLimit: 900 },
      },
      {
        client_id: 9,
        full_name: "Mei Tan",
        email: "mei@mail.example",
        account: { balanceDue: 1400, creditLimit: 2000 },
      },
    ],
    fields: { full_name: S, email: S },
    required: ["full_name"],
  },
  hires: {
    key: "hire_id",
    keyType: I,
    rows: [
      hire(1, [1, 7], "out", "2026-11-18", [90, null]),
      hire(2, [2, 8], "refused", "2026-11-22", [60, "the blade was cracked and the guard was missing"]),
      hire(3, [3, 9], "no_show", "2026-11-03", [40, null]),
      hire(4, [4, 7], "booked", "2026-11-22", [70, "bring it to the back gate"]),
    ],
    filters: { status: STATE, client_id: I },
    fields: { machine_id: I, client_id: I, status: STATE, starts_on: DAY, fee: N, notes: S },
    required: ["machine_id", "client_id"],
  },
});
