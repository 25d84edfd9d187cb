// A read that computes or looks something up is made only when all of the prompt went into it: its answer would pass for the
// answer to what was left out.
import { expect } from "chai";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { createSession, type Turn, tool } from "../session.js";

const S = { type: "string" };
const N = { type: "number" };
const said = (description: string, type: JsonObject = S): JsonObject => ({ ...type, description });

function lookUp(name: string, description: string, properties: JsonObject, required: string[]): Tool {
  return { ...tool(name, "list", `GET /${name}`, properties, required), description };
}

const TIDES = lookUp("get_tides", "Tide times of a harbour", { harbour: said("The harbour"), day: said("The day") }, [
  "harbour",
]);
const PLAIN = lookUp("get_climate", "Climate of a place", { location: said("The place") }, ["location"]);
const FORMAT = lookUp(
  "get_climate",
  "Climate of a place",
  { location: said("The city and state, such as Portland, OR") },
  ["location"],
);
const PARTS = lookUp("get_climate", "Climate of a place", { city: said("The city"), state: said("The state") }, [
  "city",
  "state",
]);
const VOLUME = lookUp(
  "box_volume",
  "Volume of a box",
  { side1: said("First side", N), side2: said("Second side", N), side3: said("Third side", N) },
  ["side1", "side2", "side3"],
);
const DISC = lookUp(
  "disc_area",
  "Area of a disc",
  { radius: said("Radius of the disc", N), unit: said("Unit of the radius") },
  ["radius"],
);
const DUEL = lookUp(
  "duel_record",
  "Record of a fencer against a club",
  { fencer: said("The fencer"), club: said("The club") },
  ["fencer", "club"],
);
const ORDER = tool("get_order", "get", "GET /orders/{order_id}", { order_id: { type: "integer" } }, ["order_id"]);

const FILTERED = tool("list_plays", "list", "GET /plays", { author: S, city: S });

const ask = (one: Tool, prompt: string): Promise<Turn> => createSession([one], () => ({ ok: true }))(prompt);
const argumentsOf = async (one: Tool, prompt: string): Promise<JsonObject[]> =>
  (await ask(one, prompt)).calls.map(([, args]) => args);

describe("The offline planner reads what was asked for or nothing", () => {
  const reads: readonly [Tool, string, JsonObject][] = [
    [PLAIN, "what is the climate in Bergen, Norway?", { location: "Bergen, Norway" }],
    [PLAIN, "get the climate of Oslo", { location: "Oslo" }],
    [PLAIN, "get the climate of Washington D.C.", { location: "Washington D.C." }],
    [FORMAT, "show the climate in Bend, OR", { location: "Bend, OR" }],
    [PARTS, "get the climate for the city Bend and the state Oregon", { city: "Bend", state: "Oregon" }],
    [VOLUME, "calculate the volume of a box with sides 2, 3 and 4", { side1: 2, side2: 3, side3: 4 }],
    [DISC, "what is the area of a disc with radius 6?", { radius: 6 }],
    [TIDES, "I am planning a trip. Show the tide times of the harbour Brest.", { harbour: "Brest" }],
    [FILTERED, "list plays with author Ada Byron", { author: "Ada Byron" }],
    [FILTERED, "list plays starring Eve Stone", {}],
    [ORDER, "what is the weight of order 5?", { order_id: 5 }],
  ];
  for (const [one, prompt, args] of reads)
    it(`"${prompt}"`, async () => {
      expect(await argumentsOf(one, prompt)).to.deep.equal([args]);
    });

  const declined: readonly [Tool, string, RegExp][] = [
    [TIDES, "show the tide times of the harbour Brest for submarines", /submarines/],
    [TIDES, 'show the tide times of the harbour Brest in "feet"', /feet/],
    [FORMAT, "show the climate in Bend", /location/],
    [DISC, "what is the area of a disc with a radius of 4 furlongs?", /furlongs/],
    [DUEL, "duel record of Reds Aldo", /fencer|club|place/],
    [FILTERED, "list plays with author Ada Byron starring Eve Stone", /Eve Stone/],
    [PLAIN, "what is the rainfall in Oslo?", /rainfall|No tool/],
  ];
  for (const [one, prompt, text] of declined)
    it(`"${prompt}" leaves something out, so nothing is called`, async () => {
      const turn = await ask(one, prompt);
      expect(turn.calls).to.deep.equal([]);
      expect(turn.text).to.match(text);
    });

  it("offers such a read with its arguments, makes it after a yes, and takes anything else for a new prompt", async () => {
    const session = () => createSession([TIDES], () => []);
    const said = "show the tide times of the harbour Brest for submarines";
    const agreed = session();
    const offer = await agreed(said);
    expect(offer.text).to.include('"submarines"').and.include('Say "yes"').and.include('{"harbour":"Brest"}');
    expect((await agreed("yes, please")).calls).to.deep.equal([["get_tides", { harbour: "Brest" }]]);
    const denied = session();
    await denied(said);
    expect((await denied("no")).text).to.include("nothing was called");
    const other = session();
    await other(said);
    expect((await other("show the tide times of the harbour Cork")).calls).to.deep.equal([
      ["get_tides", { harbour: "Cork" }],
    ]);
    expect((await session()("yes")).calls).to.deep.equal([]);
  });

  it("offers no change: what it leaves out is said anew", async () => {
    const drop = tool("drop_anchor", "create", "POST /anchors", { harbour: S, depth: N }, ["harbour"]);
    const session = createSession([drop], () => ({ id: 1 }));
    await session('create an anchor with harbour "Brest" with colour red');
    expect((await session("yes")).calls).to.deep.equal([]);
  });
});
