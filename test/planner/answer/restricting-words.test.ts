// A list that fits only a part of a prompt answers another question: whatever may be a condition and is not understood keeps it back.
// What is said to the listener, or about whom the answer is for, keeps nothing back.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession, idsIn } from "../session.js";

const S = { type: "string" };
const STATES = { type: "string", enum: ["aired", "planned"] };
const RADIO = createApplication({
  shows: {
    key: "id",
    keyType: { type: "integer" },
    rows: [
      { id: 7, title: "Night Owls", minutes: 60, genre: "jazz", status: "aired" },
      { id: 8, title: "Fresh Bread", minutes: 30, genre: "talk", status: "planned" },
      { id: 9, title: "Loud Hour", minutes: 45, genre: "rock", status: "aired" },
    ],
    filters: { status: STATES },
    fields: { title: S, status: STATES },
    required: ["title"],
  },
});
/** The same without a parameter to filter by. */
const LIGHTHOUSES = createApplication({
  lamps: {
    key: "lamp_id",
    rows: [
      { lamp_id: "L-1", tower: "Skagen", colour: "red", state: "lit" },
      { lamp_id: "L-2", tower: "Anholt", colour: "white", state: "dark" },
    ],
    fields: { tower: S, colour: S, state: S },
    required: ["tower"],
  },
});

describe("The offline planner keeps a narrowed list back", () => {
  for (const [application, prompt, said] of [
    [RADIO, "which shows were aired late?", "late"],
    [RADIO, "shows that aired quietly", "quietly"],
    [RADIO, "which aired shows had problems", "problems"],
    [RADIO, "aired shows that won prizes", "won"],
    [RADIO, "shows aired with guests", "guests"],
    [RADIO, "aired shows in Lisbon", "Lisbon"],
    [RADIO, "popular aired shows", "popular"],
    [RADIO, "how many shows were aired late", "late"],
    [RADIO, "shows that aired quickly", "quickly"],
    [LIGHTHOUSES, "red lamps seen from the ferry", "ferry"],
    [LIGHTHOUSES, "which lit lamps flicker", "flicker"],
    [LIGHTHOUSES, "lit lamps near Gotland", "Gotland"],
  ] as const)
    it(`for "${prompt}"`, async () => {
      const { text } = await askOf(application, prompt);
      expect(text)
        .to.match(
          /^I could not narrow this by [^\n]+\n\nSay "yes" to see the \d \w+(?: with [^\n]+,)? without that(?: and without [^\n]+)?\.$/,
        )
        .and.contain(`"${said}"`);
    });

  it("and offers it narrowed by what was understood", async () => {
    const ask = createSession(LIGHTHOUSES.tools, LIGHTHOUSES.reply);
    expect((await ask("which lit lamps flicker")).text).to.contain(
      'Say "yes" to see the 1 lamp with state = lit, without that.',
    );
    const { text } = await ask("yes");
    expect(text).to.contain("Skagen").and.not.contain("Anholt");
  });

  it("but not for the verb of whom it was narrowed by, and for what is left", async () => {
    const films = createApplication({
      films: {
        key: "id",
        keyType: { type: "integer" },
        rows: [
          { id: 1, title: "Dune Sea", director: "Ada Holm", reels: 3 },
          { id: 2, title: "Low Tide", director: "Ben Frei", reels: 14 },
        ],
        fields: { title: S, director: S, reels: { type: "integer" } },
      },
    });
    expect(idsIn((await askOf(films, "which films is ada holm directing")).text)).to.deep.equal([1]);
    expect(idsIn((await askOf(films, "films with less than 10 reels left")).text)).to.deep.equal([1]);
    expect((await askOf(films, "which films is ada holm producing")).text).to.match(/"producing"|found no|No tool/);
  });

  it("but not for what nobody does", async () => {
    const boats = createApplication({
      boats: {
        key: "id",
        keyType: { type: "integer" },
        rows: [
          { id: 1, title: "Gull", sailor_id: 7 },
          { id: 2, title: "Tern", sailor_id: null },
        ],
        fields: { title: S },
      },
    });
    for (const prompt of ["boats nobody is sailing", "which boats no one sails?"])
      expect(idsIn((await askOf(boats, prompt)).text), prompt).to.deep.equal([2]);
    expect((await askOf(boats, "boats nobody is painting")).text).to.contain("nobody is painting");
  });

  it("but not for what is denied without an apostrophe", async () => {
    const jobs = createApplication({
      jobs: {
        key: "id",
        keyType: { type: "integer" },
        rows: [
          { id: 1, title: "Gate", mended_on: "2026-03-01" },
          { id: 2, title: "Roof", mended_on: null },
        ],
        fields: { title: S },
      },
    });
    for (const prompt of ["what jobs arent mended yet", "jobs that aren't mended", "which jobs werent mended"])
      expect(idsIn((await askOf(jobs, prompt)).text), prompt).to.deep.equal([2]);
  });

  for (const prompt of [
    "aired shows again please",
    "list aired shows quickly",
    "quickly list the aired shows",
    "which shows have already aired",
    "which shows have aired so far",
    "I'm wondering which shows are aired",
    "any idea which shows aired?",
    "pull up the aired shows",
    "aired shows on file",
    "which shows in the system are aired?",
    "which shows are aired at the moment",
    "list aired shows for my boss",
    "list the aired shows for the monthly report",
  ])
    it(`but not for "${prompt}"`, async () => {
      expect(idsIn((await askOf(RADIO, prompt)).text)).to.deep.equal([7, 9]);
    });

  it("and has no remark on what is said to the listener", async () => {
    for (const prompt of ["aired shows again please", "which shows have aired so far"])
      expect((await askOf(RADIO, prompt)).text).to.match(/^2 shows with status = aired/);
    expect((await askOf(RADIO, "shows at the moment")).text).to.match(/^I could not narrow this by "moment"/);
  });
});
