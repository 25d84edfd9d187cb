// Everyday ways to say something, and the tool that is meant by them.
import { expect } from "chai";
import type { Verb } from "../../../src/domain/schema-document.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { createIndex } from "../../../src/tools/search/tool-index.js";

function tool(name: string, route: string, description: string, properties: JsonObject = {}): Tool {
  const [method = "GET", path = "/"] = route.split(" ");
  const verbs: Record<string, Verb> = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" };
  return {
    name,
    application: "",
    description,
    input_schema: { type: "object", properties },
    resource: path.split("/")[1] ?? "",
    verb: verbs[method] ?? (path.endsWith("}") ? "get" : "list"),
    safety: method === "GET" ? "read_only" : method === "DELETE" ? "destructive" : "mutating",
    provenance: "declared",
    transport: { kind: "http", method, path },
  };
}

const choice = (...values: string[]): JsonObject => ({ type: "string", enum: values });
const BOAT = "/boats/{harbour}/{boat}";
const harbour = [
  tool("get_boat", `GET ${BOAT}`, "Get a boat"),
  tool("update_boat", `PATCH ${BOAT}`, "Update a boat", { hidden: { type: "boolean" }, name: { type: "string" } }),
  tool("delete_boat", `DELETE ${BOAT}`, "Delete a boat"),
  tool("list_club_boats", "GET /clubs/{club}/boats", "List boats of a club"),
  tool("list_my_boats", "GET /user/boats", "List the boats I own"),
  tool("get_caller", "GET /user", "Get the authenticated user"),
  tool("get_hidden_boat_rules", "GET /clubs/{club}/hidden-boat-rules", "Get the rules for hidden boats of a club"),
  tool("set_hidden_boat_rules", "PUT /clubs/{club}/hidden-boat-rules", "Set the rules for hidden boats of a club"),
  tool("list_stickers", `GET ${BOAT}/stickers`, "List the stickers of a boat"),
  tool("remove_all_stickers", `DELETE ${BOAT}/stickers`, "Remove all stickers of a boat"),
  tool("remove_sticker", `DELETE ${BOAT}/stickers/{name}`, "Remove a sticker from a boat"),
  tool("list_club_members", "GET /clubs/{club}/members", "List the members of a club"),
  tool("add_club_member", "PUT /clubs/{club}/members/{username}", "Add a user to a club"),
  tool("create_club", "POST /clubs", "Create a club"),
  tool("create_old_club", "POST /old/clubs", "Deprecated: create a club"),
  tool("list_moorers", `GET ${BOAT}/moorers`, "Those at the quay beside a boat"),
  tool("list_sail_requests", `GET ${BOAT}/sails`, "List sail requests"),
  tool("get_sail_request", `GET ${BOAT}/sails/{number}`, "Get a sail request"),
  tool("join_sail_request", `PUT ${BOAT}/sails/{number}/join`, "Join a sail request"),
  tool("create_verdict", `POST ${BOAT}/sails/{number}/verdicts`, "Create a verdict on a sail request", {
    event: choice("ENDORSE", "REFUSE"),
  }),
  tool("endorse_crew_run", `POST ${BOAT}/crew-runs/{number}/endorse`, "Endorse a crew run from a visitor"),
  tool("disable_lamp", "POST /lamps/{id}/disable", "Disable a lamp"),
  tool("enable_lamp", "POST /lamps/{id}/enable", "Enable a lamp"),
  tool("list_lamps", "GET /lamps", "List lamps that are on or off"),
];
const index = createIndex(harbour, { lenient: true });
const first = (query: string): string | undefined => index.search(query, 1)[0]?.tool.name;

describe("Ranking tools for everyday ways to say something", () => {
  for (const [prompt, name] of [
    ["take the sticker racing off acme/swan", "remove_sticker"],
    ["get rid of acme/swan", "delete_boat"],
    ["switch the lamp off", "disable_lamp"],
    ["turn lamp 4 on", "enable_lamp"],
    ["show the lamps that are off", "list_lamps"],
    ["who is in the club?", "list_club_members"],
    ["show the people in the club", "list_club_members"],
    ["add ada to the club", "add_club_member"],
    ["add a club", "create_club"],
    ["who moored acme/swan?", "list_moorers"],
    ["who am I?", "get_caller"],
    ["which boats do I have?", "list_my_boats"],
    ["list the boats of the club", "list_club_boats"],
    ["remove all stickers of acme/swan", "remove_all_stickers"],
    ["remove the sticker racing from acme/swan", "remove_sticker"],
    ["make acme/swan hidden", "update_boat"],
    ["rename acme/swan", "update_boat"],
    ["delete acme/swan", "delete_boat"],
    ["show acme/swan", "get_boat"],
    ["endorse sail request 12", "create_verdict"],
    ["show sail request 12", "get_sail_request"],
    ["list the sail requests of acme/swan", "list_sail_requests"],
    ["create a club called Hidden Lamp", "create_club"],
  ] as const)
    it(`has ${name} first for "${prompt}"`, () => expect(first(prompt)).to.equal(name));

  it("takes letters for two words of the catalogue, and leaves them where it has none", () => {
    const hosts = createIndex(
      [tool("list_machines", "GET /machines", "All virtual machines"), tool("list_rooms", "GET /rooms", "All rooms")],
      { lenient: true },
    );
    expect(hosts.search("show the VMs", 2).map((found) => found.tool.name)).to.deep.equal(["list_machines"]);
    expect(index.search("PRs", 5)).to.deep.equal([]);
  });

  it("rewrites nothing that stands in quotes", () => {
    const note = 'create a club with the note "switch the lamp off, get rid of it"';
    expect(first(note)).to.equal("create_club");
  });

  it("reads a long text in time that grows with it", () => {
    for (const unit of ["take the old one ", "make x/y ", "who is ", "give it give it ", "add a to "]) {
      const started = performance.now();
      index.search(unit.repeat(100_000 / unit.length), 5);
      expect(performance.now() - started, unit).to.be.below(500);
    }
  });
});
