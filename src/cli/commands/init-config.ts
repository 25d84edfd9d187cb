// The lines of config.json that supply the credentials of an application, as `agentd init` writes them: references to environment
// variables, never a value. Source: docs/reference.md, "The guided first start".
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { configFile, parseConfigFile } from "../../config/file.js";
import { writeAtomically } from "../../data-dir/atomic-file.js";
import { isObject, type JsonObject, type JsonValue, parseJson, toJson } from "../../lib/json.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { type DataDir, rememberDocument } from "../client/data-dir.js";

/** What is there stays; objects are filled up with what they lack. */
function filledUp(there: JsonValue | undefined, lines: JsonValue): JsonValue {
  if (there === undefined) return lines;
  if (!isObject(there) || !isObject(lines)) return there;
  const added = Object.entries(lines).map(([key, value]): [string, JsonValue] => [key, filledUp(there[key], value)]);
  return { ...there, ...Object.fromEntries(added) };
}

/** The variables that lines refer to. */
export function variablesIn(lines: JsonValue): string[] {
  if (typeof lines === "string") return lines.startsWith("env:") ? [lines.slice("env:".length)] : [];
  return isObject(lines) ? Object.values(lines).flatMap((value) => variablesIn(value ?? "")) : [];
}

/** Adds lines to config.json, which is made where there is none. Throws StartError for one that cannot be used, as it is or then. */
export async function addToConfig(chosen: DataDir, lines: JsonObject): Promise<string> {
  const file = configFile(chosen.dir);
  const bytes = existsSync(file) ? readRegularFile(file) : Buffer.from("{}");
  parseConfigFile(file, bytes);
  const text = `${toJson(filledUp(parseJson(bytes.toString("utf8")), lines), 2)}\n`;
  parseConfigFile(file, Buffer.from(text));
  await writeAtomically(file, (partial) => writeFile(partial, text, { flush: true }), { replace: true, durable: true });
  await rememberDocument(chosen, file, text);
  return file;
}
