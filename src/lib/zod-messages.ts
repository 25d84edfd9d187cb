// Zod issues as messages for a person. A message follows the name of the field, as in "limit must be a whole number".
import type { z } from "zod";
import { didYouMean } from "./did-you-mean.js";

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a JSON object",
  record: "a JSON object",
  array: "an array",
};

/** The kind of the value that was given. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "boolean" ? "a boolean" : (KINDS[typeof value] ?? "a number");
}

/** `"a", "b" or "c"`. */
function choice(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

function bound(origin: string, word: "least" | "most", limit: number | bigint): string {
  const unit = origin === "string" ? " character" : "";
  return `must be at ${word} ${limit}${unit && Number(limit) !== 1 ? `${unit}s` : unit}`;
}

/** The message of an issue; undefined where the schema's own message, or zod's, is used. Pass it to `safeParse` as `error`. */
export function zodMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  const must = (what: string): string => (input === undefined ? `is missing; it must be ${what}` : `must be ${what}`);
  switch (issue.code) {
    case "invalid_type": {
      const what = must(KINDS[String(issue["expected"])] ?? String(issue["expected"]));
      // Of a fraction that it is a number says nothing.
      return input === undefined || (issue["expected"] === "int" && typeof input === "number")
        ? what
        : `${what}, not ${kindOf(input)}`;
    }
    case "invalid_value": {
      const values = issue["values"] as readonly unknown[];
      const near = typeof input === "string" ? didYouMean(input, values.map(String)) : "";
      return near === "" ? must(choice(values)) : `${must(choice(values))}.${near}`;
    }
    case "too_small":
      if (issue["origin"] === "string" && issue["minimum"] === 1) return "must not be empty";
      return bound(String(issue["origin"]), "least", issue["minimum"] as number);
    case "too_big":
      return bound(String(issue["origin"]), "most", issue["maximum"] as number);
    default:
      return undefined;
  }
}
