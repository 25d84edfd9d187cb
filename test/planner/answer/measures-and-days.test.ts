// Measures and days by other words than the names of their fields: "longer than 15 metres", "ran out before June", "the last survey".
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const KEY = { key: "id", keyType: { type: "integer" } };
const CANALS = createApplication({
  vessels: {
    ...KEY,
    rows: [
      { id: 1, name: "Linnet", lengthOverall: 21, insurance: { company: "Tow", validUntil: "2026-10-01" } },
      { id: 2, name: "Wren", lengthOverall: 12, insurance: { company: "Tow", validUntil: "2027-01-01" } },
    ],
  },
  tunnels: {
    ...KEY,
    rows: [
      { id: 1, name: "Blackmoor", length_ft: 900, next_check: "2026-12-20" },
      { id: 2, name: "Harrow", length_ft: 1500, next_check: "2027-02-10" },
      { id: 3, name: "Petty", length_ft: 30, next_check: "2027-01-31" },
    ],
  },
  bridge_surveys: {
    ...KEY,
    rows: [
      { id: 1, bridge: 4, surveyed_on: "2025-05-05" },
      { id: 2, bridge: 4, surveyed_on: "2026-06-06" },
      { id: 3, bridge: 5, surveyed_on: "2026-12-24" },
    ],
  },
  classes: {
    ...KEY,
    rows: [
      { id: 1, title: "Knots", weekday: "Monday", starts: "18:00" },
      { id: 2, title: "Steering", weekday: "Friday", starts: "20:00" },
      { id: 3, title: "Signals", weekday: "Friday", starts: "09:00" },
    ],
  },
  closures: {
    ...KEY,
    rows: [
      { id: 1, month: "June", lock: 4 },
      { id: 2, month: "May", lock: 5 },
    ],
  },
  gauges: {
    ...KEY,
    rows: [
      { id: 1, name: "North", opened_on: "2024-01-01", checked_on: "2026-02-02" },
      { id: 2, name: "South", opened_on: "2026-01-01", checked_on: "2025-02-02" },
    ],
  },
});

describe("The offline planner narrows and orders by other words than the names of fields:", () => {
  for (const [prompt, said] of [
    ["vessels longer than 15 metres", /^1 vessel with lengthOverall > 15 \(taken to be in metres\)[\s\S]*Linnet/],
    ["classes on Friday", /^2 classes with weekday = Friday[\s\S]*Steering[\s\S]*Signals/],
    ["which classes are on monday", /^1 class with weekday = monday[\s\S]*Knots/],
    ["classes that are not on Friday", /^1 class with weekday ≠ Friday[\s\S]*Knots/],
    ["classes next Friday", /^I could not narrow this by "next Friday"/],
    ["classes on Sunday", /^I could not narrow this by "Sunday"/],
    ["closures in June", /^1 closure with month = June/],
    ["whats the longest boat", /^1 vessel with longest by lengthOverall first[\s\S]*Linnet/],
    [
      "vessels with insurance that ran out before 5 october 2026",
      /^1 vessel with validUntil < 2026-10-05[\s\S]*Linnet/,
    ],
    [
      "tunnels needing a check before the end of january",
      /^2 tunnels with next_check ≤ 2027-01-31[\s\S]*Black[\s\S]*Petty/,
    ],
    ["which bridge surveys came in during 2026", /^2 bridge surveys with surveyed_on from 2026-01-01/],
    [
      "when was the last bridge survey done",
      /surveyed_on ≤ 2026-11-21[\s\S]*last by surveyed_on first[\s\S]*2026-06-06/,
    ],
    ["when is the last bridge survey", /^1 bridge survey with last by surveyed_on first[\s\S]*2026-12-24/],
    ["when was the first bridge survey", /first by surveyed_on first[\s\S]*2025-05-05/],
  ] as const)
    it(`"${prompt}"`, async () => expect((await askOf(CANALS, prompt)).text).to.match(said));

  for (const [prompt, said] of [
    ["vessels longer than 15 feet", /^I could not narrow this by/],
    ["vessels that ran before 5 october 2026", /^I could not narrow this by/],
    ["gauges that came in during 2026", /^I could not narrow this by/],
    ["when was the last gauge done", /^I could not/],
    ["tunnels longer than 200 metres", /(?:length_ft > 656|^I could not)/],
  ] as const)
    it(`asks or converts for "${prompt}"`, async () => expect((await askOf(CANALS, prompt)).text).to.match(said));
});
