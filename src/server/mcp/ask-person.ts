// What an MCP client is told to ask a person: whether a call may be made, or what the application wants to know.
// Source: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
import { type ElicitRequestFormParams, type InputRequest, inputRequired } from "@modelcontextprotocol/server";
import type { HeldCall } from "../../domain/event.js";
import { DECEPTIVE, jsonEscape, visible } from "../../lib/invisible-characters.js";
import { canonicalJson, type JsonObject, objectOf, toJson } from "../../lib/json.js";

/** Under which the answer comes back. */
export const QUESTION = "answer";
/** Characters of the arguments that a dialog shows; the page shows all. */
const MAX_SHOWN = 16_000;

/** Changed rows that a dialog shows; the page shows all. */
const MAX_CHANGES = 5;

const APPROVAL: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    approve: { type: "boolean", title: "Approve", description: "Whether this call may be made.", default: false },
    reason: { type: "string", title: "Reason", description: "What the model reads of a refusal." },
  },
  required: ["approve"],
};

const shown = (value: unknown): string =>
  toJson(value, 2).replace(DECEPTIVE, (one) => (one === "\n" ? one : jsonEscape(one)));

type Change = NonNullable<HeldCall["effect"]>["changes"][number];

/** What is other after a change, before and after it. */
function changeLine({ resource, key, before, after }: Change): string {
  const [was, is] = [objectOf(before), objectOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const other = names.filter((name) => canonicalJson(was[name] ?? null) !== canonicalJson(is[name] ?? null));
  const only = (row: JsonObject): string => toJson(Object.fromEntries(other.map((name) => [name, row[name] ?? null])));
  const from = before === null ? "new" : only(was);
  const to = after === null ? "deleted" : only(is);
  return visible(`  ${resource} ${toJson(key)}: ${from} → ${to}`);
}

/** What a call would do: how many rows of each table, and the first of them. */
function effectLines({ effect, undo }: HeldCall): string[] {
  if (!effect) return [];
  const { tables = [], changes, complete } = effect;
  const counted = tables.map(({ name, inserted, updated, deleted }) => {
    const counts = Object.entries({ inserted, updated, deleted }).filter(([, count]) => count > 0);
    return `${visible(name)}: ${counts.map(([what, count]) => `${count} ${what}`).join(", ") || "nothing"}`;
  });
  const sums = counted.length > 0 ? counted : [`${changes.length} changes`];
  const whole = complete ? [] : ["and maybe more"];
  const back = undo === undefined ? "" : ` (undo: ${undo})`;
  return [
    `It would change: ${[...sums, ...whole].join("; ")}${back}`,
    ...changes.slice(0, MAX_CHANGES).map(changeLine),
  ];
}

/** The words of a question about a call. */
function callMessage(held: HeldCall, page: string | undefined): string {
  const { tool, safety, request } = held;
  const args = shown(held.arguments);
  const cut =
    args.length > MAX_SHOWN ? `${args.slice(0, MAX_SHOWN)}\n… ${args.length - MAX_SHOWN} more characters` : args;
  const { method, url } = request;
  const target = typeof method === "string" && typeof url === "string" ? [visible(`${method} ${url}`)] : [];
  const where = page === undefined ? [] : [`All of it: ${page}`];
  return [`May agentd call ${visible(tool)} (${safety})?`, cut, ...target, ...effectLines(held), ...where].join("\n");
}

/** What the client asks; undefined when it cannot ask that. */
export function questionFor(
  held: HeldCall,
  { page, canVisit }: { page: string | undefined; canVisit: boolean },
): InputRequest | undefined {
  const { input } = held;
  if (!input) return inputRequired.elicit({ message: callMessage(held, page), requestedSchema: APPROVAL });
  const message = `${visible(held.tool)} asks: ${visible(input.message)}`;
  if (input.url !== undefined) return canVisit ? inputRequired.elicitUrl({ message, url: input.url }) : undefined;
  const requestedSchema = (input.fields ?? {
    type: "object",
    properties: {},
  }) as ElicitRequestFormParams["requestedSchema"];
  return inputRequired.elicit({ message, requestedSchema });
}
