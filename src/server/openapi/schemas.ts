// The shapes of the interface as JSON Schema 2020-12, for the OpenAPI document. What a caller sends is taken from the same
// zod schemas that check it. Source: reference, sections 2, 6, 7 and 10.

import { z } from "zod";
import { ERROR_STATUS } from "../../domain/error.js";
import { HISTORY_STATUSES } from "../../domain/history-status.js";
import type { JsonObject } from "../../lib/json.js";
import { DecisionBody, PromptBody } from "../request.js";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const object = { type: "object" };
const time = { type: "string", format: "date-time" };
const anything = {};
const oneOf = (...values: string[]): JsonObject => ({ type: "string", enum: values });
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });

/** A reference to one of the schemas below. */
export const ref = (name: keyof typeof SCHEMAS): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const arrayOf = (items: JsonObject): JsonObject => ({ type: "array", items });

/** An object whose fields are all there, except those marked with a trailing `?`. */
function record(fields: Record<string, JsonObject>): JsonObject {
  const entries = Object.entries(fields);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return {
    type: "object",
    required,
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ""), schema])),
  };
}

const event = (kind: string, fields: Record<string, JsonObject> = {}): JsonObject =>
  record({ kind: { const: kind }, ...fields });

const safety = oneOf("read_only", "mutating", "destructive");
const verb = oneOf("list", "get", "create", "update", "delete", "action");
const provenance = oneOf("declared", "inferred", "verified");
const turnStatus = oneOf("running", "done", "failed", "cancelled", "interrupted");
const policy = record({ read_only: boolean, dry_run: boolean, strict: boolean, confirm: boolean });
const heldCall = {
  ...{ id: string, session_id: string, turn_id: string, call_id: string, tool: string, safety },
  ...{ arguments: object, request: object, created_at: time, expires_at: time },
};
const actor = { provider: string, model: string, client: string };

/** An input schema as its own zod schema describes it, without the dialect line that OpenAPI sets for all. */
function fromZod(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

/** Every named schema of the interface. */
export const SCHEMAS = {
  PromptBody: fromZod(PromptBody),
  DecisionBody: fromZod(DecisionBody),
  RunResult: record({
    result: { type: "string", description: "The last assistant_message, or an empty string." },
    session_id: string,
    events: { type: "array", items: { $ref: "#/components/schemas/Event" } },
  }),
  Event: {
    description: "One step of a turn. The last five kinds come only when extended events were asked for.",
    discriminator: { propertyName: "kind" },
    oneOf: [
      event("user_prompt", { text: string }),
      event("assistant_delta", { text: string }),
      event("assistant_message", { text: string }),
      event("tool_call", { id: string, name: string, arguments: object }),
      event("tool_result", { id: string, result: anything, status: oneOf("ok", "error"), duration_ms: number }),
      event("error", { message: string }),
      event("done"),
      event("session", { session_id: string, turn_id: string, resumed: boolean }),
      event("confirmation_required", heldCall),
      event("confirmation_resolved", {
        id: string,
        decision: oneOf("approved", "denied", "expired"),
        "reason?": string,
        "arguments?": object,
      }),
      event("usage", { input_tokens: integer, output_tokens: integer, model: string }),
      event("notice", { message: string }),
    ],
  },
  PublicConfig: record({
    ...{ default_provider: string, sync_source: string, base_url: string },
    ...{ read_only: boolean, dry_run: boolean, strict: boolean, confirm_default: boolean },
    ...{ version: string, model: string, max_iterations: integer, history_limit: integer },
  }),
  SchemaDocument: { type: "object", required: ["resources"], properties: { resources: arrayOf(object) } },
  Tool: record({
    ...{ name: string, description: string, input_schema: object, resource: string, verb, safety, provenance },
    transport: record({ kind: string, "method?": string, "path?": string }),
  }),
  HistoryEntry: record({
    ...{ id: integer, ts: time, session_id: string, turn_id: string, call_id: string, tool: string },
    ...{ arguments: object, result: anything, status: oneOf(...HISTORY_STATUSES), duration_ms: orNull(number), safety },
    ...{ policy, request: orNull(object), ...actor },
  }),
  Session: record({
    ...{ session_id: string, created_at: time, updated_at: time, turns: integer, title: string, status: turnStatus },
  }),
  Transcript: record({
    session_id: string,
    turns: arrayOf(
      record({
        ...{ turn_id: string, prompt: string, status: turnStatus, error: string, started_at: time },
        ...{ ended_at: orNull(time), ...actor, messages: arrayOf(object) },
      }),
    ),
  }),
  Confirmation: record({
    ...{ ...heldCall, history_id: integer, policy, ...actor },
    ...{ status: oneOf("pending", "approved", "denied", "expired"), decided_at: orNull(time), reason: string },
  }),
  Cancelled: record({ cancelled: { type: "integer", description: "How many turns that stopped." } }),
  Error: record({
    error: record({ code: oneOf(...Object.keys(ERROR_STATUS)), message: string, details: arrayOf(string) }),
  }),
} satisfies Record<string, JsonObject>;
