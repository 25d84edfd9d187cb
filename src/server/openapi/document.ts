// The OpenAPI 3.1 document of the daemon's own interface, served at /-/openapi.json. A test holds it against the routes.

import { z } from "zod";
import type { JsonObject } from "../../lib/json.js";
import { QUERIES } from "../request.js";
import { arrayOf, ref, SCHEMAS } from "./schemas.js";

const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
const error = (description: string): JsonObject => ({ description, content: json(ref("Error")) });

const ERRORS: Readonly<Record<number, JsonObject>> = {
  400: error("The body, query or path is invalid; so is a query parameter that is not named here, `token` excepted."),
  401: error("The token is missing or wrong. A browser's page load gets a sign-in page instead of JSON."),
  403: error("The Host or Origin is refused."),
  404: error("There is no such thing."),
  405: error("The path does not take this method; Allow names those it takes."),
  409: error("The thing is not in a state that allows this."),
  413: error("The body is over 1 MiB."),
  415: error("The body is not JSON in UTF-8."),
  426: error("A plain request to a path that speaks WebSocket."),
  429: error("Too many prompts of this session are waiting."),
  500: error("Something unexpected failed; the message says what."),
  503: error("The daemon is busy, shutting down, or cannot keep its record. Retry-After says when to try again."),
};
/** What any route may answer before its handler is reached, or when it breaks. */
const COMMON = [400, 401, 403, 500, 503];

/** Parameters of a query, from the schema that checks it. */
function queryParameters(name: keyof typeof QUERIES): JsonObject[] {
  const { properties = {} } = z.toJSONSchema(QUERIES[name], { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([field, schema]) => ({
    ...{ name: field, in: "query", required: false, allowEmptyValue: false },
    schema: JSON.parse(JSON.stringify(schema)) as JsonObject,
  }));
}

const ID: JsonObject = { name: "id", in: "path", required: true, schema: { type: "string" } };

/** Statuses that answer with a JSON error, beside the common ones. */
function operation(
  summary: string,
  success: Record<string, JsonObject>,
  more: { errors?: number[]; parameters?: JsonObject[]; body?: JsonObject; open?: boolean } = {},
): JsonObject {
  const { errors = [], parameters = [], body, open = false } = more;
  const statuses = [...COMMON.filter((status) => !(open && status === 401)), ...errors];
  const failures = Object.fromEntries(statuses.map((status) => [String(status), ERRORS[status] ?? {}]));
  return {
    summary,
    ...(open && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: { ...success, ...failures },
  };
}

const ok = (description: string, schema: JsonObject): Record<string, JsonObject> => ({
  "200": { description, content: json(schema) },
});
const text = (description: string): Record<string, JsonObject> => ({
  "200": { description, content: { "text/plain": { schema: { type: "string" } } } },
});
const nothing = (description: string): Record<string, JsonObject> => ({ "204": { description } });

const SESSION_HEADER: JsonObject = {
  "X-Session-Id": { description: "The session this belongs to.", schema: { type: "string" } },
};
const RUN_RESULT: Record<string, JsonObject> = {
  "200": {
    description: "The turn, also when it failed: then it holds an error event.",
    headers: SESSION_HEADER,
    content: {
      ...json(ref("RunResult")),
      "text/event-stream": { schema: { type: "string", description: "Each event as one data line." } },
      "application/x-ndjson": { schema: { type: "string", description: "Each event as one line." } },
    },
  },
};
const BODY_ERRORS = [413, 415];

const PATHS: JsonObject = {
  "/run": {
    post: operation("Run a prompt", RUN_RESULT, { body: ref("PromptBody"), errors: [409, ...BODY_ERRORS, 429] }),
  },
  "/history": {
    get: operation("Recorded calls, newest first", ok("The rows.", arrayOf(ref("HistoryEntry"))), {
      parameters: queryParameters("history"),
    }),
  },
  "/schema": {
    get: operation("The schema document, verbatim", {
      ...ok("The document.", ref("SchemaDocument")),
      "304": { description: "It is the one of If-None-Match." },
    }),
  },
  "/tools": { get: operation("The tools, in document order", ok("The tools.", arrayOf(ref("Tool")))) },
  "/config/public": { get: operation("The configuration, without secrets", ok("It.", ref("PublicConfig"))) },
  "/chat": {
    get: operation(
      "Converse over a WebSocket: prompt, cancel and confirm frames in, events out",
      { "101": { description: "The WebSocket is open.", headers: SESSION_HEADER } },
      { parameters: queryParameters("chat"), errors: [426] },
    ),
  },
  "/-/healthz": { get: operation("Whether the daemon is alive", text("ok"), { open: true }) },
  "/-/readyz": { get: operation("Whether the daemon takes prompts", text("ok"), { open: true }) },
  "/-/openapi.json": { get: operation("This document", ok("It.", { type: "object" })) },
  "/-/metrics": { get: operation("Counters in the Prometheus text format", text("The samples.")) },
  "/-/tools/search": {
    get: operation("The tools that fit a query, best first", ok("The tools.", arrayOf(ref("Tool"))), {
      parameters: queryParameters("search"),
    }),
  },
  "/-/signin": { post: operation("Let this browser load the web UI's files", nothing("The cookie is set.")) },
  "/-/sessions": {
    get: operation("Sessions, most recently used first", ok("The sessions.", arrayOf(ref("Session"))), {
      parameters: queryParameters("sessions"),
    }),
  },
  "/-/sessions/{id}": {
    get: operation("A session's transcript", ok("It.", ref("Transcript")), { parameters: [ID], errors: [404] }),
    delete: operation("Delete a session's transcript; the history stays", nothing("It is deleted."), {
      parameters: [ID],
      errors: [404, 409],
    }),
  },
  "/-/sessions/{id}/cancel": {
    post: operation("Cancel a session's running and waiting turns", ok("Done.", ref("Cancelled")), {
      parameters: [ID],
      errors: [404],
    }),
  },
  "/-/confirmations": {
    get: operation("Calls held for a person's yes", ok("Pending ones first.", arrayOf(ref("Confirmation"))), {
      parameters: queryParameters("confirmations"),
    }),
  },
  "/-/confirmations/{id}": {
    post: operation("Approve or deny a held call", ok("As decided.", ref("Confirmation")), {
      ...{ parameters: [ID], body: ref("DecisionBody"), errors: [404, 409, ...BODY_ERRORS] },
    }),
  },
};

let serialised: string | undefined;

/** The document as JSON; made at the first call and kept. */
export function openApi(version: string): string {
  serialised ??= JSON.stringify({
    openapi: "3.1.0",
    info: { title: "agentd", version, description: "A local daemon that operates an application by prompts." },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }, { serviceToken: [] }],
    paths: PATHS,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "Needed only when the daemon was started with a token.",
        },
        serviceToken: { type: "apiKey", in: "header", name: "X-Service-Token" },
      },
      schemas: SCHEMAS,
    },
  });
  return serialised;
}
