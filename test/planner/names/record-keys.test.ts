// The offline planner finds a record by its name where the key of its collection is called otherwise than `id`.

import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, tool } from "../session.js";

const text = { type: "string" };
const amount = { type: "number" };
const SHIP = { name: text, draught_m: amount, gross_tonnage: amount };

const TOOLS: readonly Tool[] = [
  tool("listShips", "list", "GET /ships"),
  tool("registerShip", "create", "POST /ships", { callsign: text, ...SHIP }, ["callsign", "name"]),
  tool("getShip", "get", "GET /ships/{callsign}", { callsign: text }, ["callsign"]),
  tool("updateShip", "update", "PATCH /ships/{callsign}", { callsign: text, ...SHIP }, ["callsign"]),
  tool("listPortCalls", "list", "GET /port-calls", { ship: text, agent: text }),
  tool("getPortCall", "get", "GET /port-calls/{ref}", { ref: text }, ["ref"]),
  tool("listAgents", "list", "GET /agents"),
  tool("getAgent", "get", "GET /agents/{code}", { code: text }, ["code"]),
];

const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  ships: [
    { callsign: "LAXQ", name: "Havbris", draught_m: 9.1, gross_tonnage: 18400 },
    { callsign: "DCGH", name: "Elbe Pioneer", draught_m: 12.4, gross_tonnage: 66500 },
  ],
  "port-calls": [
    { id: 1, ref: "PC-1", ship: "LAXQ", agent: "HANS" },
    { id: 2, ref: "PC-2", ship: "DCGH", agent: "KALM" },
    { id: 3, ref: "PC-3", ship: "LAXQ", agent: "KALM" },
  ],
  agents: [
    { code: "HANS", name: "Hansa Agency", city: "Hamburg", phone: "+49 40 778" },
    { code: "KALM", name: "Kalmar Maritime", city: "Kalmar", phone: "+46 480 990" },
  ],
};

function reply({ transport: { path = "", method } }: Tool, args: JsonObject): JsonValue {
  const key = /\{(\w+)\}/.exec(path)?.[1];
  if (method !== "GET") return { ...args };
  const rows = ROWS[path.split("/")[1] ?? ""] ?? [];
  const fits = (row: JsonObject): boolean => Object.entries(args).every(([field, value]) => row[field] === value);
  return key === undefined ? rows.filter(fits) : (rows.find(fits) ?? { error: "404 Not Found" });
}

const ask = (prompt: string) => createSession(TOOLS, reply)(prompt);

describe("The offline planner, of a record whose key is no id,", () => {
  for (const [prompt, expected] of [
    ["what is the gross tonnage of the Elbe Pioneer?", "66500"],
    ["phone number of Kalmar Maritime?", "+46 480 990"],
    ["find the ship called Havbris", "**callsign**: LAXQ"],
    ["show ship Havbris", "**callsign**: LAXQ"],
  ] as const)
    it(`answers "${prompt}"`, async () => {
      expect((await ask(prompt)).text).to.include(expected);
    });

  for (const prompt of ["the draught of the Havbris is now 9.4", "the draught of the Havbris is 9.4 now, update it"])
    it(`changes what "${prompt}" says`, async () => {
      const { calls } = await ask(prompt);
      expect(calls.filter(([name]) => name === "updateShip")).to.deep.equal([
        ["updateShip", { callsign: "LAXQ", draught_m: 9.4 }],
      ]);
    });

  for (const prompt of [
    "the draught of the Havbris is wrong, correct it",
    "the name of the Havbris is outdated, update it",
    "the Havbris is broken, fix it",
  ])
    it(`changes nothing for "${prompt}"`, async () => {
      const { calls } = await ask(prompt);
      expect(calls.filter(([name]) => name === "updateShip")).to.deep.equal([]);
    });

  for (const [prompt, expected] of [
    ["which agents are in Hamburg", [["listAgents", {}]]],
    [
      "show agent Hansa",
      [
        ["listAgents", {}],
        ["getAgent", { code: "HANS" }],
      ],
    ],
    ["show agent HANS", [["getAgent", { code: "HANS" }]]],
  ] as const)
    it(`takes a name in plain letters for no code in "${prompt}"`, async () => {
      const { calls, text: answer } = await ask(prompt);
      expect(calls).to.deep.equal(expected);
      expect(answer).to.include("Hansa Agency");
    });

  it("lists what belongs to it", async () => {
    const { text: answer } = await ask("port calls of the Havbris");
    expect(idsIn(answer)).to.deep.equal([1, 3]);
  });

  it("makes no call again for a record that is called by its key", async () => {
    const { calls } = await ask("which port calls does agent KALM handle");
    expect(calls.filter(([name]) => name === "listPortCalls")).to.deep.equal([["listPortCalls", { agent: "KALM" }]]);
  });

  for (const holiday of [
    { id: "chinese-new-year", name: "Chinese New Year" },
    { holidayId: "chinese-new-year", name: "Chinese New Year" },
  ] as readonly JsonObject[])
    it(`reads the record whose ${Object.keys(holiday)[0]} is of small letters`, async () => {
      const tools = [
        tool("getHolidaysByCountry", "get", "GET /holidays/{country}", { country: text }, ["country"]),
        tool("getHolidayDetails", "get", "GET /holidays/{holidayId}/details", { holidayId: text }, ["holidayId"]),
        tool("searchHolidays", "list", "GET /holidays/search", { keyword: text }),
      ];
      const { calls } = await createSession(tools, ({ verb }) => (verb === "list" ? [holiday] : { history: "old" }))(
        "I am curious about how the Chinese New Year is celebrated. Could you find the detailed information about the holiday, including its history, purpose, and traditions?",
      );
      expect(calls.at(-1)).to.deep.equal(["getHolidayDetails", { holidayId: "chinese-new-year" }]);
    });
});
