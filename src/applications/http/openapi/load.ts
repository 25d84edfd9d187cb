// The bytes of a description: a regular file or an http(s) address, up to a size, within a time, without leaving its host.
// Knows nothing of what the text means.
import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, StartError } from "../../../domain/error.js";

/** All files of one description together. */
const MAX_BYTES = 50_000_000;
/** Large vendors keep each operation, schema and example in a file of its own: some 3,000. */
const MAX_FILES = 10_000;
/** From the first connection to the last byte of the last file: a server that sends a byte at a time must not hold a sync forever. */
const DOWNLOAD_MS = 60_000;
const MAX_REDIRECTS = 5;
const ACCEPT = "application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5";

/** How much may still be read; shared by all files of one description. */
export interface Budget {
  bytes: number;
  files: number;
  /** Aborts when the time for all of them is over. */
  time: AbortSignal;
}

/** A fresh budget for one description. */
export function newBudget(downloadMs = DOWNLOAD_MS): Budget {
  return { bytes: MAX_BYTES, files: MAX_FILES, time: AbortSignal.timeout(downloadMs) };
}

/** The address of a location given on the command line. */
export function locationUrl(location: string): URL {
  if (/^(https?|file):\/\//i.test(location)) return new URL(location);
  return pathToFileURL(resolve(location));
}

/** An address as people read it: files as paths, no credentials. */
export function displayUrl(url: URL): string {
  if (url.protocol === "file:") return fileURLToPath(url);
  return url.origin + url.pathname;
}

async function collect(chunks: AsyncIterable<Uint8Array>, url: URL, budget: Budget): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    budget.bytes -= chunk.length;
    if (budget.bytes < 0)
      throw new StartError(`${displayUrl(url)} is larger than ${MAX_BYTES / 1e6} MB; give a smaller one.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function readFile(url: URL, budget: Budget): Promise<string> {
  // A pipe or a device may never end, or never begin.
  if (!(await stat(url)).isFile()) throw new StartError(`${displayUrl(url)} is not a regular file.`);
  const file = await open(url);
  try {
    return await collect(file.createReadStream({ autoClose: false }), url, budget);
  } finally {
    await file.close();
  }
}

async function fetchText(first: URL, headers: Record<string, string>, budget: Budget): Promise<string> {
  const { request } = await import("undici");
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await request(url, { headers: { accept: ACCEPT, ...headers }, signal: budget.time });
    if (answer.statusCode === 200) return collect(answer.body, url, budget);
    await answer.body.dump();
    const target = answer.headers["location"];
    if (answer.statusCode < 300 || answer.statusCode > 399 || typeof target !== "string")
      throw new StartError(`${displayUrl(url)} answered with status ${answer.statusCode}.`);
    const next = new URL(target, url);
    if (next.origin !== first.origin)
      throw new StartError(
        `${displayUrl(url)} redirects to ${displayUrl(next)}, another host; give that address if you trust it.`,
      );
    url = next;
  }
  throw new StartError(`${displayUrl(first)} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Reads one file of a description. Throws StartError naming the file or address and what went wrong. */
export async function loadText(url: URL, headers: Record<string, string>, budget: Budget): Promise<string> {
  if (--budget.files < 0) throw new StartError(`The description is spread over more than ${MAX_FILES} files.`);
  try {
    if (url.protocol === "file:") return await readFile(url, budget);
    if (url.protocol === "http:" || url.protocol === "https:") return await fetchText(url, headers, budget);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (url.protocol !== "file:" && budget.time.aborted)
      throw new StartError(`${displayUrl(url)} did not come to an end in time; save it to a file and give that.`);
    throw new StartError(`Cannot read ${displayUrl(url)}: ${messageOf(error)}`, { cause: error });
  }
  throw new StartError(`Cannot read ${url.protocol}// addresses; give a file or an http(s) address.`, { exitCode: 2 });
}
