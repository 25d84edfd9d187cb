// Everyday questions about a list: what goes on with one that denied something, groups, totals of money, states in two words, what has
// nothing, countries by their codes.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, idsIn, tool } from "../session.js";

const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  guests: [
    { id: 1, name: "Ann", role: "volunteer", status: "checked_in" },
    { id: 2, name: "Bob", role: "volunteer", status: "no_show" },
    { id: 3, name: "Cy", role: "speaker", status: "booked" },
  ],
  visits: [
    { id: 1, patient: "Ida", kind: "urgent", signed: true, ward_id: 4, state: "in-progress" },
    { id: 2, patient: "Bo", kind: "urgent", signed: false, ward_id: null, state: "on-hold" },
    { id: 3, patient: "Eli", kind: "routine", signed: false, ward_id: 5, state: "done" },
  ],
  films: [
    { id: 1, title: "Metropolis", country: "DE", genre: "drama", runtime_minutes: 153 },
    { id: 2, title: "Run", country: "DE", genre: "thriller", runtime_minutes: 81 },
    { id: 3, title: "Amelie", country: "FR", genre: "drama", runtime_minutes: 122 },
  ],
  invoices: [
    { id: 1, amount: 100, outstanding: 40, status: "unpaid", issued_on: "2026-01-02" },
    { id: 2, amount: 70, outstanding: 0, status: "paid", issued_on: "2026-02-02" },
    { id: 3, amount: 30, outstanding: 30, status: "unpaid", issued_on: "2026-03-02" },
  ],
  tickets: [
    { id: 1, title: "Lens", assignee: null, seats: 2 },
    { id: 2, title: "Belt", assignee: "Ida", seats: 4 },
  ],
  tours: [
    { id: 1, title: "Harbour", guide: null, price: 20 },
    { id: 2, title: "Fjord", guide: "Per", price: 30 },
  ],
};
const session = () =>
  createSession(
    Object.keys(ROWS).map((name) => tool(`list_${name}`, "list", `GET /${name}`)),
    ({ resource }) => [...(ROWS[resource] ?? [])],
  );

describe("The offline planner goes on with a list that denied something:", () => {
  for (const [first, then, said] of [
    ["which guests have not checked in", "how many of them are volunteers?", /^1 guest with role = volunteer/],
    ["which guests have not checked in", "only volunteers", /^1 guest with role = volunteer/],
    ["visits that are not signed", "how many of them are urgent?", /^1 visit with kind = urgent and signed = no/],
    ["films not from France", "only the dramas", /^1 film with genre = drama and country ≠ France/],
    ["visits that are not signed", "which of them are not urgent?", /^1 visit with kind ≠ urgent and signed = no/],
    [
      "guests who are volunteers",
      "how many of them are no shows?",
      /^1 guest with role = volunteer and status = no_show/,
    ],
  ] as const)
    it(`"${first}", "${then}"`, async () => {
      const ask = session();
      await ask(first);
      expect((await ask(then)).text).to.match(said);
    });
});

describe("The offline planner narrows a list to", () => {
  for (const [prompt, ids] of [
    ["which guests are no shows", [2]],
    ["guests who are not no shows", [1, 3]],
    ["guests who are checked in", [1]],
    ["guests who have not checked in", [2, 3]],
    ["visits in progress", [1]],
    ["visits on hold", [2]],
    ["tours with no guide yet", [1]],
    ["visits without a ward", [2]],
    ["unassigned tickets", [1]],
    ["films from Germany", [1, 2]],
    ["films not from France", [1, 2]],
  ] as const)
    it(`what "${prompt}" asks for`, async () => {
      const { text } = await session()(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });

  it("the option of a parameter that begins with a denial", async () => {
    const status = { type: "string", enum: ["booked", "no_show"] };
    const ask = createSession([tool("list_bookings", "list", "GET /bookings", { status })], () => []);
    for (const prompt of ["bookings that are no shows", "how many no shows among the bookings"])
      expect((await ask(prompt)).calls, prompt).to.deep.equal([["list_bookings", { status: "no_show" }]]);
    expect((await ask("bookings that are not booked")).calls).to.deep.equal([["list_bookings", {}]]);
  });
});

describe("The offline planner counts and adds up:", () => {
  for (const [prompt, said] of [
    ["films by country, how many each", /^3 films by country:[\s\S]*\| DE \| 2 \|/],
    ["number of films per genre", /^3 films by genre:[\s\S]*\| drama \| 2 \|/],
    ["count of invoices by status", /^3 invoices by status:[\s\S]*\| unpaid \| 2 \|/],
    ["guests by role with counts", /^3 guests by role:[\s\S]*\| volunteer \| 2 \|/],
    ["how much money is outstanding on unpaid invoices", /^The total outstanding is 70, of 2 invoices/],
    ["how much is outstanding on the invoices", /^The total outstanding is 70, of 3 invoices/],
    ["average runtime of the drama films", /^The average runtime_minutes is 137.5, of 2 films/],
    ["how much are the tours", /^2 tours:/],
  ] as const)
    it(`"${prompt}"`, async () => {
      expect((await session()(prompt)).text).to.match(said);
    });
});

describe("The offline planner finds a year that is a number", () => {
  const VASES: readonly JsonObject[] = [
    { id: 1, name: "Urn", acquired_year: 1899, insured_on: "2026-02-01" },
    { id: 2, name: "Bowl", acquired_year: 2025, insured_on: "2025-02-01" },
    { id: 3, name: "Jug", acquired_year: 2026, insured_on: "2019-02-01" },
  ];
  const HALLS: readonly JsonObject[] = [
    { id: 1, name: "Old", built: 1880 },
    { id: 2, name: "New", built: 2025 },
  ];
  const ask = createSession(
    [tool("list_vases", "list", "GET /vases"), tool("list_halls", "list", "GET /halls")],
    ({ resource }) => [...(resource === "vases" ? VASES : HALLS)],
  );
  for (const [prompt, ids] of [
    ["vases acquired last year", [2]],
    ["vases acquired this year", [3]],
    ["vases insured this year", [1]],
    ["vases acquired before 1900", [1]],
    ["halls built last year", [2]],
    ["halls built in 1880", [1]],
    ["halls built before this year", [1, 2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not");
    });
});

describe("The offline planner goes on with another day", () => {
  const TRIPS: readonly JsonObject[] = ["2026-11-27", "2026-11-28", "2026-11-29", "2026-12-01"].map(
    (starts_on, at) => ({
      id: at + 1,
      starts_on,
    }),
  );
  for (const [first, then, ids] of [
    ["trips on 2026-11-28", "and on the 29th?", [3]],
    ["trips on 28 November", "and the day after?", [3]],
    ["trips on 28 November", "what about the day before?", [1]],
    ["trips on 2026-11-30", "and the next day?", [4]],
  ] as const)
    it(`"${first}", "${then}"`, async () => {
      const ask = createSession([tool("list_trips", "list", "GET /trips")], () => [...TRIPS]);
      await ask(first);
      expect(idsIn((await ask(then)).text)).to.deep.equal(ids);
    });

  it("but with none that the month does not have", async () => {
    const ask = createSession([tool("list_trips", "list", "GET /trips")], () => [...TRIPS]);
    await ask("trips on 2026-11-28");
    expect((await ask("and on the 31st?")).calls).to.deep.equal([]);
  });
});
