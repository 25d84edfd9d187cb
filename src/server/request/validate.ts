// Checks what a caller sent against a zod schema, and words what is wrong so that a person can mend it.
import type { z } from "zod";
import { AppError, type ErrorCode } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { zodMessage } from "../../lib/zod-messages.js";

/** Faults named in an answer; a body can hold a hundred thousand. */
const MAX_DETAILS = 10;
/** Faults named in its one sentence. */
const MAX_FAULTS_IN_MESSAGE = 3;
/** Characters of a caller's own word that are quoted back. */
const MAX_QUOTED = 80;

/** The fault of a name that is not known, with the nearest known one. */
export function unknownName(what: "field" | "parameter", key: string, known: readonly string[]): string {
  const short = key.length > MAX_QUOTED ? `${key.slice(0, MAX_QUOTED)}…` : key;
  const suggestion = didYouMean(short, known);
  return `unknown ${what} ${JSON.stringify(short)}.${suggestion || ` Known: ${known.join(", ") || "none"}.`}`;
}

/** A fault as a sentence about the field. */
function sentence({ path, message }: z.core.$ZodIssue): string {
  const text = `${path.length > 0 ? path.join(".") : "The body"} ${message}`;
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** All faults as one error: the message stands alone, because a /chat client gets nothing else. */
export function toFaultError(code: ErrorCode, faults: readonly (() => string)[]): AppError {
  const total = faults.length;
  const details = faults.slice(0, MAX_DETAILS).map((describe) => describe());
  const [only] = details;
  if (total === 1 && only !== undefined) return new AppError(code, only, { details });
  const named = details.slice(0, MAX_FAULTS_IN_MESSAGE);
  const more = total > named.length ? ` … and ${total - named.length} more` : "";
  const message = `${total} things are wrong: ${named.map((fault, at) => `(${at + 1}) ${fault}`).join(" ")}${more}`;
  if (total > details.length) details.push(`and ${total - details.length} more`);
  return new AppError(code, message, { details });
}

/** The checked value. Throws AppError with this code. */
export function validate<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode): T {
  const parsed = schema.safeParse(value, { error: zodMessage });
  if (parsed.success) return parsed.data;
  const known = "shape" in schema ? Object.keys(schema.shape as object) : [];
  const faults = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [() => sentence(issue)];
    return issue.keys.map((key) => () => unknownName("field", key, known));
  });
  throw toFaultError(code, faults);
}
