// config.json in the data directory: read, checked by its schema, every fault named.
// A file comes in, an object with wire names goes out; precedence and secrets are decided elsewhere.
import { join } from "node:path";
import type { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import type { TrustCheck } from "../domain/trust.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { JsonObject } from "../lib/json.js";
import { jsonFault } from "../lib/json-fault.js";
import { readRegularFile } from "../lib/regular-file.js";
import { namedWithLines, repeatedKeys } from "../lib/repeated-keys.js";
import { zodMessage } from "../lib/zod-messages.js";
import { ConfigFile, knownKeys, placesOf } from "./schema.js";

/** Where it is in a data directory. */
export function configFile(dataDir: string): string {
  return join(dataDir, "config.json");
}

const isAnotherForm = ({ code, path }: z.core.$ZodIssue): boolean => code === "invalid_type" && path.length === 0;

/** A message about a key, which most of them name. */
function withKey(message: string, path: readonly PropertyKey[]): string {
  const key = JSON.stringify(path.at(-1));
  return message.startsWith(key) ? message : `${key} ${message}`;
}

/** A value of none of the forms it could have: what each would be, and what it is. */
function anyForm(forms: readonly z.core.$ZodIssue[][]): string {
  const parts = forms.map(([first]) => /^must be (.*), not (.*)$/.exec(first?.message ?? ""));
  const found = parts[0]?.[2];
  return `must be ${parts.map((part) => part?.[1] ?? "of another form").join(" or ")}${found ? `, not ${found}` : ""}`;
}

/** What an unknown key may be: a misspelt one, or one that stands elsewhere. */
function unknownKey(key: string, place: string, known: readonly string[]): string {
  const nearest = didYouMean(key, known);
  const places = placesOf(key);
  const under = places.length > 1 ? `${places.slice(0, -1).join(", ")} or ${places.at(-1)}` : places[0];
  const elsewhere = under === undefined ? "" : ` It stands ${under === "" ? "at the top" : `under ${under}`}.`;
  return `unknown key ${place ? `${place}.` : ""}${key}.${nearest || elsewhere}`;
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(issue.path);
    return issue.keys.map((key) => unknownKey(key, place, known)).join(" ");
  }
  // The key is the last of the path and in the sentence.
  if (issue.code === "invalid_key")
    return `${issue.path.slice(0, -1).join(".")}: ${issue.issues.map(({ message }) => withKey(message, issue.path)).join(" ")}`;
  // A value of one form or another: the faults of the form that was tried.
  const tried = issue.code === "invalid_union" ? issue.errors.find((inner) => !inner.some(isAnotherForm)) : undefined;
  if (tried) return tried.map((inner) => sentence({ ...inner, path: [...issue.path, ...inner.path] })).join("\n  ");
  const message = issue.code === "invalid_union" ? anyForm(issue.errors) : issue.message;
  return `${place || "the file"}: ${message}`;
}

/** The first provider is the default one. */
function withDefaultProvider(file: JsonObject): JsonObject {
  const [first] = Object.keys(file["providers"] ?? {});
  return first === undefined ? file : { default_provider: first, ...file };
}

/** No configuration is this long, and a running daemon does nothing else while it parses one. */
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** The bytes of the file, undefined where there is none. Throws StartError naming what cannot be read. */
function bytesOf(dataDir: string, file: string): Buffer | undefined {
  try {
    return readRegularFile(file, MAX_CONFIG_BYTES);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR")
      throw new StartError(`${dataDir} is not a directory. Choose another one with --data-dir.`, { cause: error });
    throw new StartError(`cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** The path of a key `__proto__`, undefined when there is none. The schema drops such a key from a record without a word. */
function protoPath(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, "__proto__")) return ["__proto__"];
  for (const [key, inner] of Object.entries(value)) {
    const path = protoPath(inner);
    if (path) return [key, ...path];
  }
  return undefined;
}

/** What config.json says, from its bytes. Throws StartError naming the file and every fault. */
export function parseConfigFile(file: string, bytes: Uint8Array): JsonObject {
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the cause, which quotes the text.
    throw new StartError(`${file} is not JSON at ${jsonFault(text)}. Correct it, or move it away to use the defaults.`);
  }
  const repeated = repeatedKeys(text);
  if (repeated.length > 0)
    throw new StartError(
      `${file} cannot be used:\n  keys that stand twice in one object: ${namedWithLines(repeated, text)}. Keep one of each.`,
    );
  const path = protoPath(value);
  if (path) throw new StartError(`${file} cannot be used:\n  unknown key ${path.join(".")}.`);
  const parsed = ConfigFile.safeParse(value, { error: zodMessage });
  if (parsed.success) return withDefaultProvider(parsed.data as JsonObject);
  throw new StartError(`${file} cannot be used:\n${parsed.error.issues.map((i) => `  ${sentence(i)}`).join("\n")}`);
}

/**
 * Reads and checks config.json; an absent file is an empty one. Throws StartError naming the file and every fault, and when it
 * is not what was trusted. With `onBroken` one with faults is told there, and as good as empty.
 */
export function readConfigFile(
  dataDir: string,
  trust: TrustCheck | undefined,
  onBroken?: (message: string) => void,
): JsonObject {
  const file = configFile(dataDir);
  const bytes = bytesOf(dataDir, file);
  const fault = trust?.faultOf(file, bytes);
  if (fault !== undefined) throw new StartError(fault);
  if (!bytes) return {};
  try {
    return parseConfigFile(file, bytes);
  } catch (error) {
    if (!onBroken) throw error;
    onBroken(messageOf(error));
    return {};
  }
}
