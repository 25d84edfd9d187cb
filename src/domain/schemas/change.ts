// What GET /-/changes sends as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { CONFIRMATION_STATUSES } from "../confirmation-status.js";
import { HISTORY_STATUSES } from "../history-status.js";

/** What changed, by its name. */
export const ChangeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("confirmation"),
    id: z.string(),
    session_id: z.string(),
    status: z.enum(CONFIRMATION_STATUSES),
  }),
  z.object({ kind: z.literal("session"), session_id: z.string(), deleted: z.literal(true).optional() }),
  /** A row was written or completed, the newest of those since the last such change. */
  z.object({ kind: z.literal("history"), id: z.int(), status: z.enum(HISTORY_STATUSES) }),
  /** The configuration or the tools are others. */
  z.object({ kind: z.literal("configuration") }),
]);
