// Lists of the planner are narrowed to what was asked for where the target has no filter for just that: by days and periods and
// either side of them, by one of several values, by all but one, by a label.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, type Turn, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const DAY = { type: "string", format: "date" };
const TOOLS = [
  tool("list_trips", "list", "GET /trips", { driver_id: I, from: DAY, to: DAY }),
  tool("list_drivers", "list", "GET /drivers", { active: { type: "boolean" }, license_expires_before: DAY }),
  tool("get_driver", "get", "GET /drivers/{driver_id}", { driver_id: I }, ["driver_id"]),
  tool("list_books", "list", "GET /books", { year_from: I, year_to: I }),
  tool("list_issues", "list", "GET /issues", { created_after: { anyOf: [DAY, { type: "null" }] } }),
  tool("list_people", "list", "GET /people", { last_name: S, limit: I }),
  tool("list_parts", "list", "GET /parts", { min_value: { type: "number" } }),
  tool("list_rooms", "list", "GET /rooms", { type: { ...S, enum: ["SINGLE", "SUITE", "FAMILY"] }, floor: I }),
];
const ROWS: Readonly<Record<string, JsonObject[]>> = {
  trips: [
    { id: 1, driver_id: 11, started_at: "2026-11-19T08:00:00Z" },
    { id: 2, driver_id: 12, started_at: "2026-11-20T08:00:00Z" },
    { id: 3, driver_id: 13, started_at: "2026-12-01T08:00:00Z" },
  ],
  drivers: [
    { id: 11, name: "Jan", license_expires: "2026-12-05" },
    { id: 12, name: "Eve", license_expires: "2027-06-01" },
    { id: 13, name: "Ada", license_expires: "2028-01-01" },
  ],
  books: [
    { id: 1, title: "Dune", year: 1965 },
    { id: 2, title: "Cosmos", year: 1980 },
    { id: 3, title: "Matilda", year: 1988 },
  ],
  issues: [
    { id: 5, title: "a", labels: ["bug", "ui"], created_at: "2026-11-20T10:00:00Z", due_on: "2026-12-01" },
    { id: 6, title: "b", labels: ["docs"], created_at: "2026-11-22T10:00:00Z", due_on: "2026-11-25" },
  ],
  people: [
    { id: 1, first_name: "Nina", last_name: "Patel", email: "nina@s.edu", points: 3 },
    { id: 2, first_name: "Clara", last_name: "Weiss", email: null, points: 9 },
    { id: 3, first_name: "Max", last_name: "Weiss", email: "max@t.org", points: 5 },
  ],
  parts: [
    { id: 1, line: "Stamping", origin: "German", on_display: 0, weight_kg: 4, value: 20, reorder_level: 3 },
    { id: 2, line: "Packing", origin: "Swedish", on_display: 1, weight_kg: 12, value: 2_000_000, reorder_level: 5 },
  ],
  rooms: [
    { id: 1, type: "SINGLE", floor: 1 },
    { id: 2, type: "SUITE", floor: 2 },
    { id: 4, type: "FAMILY", floor: 3 },
  ],
};

/** What the target answers: it filters by "from" and "to" alone, and has both ends in them. */
function answer(called: { resource: string; verb: string }, args: JsonObject): JsonValue {
  const rows = ROWS[called.resource] ?? [];
  if (called.verb !== "list") return rows[0] ?? {};
  const [from, to] = [Number(args["year_from"] ?? 0), Number(args["year_to"] ?? 9999)];
  const [first, last] = [String(args["from"] ?? "0"), String(args["to"] ?? "9")];
  const isIn = ({ year = from, started_at: started = first }: JsonObject): boolean =>
    Number(year) >= from && Number(year) <= to && String(started) >= first && String(started).slice(0, 10) <= last;
  return rows.filter(isIn);
}

const ask = (prompt: string): Promise<Turn> => createSession(TOOLS, answer)(prompt);

describe("The offline planner narrows a list to", () => {
  for (const [prompt, ids] of [
    ["trips on 2026-11-20", [2]],
    ["trips after 2026-11-20", [3]],
    ["trips since 2026-11-20", [2, 3]],
    ["trips before 2026-11-20", [1]],
    ["trips until 2026-11-20", [1, 2]],
    ["trips in december 2026", [3]],
    ["trips after november 2026", [3]],
    ["drivers whose license expires after 2027-01-01", [12, 13]],
    ["drivers whose license expires in 2027", [12]],
    ["drivers with a license expiring on 2026-12-05", [11]],
    ["drivers whose license does not expire before 2027-06-01", [12, 13]],
    ["books of 1980", [2]],
    ["books after 1980", [3]],
    ["books since 1980", [2, 3]],
    ["books before 1980", [1]],
    ["issues due after 2026-11-30", [5]],
    ["issues created on 2026-11-22", [6]],
    ["trips by driver 11 or 12", [1, 2]],
    ["trips of driver 11 and driver 13", [1, 3]],
    ["trips not with driver 12", [1, 3]],
    ["drivers 11, 12 and 13", [11, 12, 13]],
    ["rooms on floors 1 and 3", [1, 4]],
    ["suites or family rooms", [2, 4]],
    ["people named weiss", [2, 3]],
    ["people called Nina", [1]],
    ["people whose last name starts with W", [2, 3]],
    ["people whose name begins with n", [1]],
    ["people with an email ending in s.edu", [1]],
    ["people with an email", [1, 3]],
    ["people without an email", [2]],
    ["people with the most points", [2, 3, 1]],
    ["people with the fewest points", [1, 3, 2]],
    ["the last 2 people", [2, 3]],
    ["the last 2 people by points", [2, 3]],
    ["the first 2 trips", [1, 2]],
    ["2 trips", [1, 2]],
    ["the first trip", [1]],
    ["issues labelled bug", [5]],
    ["issues with label docs", [6]],
    ["german parts", [1]],
    ["parts in the stamping line", [1]],
    ["which parts are on display", [2]],
    ["parts not on display", [1]],
    ["parts under 5kg pls", [1]],
    ["trips started last friday", [2]],
    ["trips between 20 and 30 november", [2]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(text).to.not.contain("could not narrow");
    });

  for (const [prompt, never] of [
    ["drivers whose license expires after 2027-01-01", "license_expires_before"],
    ["drivers whose license expires in 2027", "license_expires_before"],
    ["issues due after 2026-11-30", "created_after"],
    ["trips on 2026-11-20", "to"],
    ["trips not with driver 12", "driver_id"],
    ["trips by driver 11 or 12", "driver_id"],
  ] as const)
    it(`"${prompt}" without sending ${never}`, async () => {
      const { calls } = await ask(prompt);
      expect(calls).to.have.length(1);
      expect(calls[0]?.[1]).to.not.have.property(never);
    });

  it("a year of its days, and not of a count of what was opened", async () => {
    const rows = ["2025-05-01", "2024-05-01"].map((joined_on, i) => ({ id: i + 1, tickets_opened: 3, joined_on }));
    const ask = createSession([tool("list_agents", "list", "GET /agents")], () => rows);
    expect(idsIn((await ask("agents from 2024")).text)).to.deep.equal([2]);
  });

  it("the first few with a limit only where nothing else is asked for", async () => {
    expect((await ask("the first 2 people")).calls).to.deep.equal([["list_people", { limit: 2 }]]);
    for (const prompt of ["the last 2 people", "the first 2 people with an email"])
      expect((await ask(prompt)).calls).to.deep.equal([["list_people", {}]]);
  });

  it("nothing by a label that no record has, and says so", async () => {
    expect((await ask("issues labelled urgent")).text).to.match(/^I could not narrow this by .*"urgent"/);
  });
});

describe("The offline planner says what a list may not be", () => {
  const PAGED = [
    tool("list_books", "list", "GET /books", { limit: { ...I, default: 2 }, page: I }),
    tool("delete_book", "delete", "DELETE /books/{id}", { id: I }, ["id"]),
    tool("list_planes", "list", "GET /planes", { page_size: { ...I, description: "rows of a page, default 2" } }),
    tool("list_boats", "list", "GET /boats", { limit: { ...I, default: 20 } }),
  ];
  const TWO = [
    { id: 1, title: "Dune", copies: 4 },
    { id: 2, title: "Cosmos", copies: 1 },
  ];
  const askPaged = (prompt: string): Promise<Turn> => createSession(PAGED, () => TWO)(prompt);

  for (const [prompt, said] of [
    ["how many books", "At least 2 books."],
    ["how many planes", "At least 2 planes."],
    ["list books", "These are the first 2 of a list that may go on."],
    ["total copies of books", "of 2 books returned"],
    ["delete book Matilda", "among the 2 I was shown, and there may be more"],
    ["how many boats", "2 boats."],
  ] as const)
    it(`"${prompt}": ${said}`, async () => {
      expect((await askPaged(prompt)).text).to.contain(said);
    });

  it("nothing of that kind where it is whole", async () => {
    expect((await askPaged("how many boats")).text).to.not.match(/at least|may go on/i);
  });
});

describe("The offline planner counts in groups", () => {
  it("by a field of the records", async () => {
    for (const prompt of ["number of people per last name", "number of people per last_name"])
      expect((await ask(prompt)).text).to.contain("| Weiss | 2 |");
    const { text } = await ask("number of people per district please");
    expect(text).to.contain("could not narrow this by").and.contain("per district").and.not.contain("please");
    expect((await ask("how many rooms per type")).text).to.contain("| SUITE | 1 |");
  });
});

describe("The offline planner counts in groups without a word for counting,", () => {
  const MUSICIANS = [
    { id: 3, name: "Cem", section: "strings", hall_id: 1, age: 52 },
    { id: 2, name: "Ben", section: "brass", hall_id: 2, age: 41 },
    { id: 1, name: "Ada", section: "strings", hall_id: 2, age: 30 },
  ];
  const askMusicians = createSession([tool("list_musicians", "list", "GET /musicians")], () => MUSICIANS);

  for (const prompt of [
    "how many musicians are in each section?",
    "how many musicians are there in every section",
    "musicians by section",
    "show me all the musicians by section",
  ])
    it(`"${prompt}"`, async () => {
      const { text } = await askMusicians(prompt);
      expect(text)
        .to.match(/^3 musicians by section:/)
        .and.contain("| strings | 2 |")
        .and.contain("| brass | 1 |");
    });

  it("by the key of another record", async () => {
    expect((await askMusicians("musicians by hall")).text).to.contain("| 2 | 2 |");
  });

  it("but says what no field is called", async () => {
    for (const prompt of ["how many musicians are in each town?", "how many musicians are at each venue"])
      expect((await askMusicians(prompt)).text).to.match(/^I could not narrow this by .*each \w+"\.\n\nSay "yes"/);
  });

  it("and by no name or amount", async () => {
    for (const prompt of ["musicians by Ada", "musicians sorted by section"])
      expect((await askMusicians(prompt)).text).to.not.contain("| count |");
    expect(idsIn((await askMusicians("list musicians by age")).text)).to.deep.equal([1, 2, 3]);
  });
});

describe("The offline planner lists nothing for a noun of something else", () => {
  for (const prompt of ["list the planets", "list all dinosaurs", "show me the pokemon"])
    it(`"${prompt}"`, async () => {
      expect(
        (await createSession([tool("list_lists", "list", "GET /lists"), ...TOOLS], answer)(prompt)).calls,
      ).to.deep.equal([]);
    });
});

describe("The offline planner lists by an adjective", () => {
  const STATE = { ...S, enum: ["open", "closed"] };
  const STATES = [
    tool("list_issues", "list", "GET /issues", { state: STATE, active: { type: "boolean" } }),
    tool("get_issue", "get", "GET /issues/{id}", { id: I }, ["id"]),
    tool("update_issue", "update", "PATCH /issues/{id}", { id: I, state: STATE, active: { type: "boolean" } }, ["id"]),
    tool("list_lists", "list", "GET /lists"),
  ];
  const list = (prompt: string): Promise<Turn> =>
    createSession(STATES, () => [{ id: 1, state: "open", active: true }])(prompt);

  for (const [prompt, call] of [
    ["open issues", ["list_issues", { state: "open" }]],
    ["all open issues", ["list_issues", { state: "open" }]],
    ["active issues", ["list_issues", { active: true }]],
    ["show lists", ["list_lists", {}]],
    ["how many lists", ["list_lists", {}]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await list(prompt);
      expect(calls).to.deep.equal([call]);
      expect(text).to.not.contain("nothing was changed");
    });

  it("and changes what is given by its key", async () => {
    expect((await list("close issue 1")).calls).to.deep.equal([["update_issue", { id: 1, state: "closed" }]]);
  });

  for (const [prompt, said] of [
    ["parts below reorder level", /^I could not narrow this by "below reorder level"\./],
    ["current trips", /^I could not narrow this by "current"\./],
    ["parts over 1m", /^I could not narrow this by "over 1"\./],
  ] as const)
    it(`says above the rows what of "${prompt}" it did not understand`, async () => {
      expect((await ask(prompt)).text).to.match(said);
    });

  for (const prompt of [
    "how many trips per driver",
    "how many trips does each driver have",
    "count the trips by driver",
  ])
    it(`counts in groups for "${prompt}", though there are lists for one record`, async () => {
      const one = tool("list_driver_trips", "list", "GET /drivers/{driver_id}/trips", { driver_id: I }, ["driver_id"]);
      const { calls, text } = await createSession([...TOOLS, one], answer)(prompt);
      expect(calls).to.deep.equal([["list_trips", {}]]);
      expect(text).to.match(/^3 trips by driver_id:/);
    });
});
