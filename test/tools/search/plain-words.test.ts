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
const quay = createIndex(
  [
    tool("berth_trip", "PUT /trips/{number}/berth", "Berth a trip"),
    tool("unberth_trip", "DELETE /trips/{number}/berth", "Unberth a trip"),
    tool("update_trip", "PATCH /trips/{number}", "Update a trip", { state: choice("open", "berthed"), note: {} }),
    tool("get_trip", "GET /trips/{number}", "Get a trip"),
    tool("list_trips", "GET /trips", "List trips"),
    tool("list_club_trips", "GET /clubs/{club}/trips", "List the trips of a club"),
    tool("list_trips_of_user", "GET /users/{username}/trips", "List trips for a user"),
    tool("list_my_trips", "GET /user/trips", "List trips for the authenticated user"),
    tool("PostFaresFare", "POST /fares/{fare}", "Sets the values of a fare that are given. Only notes can be set."),
    tool("GetFaresFare", "GET /fares/{fare}", "Gets a fare."),
    tool("PostFares", "POST /fares", "Creates a fare."),
    tool(
      "PostFaresFareCancel",
      "POST /fares/{fare}/cancel",
      "A fare that is not paid yet can be given back by this call.",
    ),
    tool("delete_stamp", "DELETE /passes/stamps/{pass}", "Unstamp a pass"),
    tool("list_stamps", "GET /passes/stamps", "List the stamps of passes"),
    tool("create_stamp", "PUT /passes/stamps/{pass}", "Stamp a pass"),
    tool("list_fares", "GET /fares", "Lists fares"),
    tool("list_flags", "GET /trips/{number}/flags", "List the flags of a trip"),
    tool("create_flag", "PUT /trips/{number}/flags/{colour}", "Flag a trip"),
    tool("list_invites", "GET /clubs/{club}/invites", "Lists the invites of a club"),
    tool("delete_invite", "DELETE /clubs/{club}/invites/{invite}", "Deletes an invite"),
    tool("invite_member", "POST /clubs/{club}/invites", "Creates an invite for somebody who is to join the club"),
    tool("clear_sessions", "DELETE /users/{username}/sessions", "Removes all active sessions"),
    tool("delete_flag", "DELETE /trips/{number}/flags/{colour}", "Remove a mark from a trip"),
  ],
  { lenient: true },
);
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

  for (const [prompt, name] of [
    ["berth trip 9", "berth_trip"],
    ["unberth trip 9", "unberth_trip"],
    ["unberth trip 9 of acme/swan", "unberth_trip"],
    ["cancel fare", "PostFaresFareCancel"],
    ["cancel the fare", "PostFaresFareCancel"],
    ["cancel fare f_123", "PostFaresFareCancel"],
    ["flag trip 9", "create_flag"],
    ["unflag trip 9", "delete_flag"],
    ["stamp pass 9", "create_stamp"],
    ["unstamp pass 9", "delete_stamp"],
    ["fares of bob", "list_fares"],
    ["fare 5", "GetFaresFare"],
    ["fare", "list_fares"],
    ["the fare", "list_fares"],
    ["list the trips of bob", "list_trips_of_user"],
    ["show bob's trips", "list_trips_of_user"],
    ["which trips does bob have?", "list_trips_of_user"],
    ["list the trips of the club", "list_club_trips"],
    ["list my trips", "list_my_trips"],
    ["list the trips", "list_trips"],
    ["invite ada@example.org to the club", "invite_member"],
    ["sign bob out everywhere", "clear_sessions"],
    ["log ada out", "clear_sessions"],
  ] as const)
    it(`has ${name} first for "${prompt}", where verbs and paths say the same`, () =>
      expect(quay.search(prompt, 1)[0]?.tool.name).to.equal(name));

  it("reads what a body is put together of, and what it refers to", () => {
    const member = (properties: JsonObject): JsonObject => ({ type: "object", properties });
    const referring = (tool: Tool, $defs: JsonObject): Tool => ({
      ...tool,
      input_schema: { type: "object", properties: { data: { $ref: "#/$defs/whole" } }, $defs },
    });
    const crates = createIndex(
      [
        referring(tool("update_crate", "PUT /crates/{id}", "Change some values"), {
          whole: { allOf: [{ $ref: "#/$defs/base" }, { $ref: "#/$defs/whole" }] },
          base: member({
            sealed: { type: "boolean" },
            stowage: { description: "The deck" },
            assignee: { type: "string" },
          }),
        }),
        tool("delete_crate", "DELETE /crates/{id}", "Delete a crate"),
        tool("list_crates", "GET /crates", "List crates"),
        tool("seal_letter", "POST /letters/{id}/seal", "Seal a letter"),
        tool("assign_letter", "POST /letters/{id}/assign", "Assign a letter"),
      ],
      { lenient: true },
    );
    const best = (query: string): string | undefined => crates.search(query, 1)[0]?.tool.name;
    expect(best("stowage deck")).to.equal("update_crate");
    expect(best("unseal crate 5")).to.equal("update_crate");
    expect(best("unassign crate 5")).to.equal("update_crate");
    expect(best("delete crate 5")).to.equal("delete_crate");
  });

  it("takes letters for two words of the catalogue, and leaves them where it has none", () => {
    const hosts = createIndex(
      [tool("list_machines", "GET /machines", "All virtual machines"), tool("list_rooms", "GET /rooms", "All rooms")],
      { lenient: true },
    );
    expect(hosts.search("show the VMs", 2).map((found) => found.tool.name)).to.deep.equal(["list_machines"]);
    expect(index.search("PRs", 5)).to.deep.equal([]);
  });

  describe("where an everyday verb stands for one of the catalogue", () => {
    const kiosk = createIndex(
      [
        tool("kill_task", "POST /tasks/{id}/kill", "Kill a task"),
        tool("delete_poster", "DELETE /posters/{id}", "Delete a poster"),
        tool("update_poster", "PATCH /posters/{id}", "Update a poster"),
        tool("get_poster", "GET /posters/{id}", "Get a poster"),
        tool("sort_posters", "POST /posters/sort", "Sort the posters"),
        tool("suspend_vendor", "POST /vendors/{id}/suspend", "Suspend a vendor"),
        tool("update_vendor", "PATCH /vendors/{id}", "Update a vendor"),
        tool("get_vendor", "GET /vendors/{id}", "Get a vendor"),
        tool("refund_sale", "POST /sales/{id}/refund", "Refund a sale"),
        tool("get_sale", "GET /sales/{id}", "Get a sale"),
        tool("forward_letter", "POST /letters/{id}/forward", "Forward a letter"),
        tool("get_letter", "GET /letters/{id}", "Get a letter"),
        tool("recover_letter", "POST /letters/{id}/recover", "Recover a letter"),
        tool("deactivate_printer", "POST /printers/{id}/deactivation", "Deactivate a printer"),
        tool("update_printer", "PUT /printers/{id}", "Update a printer"),
      ],
      { lenient: true },
    );
    for (const [prompt, name] of [
      ["kill task 4", "kill_task"],
      ["wipe poster 4", "delete_poster"],
      ["please scrap poster 4", "delete_poster"],
      ["rename poster 4", "update_poster"],
      ["fix a typo in poster 4", "update_poster"],
      ["change the order of the posters", "sort_posters"],
      ["lock vendor 8 out", "suspend_vendor"],
      ["give them their money back for sale 3", "refund_sale"],
      ["pass letter 2 on", "forward_letter"],
      ["undelete letter 2", "recover_letter"],
      ["switch off printer 6", "deactivate_printer"],
    ] as const)
      it(`has ${name} first for "${prompt}"`, () => expect(kiosk.search(prompt, 1)[0]?.tool.name).to.equal(name));
  });

  describe("where paths say more than what they lead to", () => {
    const depot = createIndex(
      [
        tool("get_crate", "GET /crates/{id}.json", "One crate"),
        tool("list_crates", "GET /crates.json", "All crates"),
        tool("list_seals", "GET /crates/{id}/seals.json", "What a crate is closed with"),
        tool("crate_actions", "GET /crates/{id}/actions", "What was done to a crate"),
        tool("weigh_crate", "POST /crates/{id}/actions/weigh", "Puts it on the scale"),
        tool("list_route_stops", "GET /route-stops", "Stops"),
        tool("list_stops_of_route", "GET /routes/{id}/stops", "Stops of a route"),
        tool("create_drivers", "POST /drivers/create_many", "Create many drivers"),
        tool("create_driver", "POST /drivers", "Create a driver"),
      ],
      { lenient: true },
    );
    for (const [prompt, name] of [
      ["list all crates", "list_crates"],
      ["list the seals of crate 7", "list_seals"],
      ["weigh crate 7", "weigh_crate"],
      ["list the route stops", "list_route_stops"],
      ["list the stops of route 4", "list_stops_of_route"],
      ["create a driver", "create_driver"],
    ] as const)
      it(`has ${name} first for "${prompt}"`, () => expect(depot.search(prompt, 1)[0]?.tool.name).to.equal(name));
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
