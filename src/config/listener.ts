// Where a daemon listens besides host and port: a unix socket, and the path below which it serves.
import { resolve } from "node:path";
import { StartError } from "../domain/error.js";
import type { Found, Sources } from "./setting.js";

/** What a unix socket's path may have, with the byte that ends it: macOS has the least. */
const MAX_PATH_BYTES = 103;
/** Characters that stand for themselves in an address, in HTML and in a cookie. */
const BASE_PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/;
const MAX_BASE_PATH = 200;

const refusal = ({ place, origin }: Found<string>, reason: string): StartError =>
  new StartError(`${place}: ${reason}`, { exitCode: origin === "flag" ? 2 : 1 });

/** The absolute path of `unix:PATH`; in config.json relative to the data directory. Throws StartError. */
export function readSocketPath(found: Found<string>, { dataDir }: Sources): string {
  const given = /^unix:(.+)$/.exec(found.value)?.[1];
  if (given === undefined)
    throw refusal(found, `"${found.value}" is not unix:/PATH. For an address give --host and --port.`);
  if (process.platform === "win32") throw refusal(found, "unix sockets are not for Windows. Give --host and --port.");
  const path = found.origin === "config.json" ? resolve(dataDir, given) : resolve(given);
  // The colon separates it from the base path in the daemon's address.
  if (/[:\0\n]/.test(path))
    throw refusal(found, `the path ${JSON.stringify(path)} may not have a colon or a line break.`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw refusal(
      found,
      `the path ${path} is longer than ${MAX_PATH_BYTES} bytes, which no socket can have. Choose a shorter one.`,
    );
  return path;
}

/** `/agent` for `/agent` and `/agent/`, "" for `/`. Throws StartError for what is no plain path. */
export function readBasePath(found: Found<string>): string {
  const { value } = found;
  if (value === "/") return "";
  if (!BASE_PATH.test(value) || value.length > MAX_BASE_PATH)
    throw refusal(
      found,
      `"${value}" is no base path. Write one such as /agent: letters, digits and - . _ ~ between slashes.`,
    );
  return value.replace(/\/$/, "");
}
