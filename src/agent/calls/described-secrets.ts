// What a description says is secret in arguments, at any depth: what it calls a password (`format: password` of OpenAPI, which is there
// to hide it), and what is only ever written (`writeOnly`) and called like a credential. Where one is expected, what stands under a name
// that nothing describes may be just that, misspelt. Knows names and schemas, and no secret.

import type { Action } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";
import { changedList, changedObject, hidden, REDACTED } from "../../lib/redact/redact.js";
import { isCredentialName, isSensitiveKey } from "../../lib/redact/sensitive-key.js";

/** The action of a call, or a form. */
type Described = Partial<Pick<Action, "parameters" | "definitions" | "wireNames">>;

/** Keywords whose schemas describe the same value. */
const LISTS_BESIDE = ["allOf", "anyOf", "oneOf"];
const ONES_BESIDE = ["then", "else"];
/** Keywords that describe members, or elements, which no other keyword names. */
const OTHER_MEMBERS = ["additionalProperties", "unevaluatedProperties"];
const OTHER_ELEMENTS = ["items", "unevaluatedItems"];

/** What the schemas at one place say together. */
type Place = readonly JsonObject[];

/** Which arguments of an action are secret by its description. */
interface DescribedSecrets {
  /** The arguments with what is secret in them hidden; themselves when nothing is. */
  hide(args: JsonObject): JsonObject;
  /** Whether what follows this name, in arguments that cannot be read, may be secret. */
  mayTell(name: string): boolean;
}

const isType = (schema: JsonObject, ...types: string[]): boolean =>
  [schema["type"]].flat().some((one) => types.includes(String(one)));

/** Whether a value under this name is secret by what is said of it there. */
function isSecret(name: string, place: Place): boolean {
  return place.some(({ format, writeOnly }) => format === "password" || (writeOnly === true && isCredentialName(name)));
}

/** Whether a value is hidden that stands under this name: for what it is said to be, or for the name, where it is no switch. */
function isHidden(name: string, place: Place): boolean {
  return isSecret(name, place) || (isSensitiveKey(name) && !place.some((schema) => isType(schema, "boolean")));
}

/** Whether a text is none of the values that are described. */
function isStructured(place: Place): boolean {
  const isOne = (schema: JsonObject): boolean => isType(schema, "object", "array") || isObject(schema["properties"]);
  return place.some(isOne) && !place.some((schema) => isType(schema, "string"));
}

/** The schemas of one description; each is looked at once. */
class Schemas {
  private readonly places = new Map<JsonObject, Place>();
  private readonly secretive = new Map<JsonObject, boolean>();
  private readonly reaching = new WeakMap<Place, boolean>();
  private readonly described: Described;

  constructor(described: Described) {
    this.described = described;
  }

  /** Whether the request calls an argument like a secret. */
  isSentAsSecret(name: string): boolean {
    const { wireNames = {} } = this.described;
    return Object.hasOwn(wireNames, name) && isSensitiveKey(wireNames[name] ?? "");
  }

  private referredBy(schema: JsonObject): JsonValue | undefined {
    const { parameters = {}, definitions = {} } = this.described;
    return referred(schema, parameters) ?? referred(schema, { $defs: definitions });
  }

  /** All that schemas say of a value themselves, and by what they refer to and are composed of. */
  place(schemas: readonly (JsonValue | undefined)[]): Place {
    const [first] = schemas;
    if (schemas.length === 1 && isObject(first)) {
      let known = this.places.get(first);
      if (!known) this.places.set(first, (known = this.expanded(schemas)));
      return known;
    }
    return this.expanded(schemas);
  }

  private expanded(schemas: readonly (JsonValue | undefined)[]): Place {
    const found = new Set<JsonObject>();
    const add = (schema: JsonValue | undefined): void => {
      if (isObject(schema)) found.add(schema);
    };
    schemas.forEach(add);
    // A set is walked in the order of insertion, what is added on the way too.
    for (const schema of found) {
      add(this.referredBy(schema));
      for (const key of LISTS_BESIDE) listOf(schema[key]).forEach(add);
      for (const key of ONES_BESIDE) add(schema[key]);
      Object.values(objectOf(schema["dependentSchemas"])).forEach(add);
    }
    return [...found];
  }

  /** What is said of the member; `isKnown` is whether that is said of this name, or of any. */
  member(name: string, place: Place): { inner: Place; isKnown: boolean } {
    const own = place.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    if (own.length > 0) return { inner: this.place(own), isKnown: true };
    const others = place.flatMap((schema) => [
      ...Object.values(objectOf(schema["patternProperties"])),
      ...OTHER_MEMBERS.flatMap((key) => schema[key] ?? []),
    ]);
    const isKnown = others.some(Boolean) || place.some(({ required }) => textsOf(required).includes(name));
    return { inner: this.place(others), isKnown };
  }

  element(at: number, place: Place): Place {
    return this.place(
      place.flatMap((schema) => [listOf(schema["prefixItems"])[at], ...OTHER_ELEMENTS.map((key) => schema[key])]),
    );
  }

  /** Whether one of the members described at a place is hidden. */
  hasSecretMember(place: Place): boolean {
    return place.some((schema) => {
      let known = this.secretive.get(schema);
      if (known === undefined) {
        const members = Object.entries(objectOf(schema["properties"]));
        const isSent = schema === this.described.parameters && members.some(([name]) => this.isSentAsSecret(name));
        known = isSent || members.some(([name, inner]) => isHidden(name, this.place([inner])));
        this.secretive.set(schema, known);
      }
      return known;
    });
  }

  /** Visits every place that can be reached from one, with the name that it stands under. */
  visit(start: Place, look: (name: string, place: Place) => void): void {
    const seen = new Set<JsonValue>();
    const left: [name: string, schema: JsonValue | undefined][] = start.map((schema) => ["", schema]);
    for (let next = left.pop(); next; next = left.pop()) {
      const [name, schema] = next;
      if (!isObject(schema)) continue;
      const place = this.place([schema]);
      look(name, place);
      for (const part of place) {
        if (seen.has(part)) continue;
        seen.add(part);
        left.push(...Object.entries(objectOf(part["properties"])));
        for (const one of Object.values(objectOf(part["patternProperties"]))) left.push([name, one]);
        for (const one of listOf(part["prefixItems"])) left.push([name, one]);
        for (const key of [...OTHER_MEMBERS, ...OTHER_ELEMENTS]) left.push([name, part[key]]);
      }
    }
  }

  /** Whether anything that can be reached from a place is hidden. */
  reachesSecret(start: Place): boolean {
    let isFound = this.reaching.get(start);
    if (isFound === undefined) {
      isFound = false;
      this.visit(start, (name, place) => {
        isFound ||= isHidden(name, place);
      });
      this.reaching.set(start, isFound);
    }
    return isFound;
  }
}

const hideAll = (value: JsonValue): JsonValue => hidden(value, (name) => name);

/** Hides what is secret in a value that stands under a name; the value itself when nothing is. */
function hideIn(name: string, value: JsonValue, { place, schemas }: { place: Place; schemas: Schemas }): JsonValue {
  if (place.length === 0) return value;
  if (isSecret(name, place)) return hideAll(value);
  if (Array.isArray(value)) {
    let at = 0;
    return changedList(value, (item) => hideIn(name, item, { place: schemas.element(at++, place), schemas }));
  }
  if (isObject(value)) {
    const expectsSecret = schemas.hasSecretMember(place);
    return changedObject(
      value,
      (key) => key,
      (key, one) => {
        const { inner, isKnown } = schemas.member(key, place);
        return expectsSecret && !isKnown ? hideAll(one) : hideIn(key, one, { place: inner, schemas });
      },
    );
  }
  // Models write an object as a text, too, which is refused and recorded.
  return typeof value === "string" && isStructured(place) && schemas.reachesSecret(place) ? REDACTED : value;
}

function readSecrets(described: Described): DescribedSecrets {
  const schemas = new Schemas(described);
  const { parameters = {} } = described;
  const root = schemas.place([parameters]);
  const names = new Set<string>();
  const secret = new Set<string>();
  schemas.visit(root, (name, place) => {
    names.add(name);
    if (isHidden(name, place) || schemas.isSentAsSecret(name)) secret.add(name);
  });
  return {
    hide: (args) => (secret.size === 0 ? args : (hideIn("", args, { place: root, schemas }) as JsonObject)),
    mayTell: (name) => secret.size > 0 && (secret.has(name) || !names.has(name)),
  };
}

const NONE: DescribedSecrets = { hide: (args) => args, mayTell: () => false };
const known = new WeakMap<Described, DescribedSecrets>();

/** What is secret in the arguments of an action by its description. */
export function describedSecrets(described: Described | undefined): DescribedSecrets {
  if (!described) return NONE;
  let found = known.get(described);
  if (!found) known.set(described, (found = readSecrets(described)));
  return found;
}
