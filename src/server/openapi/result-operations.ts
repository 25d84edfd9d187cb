// What the OpenAPI document describes of the route of whole results.
import type { JsonObject } from "../../lib/json.js";
import type { RouteDescription } from "./route-description.js";
import { schemaRef } from "./schemas.js";

const text = (description: string): JsonObject => ({ schema: { type: "string", description } });

/** The operations by `method /path`. */
export const RESULT_OPERATIONS: Record<string, RouteDescription> = {
  "get /-/results/{id}": {
    operationId: "getResult",
    tag: "record",
    summary:
      "The whole result of a recorded call: a page of its rows, filtered, sorted, grouped and summed, or all as a file",
    hasId: true,
    query: "result",
    success: {
      "200": {
        description: "The page, the value, or the file.",
        content: {
          "application/json": { schema: schemaRef("ResultAnswer") },
          "text/csv": text("The rows that match, by RFC 4180."),
          "text/tab-separated-values": text("The rows that match, one a line."),
          "application/x-ndjson": text("The rows that match, one JSON text a line."),
        },
      },
    },
    errors: [404],
  },
};
