// The texts a description is made of: standard input, a regular file or an http(s) address, up to a size, within a time, without
// leaving its host. Knows nothing of what the text means.

import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, StartError, usageError } from "../../../../domain/error.js";
import { ByteCollector } from "../../../../lib/byte-collector.js";
import { didYouMean } from "../../../../lib/did-you-mean.js";
import { type Answer, chunksOf } from "../../../../lib/http-exchange.js";
import { networkFailureOf } from "../../../../lib/network-failure.js";
import { withoutCredentials } from "../../../../lib/url.js";
import { decodeText } from "./decode.js";
import { download } from "./download.js";

/** All files of one description together. */
const MAX_BYTES = 50_000_000;
/** Large vendors keep each operation, schema and example in a file of its own: some 3,000. */
const MAX_FILES = 10_000;
/** From the first connection to the last byte of the last file: a server that sends a byte at a time must not hold a sync forever. */
const DOWNLOAD_MS = 60_000;
const MAX_REDIRECTS = 5;
/** Of an answer that is none: its message is at the beginning. */
const MAX_FAILURE_BYTES = 64 * 1024;
const ACCEPT =
  "application/vnd.oai.openapi+json, application/openapi+json, application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5";

/** What is said when there is nothing at a location. */
const WAYS = "Give a file, an address such as http://127.0.0.1:8000/openapi.json, or - for standard input.";

/** How much may still be read; shared by all files of one description. */
export interface Budget {
  bytes: number;
  files: number;
  /** Aborts when the time for all of them is over. */
  time: AbortSignal;
  /** What a person should know of how they were read. */
  notes: string[];
}

/** A text and how it was answered. A file is answered with 200. */
export interface Loaded {
  text: string;
  /** Where it was in the end, after redirects. */
  url: URL;
  status: number;
  /** In lower case, without parameters; "" for a file. */
  mediaType: string;
  /** The WWW-Authenticate header. */
  challenge: string;
  /** The Link header. */
  link: string;
}

/** A fresh budget for one description. */
export function newBudget(downloadMs = DOWNLOAD_MS): Budget {
  return { bytes: MAX_BYTES, files: MAX_FILES, time: AbortSignal.timeout(downloadMs), notes: [] };
}

/** Marks the address of standard input, which stands in the current folder; no path has a query. */
const STANDARD_INPUT = "?stdin";

/** Whether an address stands for standard input. */
export const isStandardInput = (url: URL): boolean => url.protocol === "file:" && url.search === STANDARD_INPUT;

/** The address of a location given on the command line. Throws StartError for what is neither a file nor an http(s) address. */
export function locationUrl(location: string): URL {
  if (location === "-") return new URL(pathToFileURL(resolve("-")).href + STANDARD_INPUT);
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1];
  if (scheme === undefined) return pathToFileURL(resolve(location));
  if (!/^(https?|file)$/i.test(scheme)) throw usageError(`Cannot read ${scheme}:// addresses. ${WAYS}`);
  if (!URL.canParse(location)) throw usageError(`${withoutCredentials(location)} is not an address. ${WAYS}`);
  return new URL(location);
}

/** An address as people read it: files as paths, no credentials. */
export function displayUrl(url: URL): string {
  if (isStandardInput(url)) return "standard input";
  if (url.protocol === "file:") return fileURLToPath(url);
  return url.origin + url.pathname;
}

/** Bytes as they come. */
interface Chunks {
  chunks: AsyncIterable<Uint8Array>;
  url: URL;
  /** What an answer says of them. */
  declared?: { encoding?: string; charset?: string };
}

async function collect(chunks: AsyncIterable<Uint8Array>, url: URL, budget: Budget): Promise<Buffer> {
  const read = new ByteCollector();
  for await (const chunk of chunks) {
    budget.bytes -= chunk.length;
    if (budget.bytes < 0)
      throw new StartError(`${displayUrl(url)} is larger than ${MAX_BYTES / 1e6} MB; give a smaller one.`);
    read.add(chunk);
  }
  return read.bytes();
}

/** The beginning of an answer that is no description; the rest is not waited for. */
async function beginning(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read = new ByteCollector();
  for await (const chunk of chunks) {
    read.add(chunk);
    if (read.length >= MAX_FAILURE_BYTES) break;
  }
  return read.bytes();
}

/** All of a text; what unpacks to more than it was counts, too. */
async function readText({ chunks, url, declared = {} }: Chunks, budget: Budget): Promise<string> {
  const where = displayUrl(url);
  const bytes = await collect(chunks, url, budget);
  try {
    const { text, bytes: size, note } = decodeText(bytes, { ...declared, most: budget.bytes + bytes.length });
    budget.bytes -= Math.max(0, size - bytes.length);
    if (note !== undefined) budget.notes.push(`${where} ${note}.`);
    return text;
  } catch (error) {
    if (error instanceof RangeError)
      throw new StartError(`${where} unpacks to more than ${MAX_BYTES / 1e6} MB; give a smaller one.`, {
        cause: error,
      });
    throw new StartError(`${where} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

const asFile = (text: string, url: URL): Loaded => ({ text, url, status: 200, mediaType: "", challenge: "", link: "" });

async function readStandardInput(url: URL, budget: Budget): Promise<Loaded> {
  if (process.stdin.isTTY)
    throw usageError("Nothing is piped into standard input; for example: agentd sync openapi - < openapi.json");
  const end = (): void => void process.stdin.destroy(new Error("standard input did not end in time"));
  budget.time.addEventListener("abort", end, { once: true });
  try {
    return asFile(await readText({ chunks: process.stdin, url }, budget), url);
  } finally {
    budget.time.removeEventListener("abort", end);
  }
}

/** Whether a location that is no file was meant as an address: a port, a name only this machine has, a host before a path. */
function looksLikeAddress(location: string): boolean {
  const [host = "", ...path] = location.split("/");
  return (
    /^(localhost|\d+(\.\d+){3}|\[[\da-f:]+\])(:\d+)?$/i.test(host) ||
    /^[\w.-]+:\d+$/.test(host) ||
    (path.length > 0 && /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(host))
  );
}

/** Files of a folder that may be descriptions. */
async function candidatesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.(json|ya?ml)(\.gz)?$/i.test(name));
}

/** The sentence for a file that cannot be read. */
async function fileProblem(error: unknown, path: string): Promise<StartError> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const given = path.slice(process.cwd().length + 1);
  if (code === "ENOENT" || code === "ENOTDIR") {
    const isNear = path.startsWith(`${process.cwd()}/`);
    if (isNear && looksLikeAddress(given))
      return new StartError(`There is no file ${path}. For an address write http://${given} or https://${given}.`);
    const near = didYouMean(basename(path), await candidatesIn(dirname(path)));
    return new StartError(`There is no file ${path}.${near || ` ${WAYS}`}`, { cause: error });
  }
  if (code === "EACCES" || code === "EPERM")
    return new StartError(`This account may not read ${path}; give it the right to, or a copy.`, { cause: error });
  return new StartError(`Cannot read ${path}: ${messageOf(error)}`, { cause: error });
}

async function readFile(url: URL, budget: Budget): Promise<Loaded> {
  const path = displayUrl(url);
  const found = await stat(url);
  if (found.isDirectory()) {
    const usual = (await candidatesIn(path)).filter((name) => /openapi|swagger|api/i.test(name));
    const hint = usual.length > 0 ? `; give the description in it, perhaps ${usual.slice(0, 3).join(" or ")}` : "";
    throw new StartError(`${path} is a folder, not a regular file${hint}.`);
  }
  // A pipe or a device may never end, or never begin.
  if (!found.isFile()) throw new StartError(`${path} is not a regular file; for a pipe give - and redirect it.`);
  const file = await open(url);
  try {
    return asFile(await readText({ chunks: file.createReadStream({ autoClose: false }), url }, budget), url);
  } finally {
    await file.close();
  }
}

const headerOf = (answer: Answer, name: string): string => [answer.headers[name] ?? ""].flat().join(", ");

/** A user and a password in an address are meant for it; no request carries them by itself. */
function withUser(url: URL, headers: Record<string, string>): Record<string, string> {
  if (url.username === "" || Object.keys(headers).some((name) => /^authorization$/i.test(name))) return headers;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { ...headers, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function readAnswer(answer: Answer, url: URL, budget: Budget): Promise<Loaded> {
  const type = headerOf(answer, "content-type");
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1];
  const declared = { encoding: headerOf(answer, "content-encoding"), ...(charset !== undefined && { charset }) };
  const { status } = answer;
  const chunks = chunksOf(answer.body);
  const failed = async (): Promise<string> =>
    decodeText(await beginning(chunks), { ...declared, most: MAX_BYTES, isCut: true }).text;
  return {
    text: status === 200 ? await readText({ chunks, url, declared }, budget) : await failed().catch(() => ""),
    url,
    status,
    mediaType: (type.split(";")[0] ?? "").trim().toLowerCase(),
    challenge: headerOf(answer, "www-authenticate"),
    link: headerOf(answer, "link"),
  };
}

async function fetchAnswer(first: URL, headers: Record<string, string>, budget: Budget): Promise<Loaded> {
  let url = first;
  const sent = { accept: ACCEPT, ...withUser(first, headers) };
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await download(url, sent, budget.time);
    const target = answer.headers["location"];
    if (answer.status < 300 || answer.status > 399 || typeof target !== "string")
      return readAnswer(answer, url, budget);
    answer.body.destroy();
    if (!URL.canParse(target, url.href))
      throw new StartError(`${displayUrl(url)} redirects to what is not an address.`);
    const next = new URL(target, url);
    if (next.origin !== first.origin)
      throw new StartError(
        `${displayUrl(url)} redirects to ${withoutCredentials(next.href)}, another host; give that address if you trust it.`,
      );
    url = next;
  }
  throw new StartError(`${displayUrl(first)} redirects more than ${MAX_REDIRECTS} times.`);
}

/** The sentence for an address that did not answer. */
function networkProblem(error: unknown, url: URL): StartError {
  const { kind } = networkFailureOf(error);
  const where = displayUrl(url);
  const cause = { cause: error };
  if (kind === "refused")
    return new StartError(`Nothing listens at ${url.origin}; start the application, or correct the port.`, cause);
  if (kind === "unknown_host" || kind === "lookup_failed")
    return new StartError(`There is no host ${url.hostname} to be found; correct the name in ${where}.`, cause);
  if (kind === "tls")
    return new StartError(
      `${where} cannot be reached over TLS (${messageOf(error)}). For an authority of your own, name its certificate with --ca-file or in NODE_EXTRA_CA_CERTS; if it speaks plain HTTP, write http:// instead.`,
      cause,
    );
  if (kind === "proxy") return new StartError(`Cannot read ${where}: ${messageOf(error)}.`, cause);
  return new StartError(`Cannot read ${where}: ${messageOf(error)}`, cause);
}

/** Reads one file or address, whatever its status. Throws StartError naming it and what went wrong. */
export async function load(url: URL, headers: Record<string, string>, budget: Budget): Promise<Loaded> {
  if (--budget.files < 0) throw new StartError(`The description is spread over more than ${MAX_FILES} files.`);
  try {
    if (isStandardInput(url)) return await readStandardInput(url, budget);
    if (url.protocol === "file:") return await readFile(url, budget);
    if (url.protocol === "http:" || url.protocol === "https:") return await fetchAnswer(url, headers, budget);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (budget.time.aborted && (url.protocol !== "file:" || isStandardInput(url)))
      throw new StartError(`${displayUrl(url)} did not come to an end in time; save it to a file and give that.`);
    throw url.protocol === "file:" ? await fileProblem(error, displayUrl(url)) : networkProblem(error, url);
  }
  throw usageError(`Cannot read ${url.protocol}// addresses. ${WAYS}`);
}

/** Reads one more file of a description. Throws StartError naming the file or address and what went wrong. */
export async function loadText(url: URL, headers: Record<string, string>, budget: Budget): Promise<string> {
  const { text, status, url: last } = await load(url, headers, budget);
  if (status !== 200) throw new StartError(`${displayUrl(last)} answered with status ${status}.`);
  return text;
}
