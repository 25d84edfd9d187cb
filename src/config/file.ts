// config.json in the data directory: read, checked by its schema, every fault named.
// A file comes in, an object with wire names goes out; precedence and secrets are decided elsewhere.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import type { TrustCheck } from "../domain/trust.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { JsonObject } from "../lib/json.js";
import { ConfigFile, KNOWN_KEYS } from "./schema.js";

/** Where it is in a data directory. */
export function configFile(dataDir: string): string {
  return join(dataDir, "config.json");
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = KNOWN_KEYS[String(issue.path[0] ?? "")] ?? [];
    return issue.keys.map((key) => `unknown key ${place ? `${place}.` : ""}${key}.${didYouMean(key, known)}`).join(" ");
  }
  return `${place || "the file"}: ${issue.message}`;
}

/** The first provider is the default one. */
function withDefaultProvider(file: JsonObject): JsonObject {
  const [first] = Object.keys(file["providers"] ?? {});
  return first === undefined ? file : { default_provider: first, ...file };
}

/** The bytes of the file, undefined where there is none. Throws StartError naming what cannot be read. */
async function bytesOf(dataDir: string, file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR")
      throw new StartError(`${dataDir} is not a directory. Choose another one with --data-dir.`, { cause: error });
    throw new StartError(`cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** What config.json says, from its bytes. Throws StartError naming the file and every fault. */
export function parseConfigFile(file: string, bytes: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(
      Buffer.from(bytes)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    );
  } catch (error) {
    throw new StartError(`${file} is not JSON: ${messageOf(error)}. Correct it, or move it away to use the defaults.`, {
      cause: error,
    });
  }
  const parsed = ConfigFile.safeParse(value);
  if (parsed.success) return withDefaultProvider(parsed.data as JsonObject);
  throw new StartError(`${file} cannot be used:\n${parsed.error.issues.map((i) => `  ${sentence(i)}`).join("\n")}`);
}

/**
 * Reads and checks config.json; an absent file is an empty one. Throws StartError naming the file and every fault, and when it
 * is not what was trusted.
 */
export async function readConfigFile(dataDir: string, trust: TrustCheck | undefined): Promise<JsonObject> {
  const file = configFile(dataDir);
  const bytes = await bytesOf(dataDir, file);
  const fault = trust?.faultOf(file, bytes);
  if (fault !== undefined) throw new StartError(fault);
  return bytes ? parseConfigFile(file, bytes) : {};
}
