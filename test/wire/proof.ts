// The proof for one document: every operation imported, called twice (with what is required, with everything), judged, and what
// was sent compared with what arrived.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/json.js";
import { type Action, parseSchema } from "../../src/schema.js";
import { openapiSource } from "../../src/sources/openapi.js";
import type { Skipped } from "../../src/sources/source.js";
import { grouped, listName, routeName } from "./cut.js";
import { type Extent, generate } from "./generate.js";
import type { Recorder } from "./record.js";
import type { Read, Reading } from "./validate.js";

/** One request that is not valid, by name. */
export interface Failure {
  operation: string;
  extent: Extent;
  reason: string;
}

/** What came of one document. */
export interface Proof {
  operations: number;
  imported: number;
  /** Each operation that was not, with the reason. */
  skipped: readonly Skipped[];
  requests: number;
  valid: number;
  failures: Failure[];
  /** Requests that arrived and that the validator has no means to judge. */
  unjudged: Failure[];
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** Where each argument must arrive: place and name on the wire. */
function destinations(action: Action): Map<string, { place: keyof Read; key: string }> {
  const found = new Map<string, { place: keyof Read; key: string }>();
  const places: Record<string, keyof Read> = { path: "path", query: "query", header: "headers", cookie: "cookies" };
  for (const one of listOf(action.transport["parameters"]).map(objectOf)) {
    const place = places[String(one["in"])];
    if (place) found.set(String(one["name"]), { place, key: String(one["key"]) });
  }
  const body = objectOf(objectOf(action.transport["body"])["properties"]);
  for (const [name, key] of Object.entries(body)) found.set(name, { place: "body", key: String(key) });
  return found;
}

/** What the judge calls an argument of each place. */
const READ_AS: Record<keyof Read, (key: string) => string> = {
  path: routeName,
  query: listName,
  headers: (key) => key.toLowerCase(),
  cookies: (key) => key,
  body: (key) => key,
};

const text = (value: JsonValue): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** The first argument that did not arrive as it was sent, or undefined. */
function lost(action: Action, args: JsonObject, read: Read): string | undefined {
  const where = destinations(action);
  for (const [name, sent] of Object.entries(args)) {
    const to = where.get(name);
    if (!to || sent === null) continue;
    const holder = objectOf(read[to.place] as JsonValue);
    const got = holder[READ_AS[to.place](to.key)];
    // An exploded object arrives as its members.
    if (got === undefined && isObject(sent) && Object.keys(sent).some((member) => Object.hasOwn(holder, member)))
      continue;
    if (got === undefined) return `${name} did not arrive in the ${to.place} as ${to.key}`;
    if (typeof sent !== "object" && typeof got !== "object" && text(got) !== text(sent))
      return `${name} was sent as ${text(sent)} and arrived as ${text(got)}`;
  }
  return undefined;
}

/** The address of an operation's own server moved to where the recorder is; its path stays. */
function athome(action: Action): { action: Action; base: string } {
  const server = action.transport["server"];
  if (typeof server !== "string") return { action, base: "" };
  const path = /^https?:/.test(server) ? new URL(server).pathname : server;
  return { action: { ...action, transport: { ...action.transport, server: path } }, base: path.replace(/\/+$/, "") };
}

/** One operation with everything its proof takes. */
interface Case {
  action: Action;
  path: string;
  method: string;
  base: string;
  reading: Reading;
  judge: string;
}

function caseOf(given: Action): Case {
  const { action, base } = athome(given);
  const { path, method, body } = action.transport;
  const query = listOf(action.transport["parameters"]).map(objectOf);
  const reading: Reading = {
    typed: /json|^\*\/\*$/.test(String(objectOf(body)["contentType"])),
    brackets: query.some((one) => one["in"] === "query" && listName(String(one["key"])).includes("[")),
  };
  return { action, path: String(path), method: String(method).toLowerCase(), base, reading, judge: "" };
}

/** Undefined when a request is valid, else why it is not; `unjudged` where the validator cannot say. */
async function prove(
  one: Case,
  extent: Extent,
  recorder: Recorder,
): Promise<string | { unjudged: string } | undefined> {
  const { action } = one;
  const parameters = listOf(action.transport["parameters"]).map(objectOf);
  const names = (list: JsonObject[]) => new Set(list.map((parameter) => String(parameter["name"])));
  const plain = names(parameters.filter((parameter) => parameter["in"] === "header"));
  const made = generate(action.parameters, extent, { plain, texts: names(parameters) });
  if ("reason" in made) return made.reason;
  const recorded = await recorder.send(action, made.arguments, one.judge);
  if (recorded.kind === "refused") return recorded.reason;
  const { verdict, read } = recorded;
  const detail = process.env["AGENTD_WIRE_DETAIL"] ? ` <- ${recorded.url} ${JSON.stringify(made.arguments)}` : "";
  if (verdict.kind === "invalid") return verdict.reason + detail;
  const missing = verdict.kind === "valid" ? lost(action, made.arguments, read) : undefined;
  if (verdict.kind === "unjudged") return { unjudged: verdict.reason + detail };
  return missing && missing + detail;
}

/** Requests under way at once: the sender prepares the next ones while the judges think. */
const AT_ONCE = 8;

/** Documents proved so far: their judges have names of their own. */
let documents = 0;

/** One request of the proof. */
interface Request {
  one: Case;
  extent: Extent;
}

/** Imports a document, calls every operation, and judges every request. */
export async function proveDocument(file: string, recorder: Recorder): Promise<Proof> {
  const document = `${++documents}/`;
  recorder.order({ kind: "document", name: document, file });
  const imported = await openapiSource.read({ location: file, baseUrl: "http://127.0.0.1:9" });
  const { operations, imported: count, skipped } = imported.report;
  const proof: Proof = { operations, imported: count, skipped, requests: 0, valid: 0, failures: [], unjudged: [] };
  const cases = parseSchema(toJson(imported.document)).actions.map(caseOf);
  const groups = grouped(cases, ({ base, reading }) => JSON.stringify([base, reading]));
  const requests = (function* (): Generator<Request, void, void> {
    for (const [n, group] of groups.entries()) {
      const [{ base, reading } = cases[0] as Case] = group;
      const places = group.map(({ path, method }) => ({ path, method }));
      const judge = `${document}${n}`;
      recorder.order({ kind: "judge", name: judge, places, base, reading });
      for (const one of group)
        for (const extent of ["required", "everything"] as const) yield { one: { ...one, judge }, extent };
    }
  })();
  const work = async (): Promise<void> => {
    for (const { one, extent } of requests) {
      proof.requests++;
      const came = await prove(one, extent, recorder);
      const failure = { operation: `${one.method.toUpperCase()} ${one.path}`, extent };
      if (came === undefined) proof.valid++;
      else if (typeof came === "string") proof.failures.push({ ...failure, reason: came });
      else proof.unjudged.push({ ...failure, reason: came.unjudged });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return proof;
}
