// A person's decision on a held call, checked wherever it comes in.
import { z } from "zod";
import { AppError } from "./error.js";
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

/** The furthest that an expiry is put off, from now, in seconds. Source: docs/reference.md, "Confirmations". */
export const MAX_EXTENSION_SECONDS = 86_400;

/** More time for a held call: the body of POST /-/confirmations/{id}/extend. */
export const Extension = z.strictObject({ seconds: z.int().min(1).max(MAX_EXTENSION_SECONDS) });
export type Extension = z.infer<typeof Extension>;

/** Answers a request about a held call that is not on record. */
export function unknownHeldCall(): AppError {
  return new AppError("not_found", "There is no held call of this id; GET /-/confirmations lists them.");
}
