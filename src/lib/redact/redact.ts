// Keeps secrets out of everything that is stored, displayed or logged: known secrets by value, likely ones by their key.
// Our own, because libraries redact listed paths of an object: these secrets turn up anywhere, in texts and in encoded forms.
import { isObject, type JsonValue } from "../json.js";
import { type SecretForms, secretForms } from "./secret-forms.js";
import { sensitivityOf } from "./sensitive-key.js";

/** What replaces a secret. */
export const REDACTED = "[redacted]";

/** Shorter configured values are not searched for: they would blank out ordinary text. */
const SHORTEST_SECRET = 6;

/** Access tokens kept: a process that fetches one every hour must not search for months of them. */
const PASSING_KEPT = 64;

/** Replaces secrets in texts and values. Built once from the configured secrets. */
export interface Redactor {
  /** Known secrets removed by value. */
  text(text: string): string;
  /** Known secrets removed by value, and every text and number below a sensitive key. For what is stored or displayed. */
  value<T extends JsonValue>(value: T): T;
  /** Only known secrets removed. For a call that a person must see whole before approving it. */
  known<T extends JsonValue>(value: T): T;
  /**
   * Adds a secret learned while running. One that is `passing`, such as an access token fetched for a target, is dropped once
   * there are many later ones.
   */
  learn(secret: string, options?: { passing: boolean }): void;
}

type Change = (value: JsonValue) => JsonValue;

/** Numbers and texts replaced, at any depth; keys, lengths, true, false and null stay, so that the shape is still visible. */
function hidden(value: JsonValue, name: (key: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => hidden(item, name));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), hidden(inner, name)]));
  return typeof value === "boolean" || value === null ? value : REDACTED;
}

/** Below a plural, secrets are texts: alone, in a list or in a map. Counts stay, and records are judged by their own keys. */
function withoutTexts(value: JsonValue, name: (key: string) => string, walk: Change): JsonValue {
  const one = (item: JsonValue): JsonValue =>
    typeof item === "string" && !/^\d{1,9}$/.test(item) ? REDACTED : walk(item);
  if (Array.isArray(value)) return value.map(one);
  if (!isObject(value)) return one(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), one(inner)]));
}

interface Patterns {
  /** Whether a secret may be there. V8 compiles no pattern as large as all forms of a few long tokens, so this one is short. */
  hint: RegExp;
  whole: RegExp;
}

function compile(known: SecretForms[]): Patterns {
  // A secret may be a part of another: the longest first.
  const longestFirst = (sources: string[]): string => sources.sort((a, b) => b.length - a.length).join("|");
  return {
    hint: new RegExp(longestFirst(known.flatMap(({ beginnings }) => beginnings))),
    whole: new RegExp(longestFirst(known.flatMap(({ whole }) => whole)), "g"),
  };
}

/** A redactor for these secrets; values shorter than 6 characters are only caught by key. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const known = new Map<string, SecretForms>();
  let patterns: Patterns | undefined;
  const passing: string[] = [];
  const learn = (text: string, options?: { passing: boolean }): void => {
    const secret = text.trim();
    if (secret.length < SHORTEST_SECRET || known.has(secret)) return;
    known.set(secret, secretForms(secret));
    if (options?.passing && passing.push(secret) > PASSING_KEPT) known.delete(passing.shift() ?? "");
    patterns = undefined;
  };
  for (const secret of secrets) learn(secret);
  const text = (input: string): string => {
    if (known.size === 0 || input.length < SHORTEST_SECRET) return input;
    const { hint, whole } = (patterns ??= compile([...known.values()]));
    return hint.test(input) ? input.replace(whole, REDACTED) : input;
  };
  const member = (key: string, value: JsonValue, walk: Change): JsonValue => {
    switch (sensitivityOf(key)) {
      case "secret":
        return hidden(value, text);
      case "texts":
        return withoutTexts(value, text, walk);
      default:
        return walk(value);
    }
  };
  const walker = (byKey: boolean): Change => {
    const walk: Change = (value) => {
      if (typeof value === "string") return text(value);
      if (Array.isArray(value)) return value.map(walk);
      if (!isObject(value)) return value;
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([key, inner]) => [text(key), byKey ? member(key, inner, walk) : walk(inner)]),
      );
    };
    return walk;
  };
  const byValue = walker(false);
  const byKeyToo = walker(true);
  return {
    text,
    value: <T extends JsonValue>(value: T) => byKeyToo(value) as T,
    known: <T extends JsonValue>(value: T) => byValue(value) as T,
    learn,
  };
}
