// Secrets in the configuration: `env:NAME` and `file:PATH` become their values when they are resolved.
// Every value that was resolved is remembered, so that the rest of the program can keep it out of what is stored and shown.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { fileFault } from "../lib/file-fault.js";
import type { ReadFiles } from "../lib/read-files.js";
import type { Redactor } from "../lib/redact/redact.js";
import { isSentSecret } from "../lib/redact/sensitive-key.js";

/** Turns references into values. Made once for a load of the configuration. */
export interface SecretReader {
  /**
   * The value behind a reference; a literal is its own value. Throws StartError naming the place and the variable or file
   * that is missing; a lenient reader warns and returns undefined instead.
   */
  read(place: string, reference: string): string | undefined;
  /** The same for HTTP headers, where only references, telling names and what looks like a key hold secrets. */
  readHeader(place: string, name: string, reference: string): string | undefined;
  /** A secret that was given directly, by a flag or a variable. */
  learn(value: string): void;
  /** Notes a file that is about to be read, so that it can be followed. */
  note(file: string): void;
  /** Every secret that was resolved. */
  readonly known: ReadonlySet<string>;
  /** Where one stands in plain text in config.json. */
  readonly literals: ReadonlySet<string>;
  /** A sentence for each that is not there, when the reader is lenient. */
  readonly missing: ReadonlySet<string>;
}

/** Characters no HTTP header can carry. */
export const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/;

/** A secret and what of it travels alone: "Bearer abc" and "user:abc" come back from a target as "abc", too. */
export function secretParts(value: string): string[] {
  // OAuth client credentials may be followed by the token endpoint.
  const pair = value.replace(/\s+https?:\/\/\S+$/, "");
  const [, scheme = "", rest = pair] = /^([A-Za-z]+) +(\S.*)$/.exec(pair) ?? [];
  const text = /^basic$/i.test(scheme) ? Buffer.from(rest, "base64").toString("utf8") : rest;
  const password = /^[^\s:]+:(.+)$/.exec(text)?.[1] ?? "";
  return [value, pair, rest, text, password];
}

/** Learns secrets with their parts, as long as there are not many later ones. */
export function passingParts(redactor: Pick<Redactor, "learn">): (secret: string) => void {
  return (secret) => {
    for (const part of secretParts(secret)) redactor.learn(part, { passing: true });
  };
}

/** Creates a reader; relative `file:` paths start at `folder`. */
export function createSecretReader(input: {
  env: NodeJS.ProcessEnv;
  folder: string;
  isLenient: boolean;
  warn: (message: string) => void;
  /** Gets every file that is read. */
  files?: ReadFiles | undefined;
}): SecretReader {
  const known = new Set<string>();
  const literals = new Set<string>();
  const missing = new Set<string>();
  const learn = (value: string): void => {
    for (const part of secretParts(value)) if (part !== "") known.add(part);
  };
  const dereference = (place: string, reference: string): string => {
    if (reference.startsWith("command:"))
      throw new StartError(
        `${place} cannot be a command: only the auth of an application, and api_key and headers of a provider can.`,
      );
    if (reference.startsWith("env:")) {
      const name = reference.slice(4);
      // Without the line end that a file's text often brings along: so it is used, so it must be known.
      const value = input.env[name]?.trim();
      if (!value)
        throw new StartError(
          `${place} refers to the environment variable ${name}, which is not set. Set it and start again.`,
        );
      return value;
    }
    const file = resolve(input.folder, reference.slice(5));
    input.files?.note(file);
    try {
      const value = readFileSync(file, "utf8").trim();
      if (value === "") throw new StartError(`${place} refers to ${file}, which is empty. Put the secret into it.`);
      return value;
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(`${place} refers to ${file}, which cannot be read: ${fileFault(error)}.`, { cause: error });
    }
  };
  const follow = (place: string, reference: string): string | undefined => {
    try {
      const value = dereference(place, reference);
      learn(value);
      return value;
    } catch (error) {
      if (!input.isLenient) throw error;
      missing.add(messageOf(error));
      input.warn(messageOf(error));
      return undefined;
    }
  };
  const isReference = (text: string): boolean => /^(env|file|command):/.test(text);
  const literal = (place: string, text: string): string => {
    const value = text.trim();
    literals.add(place);
    input.warn(`${place} holds a secret in plain text; write it as env:NAME or file:PATH.`);
    learn(value);
    return value;
  };
  return {
    known,
    literals,
    missing,
    learn,
    note: (file) => input.files?.note(file),
    read: (place, reference) => (isReference(reference) ? follow(place, reference) : literal(place, reference)),
    readHeader(place, name, reference) {
      const value = isReference(reference)
        ? follow(place, reference)
        : isSentSecret(name, reference)
          ? literal(place, reference)
          : reference;
      if (value !== undefined && NOT_IN_HEADERS.test(value))
        throw new StartError(`${place} holds a character that no HTTP header can carry (a line break, perhaps).`);
      return value;
    },
  };
}
