// The safety modes as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";

/** Which modes are in force. */
export const PolicySchema = z.object({
  read_only: z.boolean(),
  dry_run: z.boolean(),
  strict: z.boolean(),
  confirm: z.boolean(),
});
