// What is next: the first that is not over, by the one day or time that the records have.
import { expect } from "chai";
import { orderIn } from "../../../src/planner/prompt/order.js";
import { readPrompt } from "../../../src/planner/prompt/prompt.js";
import { askOf, createApplication } from "../samples/collections.js";
import { createSession, idsIn } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };

const SCHOOL = createApplication({
  lessons: {
    key: "id",
    keyType: I,
    rows: [
      {
        id: 1,
        title: "Crawl",
        pupil_id: 11,
        pool: "East",
        starts_at: "2026-11-20T09:00:00Z",
        created_at: "2026-10-01",
        metres: 400,
      },
      {
        id: 2,
        title: "Diving",
        pupil_id: 12,
        pool: "West",
        starts_at: "2026-11-24T09:00:00Z",
        created_at: "2026-12-01",
        metres: 400,
      },
      {
        id: 3,
        title: "Turns",
        pupil_id: 11,
        pool: "East",
        starts_at: "2026-11-22T15:00:00Z",
        created_at: "2026-10-02",
        metres: 400,
      },
      {
        id: 4,
        title: "Starts",
        pupil_id: 12,
        pool: "East",
        starts_at: "2026-12-02T15:00:00Z",
        created_at: "2026-11-23",
        metres: 400,
      },
    ],
    filters: { pool: S, pupil_id: I, sort: { type: "string", enum: ["starts_at", "-starts_at"] } },
    fields: { title: S, pupil_id: I, pool: S, starts_at: { type: "string", format: "date-time" } },
  },
  pupils: {
    key: "id",
    keyType: I,
    rows: [
      { id: 11, name: "Mira Vos", next_check: "2026-12-09", kin: { next_of_kin: "Eva Vos" } },
      { id: 12, name: "Otto Kern", next_check: "2026-12-01", kin: { next_of_kin: "Jan Kern" } },
    ],
    fields: { name: S, next_check: { type: "string", format: "date" } },
  },
  jobs: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "Mow", due: "2026-11-25", planned: "2026-11-24" },
      { id: 2, name: "Trim", due: "2026-11-24", planned: "2026-11-26" },
    ],
    fields: { name: S, due: S, planned: S },
  },
  tides: {
    key: "id",
    keyType: I,
    rows: [
      { id: 1, name: "A", high_at: "2026-11-21T04:00:00Z" },
      { id: 2, name: "B", high_at: "2026-11-21T16:00:00Z" },
      { id: 3, name: "C", high_at: "2026-11-22T05:00:00Z" },
      { id: 4, name: "D", high_at: "2026-11-22T17:00:00Z" },
    ],
    fields: { name: S, high_at: S },
  },
});

const shownIn = (text: string): number[] => idsIn(text).filter((id) => !Number.isNaN(id));

describe("The offline planner, asked for what is next,", () => {
  for (const [prompt, ids] of [
    ["when is the next lesson", [3]],
    ["when's the next lesson?", [3]],
    ["next lesson", [3]],
    ["what are the next 2 lessons", [3, 2]],
    ["when is the next lesson in the West pool", [2]],
    ["when is Mira Vos's next lesson", [3]],
    ["when was Mira Vos's last lesson", [1]],
    ["when was the last lesson", [1]],
    // At what time it is nobody knows: all of today may be next.
    ["when is the next tide", [1, 2, 3]],
    ["how many metres is the next lesson", [3]],
    ["which pupil has the next check", [12]],
    ["show next Tuesday's lessons", [2]],
    ["lessons in the next 3 days", [2, 3]],
  ] as const)
    it(`shows it: "${prompt}"`, async () => {
      const { text } = await askOf(SCHOOL, prompt);
      expect(shownIn(text), text).to.have.members([...ids]);
    });

  it("asks which time is meant where there are several", async () => {
    expect((await askOf(SCHOOL, "when is the next job")).text).to.match(/next may be by due or by planned, say which/);
  });

  it("takes the next check of a record for its field", async () => {
    expect((await askOf(SCHOOL, "when is the next check of Mira Vos")).text).to.match(/^next_check: 2026-12-09/);
  });

  it("finds no next one of what has no day", async () => {
    const dancers = createApplication({
      dancers: { key: "id", keyType: I, rows: [{ id: 1, name: "Max", age: 9, born: 2017, created_at: "2027-01-01" }] },
    });
    expect((await askOf(dancers, "the next dancer")).text).to.match(/could not put this in order: next/);
  });

  it("asks the target for no order: the first of all is over", async () => {
    const { calls } = await askOf(SCHOOL, "show the next lesson");
    expect(calls).to.deep.equal([["list_lessons", {}]]);
  });

  it("takes the next one of those that were shown", async () => {
    const ask = createSession(SCHOOL.tools, SCHOOL.reply);
    await ask("lessons in the East pool");
    expect(shownIn((await ask("only the next one")).text)).to.deep.equal([3]);
  });

  for (const prompt of ["growth over the next 5 years", "lessons in the next 3 days", "show next Friday's lessons"])
    it(`puts nothing in order for "${prompt}"`, () => {
      expect(orderIn(readPrompt(prompt, { date: "2026-11-21", timeZone: "UTC" }))).to.equal(undefined);
    });

  for (const prompt of ["set the next lesson to done", "delete the next lesson"])
    it(`changes nothing: "${prompt}"`, async () => {
      const { calls } = await askOf(SCHOOL, prompt);
      expect(calls.filter(([name]) => !/^(?:list|get)_/.test(name))).to.deep.equal([]);
    });
});
