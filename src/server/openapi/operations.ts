// What the OpenAPI document describes of each route: one entry a method of a path.
import type { JsonObject } from "../../lib/json.js";
import { MAX_KEY_CHARS } from "../request/idempotency-key.js";
import { MCP_OPERATIONS } from "./mcp-operations.js";
import { OPENAI_OPERATIONS } from "./openai-operations.js";
import { OPERATOR_OPERATIONS } from "./operator-operations.js";
import { RESULT_OPERATIONS } from "./result-operations.js";
import { answersJson, answersNothing, BODY_ERRORS, type RouteDescription } from "./route-description.js";
import { arrayOf, schemaRef } from "./schemas.js";
import { TOOL_OPERATIONS } from "./tool-operations.js";

const SESSION_HEADER: JsonObject = {
  "X-Session-Id": { description: "The session this belongs to.", schema: { type: "string" } },
};
const TURN_HEADERS: JsonObject = {
  ...SESSION_HEADER,
  "X-Turn-Id": { description: "The turn this belongs to.", schema: { type: "string" } },
};

const SEARCH_HEADERS: JsonObject = {
  "X-Search-Before": {
    description: "The search took long and is not over: go on with this as before.",
    schema: { type: "integer" },
  },
  "X-Search-After": {
    description: "The same when reading forward: go on with this as after.",
    schema: { type: "integer" },
  },
};

const RUN_HEADERS: JsonObject = {
  ...TURN_HEADERS,
  "Idempotency-Replayed": {
    description: "With an Idempotency-Key: an earlier request began this turn.",
    schema: { const: "true" },
  },
};

const EVENT_STREAMS: JsonObject = {
  "text/event-stream": { schema: { type: "string", description: "Each event as one data line, its id before it." } },
  "application/x-ndjson": { schema: { type: "string", description: "Each event as one line, with its number." } },
};
const NOTHING_LEFT = { "204": { description: "The turn is over, and nothing is left behind that event." } };

const PROMPTS: Record<string, RouteDescription> = {
  "post /run": {
    operationId: "runPrompt",
    tag: "prompts",
    summary: "Run a prompt",
    body: "PromptBody",
    headers: {
      "Idempotency-Key": {
        description:
          "Names the prompt: sent again with this key, in the same session, within a day, it gives the same turn and runs no second one. A structured-field string, or bare printable ASCII without spaces.",
        schema: { type: "string", minLength: 1, maxLength: MAX_KEY_CHARS },
      },
    },
    success: {
      "200": {
        description: "The turn, also when it failed: then it holds an error event.",
        headers: RUN_HEADERS,
        content: {
          "application/json": { schema: schemaRef("RunResult") },
          "text/event-stream": {
            schema: { type: "string", description: "Each event as one data line, its id before it." },
          },
          "application/x-ndjson": { schema: { type: "string", description: "Each event as one line." } },
        },
      },
      "202": {
        description: "A detached turn is accepted, for a client that wants no stream.",
        headers: RUN_HEADERS,
        content: { "application/json": { schema: schemaRef("AcceptedTurn") } },
      },
    },
    errors: [409, ...BODY_ERRORS, 422, 429],
  },
  "get /chat": {
    operationId: "openChat",
    tag: "prompts",
    summary: "Chat over a WebSocket: prompt, cancel, confirm, resume and follow frames in, events out",
    query: "chat",
    success: { "101": { description: "The WebSocket is open.", headers: SESSION_HEADER } },
    errors: [426],
  },
};

const TURNS: Record<string, RouteDescription> = {
  "get /-/turns/{id}/events": {
    operationId: "readTurn",
    tag: "prompts",
    summary: "Replay a turn, and follow it to its end in the streamed forms; the header Last-Event-ID wins over after",
    hasId: true,
    query: "turnEvents",
    success: {
      "200": {
        description: "Its events, extended ones included.",
        headers: TURN_HEADERS,
        content: { "application/json": { schema: schemaRef("ReplayedTurn") }, ...EVENT_STREAMS },
      },
      ...NOTHING_LEFT,
    },
    errors: [404],
  },
  "post /-/turns/{turn_id}/calls/{call_id}/cancel": {
    operationId: "cancelCall",
    tag: "prompts",
    summary: "Stop one call that is under way; its turn goes on",
    success: answersJson("Whether there was anything to stop.", schemaRef("CancelledCall")),
    errors: [404],
  },
  "get /-/sessions/{id}/events": {
    operationId: "followSession",
    tag: "prompts",
    summary:
      "Follow a session's turns: the running one, then those that come; the header Last-Event-ID wins over after",
    hasId: true,
    query: "sessionEvents",
    success: { "200": { description: "Their events.", headers: SESSION_HEADER, content: EVENT_STREAMS } },
    errors: [404],
  },
};

const APPLICATION: Record<string, RouteDescription> = {
  "get /schema": {
    operationId: "getSchema",
    tag: "application",
    summary: "The schema document, verbatim; with several applications one made of all of theirs",
    query: "schema",
    success: {
      ...answersJson("The document.", schemaRef("SchemaDocument")),
      "304": { description: "It is the one of If-None-Match." },
    },
  },
  "get /tools": {
    operationId: "listTools",
    tag: "application",
    summary:
      "The tools, in document order; by application those of one; by name one of them, with the whole schema of its arguments",
    query: "tools",
    success: answersJson("The tools.", arrayOf("Tool")),
  },
  "get /-/tools/search": {
    operationId: "searchTools",
    tag: "application",
    summary:
      "The tools that match a query, best first, by application those of one; none that matches far less than the best",
    query: "search",
    success: answersJson("The tools.", arrayOf("Tool")),
  },
};

const RECORD: Record<string, RouteDescription> = {
  "get /-/changes": {
    operationId: "followChanges",
    tag: "record",
    summary: "What changes anywhere in the daemon from now on, by its name; over a WebSocket, too",
    success: {
      "200": {
        description: "The changes, each a Change as JSON, until the client leaves.",
        content: {
          "text/event-stream": { schema: schemaRef("Change") },
          "application/x-ndjson": { schema: schemaRef("Change") },
        },
      },
      "101": { description: "The WebSocket is open: each change is a text frame." },
    },
  },
  "get /history": {
    operationId: "listHistory",
    tag: "record",
    summary: "Recorded calls, newest first",
    query: "history",
    success: {
      "200": {
        description: "The rows.",
        headers: SEARCH_HEADERS,
        content: { "application/json": { schema: arrayOf("HistoryEntry") } },
      },
    },
  },
  "post /-/history/{id}/undo": {
    operationId: "undoCall",
    tag: "record",
    summary: "Take a recorded change back, as a call of its own",
    hasId: true,
    body: "ModesBody",
    success: {
      ...answersJson("What became of the undo; its row says the same.", schemaRef("UndoAnswer")),
      "202": {
        description: "It waits for a person's yes.",
        content: { "application/json": { schema: schemaRef("UndoAnswer") } },
      },
    },
    errors: [404, 409, ...BODY_ERRORS],
  },
  "get /-/sessions": {
    operationId: "listSessions",
    tag: "record",
    summary:
      "Sessions, most recently used first; with `q` those that have the words in their titles, prompts or answers",
    query: "sessions",
    success: answersJson("The sessions.", arrayOf("Session")),
  },
  "get /-/sessions/{id}": {
    operationId: "getTranscript",
    tag: "record",
    summary: "A session's transcript",
    hasId: true,
    query: "transcript",
    success: {
      "200": {
        description: "The transcript; as Markdown, where that is accepted and JSON is not.",
        content: {
          "application/json": { schema: schemaRef("Transcript") },
          "text/markdown": { schema: { type: "string" } },
        },
      },
    },
    errors: [404],
  },
  "patch /-/sessions/{id}": {
    operationId: "renameSession",
    tag: "record",
    summary: "Give a session a title; an empty one returns to its first prompt",
    hasId: true,
    body: "TitleBody",
    success: answersJson("The session.", schemaRef("Session")),
    errors: [404, ...BODY_ERRORS],
  },
  "delete /-/sessions/{id}": {
    operationId: "deleteSession",
    tag: "record",
    summary: "Delete a session's transcript; the history stays",
    hasId: true,
    success: answersNothing("It is deleted."),
    errors: [404, 409],
  },
  "post /-/sessions/{id}/cancel": {
    operationId: "cancelSession",
    tag: "record",
    summary: "Cancel a session's running and waiting turns",
    hasId: true,
    success: answersJson("They are cancelled.", schemaRef("Cancelled")),
    errors: [404],
  },
};

const CONFIRMATIONS: Record<string, RouteDescription> = {
  "get /-/confirmations": {
    operationId: "listConfirmations",
    tag: "confirmations",
    summary: "Confirmations, undecided ones first; with `before`, those held before that one, newest first",
    query: "confirmations",
    success: answersJson("The confirmations.", arrayOf("Confirmation")),
  },
  "get /-/confirmations/{id}": {
    operationId: "getConfirmation",
    tag: "confirmations",
    summary: "One confirmation, decided ones too",
    hasId: true,
    success: answersJson("The confirmation.", schemaRef("Confirmation")),
    errors: [404],
  },
  "post /-/confirmations/{id}": {
    operationId: "decideConfirmation",
    tag: "confirmations",
    summary: "Approve or deny a held call",
    hasId: true,
    body: "Decision",
    success: answersJson("As decided.", schemaRef("Decided")),
    errors: [404, 409, ...BODY_ERRORS],
  },
  "post /-/confirmations/{id}/extend": {
    operationId: "extendConfirmation",
    tag: "confirmations",
    summary: "Give a held call more time",
    hasId: true,
    body: "Extension",
    success: answersJson("With its new expiry.", schemaRef("Confirmation")),
    errors: [404, 409, ...BODY_ERRORS],
  },
};

/** Every operation by `method /path`. */
export const OPERATIONS: Readonly<Record<string, RouteDescription>> = {
  ...PROMPTS,
  ...TURNS,
  ...OPENAI_OPERATIONS,
  ...APPLICATION,
  ...TOOL_OPERATIONS,
  ...RECORD,
  ...RESULT_OPERATIONS,
  ...CONFIRMATIONS,
  ...MCP_OPERATIONS,
  ...OPERATOR_OPERATIONS,
};
