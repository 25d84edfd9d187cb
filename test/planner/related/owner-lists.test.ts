// The list of what belongs to a named record, where no filter of that list is by its owner: the record is looked up by its name, and the
// list is narrowed by its key.
import { expect } from "chai";
import { type Application, askOf, createApplication } from "../samples/collections.js";
import { idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const PAINTINGS = [
  { id: 1, title: "The Grey Quay", artist: "Lotte Brun", keeper_id: 31 },
  { id: 2, title: "Ermine", artist: "Per Holm", keeper_id: 32 },
  { id: 3, title: "Late Tram", artist: "Lotte Brun", keeper_id: 31 },
];
const KEEPERS = [
  { id: 31, name: "Greta Lindqvist", phone: "555 31" },
  { id: 32, name: "Tomas Reyes", phone: "555 32" },
];
const CLEANINGS = [
  { id: 101, painting_id: 2, method: "dry", status: "planned" },
  { id: 102, painting_id: 1, method: "wet", status: "done" },
  { id: 103, painting_id: 2, method: "wet", status: "done" },
  { id: 104, painting_id: 3, method: "dry", status: "planned" },
];
/** Nothing says which fields the records have, as there is no tool that makes one. */
const READ_ONLY = createApplication({
  paintings: { key: "painting_id", keyType: I, rows: PAINTINGS },
  keepers: { key: "keeper_id", keyType: I, rows: KEEPERS },
  cleanings: {
    key: "cleaning_id",
    keyType: I,
    rows: CLEANINGS,
    filters: { status: { type: "string", enum: ["planned", "done"] } },
  },
});
const MUSEUM = createApplication({
  paintings: {
    key: "painting_id",
    keyType: I,
    rows: PAINTINGS,
    fields: { title: S, artist: S, keeper_id: I },
    required: ["title"],
  },
  keepers: { key: "keeper_id", keyType: I, rows: KEEPERS, fields: { name: S, phone: S }, required: ["name"] },
  cleanings: {
    key: "cleaning_id",
    keyType: I,
    rows: CLEANINGS,
    filters: { status: { type: "string", enum: ["planned", "done"] } },
    fields: { painting_id: I, method: S },
    required: ["painting_id"],
  },
});
const KENNEL = createApplication({
  dogs: {
    key: "dogId",
    rows: [
      { id: "D-1", name: "Waffle", breed: "Beagle" },
      { id: "D-2", name: "Storm", breed: "Husky" },
    ],
    fields: { name: S, breed: S },
    required: ["name"],
  },
  stays: {
    key: "stayId",
    rows: [
      { id: 10, dogId: "D-2", price: 200, paid: false },
      { id: 11, dogId: "D-1", price: 210, paid: true },
      { id: 12, dogId: "D-2", price: 190, paid: true },
    ],
  },
});

describe("The offline planner lists what belongs to a record", () => {
  for (const [called, application] of [
    ["where fields are known", MUSEUM],
    ["where only the records say what they have", READ_ONLY],
  ] as const)
    describe(called, () => {
      for (const [prompt, ids] of [
        ["cleanings of ermine", [101, 103]],
        ["cleanings of Ermine", [101, 103]],
        ["show me ermine's cleanings", [101, 103]],
        ["list the cleanings for the grey quay", [102]],
        ["planned cleanings of ermine", [101]],
        ["planned cleanings of painting 2", [101]],
        ["show me painting 2's cleanings", [101, 103]],
        ["which cleanings did late tram have", [104]],
        ["paintings of greta lindqvist", [1, 3]],
      ] as const)
        it(`"${prompt}"`, async () => {
          const { calls, text } = await askOf(application, prompt);
          expect(idsIn(text), text).to.have.members([...ids]);
          expect(calls.at(-1)?.[0]).to.match(/^list_/);
        });

      for (const prompt of [
        "how many cleanings did ermine have",
        "how many cleanings has Ermine had",
        "how many cleanings did painting 2 have",
      ])
        it(`"${prompt}"`, async () => {
          expect((await askOf(application, prompt)).text).to.equal("2 cleanings with painting_id = 2.");
        });

      it("and the one that it belongs to", async () => {
        const { calls } = await askOf(application, "who is the keeper of ermine");
        expect(calls.at(-1)).to.deep.equal(["get_keeper", { keeper_id: 32 }]);
      });

      for (const prompt of ["cleanings of zanzibar", "how many cleanings did zanzibar have"])
        it(`but no other list for an unknown name: "${prompt}"`, async () => {
          const { text } = await askOf(application, prompt);
          expect(idsIn(text)).to.deep.equal([]);
          expect(text).to.match(/zanzibar/);
        });
    });

  for (const [prompt, ids] of [
    ["stays of storm", [10, 12]],
    ["unpaid stays of storm", [10]],
    ["storm's stays", [10, 12]],
    ["paid stays of dog D-2", [12]],
  ] as const)
    it(`by keys that are codes: "${prompt}"`, async () => {
      const { text } = await askOf(KENNEL, prompt);
      expect(idsIn(text), text).to.have.members([...ids]);
    });
});

describe("The offline planner takes no list for what a prompt asks of the owner itself:", () => {
  const last = async (application: Application, prompt: string) => (await askOf(application, prompt)).calls.at(-1);
  for (const [prompt, call] of [
    ["show painting 2", ["get_painting", { painting_id: 2 }]],
    ["the artist of painting 2", ["get_painting", { painting_id: 2 }]],
    ["who is the keeper of painting 2", ["get_keeper", { keeper_id: 32 }]],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect(await last(READ_ONLY, prompt)).to.deep.equal(call);
    });

  for (const prompt of ["how do I list the cleanings of ermine?"])
    it(`"${prompt}"`, async () => {
      expect(await last(MUSEUM, prompt)).to.equal(undefined);
    });

  for (const prompt of ["delete the cleanings of painting 2", "delete the cleanings of ermine"])
    it(`and changes nothing for "${prompt}"`, async () => {
      const { calls } = await askOf(MUSEUM, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});

describe("The offline planner reads what a name at the beginning has:", () => {
  for (const [prompt, phone] of [
    ["greta lindqvist's phone", "555 31"],
    ["greta lindqvist's phone number", "555 31"],
    ["tomas reyes' phone", "555 32"],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await askOf(MUSEUM, prompt);
      expect(text.startsWith(`phone: ${phone}\n`), text).to.equal(true);
      expect(text).to.not.match(/Greta[\s\S]*Tomas/);
    });

  it("but does nothing that no tool does to it", async () => {
    const { text } = await askOf(KENNEL, "feed storm's breed");
    expect(text).to.match(/^I did not understand "feed"/);
  });
});

const WALKS = createApplication({
  walks: {
    key: "walk_id",
    keyType: I,
    rows: [
      { id: 51, title: "Hidden Rooms", starts_at: "2026-12-03T14:00", guide: "Ada Bell" },
      { id: 52, title: "Masters of Light", starts_at: "2026-11-29T10:00", guide: "Bo Ek" },
    ],
    fields: { title: S, starts_at: { type: "string", format: "date-time" }, guide: S },
    required: ["title"],
  },
});

describe("The offline planner looks up what a prompt asks the time of", () => {
  for (const prompt of ["when is hidden rooms", "when does hidden rooms start", "when's hidden rooms?"])
    it(`by its name: "${prompt}"`, async () => {
      const { calls, text } = await askOf(WALKS, prompt);
      expect(calls.map(([name]) => name)).to.deep.equal(["list_walks"]);
      expect(text).to.match(/^starts_at: 2026-12-03T14:00\n/);
    });

  it("and shows no list where nothing is called so", async () => {
    const { text } = await askOf(WALKS, "when is the silver fair");
    expect(text)
      .to.match(/I found nothing called "silver fair"/)
      .and.not.match(/Hidden|Masters/);
  });

  for (const prompt of ["when is easter", "when is the next full moon", "when did the romans leave britain in 410"])
    it(`but not in "${prompt}"`, async () => {
      expect((await askOf(WALKS, prompt)).calls).to.deep.equal([]);
    });
});
