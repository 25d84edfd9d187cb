// A harbour for the planner's tests: boats with numbers and days, berths, skippers, moorings that are cancelled and paid. Nothing is
// kept, so that prompts do not depend on each other.
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createSession, tool } from "../session.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };
const STATE = { type: "string", enum: ["reserved", "berthed", "left"] };

const TOOLS: readonly Tool[] = [
  tool("list_boats", "list", "GET /boats", { min_draught: N, skipper_id: I, insured: { type: "boolean" }, flag: S }),
  tool("get_boat", "get", "GET /boats/{boat_id}", { boat_id: I }, ["boat_id"]),
  tool("create_boat", "create", "POST /boats", { name: S, draught: N, skipper_id: I }, ["name", "draught"]),
  tool("update_boat", "update", "PATCH /boats/{boat_id}", { boat_id: I, name: S, draught: N }, ["boat_id"]),
  tool("delete_boat", "delete", "DELETE /boats/{boat_id}", { boat_id: I }, ["boat_id"]),
  tool("list_skippers", "list", "GET /skippers", { q: S }),
  tool("get_skipper", "get", "GET /skippers/{skipper_id}", { skipper_id: I }, ["skipper_id"]),
  tool("list_moorings", "list", "GET /moorings", { state: STATE, boat_id: I }),
  tool("get_mooring", "get", "GET /moorings/{mooring_id}", { mooring_id: I }, ["mooring_id"]),
  tool("check_in_mooring", "action", "POST /moorings/{mooring_id}/check-in", { mooring_id: I }, ["mooring_id"]),
  tool("cancel_mooring", "action", "POST /moorings/{mooring_id}/cancel", { mooring_id: I, reason: S }, ["mooring_id"]),
  tool("report_damage", "action", "POST /boats/{boat_id}/damages", { boat_id: I, description: S }, [
    "boat_id",
    "description",
  ]),
];

const BOATS: readonly JsonObject[] = [
  {
    id: 1,
    name: "Gull",
    hull: "white",
    draught: 1.2,
    length_m: 8,
    weight_t: 3,
    flag: "NO",
    built: 1988,
    skipper_id: 21,
    insured: true,
  },
  {
    id: 2,
    name: "Tern",
    hull: "red",
    draught: 2.4,
    length_m: 14,
    weight_t: 11,
    flag: "DK",
    built: 2004,
    skipper_id: 22,
    insured: false,
  },
  {
    id: 3,
    name: "Auk",
    hull: "blue",
    draught: 0.9,
    length_m: 6,
    weight_t: 2,
    flag: "SE",
    built: 2019,
    skipper_id: 21,
    insured: true,
  },
  {
    id: 4,
    name: "Fulmar",
    hull: "red",
    draught: 3.1,
    length_m: 21,
    weight_t: 48,
    flag: "NO",
    built: 1971,
    skipper_id: 23,
    insured: true,
  },
];
const ROWS: Readonly<Record<string, readonly JsonObject[]>> = {
  boats: BOATS,
  skippers: [
    { id: 21, name: "Inga Moe", born: "1970-02-01" },
    { id: 22, name: "Palle Krag", born: "1991-07-30" },
    { id: 23, name: "Jorun Vik", born: "1985-11-12" },
  ],
  moorings: [
    { id: 31, boat_id: 1, state: "berthed", starts_on: "2026-11-02", ends_on: "2026-12-05", fee: 120 },
    { id: 32, boat_id: 2, state: "reserved", starts_on: "2026-12-09", ends_on: "2026-12-20", fee: 340 },
    { id: 33, boat_id: 4, state: "left", starts_on: "2026-10-01", ends_on: "2026-11-01", fee: 510 },
  ],
};

/** What the target answers: it filters by equal values and by the least draught. */
function answer({ resource, verb }: Tool, args: JsonObject): JsonValue {
  const rows = ROWS[resource] ?? [];
  const [key] = Object.entries(args).filter(([name]) => name === `${resource.slice(0, -1)}_id`);
  if (verb === "get") return rows.find(({ id }) => id === key?.[1]) ?? { error: "not_found" };
  if (verb !== "list") return { id: 99 };
  const { min_draught: least, q, ...others } = args;
  return rows.filter(
    (row) =>
      (least === undefined || Number(row["draught"]) >= Number(least)) &&
      (q === undefined || String(row["name"]).includes(String(q))) &&
      Object.entries(others).every(([name, value]) => row[name] === value),
  );
}

/** A conversation with the planner about the harbour. */
export const visitHarbour = () => createSession(TOOLS, answer);
