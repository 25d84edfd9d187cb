// Keeps secrets out of everything that is stored, displayed or logged: known secrets by value, likely ones by their key.
// Our own, because libraries redact listed paths of an object: these secrets turn up anywhere, in texts and in encoded forms.
import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { createPieces, type Pieces, type SecretStarts, startsOf } from "./pieces.js";
import { type SecretSearch, searchFor } from "./secret-forms.js";
import { sensitivityOf } from "./sensitive-key.js";

/** Names that are searched one by one. */
const MANY_NAMES = 64;

/** What replaces a secret. */
export const REDACTED = "[redacted]";

/** Shorter configured values are not searched for: they would blank out ordinary text. */
const SHORTEST_SECRET = 6;

/** Access tokens kept: a process that fetches one every hour must not search for months of them. */
const PASSING_KEPT = 64;

/** What is known of the members of an object beyond their names. */
interface Members {
  /** What they are called elsewhere: a member is judged by both names. */
  otherNames: Readonly<Record<string, string>>;
  /** Whether a name is known to be public; it stays. */
  isPublic(name: string): boolean;
}

/** Replaces secrets in texts and values. What holds none is returned as it is, not as a copy. */
export interface Redactor {
  /** Known secrets removed by value. */
  text(text: string): string;
  /** The same for a text whose end was cut off: what may be the beginning of a secret there goes, too. */
  cutText(text: string): string;
  /** The same as `text` for one that comes in pieces. */
  pieces(): Pieces;
  /** Known secrets removed by value, and every text and number below a sensitive key. For what is stored or displayed. */
  value<T extends JsonValue>(value: T): T;
  /** The same for an object of whose members more is known. */
  members(object: JsonObject, known: Members): JsonObject;
  /** Only known secrets removed. For a call that a person must see whole before approving it. */
  known<T extends JsonValue>(value: T): T;
  /**
   * Adds a secret learned while running. One that is `passing`, such as an access token fetched for a target, is dropped once
   * there are many later ones.
   */
  learn(secret: string, options?: { passing: boolean }): void;
}

/** `around` is the nearest key above; "" at the top. */
type Change = (value: JsonValue, around: string) => JsonValue;

/** Numbers and texts replaced, at any depth; keys, lengths, true, false and null stay, so that the shape is still visible. */
export function hidden(value: JsonValue, name: (key: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => hidden(item, name));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), hidden(inner, name)]));
  return typeof value === "boolean" || value === null ? value : REDACTED;
}

/** Replaces every text and number, and every name that could hold a secret: for what is too much to be searched. */
export const hidesAll: Pick<Redactor, "text" | "value"> = {
  text: (text) => (text.length < SHORTEST_SECRET ? text : REDACTED),
  value: <T extends JsonValue>(value: T) => hidden(value, hidesAll.text) as T,
};

/** The list itself when nothing in it changes. */
export function changedList(list: JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (const [i, item] of list.entries()) {
    const next = change(item);
    if (next !== item) (copy ??= [...list])[i] = next;
  }
  return copy ?? list;
}

/** Sets a member; `__proto__` is a name like any other. */
function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The object itself when nothing in it changes. */
export function changedObject(
  object: JsonObject,
  name: (key: string) => string,
  change: (key: string, value: JsonValue) => JsonValue,
): JsonObject {
  let copy: JsonObject | undefined;
  const keys = Object.keys(object);
  for (const [at, key] of keys.entries()) {
    const value = object[key] as JsonValue;
    const [newName, newValue] = [name(key), change(key, value)];
    if (!copy && (newName !== key || newValue !== value)) {
      copy = {};
      for (const before of keys.slice(0, at)) setMember(copy, before, object[before] as JsonValue);
    }
    if (copy) setMember(copy, newName, newValue);
  }
  return copy ?? object;
}

/** Removes the secrets it knows, and learns more. */
interface KnownSecrets extends Pick<Redactor, "text" | "cutText" | "pieces" | "learn"> {
  /** A value that is no list and no object. */
  scalar(value: string | number | bigint): JsonValue;
}

function knownSecrets(secrets: Iterable<string>): KnownSecrets {
  const known = new Set<string>();
  let search: SecretSearch | undefined;
  let starts: SecretStarts | undefined;
  const passing: string[] = [];
  const learn = (text: string, options?: { passing: boolean }): void => {
    const secret = text.trim();
    if (secret.length < SHORTEST_SECRET || known.has(secret)) return;
    known.add(secret);
    if (options?.passing && passing.push(secret) > PASSING_KEPT) known.delete(passing.shift() ?? "");
    search = starts = undefined;
  };
  for (const secret of secrets) learn(secret);
  const searching = (): SecretSearch => (search ??= searchFor([...known]));

  const text = (input: string): string => {
    if (known.size === 0 || input.length < SHORTEST_SECRET) return input;
    const ranges = searching().find(input);
    if (ranges.length === 0) return input;
    let from = 0;
    let out = "";
    for (const [start, end] of ranges) {
      out += input.slice(from, start) + REDACTED;
      from = end;
    }
    return out + input.slice(from);
  };
  return {
    text,
    learn,
    pieces: () =>
      createPieces(() => ({ search: searching(), starts: (starts ??= startsOf(searching().spellings)) }), REDACTED),
    cutText: (input) => (known.size === 0 ? input : text(input).slice(0, -searching().longestForm)),
    scalar(value) {
      if (typeof value === "string") return text(value);
      return known.size > 0 && searching().isInNumber(value) ? REDACTED : value;
    },
  };
}

/** A redactor for these secrets; values shorter than 6 characters are only caught by key. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const { text, cutText, pieces, learn, scalar } = knownSecrets(secrets);
  /** How the names of an object change: those of a wide one are searched together, as hardly ever a name is a secret. */
  const namesIn = (object: JsonObject, name = text): ((key: string) => string) => {
    const keys = Object.keys(object);
    if (keys.length < MANY_NAMES) return name;
    const all = keys.join("\n");
    return text(all) === all ? (key) => key : name;
  };

  /** Below a plural, secrets are texts: alone, in a list or in a map. Counts stay, and records are judged by their own keys. */
  const withoutTexts = (value: JsonValue, key: string, walk: Change): JsonValue => {
    const one = (item: JsonValue): JsonValue =>
      typeof item === "string" && !/^\d{1,9}$/.test(item) ? REDACTED : walk(item, key);
    if (Array.isArray(value)) return changedList(value, one);
    return isObject(value) ? changedObject(value, namesIn(value), (_, inner) => one(inner)) : one(value);
  };
  const member = (key: string, value: JsonValue, { walk, around }: { walk: Change; around: string }): JsonValue => {
    switch (sensitivityOf(key, around)) {
      case "secret":
        return hidden(value, text);
      case "texts":
        return withoutTexts(value, key, walk);
      default:
        return walk(value, key);
    }
  };
  const walker = (byKey: boolean): Change => {
    const walk: Change = (value, around) => {
      if (Array.isArray(value)) return changedList(value, (item) => walk(item, around));
      if (isObject(value))
        return changedObject(value, namesIn(value), (key, inner) =>
          byKey ? member(key, inner, { walk, around }) : walk(inner, key),
        );
      return typeof value === "boolean" || value === null ? value : scalar(value);
    };
    return walk;
  };
  const byValue = walker(false);
  const byKeyToo = walker(true);
  return {
    text,
    cutText,
    pieces,
    value: <T extends JsonValue>(value: T) => byKeyToo(value, "") as T,
    known: <T extends JsonValue>(value: T) => byValue(value, "") as T,
    members(object, { otherNames, isPublic }) {
      const telling = (key: string): string => {
        if (!Object.hasOwn(otherNames, key)) return key;
        const names = [key, otherNames[key] ?? key];
        return (["secret", "texts"] as const)
          .flatMap((what) => names.filter((name) => sensitivityOf(name) === what))
          .concat(key)[0] as string;
      };
      return changedObject(
        object,
        namesIn(object, (key) => (isPublic(key) ? key : text(key))),
        (key, value) => member(telling(key), value, { walk: byKeyToo, around: "" }),
      );
    },
    learn,
  };
}
