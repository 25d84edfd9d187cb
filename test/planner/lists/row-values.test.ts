// Prompts that call records by a value that only the records have: "ferns under 20" where plants have a kind. The lists are read
// for it, and the prompt is planned again with the noun of the list behind that value.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, idsIn, type Turn, tool } from "../session.js";

const S = { type: "string" };
const N = { type: "number" };
const I = { type: "integer" };

const NURSERY = [
  tool("list_plants", "list", "GET /plants"),
  tool("get_plant", "get", "GET /plants/{id}", { id: I }, ["id"]),
  tool("create_plant", "create", "POST /plants", { name: S, kind: S, price: N, pot: S }, ["name"]),
  tool("list_deliveries", "list", "GET /deliveries", { status: { ...S, enum: ["new", "packed", "delivered"] } }),
  tool("delete_delivery", "delete", "DELETE /deliveries/{id}", { id: I }, ["id"]),
  tool("list_gardeners", "list", "GET /gardeners"),
];
const PLANTS: readonly JsonObject[] = [
  { id: 1, name: "Maidenhair", kind: "fern", price: 9, pot: "clay", pests: ["scale insects"] },
  { id: 2, name: "Staghorn", kind: "fern", price: 34, pot: "zinc", pests: [] },
  { id: 3, name: "Golden Barrel", kind: "cactus", price: 21, pot: "clay", pests: ["mealybugs"] },
  { id: 4, name: "Iceberg", kind: "climbing rose", price: 18, pot: "zinc", pests: ["greenfly", "mealybugs"] },
  { id: 5, name: "Compassion", kind: "climbing rose", price: 15, pot: "clay", pests: ["greenfly"] },
];
const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  plants: PLANTS,
  deliveries: [
    { id: 11, status: "new", bay: "north gate", window: "2027A", total: 40 },
    { id: 12, status: "packed", bay: "north gate", window: "2026B", total: 70 },
    { id: 13, status: "new", bay: "yard", window: "2027A", total: 95 },
  ],
  gardeners: [
    { id: 21, name: "Ines", team: "glasshouse" },
    { id: 22, name: "Pavel", team: "glasshouse" },
    { id: 23, name: "Uli", team: "grounds" },
  ],
};
const answer = ({ resource }: { resource: string }, { status }: JsonObject): JsonValue =>
  (ROWS[resource] ?? []).filter((row) => status === undefined || row["status"] === status);
const ask = (prompt: string): Promise<Turn> => createSession(NURSERY, answer)(prompt);

describe("The offline planner finds records by a value that only they have", () => {
  for (const [prompt, ids] of [
    ["ferns under 20", [1]],
    ["list our ferns", [1, 2]],
    ["which ferns do we have", [1, 2]],
    ["what's our cheapest fern", [1]],
    ["climbing roses cheaper than 16", [5]],
    ["which ferns are above 20?", [2]],
    ["cheapest climbing rose", [5]],
  ] as const)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await ask(prompt);
      expect(idsIn(text)).to.deep.equal(ids);
      expect(calls.at(-1)?.[0]).to.equal("list_plants");
    });

  it("and counts them", async () => {
    expect((await ask("how many ferns do we have?")).text).to.equal("2 plants with kind = fern.");
  });

  it("and goes on with them", async () => {
    const session = createSession(NURSERY, answer);
    await session("list our climbing roses");
    expect(idsIn((await session("just the cheapest one")).text)).to.deep.equal([5]);
  });

  it("and says where it looked", async () => {
    for (const prompt of ["list our orchids", "how many palms do we have"]) {
      const { calls, text } = await ask(prompt);
      expect(calls.every(([name]) => /^list_/.test(name))).to.equal(true);
      expect(text).to.match(
        /^I found no field of the plants, deliveries and gardeners with the value "\w+", so I went/,
      );
    }
  });

  it("but reads nothing for what is no noun of records, or a command", async () => {
    for (const prompt of [
      "list the planets",
      "show all ferns",
      "how do ferns grow",
      "what's the weather tonight",
      "water the ferns",
      "tell me a joke",
      "do not list the ferns",
      "how many spores are in a fern",
      "is there anything mouldy that was worth over 50?",
      "total rainfall in may",
    ])
      expect((await ask(prompt)).calls, prompt).to.deep.equal([]);
  });

  it("and asks where several lists have it", async () => {
    const rows: Readonly<Record<string, JsonObject[]>> = {
      rugs: [
        { id: 1, tone: "amber" },
        { id: 2, tone: "amber" },
      ],
      lamps: [
        { id: 3, glow: "amber" },
        { id: 4, glow: "amber" },
      ],
    };
    const tools = [tool("list_rugs", "list", "GET /rugs"), tool("list_lamps", "list", "GET /lamps")];
    const { text } = await createSession(tools, ({ resource }) => rows[resource] ?? [])("all our ambers");
    expect(text).to.equal('"ambers" may be rugs or lamps: say which you mean, such as "amber rugs".');
  });
});
