// How a route is described in the OpenAPI document.
import type { JsonObject } from "../../lib/json.js";
import type { QueryName } from "../request/query.js";
import type { SchemaName } from "./schemas.js";

/** The groups of operations. */
export const TAGS = {
  prompts: "Running prompts",
  openai: "The agent as a model, in OpenAI's formats",
  application: "The application and its tools",
  record: "History, sessions and their transcripts",
  confirmations: "Calls that wait for a person's decision",
  mcp: "The Model Context Protocol",
  operation: "Running the daemon",
};

/** One method of one path. */
export interface RouteDescription {
  /** Unique; what a generated client calls the method. */
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  /** Answers other than errors, by status. */
  success: Record<string, JsonObject>;
  /** The route's query parameters. */
  query?: QueryName;
  /** Request headers, by their names. */
  headers?: Record<string, JsonObject>;
  /** Whether the path has an `{id}`. */
  hasId?: boolean;
  body?: SchemaName;
  /** Of a body that has no schema of its own. */
  bodySchema?: JsonObject;
  /** Statuses that answer with a JSON error, beside those of every route. */
  errors?: readonly number[];
  /** What an error may be instead of the object of every route. */
  errorSchema?: JsonObject;
  /** Whether it is answered without a token. */
  isOpen?: boolean;
}

/** Of a route that takes a JSON body. */
export const BODY_ERRORS = [413, 415];

/** A route whose answer is JSON. */
export const answersJson = (description: string, schema: JsonObject): Record<string, JsonObject> => ({
  "200": { description, content: { "application/json": { schema } } },
});
/** One whose answer is text. */
export const answersText = (description: string): Record<string, JsonObject> => ({
  "200": { description, content: { "text/plain": { schema: { type: "string" } } } },
});
/** One whose answer has no body. */
export const answersNothing = (description: string): Record<string, JsonObject> => ({ "204": { description } });
