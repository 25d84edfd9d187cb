// Reports, given-up wishes, advice, general knowledge, chit-chat and wishes that no tool can do make no request. Beside them stand
// commands and questions in plain words over the same applications, which do.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const CAMPSITE = createApplication({
  pitches: {
    key: "pitch_id",
    keyType: I,
    rows: [
      { pitch_id: 4, name: "Lakeside", code: "P-04", price: 38, status: "free" },
      { pitch_id: 5, name: "Old Orchard", code: "P-05", price: 31, status: "closed" },
    ],
    filters: { status: { type: "string", enum: ["free", "taken", "closed"] } },
    fields: { name: S, price: N, status: { type: "string", enum: ["free", "taken", "closed"] } },
    required: ["name", "price"],
  },
  guests: {
    key: "guest_id",
    keyType: I,
    rows: [
      { guest_id: 1, name: "Ingrid Falk", phone: "0700 11", country: "SE" },
      { guest_id: 2, name: "Peter Braun", phone: "0700 12", country: "DE" },
    ],
    fields: { name: S, phone: S, country: S },
    required: ["name"],
  },
  bookings: {
    key: "booking_id",
    keyType: I,
    rows: [{ booking_id: 71, code: "BK-71", guest_id: 1, pitch_id: 4, nights: 3, status: "open" }],
    filters: { guest_id: I, pitch_id: I },
    actions: { cancel: {} },
  },
});
const BREWERY = createApplication({
  tanks: {
    key: "tank_id",
    keyType: I,
    rows: [{ tank_id: 2, name: "Big Bertha", code: "T-02", volume: 2000 }],
    fields: { name: S, volume: I },
    required: ["name", "volume"],
  },
  batches: {
    key: "batch_id",
    keyType: I,
    rows: [{ batch_id: 15, code: "BT-15", beer: "Harvest Ale", tank_id: 2, litres: 1200 }],
    filters: { tank_id: I },
    fields: { beer: S, litres: I, tank_id: I },
    required: ["beer"],
    actions: { bottle: {} },
  },
  brewers: {
    key: "brewer_id",
    keyType: I,
    rows: [{ brewer_id: 9, name: "Tom Hale", shift: "night" }],
    filters: { shift: { type: "string", enum: ["day", "night"] } },
  },
});
const THEATRE = createApplication({
  plays: {
    key: "play_id",
    rows: [{ play_id: "PL-1", title: "The Glass Garden", author: "Mara Lind", minutes: 120 }],
    fields: { title: S, author: S, minutes: I },
    required: ["title"],
  },
  actors: {
    key: "actor_id",
    keyType: I,
    rows: [{ actor_id: 12, name: "Niall Orr", fee: 300, votes_cast: 4 }],
    filters: {},
  },
  stages: {
    key: "stage_id",
    keyType: I,
    rows: [{ stage_id: 3, name: "Room 3", seats: 90, votes_cast: 12 }],
    fields: { name: S, seats: I, votes_cast: I },
    required: ["name"],
  },
});

const SILENT = [
  // reports
  [CAMPSITE, "the Falks came in late last night and everybody was tired"],
  [CAMPSITE, "Ingrid Falk called in and was very friendly"],
  [CAMPSITE, "Peter Braun forgot his tent pegs again, poor man"],
  [CAMPSITE, "the storm blew over three tents near Lakeside"],
  [CAMPSITE, "BK-71 arrived yesterday with two dogs"],
  [BREWERY, "Tom Hale slept badly"],
  [BREWERY, "Big Bertha leaked all weekend"],
  [BREWERY, "the Harvest Ale tasted wonderful"],
  [BREWERY, "BT-15 smelled of bananas this morning"],
  [THEATRE, "Niall Orr was wonderful last night"],
  [THEATRE, "The Glass Garden got great reviews"],
  [THEATRE, "Mara Lind sent us flowers"],
  [THEATRE, "the audience in Room 3 laughed a lot"],
  // wishes given up
  [CAMPSITE, "I was going to cancel booking 71 but Ingrid Falk talked me out of it"],
  [CAMPSITE, "we nearly closed Lakeside last week"],
  [BREWERY, "never mind about BT-15"],
  [THEATRE, "I wanted to change the fee of Niall Orr but decided against it"],
  // advice
  [CAMPSITE, "who should i book for"],
  [CAMPSITE, "should I cancel booking 71?"],
  [CAMPSITE, "what should I charge for Lakeside?"],
  [BREWERY, "should we bottle BT-15 this week?"],
  [BREWERY, "which beer should I drink tonight"],
  [THEATRE, "who should i vote for"],
  [THEATRE, "do you think I should raise the fee of Niall Orr?"],
  [THEATRE, "is it a good idea to stage The Glass Garden in winter?"],
  // general knowledge
  [CAMPSITE, "what is the capital of Sweden"],
  [CAMPSITE, "who invented the tent"],
  [BREWERY, "how is beer made"],
  [CAMPSITE, "how do you get resin stains out of canvas"],
  [THEATRE, "how do I get chewing gum off velvet"],
  [BREWERY, "who won the World Cup in 2014"],
  [CAMPSITE, "who invented the zip fastener of Lakeside"],
  [THEATRE, "who discovered America"],
  // no tool can
  [CAMPSITE, "mow the grass at Lakeside"],
  [CAMPSITE, "print me a map of all the pitches"],
  [THEATRE, "please print a poster for the plays"],
  [CAMPSITE, "repair the tap on P-04"],
  [CAMPSITE, "delete booking BK-71"],
  [BREWERY, "clean the pipes of Big Bertha"],
  [BREWERY, "delete brewer Tom Hale"],
  [THEATRE, "tune the piano in Room 3"],
  [THEATRE, "remove actor Niall Orr"],
  // chit-chat
  [CAMPSITE, "good morning, how was your weekend?"],
  [BREWERY, "you are a great help, Bertha would be proud"],
  [THEATRE, "tell me a joke about Shakespeare"],
  [BREWERY, "ok good night, see you on monday"],
  [CAMPSITE, "bye, see you at the pitches tomorrow"],
  [THEATRE, "have a nice day on stage"],
  [THEATRE, "happy birthday Niall Orr!"],
] as const;

const SPOKEN = [
  [CAMPSITE, "phone number of Ingrid Falk"],
  [CAMPSITE, "bookings of Ingrid Falk"],
  [CAMPSITE, "show me Lakeside"],
  [CAMPSITE, "I need the phone number of Peter Braun"],
  [CAMPSITE, "what is the price of Old Orchard?"],
  [CAMPSITE, "which pitches are free?"],
  [CAMPSITE, "free pitches"],
  [CAMPSITE, "cancel booking BK-71"],
  [CAMPSITE, "set the price of Lakeside to 40"],
  [CAMPSITE, "was booking 71 cancelled?"],
  [CAMPSITE, "how much is Lakeside?"],
  [CAMPSITE, "delete guest Peter Braun"],
  [CAMPSITE, "add a guest called Lena Moor"],
  [CAMPSITE, "Peter Braun's phone number"],
  [CAMPSITE, "guests who came from DE"],
  [CAMPSITE, "closed pitches"],
  [CAMPSITE, "rename pitch 4 to Lakeview"],
  [BREWERY, "who is Tom Hale"],
  [BREWERY, "Tom Hale"],
  [BREWERY, "batches in Big Bertha"],
  [BREWERY, "bottle batch 15"],
  [BREWERY, "bottle BT-15"],
  [BREWERY, "which brewers worked at night"],
  [BREWERY, "brewers on the night shift"],
  [BREWERY, "volume of Big Bertha"],
  [BREWERY, "how many litres are in BT-15"],
  [BREWERY, "set the litres of BT-15 to 1100"],
  [BREWERY, "delete tank Big Bertha"],
  [BREWERY, "I want to see all tanks"],
  [BREWERY, "batches brewed in tank 2"],
  [BREWERY, "total litres of all batches"],
  [BREWERY, "the batches brewed in tank 2"],
  [BREWERY, "Batches brewed in tank 2"],
  [THEATRE, "author of The Glass Garden"],
  [THEATRE, "who wrote The Glass Garden"],
  [THEATRE, "plays by Mara Lind"],
  [THEATRE, "fee of Niall Orr"],
  [THEATRE, "details of Room 3"],
  [THEATRE, "set the seats of Room 3 to 95"],
  [THEATRE, "how many actors are there"],
  [THEATRE, "delete the play The Glass Garden"],
  [THEATRE, "show me all plays"],
  [THEATRE, "print all plays"],
  [CAMPSITE, "print the pitches"],
  [CAMPSITE, "good evening, list the free pitches"],
  [THEATRE, "list plays longer than 100 minutes"],
] as const;

describe("The offline planner makes no request for", () => {
  for (const [application, prompt] of SILENT)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect({ calls, offers: /tell me to and I will|Say yes/.test(text) }).to.deep.equal({ calls: [], offers: false });
    });
});

describe("The offline planner makes requests for", () => {
  for (const [application, prompt] of SPOKEN)
    it(`"${prompt}"`, async () => {
      const { calls } = await askOf(application, prompt);
      expect(calls).to.not.deep.equal([]);
    });
});
