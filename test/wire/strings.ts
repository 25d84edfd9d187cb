// Texts for a schema: by its format, its pattern or its length; plain ones hold the characters that break careless encoding.
import { sample, stringMatching } from "fast-check";
import type { JsonObject } from "../../src/lib/json.js";

/** Spaces, separators and letters beyond ASCII: each would be read as something else when it is not encoded. */
export const TRICKY = "a b&c=d/é";
/** The same for headers, which hold ASCII only. */
export const PLAIN = "a b&c=d/e";
/** The same for lists whose items are separated by spaces: no encoding distinguishes those from other spaces (OpenAPI 3.1.1, appendix E). */
export const SPACELESS = "a+b&c=d/é";
/** The same where reserved characters may stand as they are: those that may, and those that would end the value. */
export const RESERVED = "a b&c=d/é,e:f?g@h%[i]#j+k";
/** The same with an escape, which stands as it is, and so arrives as what it stands for. */
export const RESERVED_ESCAPED = `${RESERVED}%2F`;

const BY_FORMAT: Record<string, (nth: number) => string> = {
  date: (nth) => `2026-11-2${1 + (nth % 8)}`,
  "date-time": (nth) => `2026-11-21T09:0${nth % 10}:00Z`,
  time: (nth) => `09:0${nth % 10}:00Z`,
  duration: (nth) => `P${1 + nth}D`,
  email: (nth) => `pat${nth}@example.com`,
  "idn-email": (nth) => `pat${nth}@example.com`,
  uuid: (nth) => `123e4567-e89b-42d3-a456-42661417400${nth % 10}`,
  uri: (nth) => `https://example.com/a?n=${nth}`,
  url: (nth) => `https://example.com/a?n=${nth}`,
  iri: (nth) => `https://example.com/a?n=${nth}`,
  "uri-reference": (nth) => `/a?n=${nth}`,
  "uri-template": (nth) => `https://example.com/a/${nth}`,
  hostname: (nth) => `host${nth}.example.com`,
  ipv4: (nth) => `192.0.2.${1 + (nth % 9)}`,
  ip: (nth) => `192.0.2.${1 + (nth % 9)}`,
  ipv6: (nth) => `2001:db8::${1 + (nth % 9)}`,
  byte: () => "YWdlbnRk",
  "json-pointer": (nth) => `/a/${nth}`,
  "relative-json-pointer": () => "1/a",
  regex: () => "^a+$",
};

const matching = new Map<string, readonly string[]>();

/** Texts that match a pattern, shortest first; the same in every run. */
function matches(pattern: string): readonly string[] {
  let known = matching.get(pattern);
  if (!known) {
    let found: string[] = [];
    for (const flags of ["u", ""])
      try {
        found = sample(stringMatching(new RegExp(pattern, flags)), { seed: 7, numRuns: 40 });
        break;
      } catch {
        // Not every pattern can be turned round; what is tried then is judged with everything else.
      }
    known = [...new Set(found)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    matching.set(pattern, known);
  }
  return known;
}

function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

/** A text that fits, as far as that can be seen from here, `sample` where anything does; `nth` makes the items of a list differ. */
export function stringFor(schema: JsonObject, nth: number, sample: string): string {
  const { pattern, format, minLength, maxLength } = schema;
  const min = typeof minLength === "number" ? minLength : 0;
  const max = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const made = typeof format === "string" ? BY_FORMAT[format]?.(nth) : undefined;
  if (typeof pattern === "string" && !(made !== undefined && fits(pattern, made))) {
    const printable = matches(pattern).filter((text) => text !== "" && text.length >= min && text.length <= max);
    const tame = printable.filter((text) => /^[\x21-\x7e]+$/.test(text));
    const from = tame.length > 0 ? tame : printable;
    const found = from[nth % (from.length || 1)];
    if (found !== undefined) return found;
    const examples = Array.isArray(schema["examples"]) ? schema["examples"] : [];
    const example = examples.find((one) => typeof one === "string");
    if (typeof example === "string") return example;
  }
  const text = made ?? `${sample}${nth || ""}`;
  if (text.length < min) return text + "x".repeat(min - text.length);
  return text.length > max ? `v${nth || ""}`.slice(0, max).padEnd(min, "x") : text;
}
