// The beginning of `agentd init`: what a person types becomes what is read, as `agentd sync` would be given it. The kind is recognized
// and said, and can be changed; credentials are names of environment variables. Source: docs/reference.md, "The guided first start".
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GivenHeaders } from "../../applications/connect/read-location.js";
import { recognizeLocation, recognizeText } from "../../applications/connect/recognize.js";
import type { SyncRequest } from "../../applications/connect/sync-request.js";
import { SOURCE_KINDS } from "../../applications/kinds.js";
import { StartError } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import type { JsonObject } from "../../lib/json.js";
import { headersGiven } from "../client/given-headers.js";
import { shellWords } from "../terminal/shell-words.js";

/** What is read, and what of config.json it needs from then on. */
export interface Described {
  request: SyncRequest;
  given: GivenHeaders;
  /** Variables for the program of an MCP server, by name. */
  environment: Record<string, string>;
  /** Settings of the application: references only. */
  lines: JsonObject;
}

/** Of a file, to see what it is. */
const HEAD_BYTES = 4096;
const NOTHING: GivenHeaders = { headers: {}, secrets: [] };
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)$/;

const WHERE = `Where is your application?
  an address, such as http://127.0.0.1:3000, or localhost:3000
  a description of it, as a file or an address: OpenAPI, GraphQL
  a database: a SQLite file, postgres://…, mysql://…, or env:NAME for a variable that holds its address
  an MCP server: its address, or its command`;

type Ask = (question: string, preset: string) => Promise<string>;

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function headOf(file: string): string {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const at = openSync(file, "r");
  try {
    return bytes.toString("utf8", 0, readSync(at, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(at);
  }
}

/** A quoted word, one with backslashes, or the address of a file, as terminals paste a file that is dropped on them. */
const PASTED = /^\s*(?:["']|~\/)|\\/;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

/** What was typed as the path that it stands for; as it is where it is none. */
function pathMeant(typed: string): string {
  if (/^file:\/\//i.test(typed) && URL.canParse(typed)) return fileURLToPath(typed);
  if (ADDRESS.test(typed) || !PASTED.test(typed) || isFile(typed)) return typed;
  const [word, ...others] = shellWords(typed);
  if (word === undefined || others.length > 0) return typed;
  return word.startsWith("~/") ? join(homedir(), word.slice(2)) : word;
}

/** What was typed, as a location, and what it seems to be. A host and port are an address; other words that are no file are a command. */
export function typedLocation(line: string): { location: string; kind: string; why: string } {
  const typed = pathMeant(line);
  const known = recognizeLocation(typed);
  if (known) return { location: typed, ...known };
  if (isFile(typed)) return { location: typed, ...recognizeText(headOf(typed)) };
  if (/^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])?(?::\d+)(?:\/\S*)?$|^localhost(?:\/\S*)?$/i.test(typed)) {
    const location = `http://${typed.startsWith(":") ? `127.0.0.1${typed}` : typed}`;
    return { location, ...(recognizeLocation(location) ?? recognizeText("")) };
  }
  // A path with a space in it was quoted; a command has its words.
  if (/\s/.test(typed) && typed === line)
    return { location: typed, kind: "mcp", why: "it is a command, and there is no such file" };
  throw new StartError(
    `There is no file ${typed}, and it is no address. Give an address, a file, or the command of an MCP server.`,
  );
}

/** The values of environment variables that were named. Throws StartError for one that is not set: the server would be read without it. */
function variablesNamed(typed: string): [name: string, value: string][] {
  return typed.split(/[\s,]+/).flatMap((word): [string, string][] => {
    if (word === "") return [];
    const name = VARIABLE.exec(word)?.[1];
    // It may be the secret itself: it is not repeated.
    if (name === undefined)
      throw new StartError("That is no name of an environment variable. Give names only, never a value.");
    const value = process.env[name];
    if (!value)
      throw new StartError(
        `The environment variable ${name} is not set. Set it, and run agentd init again; Ctrl-C leaves.`,
      );
    return [[name, value]];
  });
}

const requestFor = (kind: string, location: string): SyncRequest => ({
  kind,
  location,
  headers: [],
  baseUrl: undefined,
  allowExternal: false,
});

async function describedServer(location: string, ask: Ask): Promise<Described> {
  const request = requestFor("mcp", location);
  const described: Described = { request, given: NOTHING, environment: {}, lines: {} };
  if (/^https?:\/\//i.test(location)) {
    const [token] = variablesNamed(
      await ask("Which environment variable holds its token? Enter alone: it needs none.", ""),
    );
    if (!token) return described;
    const [name, value] = token;
    const given = { headers: { authorization: `Bearer ${value}` }, secrets: [value] };
    return { ...described, given, lines: { auth: { bearer: `env:${name}` } } };
  }
  request.program = { command: shellWords(location), folder: process.cwd() };
  const named = variablesNamed(
    await ask("Which environment variables does it need, by name, such as API_KEY? Enter alone: none.", ""),
  );
  if (named.length === 0) return described;
  const references = Object.fromEntries(named.map(([name]) => [name, `env:${name}`]));
  return { ...described, environment: Object.fromEntries(named), lines: { environment: references } };
}

/** Asks where the application is and what it is. Throws StartError for what cannot be read. */
export async function askForLocation(ask: Ask, preset: string): Promise<Described> {
  const typed = await ask(WHERE, preset);
  if (typed === "") throw new StartError("An address, a file or a command is needed. Ctrl-C leaves.");
  const { location, kind: found, why } = typedLocation(typed);
  const kind = await ask(`It is taken for ${found}: ${why}. Enter agrees; or type ${SOURCE_KINDS.join(", ")}.`, found);
  if (!SOURCE_KINDS.includes(kind))
    throw new StartError(
      `There is no kind ${kind}.${didYouMean(kind, [...SOURCE_KINDS])} Known: ${SOURCE_KINDS.join(", ")}.`,
    );
  if (kind === "mcp") return describedServer(location, ask);
  return { request: requestFor(kind, location), given: NOTHING, environment: {}, lines: {} };
}

/** What is read again with a header that a person names, as `--header` takes it; undefined where none is. */
export async function askForHeader(ask: Ask, described: Described): Promise<Described | undefined> {
  const header = await ask("A header to read it with, such as Authorization: env:DOCS_LOGIN? Enter alone: none.", "");
  if (header === "") return undefined;
  if (!/:\s*(?:env|file):\S+$/.test(header))
    throw new StartError("Give the name of a variable that holds its value, as Authorization: env:NAME.");
  return { ...described, given: headersGiven([header]), request: { ...described.request, headers: [header] } };
}
