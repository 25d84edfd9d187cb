// What a record is called is no key of a change: it is looked up, or asked about.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const N = { type: "number" };
const MOMENT = { type: "string", format: "date-time" };

const CINEMA = createApplication({
  screens: {
    key: "screenId",
    rows: [
      { screenId: "SCR-A", name: "Harbor Screen", capacity: 220 },
      { screenId: "SCR-C", name: "Attic Room", capacity: 40 },
    ],
    fields: { name: S, capacity: N },
  },
  films: {
    key: "filmId",
    rows: [
      { filmId: "FLM-YEL", title: "Yellow Morning" },
      { filmId: "FLM-PAP", title: "Two Tigers" },
    ],
    fields: { title: S, minutes: N },
  },
  screenings: {
    key: "screeningId",
    rows: [
      { screeningId: "S-209", filmId: "FLM-PAP", screenId: "SCR-A", startsAt: "2026-11-25T19:30:00Z" },
      { screeningId: "S-210", filmId: "FLM-YEL", screenId: "SCR-C", startsAt: "2026-11-26T19:30:00Z" },
    ],
    filters: { filmId: S, screenId: S },
    fields: { filmId: S, screenId: S, startsAt: MOMENT },
    required: ["filmId", "screenId", "startsAt"],
  },
});

const PORT = createApplication({
  vessels: {
    key: "callsign",
    rows: [
      { callsign: "LAQX", name: "Wilhelmine", length_m: 120 },
      { callsign: "DGHK", name: "Stella Polaris", length_m: 30 },
    ],
    fields: { name: S, length_m: N },
  },
  users: { key: "username", rows: [], fields: { email: S } },
});

const I = { type: "integer" };
const FARM = createApplication({
  drivers: {
    key: "driver_id",
    keyType: I,
    rows: [
      { driver_id: 3, name: "Ole Berg" },
      { driver_id: 4, name: "Mia Berg" },
    ],
    fields: { name: S },
  },
  tractors: { key: "tractor_id", keyType: I, rows: [{ tractor_id: 6, nickname: "Goliath" }], fields: { nickname: S } },
  loads: {
    key: "load_id",
    keyType: I,
    rows: [{ load_id: 12, driver_id: 4, tractor_id: null, weight: 900 }],
    fields: { driver_id: I, tractor_id: I, weight: N },
  },
});

describe("The offline planner takes what a record is called for no key of a change:", () => {
  for (const [application, prompt, call] of [
    [CINEMA, "set the capacity of Harbor Screen to 240", ["update_screen", { screenId: "SCR-A", capacity: 240 }]],
    [CINEMA, "delete Attic Room", ["delete_screen", { screenId: "SCR-C" }]],
    [CINEMA, "set the minutes of Two Tigers to 99", ["update_film", { filmId: "FLM-PAP", minutes: 99 }]],
    [
      CINEMA,
      "change the film of screening S-210 to Two Tigers",
      ["update_screening", { screeningId: "S-210", filmId: "FLM-PAP" }],
    ],
    [FARM, "set the driver of load 12 to ole berg", ["update_load", { load_id: 12, driver_id: 3 }]],
    [FARM, "change the tractor of load 12 to the goliath", ["update_load", { load_id: 12, tractor_id: 6 }]],
    [FARM, "assign driver mia berg to load 12", ["update_load", { load_id: 12, driver_id: 4 }]],
    [PORT, "remove the vessel Wilhelmine", ["delete_vessel", { callsign: "LAQX" }]],
    [PORT, 'delete vessel "Stella Polaris"', ["delete_vessel", { callsign: "DGHK" }]],
    [PORT, "rename vessel Wilhelmine to Willa", ["update_vessel", { callsign: "LAQX", name: "Willa" }]],
    // What is called by its name has it for its key, and a key in capitals is one.
    [PORT, 'delete user "Ada Holm"', ["delete_user", { username: "Ada Holm" }]],
    [PORT, "delete vessel LAQX", ["delete_vessel", { callsign: "LAQX" }]],
  ] as [typeof CINEMA, string, [string, JsonObject]][])
    it(`"${prompt}"`, async () => {
      const { calls } = await askOf(application, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([call]);
    });

  for (const [application, prompt, said] of [
    [FARM, "set the driver of load 12 to goliath", /^I found no driver called "goliath"/],
    [FARM, "set the driver of load 12 to ole", /^"ole" is not the whole name of driver 3/],
    [FARM, "set the driver of load 12 to ole berg and the weight to 5", /./],
    [PORT, "delete vessel Annika", /^I found no vessel called "Annika"/],
    [CINEMA, "set the film of screening S-210 to Garden", /^I found no film called "Garden"/],
    [CINEMA, "set the capacity of Garden Screen to 20", /^I found no screen called "Garden Screen"/],
    // Of a screening there is no name: it makes no new screen.
    [CINEMA, "add a screening of Two Tigers in Harbor Screen at 2026-12-01T19:00:00Z", /^Which /],
  ] as [typeof CINEMA, string, RegExp][])
    it(`"${prompt}" changes nothing`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
      expect(text).to.match(said);
    });
});

describe("The offline planner, of nouns with one stem,", () => {
  for (const [prompt, call] of [
    ["show Harbor Screen", ["get_screen", { screenId: "SCR-A" }]],
    ["list screens", ["list_screens", {}]],
    ["list screenings", ["list_screenings", {}]],
    ["screenings in the Attic Room", ["list_screenings", { screenId: "SCR-C" }]],
    ["list screenings in Harbor Screen", ["list_screenings", { screenId: "SCR-A" }]],
  ] as [string, [string, JsonObject]][])
    it(`takes the one that "${prompt}" has`, async () => {
      expect(lastCall(await askOf(CINEMA, prompt))).to.deep.equal(call);
    });
});
