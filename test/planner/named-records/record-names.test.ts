// The offline planner finds the record that a prompt calls by its name, where no tool clearly fits the prompt as it is.

import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, tool } from "../session.js";

const text = { type: "string" };
const whole = { type: "integer" };
const status = { type: "string", enum: ["open", "docked", "sunk"] };
const HARBOUR = { name: text, town: text, berths: whole };
const BOAT = {
  name: text,
  code: text,
  status,
  harbour_id: whole,
  skipper_id: { type: "integer", description: "Sailor who steers it" },
};
const SAILOR = { name: text, phone: text, joined_on: { type: "string", format: "date" } };
const TRIP = { boat_id: whole, miles: whole };

const crud = (noun: string, plural: string, fields: JsonObject, needed: string[]): Tool[] => [
  tool(`list_${plural}`, "list", `GET /${plural}`),
  tool(`create_${noun}`, "create", `POST /${plural}`, fields, needed),
  tool(`update_${noun}`, "update", `PATCH /${plural}/{id}`, { id: whole, ...fields }, ["id"]),
  tool(`get_${noun}`, "get", `GET /${plural}/{id}`, { id: whole }, ["id"]),
  tool(`delete_${noun}`, "delete", `DELETE /${plural}/{id}`, { id: whole }, ["id"]),
];

const TOOLS: readonly Tool[] = [
  ...crud("harbour", "harbours", HARBOUR, ["name"]),
  ...crud("boat", "boats", BOAT, ["name", "code"]),
  ...crud("sailor", "sailors", SAILOR, ["name"]),
  ...crud("trip", "trips", TRIP, ["boat_id", "miles"]),
];

const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  harbours: [
    { id: 1, name: "Old Quay", town: "Bergen", berths: 12 },
    { id: 2, name: "Stone Pier", town: "Molde", berths: 8 },
  ],
  boats: [
    { id: 1, name: "The Grey Gull", code: "B-01", status: "open", harbour_id: 1, skipper_id: 2 },
    { id: 2, name: "Tern", code: "B-02", status: "docked", harbour_id: 2, skipper_id: 1 },
    { id: 3, name: "Osprey", code: "B-03", status: "sunk", harbour_id: 1, skipper_id: 2 },
  ],
  sailors: [
    { id: 1, name: "Ada Holm", phone: "555 01", joined_on: "2020-01-02" },
    { id: 2, name: "Bo Lie", phone: "555 02", joined_on: "2021-03-04" },
    { id: 3, name: "Tern", phone: "555 03", joined_on: "2022-05-06" },
  ],
  trips: [
    { id: 1, boat_id: 1, miles: 10 },
    { id: 2, boat_id: 3, miles: 20 },
    { id: 3, boat_id: 1, miles: 30 },
  ],
};

function reply({ transport: { path = "", method } }: Tool, args: JsonObject): JsonValue {
  const rows = ROWS[path.split("/")[1] ?? ""] ?? [];
  if (method !== "GET") return { ...args };
  if (!path.endsWith("}")) return [...rows];
  return rows.find(({ id }) => id === args["id"]) ?? { error: "not_found" };
}

const changes = (calls: readonly [string, JsonObject][]): [string, JsonObject][] =>
  calls.filter(([name]) => !/^(?:list|get)_/.test(name));

describe("The offline planner, of a record that is called by its name,", () => {
  for (const [prompt, expected] of [
    ["trips of The Grey Gull", [1, 3]],
    ["trips of boat B-03", [2]],
    ["boats in Old Quay", [1, 3]],
    ["boats of Bo Lie", [1, 3]],
  ] as const)
    it(`lists "${prompt}"`, async () => {
      const { calls, text: answer } = await createSession(TOOLS, reply)(prompt);
      expect(idsIn(answer)).to.deep.equal(expected);
      expect(changes(calls)).to.deep.equal([]);
    });

  for (const [prompt, expected] of [
    ["who is Ada Holm?", "**id**: 1"],
    ["what is Bo Lie's phone number?", "555 02"],
    ["when did Bo Lie join", "2021-03-04"],
    ["how many berths does Stone Pier have?", "**berths**: 8"],
    ["status of B-02", "docked"],
  ] as const)
    it(`answers "${prompt}"`, async () => {
      const { calls, text: answer } = await createSession(TOOLS, reply)(prompt);
      expect(answer).to.include(expected);
      expect(changes(calls)).to.deep.equal([]);
    });

  for (const [prompt, expected] of [
    ["Osprey is docked now", ["update_boat", { id: 3, status: "docked" }]],
    ["B-01 is now sunk", ["update_boat", { id: 1, status: "sunk" }]],
    ["the phone of Ada Holm should be 555 09", ["update_sailor", { id: 1, phone: "555 09" }]],
    ["Old Quay now has 14 berths", ["update_harbour", { id: 1, berths: 14 }]],
    ["put boat B-03 into the open status", ["update_boat", { id: 3, status: "open" }]],
  ] as const)
    it(`changes what "${prompt}" says`, async () => {
      const { calls } = await createSession(TOOLS, reply)(prompt);
      expect(changes(calls)).to.deep.equal([expected]);
    });

  for (const [prompt, why] of [
    ["Tern is docked now", /2 records are called so/],
    ["Kittiwake is docked now", /nothing called "Kittiwake"/],
    ["who is Niels Bohr?", /nothing called "Niels Bohr"/],
    ["call Ada Holm", /I did not understand|No tool clearly fits/],
    ["Osprey is docked", /I did not understand|No tool clearly fits/],
    ["Osprey sank last night", /I did not understand|No tool clearly fits/],
    ["is Osprey docked now?", /./],
    ["the town of Stone Pier should be Old Quay", /./],
  ] as const)
    it(`changes nothing for "${prompt}", or just what it says`, async () => {
      const { calls, text: answer } = await createSession(TOOLS, reply)(prompt);
      const made = changes(calls);
      if (made.length > 0) expect(made).to.deep.equal([["update_harbour", { id: 2, town: "Old Quay" }]]);
      expect(answer).to.match(why);
    });

  for (const [prompt, expected] of [
    ["who is… Åsa Moe?", "555 01"],
    ["who is ™ Åsa Moe?", "555 01"],
    ["who is Åsa Moe?".normalize("NFD"), "555 01"],
    ["who is İnci Lin?", "555 03"],
    ["what is the line of Lin?", "555 02"],
  ] as const)
    it(`finds it where it stands in "${prompt}"`, async () => {
      const sailors = ["Åsa Moe", "Lin", "İnci Lin"].map((name, i) => ({ id: i + 1, name, line: `555 0${i + 1}` }));
      const { text: answer } = await createSession(TOOLS, ({ name }) => (name === "list_sailors" ? sailors : []))(
        prompt,
      );
      expect(answer).to.include(expected);
    });

  for (const prompt of [
    "tag it with 'Osprey', and find one",
    "translate 'good morning' to Norwegian",
    "I have a query 'Need Osprey location'. Which category should it be classified under?",
    "I have some queries to classify. Here they are:\n- 'What is Osprey?'",
  ])
    it(`looks for no record in ${JSON.stringify(prompt)}`, async () => {
      expect((await createSession(TOOLS, reply)(prompt)).calls).to.deep.equal([]);
    });

  for (const prompt of [
    "trips of boat 'Osprey'",
    "trips of the boat called Osprey",
    'trips of the boat named "Osprey"',
  ])
    it(`lists "${prompt}", whose name is said to be one`, async () => {
      expect(idsIn((await createSession(TOOLS, reply)(prompt)).text)).to.deep.equal([2]);
    });

  for (const prompt of [
    "It's raining all day. Can you help find me a movie to watch, preferably one directed by Nils Amsel?",
    "I want to watch a Blue Heron movie. I want something directed by Nils Amsel. It should be a drama.",
  ])
    it(`offers the call, and reads nothing, for "${prompt}"`, async () => {
      const movies = [tool("find_movies", "list", "GET /movies", { directed_by: text, genre: text })];
      const { calls, text: answer } = await createSession(movies, () => [])(prompt);
      expect(calls).to.deep.equal([]);
      expect(answer).to.include('Say "yes" to call `find_movies` with {"directed_by":"Nils Amsel"');
    });

  it("says which tools are near where no record is called so", async () => {
    const { text: answer } = await createSession(TOOLS, reply)("Kittiwake is docked now");
    expect(answer).to.match(
      /^I found nothing called "Kittiwake" [^\n]*, so I went no further\. The nearest are:\n\n- `/,
    );
  });

  it("reads none of six lists for a name, and the one of the noun beside it or of what is said", async () => {
    const more = ["crane", "berth", "pilot"].flatMap((noun) => crud(noun, `${noun}s`, { name: text }, ["name"]));
    const ask = createSession([...TOOLS, ...more], reply);
    expect((await ask("Osprey is docked now")).calls.map(([name]) => name)).to.deep.equal([
      "list_boats",
      "update_boat",
    ]);
    expect((await ask("boat Osprey is docked now")).calls.map(([name]) => name)).to.deep.equal([
      "list_boats",
      "update_boat",
    ]);
  });

  it("reads the lists of several applications for a name", async () => {
    const tools = TOOLS.map((one) => (one.resource === "sailors" ? { ...one, application: "crew" } : one));
    const { calls } = await createSession(tools, reply)("Osprey is docked now");
    expect(calls.map(([name]) => name)).to.deep.equal(["list_harbours", "list_boats", "list_sailors", "update_boat"]);
  });
});

describe("The offline planner, where a name is looked for in pages of a list,", () => {
  const NAMED = "Wild Goose";
  /** Boats by pages, called so at these places and otherwise by their numbers. */
  const boats = (
    count: number,
    called: readonly number[],
    parameters: JsonObject = { page: { ...whole, minimum: 1 } },
  ) =>
    createSession(
      TOOLS.flatMap((one) => {
        if (one.resource !== "boats") return [];
        return one.verb === "list" ? [tool("list_boats", "list", "GET /boats", parameters)] : [one];
      }),
      ({ name }, args) => {
        if (name !== "list_boats") return { ok: true };
        const size = Number(args["limit"] ?? 20);
        const from = Number(args["offset"] ?? (Number(args["page"] ?? 1) - 1) * size);
        const all = Array.from({ length: count }, (_, at) => ({
          id: at + 1,
          name: called.includes(at + 1) ? NAMED : `Boat ${at + 1}`,
          status: "docked",
        }));
        return all.slice(from, from + size);
      },
    );
  const WAYS = {
    "the number of the page": { page: { ...whole, minimum: 1 } },
    "an offset behind large pages": { limit: { ...whole, default: 10, maximum: 30 }, offset: whole },
  };

  for (const [way, parameters] of Object.entries(WAYS)) {
    it(`finds it on another page by ${way}`, async () => {
      const { calls } = await boats(45, [41], parameters)(`${NAMED} is now sunk`);
      expect(changes(calls)).to.deep.equal([["update_boat", { id: 41, status: "sunk" }]]);
      expect((await boats(45, [41], parameters)(`what is the status of ${NAMED}?`)).text).to.include("docked");
    });

    it(`changes neither of two records that are called so on several pages, by ${way}`, async () => {
      const { calls, text: answer } = await boats(45, [4, 41], parameters)(`${NAMED} is now sunk`);
      expect(changes(calls)).to.deep.equal([]);
      expect(answer).to.match(/^2 records are called so/);
    });

    it(`says what it was shown where the list goes on further than it reads, by ${way}`, async () => {
      const none = await boats(300, [], parameters)(`${NAMED} is now sunk`);
      expect(none.text).to.match(
        /^I found nothing called "Wild Goose" among the \d+ boats I was shown, and there may be more/,
      );
      const one = await boats(300, [4], parameters)(`${NAMED} is now sunk`);
      expect(changes(one.calls)).to.deep.equal([]);
      expect(one.text).to.match(/^"Wild Goose" is boat 4 among the \d+ boats I was shown, and there may be more/);
    });
  }
});

describe("The offline planner, where the records that belong to a name are in pages,", () => {
  const pagedTrips = tool("list_trips", "list", "GET /trips", { page: { ...whole, default: 1 } });
  const tools = TOOLS.map((one) => (one.name === "list_trips" ? pagedTrips : one));
  const endless = (one: Tool, args: JsonObject): JsonValue => {
    if (one !== pagedTrips) return reply(one, args);
    const page = Number(args["page"] ?? 1);
    return {
      items: ROWS["trips"]?.map((row) => ({ ...row, id: page * 10 + Number(row["id"]) })) ?? [],
      total: 15,
      page,
    };
  };

  it("reads as many lists as leave an answer to a turn of few model calls", async () => {
    const ask = createSession(tools, endless, { maxIterations: 3 });
    expect((await ask("Osprey is docked now")).calls.map(([name]) => name)).to.deep.equal([
      "list_boats",
      "update_boat",
    ]);
    expect((await ask("boat Osprey is docked now")).calls.map(([name]) => name)).to.deep.equal([
      "list_boats",
      "update_boat",
    ]);
  });

  for (const prompt of ["trips of The Grey Gull", "trips at the Stone Pier", "when is The Grey Gull sailed?"])
    it(`answers "${prompt}" within the calls of a turn`, async () => {
      const { calls, text: answer } = await createSession(tools, endless)(prompt);
      expect(calls.length).to.be.at.most(7);
      expect(answer).to.not.equal("");
    });
});
