// Keeps secrets out of everything that is stored, shown or logged: known secrets by value, likely ones by their key.
import { isObject, type JsonValue } from "./json.js";

/** What stands in a secret's place. */
export const REDACTED = "[redacted]";

/** Shorter configured values are not searched for: they would blank out ordinary text. */
const SHORTEST_SECRET = 6;

const SENSITIVE_KEY =
  /^(pass(word|wd|phrase|code)?|secret|token|authorization|proxy-authorization|cookie|set-cookie|credentials?|api[-_]?key|x[-_]api[-_]key|access[-_]?key|private[-_]?key|client[-_]?secret|(access|refresh|id|auth|session|service|bearer|csrf|x[-_]service|x[-_]auth)[-_]?token|cvv|cvc|card[-_]?number|ssn)$/i;
const SENSITIVE_ENDING =
  /([a-z]Password|[a-z]Secret|[a-z]Token|[a-z]ApiKey|PrivateKey|AccessKey|_password|_secret|_token|_api_key)$/;
/** Tokens that page through a list; they open nothing. */
const PAGE_TOKEN = /(page|next|prev|previous|continuation|sync|cursor)[-_]?token$/i;

/** Whether a key by its name holds something that must not be stored or shown. */
export function isSensitiveKey(key: string): boolean {
  return (SENSITIVE_KEY.test(key) || SENSITIVE_ENDING.test(key)) && !PAGE_TOKEN.test(key);
}

/** Replaces secrets in texts and values. Built once from the configured secrets. */
export interface Redactor {
  /** Known secrets removed by value. */
  text(text: string): string;
  /** Known secrets removed by value, and whatever stands under a sensitive key. For what is stored and shown. */
  value<T extends JsonValue>(value: T): T;
  /** Only known secrets removed. For what a person must see whole before saying yes. */
  known<T extends JsonValue>(value: T): T;
  /** Adds a secret learned while running, such as an access token fetched for the target. */
  learn(secret: string): void;
}

function forms(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64, base64.replace(/=+$/, "")];
}

/** A redactor for these secrets; values shorter than 6 characters are only caught by key. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const known = new Set<string>();
  let pattern: RegExp | undefined;
  const learn = (secret: string): void => {
    if (secret.length < SHORTEST_SECRET) return;
    for (const form of forms(secret)) known.add(form);
    const longestFirst = [...known].sort((a, b) => b.length - a.length);
    pattern = new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  };
  for (const secret of secrets) learn(secret);
  const text = (input: string): string => (pattern ? input.replace(pattern, REDACTED) : input);
  const hides = (key: string, value: JsonValue): boolean =>
    isSensitiveKey(key) && (typeof value === "string" || typeof value === "number" || typeof value === "bigint");
  const walk = (value: JsonValue, byKey: boolean): JsonValue => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, byKey));
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, inner]) => [text(key), byKey && hides(key, inner) ? REDACTED : walk(inner, byKey)]),
    );
  };
  return {
    text,
    value: <T extends JsonValue>(value: T) => walk(value, true) as T,
    known: <T extends JsonValue>(value: T) => walk(value, false) as T,
    learn,
  };
}
