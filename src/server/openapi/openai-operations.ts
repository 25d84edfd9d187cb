// What the OpenAPI document describes of the routes in OpenAI's formats. Their answers are described as far as they are read.
import type { JsonObject } from "../../lib/json.js";
import { answersJson, BODY_ERRORS, type RouteDescription } from "./route-description.js";
import { schemaRef } from "./schemas.js";

const MODE: JsonObject = {
  description: "Turns this mode on for the turn; nothing turns one off.",
  schema: { type: "string", enum: ["true", "false", "1", "0"] },
};
const HEADERS: Record<string, JsonObject> = {
  "X-Session-Id": { description: "The session to go on with.", schema: { type: "string" } },
  "Idempotency-Key": {
    description: "As for POST /run: sent again with this key, it gives the same turn and runs no second one.",
    schema: { type: "string", minLength: 1 },
  },
  "X-Agentd-Read-Only": MODE,
  "X-Agentd-Dry-Run": MODE,
  "X-Agentd-Strict": MODE,
  "X-Agentd-Confirm": MODE,
};

const STREAM: JsonObject = {
  schema: { type: "string", description: "Each event as one data line, [DONE] at the end." },
};
const named = (object: string, id: string): JsonObject => ({
  type: "object",
  properties: { id: { type: "string", pattern: `^${id}` }, object: { const: object } },
  required: ["id", "object"],
});
const RESPONSE = named("response", "resp_");

const answers = (description: string, schema: JsonObject): Record<string, JsonObject> => ({
  "200": { description, content: { "application/json": { schema }, "text/event-stream": STREAM } },
});

const ROUTES: Record<string, Omit<RouteDescription, "tag" | "errorSchema">> = {
  "get /-/v1/models": {
    operationId: "listModels",
    summary: "The agent as models: `agentd`, and `agentd/PROVIDER` for each provider",
    success: answersJson("The models.", {
      type: "object",
      properties: { object: { const: "list" }, data: { type: "array", items: schemaRef("OpenAiModel") } },
      required: ["object", "data"],
    }),
  },
  "get /-/v1/models/{id}": {
    operationId: "getModel",
    summary: "One of them; the slash in its name is written %2F",
    hasId: true,
    success: answersJson("The model.", schemaRef("OpenAiModel")),
    errors: [404],
  },
  "get /-/v1/models/agentd/{id}": {
    operationId: "getModelOfProvider",
    summary: "The agent with the provider of this name",
    hasId: true,
    success: answersJson("The model.", schemaRef("OpenAiModel")),
    errors: [404],
  },
  "post /-/v1/chat/completions": {
    operationId: "createChatCompletion",
    summary: "Run the newest user message as a prompt",
    body: "ChatBody",
    headers: HEADERS,
    success: answers("The answer.", named("chat.completion", "chatcmpl-")),
    errors: [404, 409, ...BODY_ERRORS, 422, 429],
  },
  "post /-/v1/responses": {
    operationId: "createResponse",
    summary: "Run a prompt; with `background` it goes on by itself",
    body: "ResponsesBody",
    headers: HEADERS,
    success: answers("The response, also when it failed: then its status says so.", RESPONSE),
    errors: [404, 409, ...BODY_ERRORS, 422, 429],
  },
  "get /-/v1/responses/{id}": {
    operationId: "getResponse",
    summary: "A response as it is, or its events behind `starting_after` and those to come",
    hasId: true,
    query: "response",
    success: answers("The response.", RESPONSE),
    errors: [404],
  },
  "get /-/v1/responses/{id}/input_items": {
    operationId: "listInputItems",
    summary: "What was asked: the prompt and what came along with it, the newest first",
    hasId: true,
    query: "inputItems",
    success: answersJson("The items, all of them.", {
      type: "object",
      properties: { object: { const: "list" }, data: { type: "array", items: { type: "object" } } },
      required: ["object", "data", "first_id", "last_id", "has_more"],
    }),
    errors: [404],
  },
  "post /-/v1/responses/{id}/cancel": {
    operationId: "cancelResponse",
    summary: "Cancel the turn of a response",
    hasId: true,
    success: answersJson("The response, cancelled unless it was over.", RESPONSE),
    errors: [404],
  },
};

/** Those of `/-/v1`, by `method /path`. */
export const OPENAI_OPERATIONS: Readonly<Record<string, RouteDescription>> = Object.fromEntries(
  Object.entries(ROUTES).map(([route, description]) => [
    route,
    { ...description, tag: "openai", errorSchema: schemaRef("OpenAiError") },
  ]),
);
