// What belongs to a record, asked for by who is in it, by what it does, or by who does something to it: by the key of the record in the others,
// or by the records that join the two.
import { expect } from "chai";
import { type Application, askOf, createApplication } from "../samples/collections.js";
import { createDatabase } from "../samples/database.js";
import { createSession, idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const D = { type: "string", format: "date" };

const CLIMBING = createApplication({
  teams: {
    key: "team_id",
    keyType: I,
    rows: [
      { id: 1, name: "Green", colour: "green", sheds: 2 },
      { id: 2, name: "Grey", colour: "grey", sheds: 1 },
    ],
    fields: { name: S, colour: S, sheds: I },
    required: ["name"],
  },
  climbers: {
    key: "climber_id",
    keyType: I,
    rows: [
      { id: 11, name: "Nia Falk", team_id: 1 },
      { id: 12, name: "Otto Brand", team_id: 2 },
      { id: 13, name: "Pia Lund", team_id: 1 },
    ],
    filters: { team_id: I },
    fields: { name: S, team_id: I },
    required: ["name"],
  },
  walls: {
    key: "wall_id",
    keyType: I,
    rows: [{ id: 21, name: "Overhang", height_m: 12 }],
    fields: { name: S, height_m: I },
    required: ["name"],
  },
});
const ENSEMBLE = {
  bands: {
    key: "band_id",
    keyType: I,
    rows: [
      { id: 1, name: "Brass", room: "A" },
      { id: 2, name: "Reeds", room: "B" },
      { id: 3, name: "Strings", room: "C" },
    ],
    fields: { name: S, room: S },
    required: ["name"],
  },
  musicians: {
    key: "musician_id",
    keyType: I,
    rows: [
      { id: 11, name: "Nia Falk", town: "Leek" },
      { id: 12, name: "Otto Brand", town: "Kendal" },
      { id: 13, name: "Pia Lund", town: "Leek" },
      { id: 14, name: "Rolf Moe", town: "Stoke" },
    ],
    fields: { name: S, town: S },
    required: ["name"],
  },
  memberships: {
    key: "membership_id",
    keyType: I,
    rows: [
      { id: 31, musician_id: 11, band_id: 1, left_on: null },
      { id: 32, musician_id: 12, band_id: 2, left_on: null },
      { id: 33, musician_id: 13, band_id: 1, left_on: null },
      { id: 34, musician_id: 14, band_id: 1, left_on: "2025-03-01" },
    ],
    fields: { musician_id: I, band_id: I, left_on: D },
    required: ["musician_id", "band_id"],
  },
};
const BANDS = createApplication(ENSEMBLE);
const WITH_PAYMENTS = createApplication({
  bands: ENSEMBLE.bands,
  musicians: ENSEMBLE.musicians,
  payments: {
    key: "payment_id",
    keyType: I,
    rows: [{ id: 41, musician_id: 11, band_id: 1, amount: 30 }],
    fields: { musician_id: I, band_id: I, amount: I, method: S },
    required: ["musician_id", "band_id"],
  },
});
const ZOO = {
  sponsors: {
    key: "sponsor_id",
    keyType: I,
    rows: [
      { id: 1, name: "Holm family", town: "Leek" },
      { id: 2, name: "Ada Berg", town: "Kendal" },
      { id: 3, name: "Brook Bank", town: "Leek" },
    ],
    fields: { name: S, town: S },
    required: ["name"],
  },
  animals: {
    key: "animal_id",
    keyType: I,
    rows: [
      { id: 11, name: "Mo", kind: "otter" },
      { id: 12, name: "Pip", kind: "lynx" },
      { id: 13, name: "Tam", kind: "otter" },
    ],
    fields: { name: S, kind: S },
    required: ["name"],
  },
  sponsorships: {
    key: "sponsorship_id",
    keyType: I,
    rows: [
      { id: 31, animal_id: 11, sponsor_id: 1, since: "2024-01-02" },
      { id: 32, animal_id: 12, sponsor_id: 2, since: "2025-05-02" },
    ],
    fields: { animal_id: I, sponsor_id: I, since: D },
    required: ["animal_id", "sponsor_id"],
  },
};
const ANIMALS = createApplication(ZOO);
const PARK = createApplication({
  sponsors: ZOO.sponsors,
  benches: {
    key: "bench_id",
    keyType: I,
    rows: [
      { id: 51, name: "Lake", sponsor_id: 1 },
      { id: 52, name: "Hill", sponsor_id: 2 },
    ],
    fields: { name: S, sponsor_id: I },
    required: ["name"],
  },
});
const PARK_WITH_TREES = createApplication({
  sponsors: ZOO.sponsors,
  benches: {
    key: "bench_id",
    keyType: I,
    rows: [{ id: 51, name: "Lake", sponsor_id: 1 }],
    fields: { name: S, sponsor_id: I },
  },
  trees: {
    key: "tree_id",
    keyType: I,
    rows: [{ id: 61, kind: "Oak", sponsor_id: 1 }],
    fields: { kind: S, sponsor_id: I },
  },
});
const LEAGUE = createApplication({
  clubs: {
    key: "club_id",
    keyType: I,
    rows: [
      { id: 1, name: "Falcons", town: "Leek" },
      { id: 2, name: "Otters", town: "Kendal" },
    ],
    fields: { name: S, town: S },
    required: ["name"],
  },
  coaches: {
    key: "coach_id",
    keyType: I,
    rows: [
      { id: 21, name: "Mara Quist", club_id: 1 },
      { id: 22, name: "Jon Bo", club_id: 2 },
    ],
    fields: { name: S, club_id: I },
    required: ["name"],
  },
});
const COACHED = createApplication({
  clubs: {
    key: "club_id",
    keyType: I,
    rows: [
      { id: 1, name: "Falcons", coach_id: 21 },
      { id: 2, name: "Otters", coach_id: 22 },
    ],
    fields: { name: S, coach_id: I },
    required: ["name"],
  },
  coaches: {
    key: "coach_id",
    keyType: I,
    rows: [
      { id: 21, name: "Mara Quist" },
      { id: 22, name: "Jon Bo" },
    ],
    fields: { name: S },
    required: ["name"],
  },
});

type Case = readonly [prompt: string, ids: readonly number[]];

function shows(application: Application, cases: readonly Case[]): void {
  for (const [prompt, ids] of cases)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(application, prompt);
      expect(idsIn(text), text).to.have.members([...ids]);
    });
}

describe("The offline planner lists who is in a record", () => {
  shows(CLIMBING, [
    ["whos in the Green team", [11, 13]],
    ["who is in the green team", [11, 13]],
    ["who's in team Green", [11, 13]],
    ["who's in Green", [11, 13]],
    ["who do we have in the grey team", [12]],
    ["who is in team 2", [12]],
  ]);
  shows(BANDS, [
    ["whos in the Reeds band", [12]],
    ["musicians in the Reeds band", [12]],
    ["who is in band 2", [12]],
  ]);

  it("and not who has left it", async () => {
    const { text } = await askOf(BANDS, "who is in the Brass band");
    expect(idsIn(text), text).to.have.members([11, 13]);
    expect(text).to.match(/^2 musicians of band 1 by memberships:/);
  });

  it("and says that nobody is", async () => {
    expect((await askOf(BANDS, "who is in the Strings band")).text).to.equal("No musicians of band 3 by memberships.");
  });

  it("and shows the record itself where that is asked for", async () => {
    expect((await askOf(CLIMBING, "show the Green team")).text).to.match(/\*\*colour\*\*: green/);
  });

  for (const prompt of ["who is in the purple team", "who is in team 9", "who was in team 2"])
    it(`but nobody for "${prompt}"`, async () => {
      expect((await askOf(CLIMBING, prompt)).text).to.not.match(/Falk|Brand|Lund/);
    });

  for (const prompt of ["who is in the Brass band", "musicians in the Brass band", "musicians of band 1"])
    it(`nor by what joins more than the two: "${prompt}"`, async () => {
      expect((await askOf(WITH_PAYMENTS, prompt)).text).to.not.match(/Falk|Brand|Lund|Moe/);
    });
});

describe("The offline planner lists what a record does by the name of what it is", () => {
  shows(PARK, [
    ["what does the Holm family sponsor", [51]],
    ["what does ada berg sponsor", [52]],
    ["what is Ada Berg sponsoring", [52]],
    ["what does sponsor 2 sponsor", [52]],
  ]);
  shows(ANIMALS, [
    ["what does the Holm family sponsor", [11]],
    ["which animals does the Holm family sponsor", [11]],
    ["animals sponsored by Ada Berg", [12]],
    ["who sponsors Mo", [1]],
    ["who sponsors animal 12", [2]],
  ]);

  it("and asks where several may be meant", async () => {
    const { text } = await askOf(PARK_WITH_TREES, "what does the Holm family sponsor");
    expect(text).to.equal("That may be any of the benches or trees of sponsor 1, so I went no further. Say which.");
  });

  it("and says that there is nothing", async () => {
    expect((await askOf(ANIMALS, "what does Brook Bank sponsor")).text).to.equal(
      "No animals of sponsor 3 by sponsorships.",
    );
  });

  it("but leaves no further condition out", async () => {
    expect(idsIn((await askOf(ANIMALS, "animals of sponsor 1 since 2025")).text)).to.deep.equal([]);
    expect(idsIn((await askOf(ANIMALS, "lynx animals sponsored by the Holm family")).text)).to.deep.equal([]);
  });

  it("and looks up no other record", async () => {
    expect((await askOf(ANIMALS, "what does the Kiln family sponsor")).text).to.match(/^I found no sponsor called/);
  });
});

describe("The offline planner finds who does what their noun says, too,", () => {
  shows(LEAGUE, [
    ["who coaches the Falcons", [21]],
    ["who coaches the otters", [22]],
    ["who coaches club 2", [22]],
  ]);
  shows(COACHED, [
    ["who coaches the Falcons", [21]],
    ["who coaches Otters", [22]],
    ["who coaches club 2", [22]],
  ]);

  it("and shows nobody for a name that is none", async () => {
    expect((await askOf(LEAGUE, "who coaches the Herons")).text).to.not.match(/Mara|Jon/);
  });
});

it("The offline planner takes a bare number for no condition of what was shown", async () => {
  const ask = createSession(CLIMBING.tools, CLIMBING.reply);
  await ask("who is in the Green team");
  expect((await ask("how many of those are 9")).text).to.match(/^I did not understand "are 9"/);
});

const DIG = createDatabase({
  diggers: {
    columns: { id: { type: "integer" }, name: { type: "string" }, email: { type: "string" } },
    rows: [
      { id: 1, name: "Vera Lunt", email: "vera@dig.example" },
      { id: 2, name: "Kofi Mensah", email: "kofi@dig.example" },
      { id: 3, name: "Lena Dorn", email: "lena@dig.example" },
    ],
  },
  trenches: {
    columns: { id: { type: "integer" }, name: { type: "string" }, leader_id: { type: "integer" } },
    rows: [
      { id: 1, name: "Deep Field", leader_id: 1 },
      { id: 2, name: "Near Rocks", leader_id: 2 },
    ],
  },
  trench_diggers: {
    columns: { trench_id: { type: "integer" }, digger_id: { type: "integer" }, role: { type: "string" } },
    rows: [
      { id: 7, trench_id: 1, digger_id: 1, role: "lead" },
      { id: 8, trench_id: 1, digger_id: 3, role: "sieve" },
    ],
  },
});

describe("The offline planner goes by a table that joins two others", () => {
  shows(DIG, [
    ["whos on deep field", [1, 3]],
    ["whos in the deep field trench", [1, 3]],
    ["diggers without a trench", [2]],
    ["what does vera lunt lead", [1]],
    ["whos leading near rocks", [2]],
    ["lenas email", [3]],
  ]);

  it("and names it in all of its words", async () => {
    expect((await askOf(DIG, "who is in trench 1")).text).to.match(/^2 diggers of trench 1 by trench diggers:/);
  });

  for (const prompt of [
    "whos on the shallow field",
    "what does rolf moe lead",
    "whos leading the far rocks",
    "rolfs email",
  ])
    it(`but finds nobody for "${prompt}"`, async () => {
      expect((await askOf(DIG, prompt)).text).to.match(/^I found no/);
    });

  it("and takes a place for no record", async () => {
    expect((await askOf(DIG, "who is in bonn")).text).to.not.match(/trench called/);
  });

  it("and changes nothing by a name without its apostrophe", async () => {
    const { calls } = await askOf(DIG, "change lenas email to x@dig.example");
    expect(calls.filter(([name]) => !/^list_/.test(name))).to.deep.equal([]);
  });
});
