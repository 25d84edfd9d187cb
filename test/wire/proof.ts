// The proof for one document: every operation imported, compared with its description, and called with what is required and with
// everything, made from the description and from the tool. Each request is judged, and what arrived compared with what was meant.

import { openapiSource } from "../../src/applications/http/openapi/source.js";
import { impliedByTransport } from "../../src/applications/kinds.js";
import type { Skipped } from "../../src/applications/source.js";
import { selfContained } from "../../src/domain/definitions.js";
import { type Action, parseSchema } from "../../src/domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../../src/lib/json.js";
import { arrivedUnlike } from "./arrival.js";
import { lostOf } from "./complete.js";
import { grouped } from "./cut.js";
import { callFromSource, type SourceCall } from "./from-source.js";
import { type Extent, generate } from "./generate.js";
import type { Judged } from "./messages.js";
import { listName, routeName } from "./names.js";
import { Comparison, differencesOf } from "./nested.js";
import type { Recorder } from "./record.js";
import { readSource, type SourceDescription, type SourceOperation } from "./source.js";
import { PLAIN, RESERVED, SPACELESS } from "./strings.js";
import type { Read, Reading, Verdict } from "./validate.js";

/** One request, by name, with what a failure of it means. */
export interface Remark {
  operation: string;
  extent: Extent;
  /** What its values were made from. */
  from: "description" | "tool";
  reason: string;
}

/** The result for one document. */
export interface Proof {
  operations: number;
  imported: number;
  /** Each operation that was not, with the reason. */
  skipped: readonly Skipped[];
  requests: number;
  valid: number;
  failures: Remark[];
  /** What the description says and no tool has: whole operations that are not even reported, and what single ones take. */
  lost: string[];
  /** Valid requests that the second judge judged, with what the first had no means for. */
  second: Remark[];
  /** Requests that arrived and that neither judge has the means to judge; `limits` says which, and nothing when a judge failed. */
  unjudged: (Remark & { limits: string })[];
}

/** Where an argument must arrive. */
interface Destination {
  location: keyof Read;
  /** Its name in the request. */
  key: string;
  /** Lists here are read wrongly: of a cookie the last item alone, of an exploded matrix each item up to its first `=`. */
  blind: boolean;
}

function destinations(action: Action): Map<string, Destination> {
  const found = new Map<string, Destination>();
  const locations: Record<string, keyof Read> = { path: "path", query: "query", header: "headers", cookie: "cookies" };
  for (const one of listOf(action.transport["parameters"]).map(objectOf)) {
    const location = locations[String(one["in"])];
    const blind = location === "cookies" || (one["style"] === "matrix" && one["explode"] === true);
    if (location) found.set(String(one["name"]), { location, key: String(one["key"]), blind });
  }
  const body = objectOf(objectOf(action.transport["body"])["properties"]);
  for (const [name, key] of Object.entries(body)) found.set(name, { location: "body", key: String(key), blind: false });
  return found;
}

/** What the first judge calls an argument of each location; the second leaves names as they are. */
const READ_AS: Record<keyof Read, (key: string) => string> = {
  path: routeName,
  query: listName,
  headers: (key) => key.toLowerCase(),
  cookies: (key) => key,
  body: (key) => key,
};

const text = (value: JsonValue): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Whether a value is what was sent, as far as the judge read it: a list or an object may be left as one text, a text be a date. */
function alike(sent: JsonValue, arrived: JsonValue | undefined): boolean {
  // Nothing has no form in a query or a form body.
  if (arrived === undefined) return sent === null || (typeof sent === "object" && Object.keys(sent).length === 0);
  if (sent === null) return true;
  if (typeof sent !== "object") return typeof arrived === "object" || String(arrived) === String(sent);
  if (Array.isArray(sent))
    return (
      !Array.isArray(arrived) || (arrived.length === sent.length && sent.every((one, i) => alike(one, arrived[i])))
    );
  return !isObject(arrived) || Object.entries(sent).every(([name, one]) => alike(one, arrived[name]));
}

/** The first argument that did not arrive as it was sent, or undefined. */
function lost(action: Action, args: JsonObject, read: Read): string | undefined {
  const where = destinations(action);
  for (const [name, sent] of Object.entries(args)) {
    const to = where.get(name);
    if (!to || sent === null) continue;
    const holder = objectOf(read[to.location] as JsonValue);
    // An exploded object arrives as its members.
    const exploded = isObject(sent) && Object.keys(sent).some((member) => Object.hasOwn(holder, member));
    const arrived = holder[READ_AS[to.location](to.key)] ?? holder[to.key] ?? (exploded ? holder : undefined);
    if (arrived === undefined) return `${name} did not arrive in the ${to.location} as ${to.key}`;
    if (!alike(sent, arrived) && !(to.blind && Array.isArray(sent)))
      return `${name} was sent as ${text(sent)} and arrived as ${text(arrived)}`;
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
  /** The name of its judge, and its number there. */
  judge: string;
  /** What the description says of it, and what that refers to. */
  source: SourceOperation;
  definitions: JsonObject;
}

/** An operation of the description by the path and method of a tool; one without anything where the description has none. */
function sourceOf({ transport }: Action, { operations }: SourceDescription): SourceOperation {
  const [method, path] = [String(transport["method"]), String(transport["path"])];
  return operations.get(`${method} ${path}`) ?? { method, path, parameters: [], bodies: [] };
}

function caseOf(given: Action, described: SourceDescription): Case {
  const { action, base } = athome(given);
  const { path, method, body } = action.transport;
  const query = listOf(action.transport["parameters"]).map(objectOf);
  const reading: Reading = {
    typed: /json|^\*\/\*$/.test(String(objectOf(body)["contentType"])),
    brackets: query.some((one) => one["in"] === "query" && listName(String(one["key"])).includes("[")),
  };
  return {
    action,
    path: String(path),
    method: String(method).toLowerCase(),
    base,
    reading,
    judge: "",
    source: sourceOf(given, described),
    definitions: described.definitions,
  };
}

/** The result of one request. */
type Outcome = Verdict & { passedOn?: string };

/** Arguments made from the tool's own schema: what it lets through that the description does not. */
function fromTool(action: Action, extent: Extent): { arguments: JsonObject } | { reason: string } {
  const parameters = listOf(action.transport["parameters"]).map(objectOf);
  const texts = new Set(parameters.map(({ name }) => String(name)));
  const samples = new Map<string, string>();
  for (const parameter of parameters) {
    if (parameter["in"] === "header") samples.set(String(parameter["name"]), PLAIN);
    // The judges split at commas after they have decoded them.
    if (parameter["allowReserved"] === true && parameter["explode"] !== false)
      samples.set(String(parameter["name"]), RESERVED);
    if (parameter["style"] === "spaceDelimited") samples.set(String(parameter["name"]), SPACELESS);
  }
  const { properties: fields, encoding } = objectOf(action.transport["body"]);
  for (const [name, field] of Object.entries(objectOf(fields)))
    if (objectOf(objectOf(encoding)[String(field)])["style"] === "spaceDelimited") samples.set(name, SPACELESS);
  return generate(selfContained(action), extent, { samples, texts });
}

/** One request that arrived. */
interface Sent {
  one: Case;
  made: SourceCall | { arguments: JsonObject };
  recorded: Judged;
}

/** What did not arrive as it was sent; undefined where all did. */
async function unlike({ one, made, recorded }: Sent): Promise<string | undefined> {
  const { verdict, read, arrived } = recorded;
  if (verdict.kind === "invalid") return undefined;
  if (!("values" in made)) return verdict.kind === "valid" ? lost(one.action, made.arguments, read) : undefined;
  return arrivedUnlike({ operation: one.source, body: made.body }, made.values, { arrived, base: one.base });
}

/** Sends one request and returns the judges' verdict; valid is only what arrived as it was sent. */
async function prove({ one, extent, from }: Request, recorder: Recorder): Promise<Outcome> {
  const { action, source } = one;
  const made = from === "tool" ? fromTool(action, extent) : callFromSource(source, one, extent);
  if ("reason" in made) return { kind: "invalid", reason: made.reason };
  const recorded = await recorder.send(action, made.arguments, one.judge);
  if (recorded.kind === "refused") return { kind: "invalid", reason: recorded.reason };
  const { verdict, passedOn } = recorded;
  const detail = process.env["AGENTD_WIRE_DETAIL"]
    ? ` <- ${recorded.arrived.url} ${JSON.stringify(made.arguments)}`
    : "";
  const missing = await unlike({ one, made, recorded });
  if (missing !== undefined) return { kind: "invalid", reason: missing + detail };
  if (verdict.kind === "valid") return { ...verdict, ...(passedOn !== undefined && { passedOn }) };
  return { ...verdict, reason: verdict.reason + detail, ...(passedOn !== undefined && { passedOn }) };
}

/** What of the description in a file is neither in a tool nor reported as skipped. */
function lostIn(described: SourceDescription, actions: readonly Action[], skipped: readonly Skipped[]): string[] {
  const comparison = new Comparison();
  const tools = new Map(actions.map((action) => [`${action.transport["method"]} ${action.transport["path"]}`, action]));
  return [...described.operations].flatMap(([title, operation]) => {
    const action = tools.get(title);
    if (action)
      return [
        ...lostOf(operation, action).map((sentence) => `${title}: ${sentence}`),
        ...differencesOf({ operation, definitions: described.definitions }, action, comparison),
      ];
    return skipped.some((one) => one.operation === title || one.operation === operation.path)
      ? []
      : [`${title}: there is no tool, and no reason why not`];
  });
}

/** Requests under way at once: the sender prepares the next ones while the judges think. */
const AT_ONCE = 8;

/** Documents proved so far: their judges have names of their own. */
let documents = 0;

/** One request of the proof, and what its values are made from. */
interface Request {
  one: Case;
  extent: Extent;
  from: "description" | "tool";
}

/** Imports a document, calls every operation, and judges every request. */
export async function proveDocument(file: string, recorder: Recorder): Promise<Proof> {
  const document = `${++documents}/`;
  recorder.order({ kind: "document", name: document, file });
  const imported = await openapiSource.read({ location: file, baseUrl: "http://127.0.0.1:9" });
  const { operations, imported: count, skipped } = imported.report;
  const counts = { operations, imported: count, requests: 0, valid: 0 };
  const { actions } = parseSchema(toJson(imported.document), impliedByTransport);
  const described = readSource(file);
  const lost = lostIn(described, actions, skipped);
  const proof: Proof = { ...counts, skipped, failures: [], lost, second: [], unjudged: [] };
  const cases = actions.map((action) => caseOf(action, described));
  const groups = grouped(cases, ({ base, reading }) => JSON.stringify([base, reading]));
  const requests = (function* (): Generator<Request, void, void> {
    for (const [n, group] of groups.entries()) {
      const [{ base, reading } = cases[0] as Case] = group;
      const operations = group.map(({ path, method }) => ({ path, method }));
      const judge = `${document}${n}`;
      recorder.order({ kind: "judge", name: judge, operations, base, reading });
      for (const [nth, one] of group.entries())
        for (const from of ["description", "tool"] as const)
          for (const extent of ["required", "everything"] as const)
            yield { one: { ...one, judge: `${judge} ${nth}` }, extent, from };
    }
  })();
  const work = async (): Promise<void> => {
    for (const request of requests) {
      const { one, extent, from } = request;
      proof.requests++;
      const result = await prove(request, recorder);
      const named = { operation: `${one.method.toUpperCase()} ${one.path}`, extent, from };
      const { passedOn = "" } = result;
      if (result.kind === "invalid") proof.failures.push({ ...named, reason: result.reason });
      else if (result.kind === "unjudged") {
        const limits = result.limit === undefined ? "" : `${passedOn}; ${result.limit}`;
        proof.unjudged.push({ ...named, reason: result.reason, limits });
      } else {
        proof.valid++;
        if (passedOn !== "") proof.second.push({ ...named, reason: passedOn });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return proof;
}
