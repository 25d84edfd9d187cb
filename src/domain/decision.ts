// A person's decision on a held call, checked wherever it comes in.
import { z } from "zod";
import { AnyObject } from "./json-schemas.js";

/** The longest reason of a decision, in characters. */
const MAX_REASON = 2000;

/** A person's answer to a held call: the body of POST /-/confirmations/{id}. */
export const Decision = z.strictObject({
  decision: z.enum(["approve", "deny"]),
  reason: z.string().max(MAX_REASON).optional(),
  /** Replace the call's arguments; validated and judged again. */
  arguments: AnyObject.optional(),
});
export type Decision = z.infer<typeof Decision>;
