// A question about a record that another one answers: for whom it names by what they do, and for when something is that has no time.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { askOf, createApplication, lastCall } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const MOMENT = { type: "string", format: "date-time" };

const CLINIC = createApplication({
  owners: { key: "owner_id", keyType: I, rows: [{ owner_id: 4, name: "Ivo Rask" }], fields: { name: S } },
  pets: {
    key: "pet_id",
    keyType: I,
    rows: [{ pet_id: 2, name: "Bruno", owner_id: 4, weight: 12 }],
    fields: { name: S, owner_id: I, weight: I },
  },
});
const CINEMA = createApplication({
  films: {
    key: "film_id",
    rows: [{ film_id: "FLM-1", title: "Paper Tigers", director: "Una Lind" }],
    fields: { title: S, director: S },
  },
  screenings: {
    key: "screening_id",
    rows: [{ screening_id: "S-1", film_id: "FLM-1", starts_at: "2026-11-25T19:30:00Z" }],
    filters: { film_id: S },
    fields: { film_id: S, starts_at: MOMENT },
  },
});
const SCHOOL = createApplication({
  courses: {
    key: "course_id",
    keyType: I,
    rows: [{ course_id: 6, title: "Slow Yoga", teacher_id: 9 }],
    fields: { title: S, teacher_id: { ...I, description: "The instructor who gives it" } },
  },
  instructors: {
    key: "instructor_id",
    keyType: I,
    rows: [{ instructor_id: 9, name: "Lea Ford" }],
    fields: { name: S },
  },
  lessons: {
    key: "lesson_id",
    keyType: I,
    rows: [{ lesson_id: 70, course_id: 6, day: "2026-11-25" }],
    filters: { course_id: I },
    fields: { course_id: I, day: { type: "string", format: "date" } },
  },
});
const LIBRARY = createApplication({
  books: {
    key: "book_id",
    keyType: I,
    rows: [{ book_id: 1, title: "Emma", author_id: 2 }],
    fields: { title: S, author_id: I },
  },
  authors: { key: "author_id", keyType: I, rows: [{ author_id: 2, name: "Jane Wood" }], fields: { name: S } },
});

describe("The offline planner goes on from the record that a question names", () => {
  for (const [application, prompt, call] of [
    [CLINIC, "who owns Bruno?", ["get_owner", { owner_id: 4 }]],
    [CLINIC, "who is the owner of Bruno?", ["get_owner", { owner_id: 4 }]],
    [CLINIC, "who owns pet 2?", ["get_owner", { owner_id: 4 }]],
    [CLINIC, "whose pet is Bruno?", ["get_owner", { owner_id: 4 }]],
    [SCHOOL, "who teaches Slow Yoga?", ["get_instructor", { instructor_id: 9 }]],
    [LIBRARY, "who wrote Emma?", ["get_author", { author_id: 2 }]],
    [CINEMA, "when is Paper Tigers being shown", ["list_screenings", { film_id: "FLM-1" }]],
    [CINEMA, "when is film FLM-1 on?", ["list_screenings", { film_id: "FLM-1" }]],
    [SCHOOL, "what day is Slow Yoga?", ["list_lessons", { course_id: 6 }]],
  ] as [typeof CLINIC, string, [string, JsonObject]][])
    it(`for "${prompt}"`, async () => {
      const turn = await askOf(application, prompt);
      expect(lastCall(turn)).to.deep.equal(call);
      expect(turn.calls.filter(([name]) => name === call[0])).to.have.length(1);
    });

  for (const [application, prompt, said] of [
    // What the record says itself is its answer.
    [CINEMA, "who directed Paper Tigers?", /Una Lind/],
    [CLINIC, "what is the weight of Bruno?", /\*\*weight\*\*: 12/],
    [CLINIC, "when is Bruno due?", /^This pet does not say when\./],
  ] as [typeof CLINIC, string, RegExp][])
    it(`but not for "${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect(calls.map(([name]) => name).filter((name) => name.startsWith("get_owner"))).to.deep.equal([]);
      expect(text).to.match(said);
    });
});

describe("A key of a record that only a list tells", () => {
  const { tools, reply } = createApplication({
    tours: {
      key: "tour_id",
      keyType: I,
      rows: [
        { id: 5, name: "Harbour Walk", leader_id: 2 },
        { id: 2, name: "Old Town", leader_id: 3 },
      ],
      fields: { name: S, leader_id: { ...I, description: "Tour leader in charge" } },
    },
    leaders: {
      key: "leader_id",
      keyType: I,
      rows: [
        { id: 2, name: "Nils Aune" },
        { id: 3, name: "Eva Holt" },
      ],
    },
  });
  const CITY = { tools: tools.filter(({ name }) => name !== "get_leader"), reply };

  for (const prompt of ["who is leading the harbour walk", "who leads tour 5", "whos leading the harbour walk"])
    it(`is never taken for that of a record of its own kind: "${prompt}"`, async () => {
      const { calls, text } = await askOf(CITY, prompt);
      expect(calls).to.not.deep.include(["get_tour", { tour_id: 2 }]);
      expect(text).to.contain("Nils Aune").and.not.contain("Old Town");
    });
});
