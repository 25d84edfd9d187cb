// Random requests made from the daemon's own OpenAPI document: no 5xx, no status the document does not name, and a
// conversation beside them that is not disturbed.
import assert from "node:assert/strict";
import { request as send } from "node:http";
import fc from "fast-check";
import { postJson } from "../../support/entry-points.js";
import { openChat } from "../../support/raw.js";
import type { Served } from "../../support/spawn.js";
import { until } from "../../support/until.js";
import { counted, historyOf } from "../audit.js";
import { make, type Subject } from "../client.js";
import type { Fault } from "../fault.js";
import { type Lab, openLab, SOON_MS } from "../lab.js";

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A request to be sent, and the statuses it may be answered with. */
interface RandomRequest {
  /** Method and path, as the document has them. */
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  declared: string[];
}

const words = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
  fc.string({ minLength: 1, maxLength: 250 }),
  fc.constantFrom("0", "1", "-1", "1.5", "1e9", "9007199254740993", "null", "true", "..", "__proto__", "%00"),
  fc.integer().map(String),
);

/** Sessions that prompts go to; their turns make calls. */
const SESSIONS = ["s-1", "s-2", "s-3"];
const CALLS = ["make random 1", "call list_pets"];

/** encodeURIComponent, also for half a character. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Valid values of a schema most of the time, anything otherwise. */
function valuesOf(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const { $ref, properties, type } = schema;
  const name = $ref?.split("/").at(-1);
  const named = name === undefined ? undefined : document.components.schemas[name];
  if (named) return valuesOf(named, document);
  const anything = fc.jsonValue({ maxDepth: 4 });
  const valid = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (properties)
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, valuesOf(inner, document)])),
        { requiredKeys: [] },
      );
    if (type === "boolean") return fc.boolean();
    if (type === "integer" || type === "number") return fc.integer({ min: -2, max: 12_000 });
    return type === "string" ? words : anything;
  };
  return fc.oneof({ arbitrary: valid(), weight: 6 }, { arbitrary: anything, weight: 1 });
}

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    accept: fc.constantFrom(
      "*/*",
      "application/json",
      "text/event-stream",
      "application/x-ndjson",
      "text/html",
      ";;q=,",
      "",
    ),
    "content-type": fc.oneof(
      { arbitrary: fc.constant("application/json"), weight: 8 },
      {
        arbitrary: fc.constantFrom("text/plain", "application/json; charset=latin1", "", "application/JSON"),
        weight: 1,
      },
    ),
    "content-encoding": fc.oneof(
      { arbitrary: fc.constant("identity"), weight: 8 },
      { arbitrary: fc.constantFrom("gzip", "br", "zstd"), weight: 1 },
    ),
    "if-none-match": fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
    "x-agentd-client": fc.string({ maxLength: 200 }),
    cookie: fc.string({ maxLength: 60 }),
    "accept-language": fc.string({ maxLength: 20 }),
  },
  { requiredKeys: ["content-type"] },
);

function bodies(operation: Operation, document: Document): fc.Arbitrary<string | undefined> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return fc.constant(undefined);
  const valid = valuesOf(schema, document).map((value) => JSON.stringify(value));
  const mode = fc.boolean();
  const prompt = fc
    .record(
      {
        message: fc.oneof(fc.string({ minLength: 1, maxLength: 80 }), fc.constantFrom(...CALLS)),
        session_id: fc.constantFrom(...SESSIONS),
        read_only: mode,
        dry_run: mode,
        confirm: mode,
      },
      { requiredKeys: ["message", "session_id"] },
    )
    .map((body) => JSON.stringify(body));
  const broken = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.constantFrom(
      "",
      "{",
      "null",
      "[]",
      '"x"',
      "[".repeat(5_000),
      '{"message":"x"}}',
      '{"__proto__":{}}',
      '{"message":"x","message":1}',
    ),
  );
  return fc.oneof({ arbitrary: valid, weight: 4 }, { arbitrary: prompt, weight: 2 }, { arbitrary: broken, weight: 1 });
}

/** Makes what requests can be about; the names of all that there is. */
async function knownIds(lab: Lab, daemon: Subject): Promise<string[]> {
  for (const session_id of SESSIONS) await make(daemon, `known-${session_id}`, { session_id });
  // Random requests delete these sessions, too.
  daemon.heard.turns.clear();
  const created = async (path: string, body: object): Promise<string[]> => {
    const answer = await postJson(`${daemon.url}${path}`, body);
    return [...(await answer.text()).matchAll(/_?id":"?([^",}]+)/g)].map(([, id = ""]) => id);
  };
  const held = await created("/-/tools/create_pet/call", { arguments: { name: "held" }, confirm: true });
  const response = await created("/-/v1/responses", { input: "hello" });
  assert(held.length > 0 && response.length > 0, "nothing is held, or there is no response");
  const rows = await historyOf(daemon);
  const ofRows = rows.flatMap(({ id, turn_id, call_id, tool }) => [String(id), turn_id, call_id, tool]);
  const names = ["agentd", "soak", "list_pets", ...SESSIONS, ...held, ...response, ...ofRows];
  assert(lab.target.requests.length > 0, "no call was made");
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Requests at the target are those that rows say were sent, by method and address: random arguments have no name of their own. */
async function auditRequests({ target }: Lab, daemon: Subject): Promise<void> {
  const rows = (await historyOf(daemon)).flatMap(({ request, status }) =>
    request ? [{ status, key: `${request.method} ${request.url}` }] : [],
  );
  const done = counted(rows.filter(({ status }) => status === "ok").map(({ key }) => key));
  const sent = counted(rows.filter(({ status }) => status === "ok" || status === "error").map(({ key }) => key));
  const seen = counted(target.requests.map(({ method, path }) => `${method} ${target.url}${path}`));
  for (const [key, count] of seen)
    assert(count <= (sent.get(key) ?? 0), `${count} × ${key} reached the target, with ${sent.get(key) ?? 0} rows`);
  for (const [key, count] of done)
    assert(count <= (seen.get(key) ?? 0), `${count} × ${key} are on record, and ${seen.get(key) ?? 0} were sent`);
}

/** Ends what random requests have left running. */
async function settle(daemon: Subject): Promise<void> {
  for (const session of SESSIONS) await postJson(`${daemon.url}/-/sessions/${session}/cancel`, {});
  const isIdle = async (): Promise<boolean> =>
    /^agentd_turns_running 0$/m.test(await (await fetch(`${daemon.url}/-/metrics`)).text());
  await until(isIdle, SOON_MS, "turns of random requests do not end");
}

function randomRequests(document: Document, known: readonly string[]): fc.Arbitrary<RandomRequest> {
  const ids = fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 2 }, { arbitrary: words, weight: 1 });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const query = (operation.parameters ?? []).filter((one) => one.in === "query");
      // Unknown names are refused where a query is read, so most are known ones.
      const names = fc.oneof(
        { arbitrary: fc.constantFrom("x", "token"), weight: 1 },
        ...(query.length > 0 ? [{ arbitrary: fc.constantFrom(...query.map(({ name }) => name)), weight: 8 }] : []),
      );
      const pairs = fc.array(fc.tuple(names, fc.oneof(words, fc.constant(""))), { maxLength: 3 });
      return fc
        .tuple(fc.array(ids, { minLength: 2, maxLength: 2 }), pairs, headers, bodies(operation, document))
        .map(([values, list, head, body]): RandomRequest => {
          const search = list.map(([name, value]) => `${name}=${encode(value)}`).join("&");
          let used = 0;
          const filled = path.replaceAll(/\{\w+\}/g, () => encode(values[used++] ?? "").replace(/^\.+$/, "%2E"));
          return {
            operation: `${method.toUpperCase()} ${path}`,
            method: method.toUpperCase(),
            path: `${filled}${search && `?${search}`}`,
            headers: head,
            body,
            declared: Object.keys(operation.responses),
          };
        });
    }),
  );
  return fc.oneof(...operations);
}

/** How long an answer is read that does not end by itself: the stream of what changes, of a session. */
const STREAM_MS = 500;

/** Sends a request and reads its answer; its status. */
function fire(daemon: Served, { method, path, headers: head, body }: RandomRequest): Promise<number> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = send({ host: "127.0.0.1", port: daemon.port, method, path, headers: { ...head, ...length } });
    request.on("response", (response) => {
      const status = response.statusCode ?? 0;
      const isStream = /event-stream|ndjson/.test(response.headers["content-type"] ?? "");
      const enough = (): void => {
        resolve(status);
        request.destroy();
      };
      const timer = isStream ? setTimeout(enough, STREAM_MS) : undefined;
      response.resume();
      response.on("end", () => resolve(status)).on("error", reject);
      response.on("close", () => clearTimeout(timer));
    });
    request.on("error", reject);
    request.end(body);
  });
}

export const fuzz: Fault = {
  name: "fuzz",
  about: "random requests by the OpenAPI document",
  async run(tally, { short }) {
    const runs = short ? 300 : 10_000;
    const lab = await openLab(tally);
    const daemon = await lab.start();
    const document = (await (await fetch(`${daemon.url}/-/openapi.json`)).json()) as Document;
    const known = await knownIds(lab, daemon);
    const other = await openChat(`${daemon.url}/chat?session_id=beside`);
    const statuses: number[] = [];
    let prompts = 0;
    const property = fc.asyncProperty(randomRequests(document, known), (request) =>
      tally.attempt(request.operation, async () => {
        const status = await fire(daemon, request);
        statuses.push(status);
        assert(status < 500, `answered ${status}: ${JSON.stringify(request)}`);
        const isDeclared = request.declared.includes(String(status));
        assert(isDeclared, `answered ${status}, which the document does not name: ${JSON.stringify(request)}`);
        if (statuses.length % 100 !== 0) return;
        other.send(`hello ${++prompts}`);
        const kinds = (await other.turns()).map(({ kind }) => kind).join();
        assert(kinds === "user_prompt,assistant_delta,assistant_message,done", `another conversation read ${kinds}`);
      }),
    );
    const { seed } = await fc.check(property, { numRuns: runs });
    const counts = [...counted(statuses.map(String))].sort().map(([status, count]) => `${count} × ${status}`);
    tally.note = `seed ${seed}: ${counts.join(", ")}`;
    await tally.attempt("the other conversation", async () => {
      const { turns } = (await (await fetch(`${daemon.url}/-/sessions/beside`)).json()) as { turns: unknown[] };
      assert(turns.length === prompts, `it has ${turns.length} turns, not ${prompts}`);
    });
    await tally.attempt("the record at the end", async () => {
      await settle(daemon);
      await auditRequests(lab, daemon);
      await lab.auditTranscripts(daemon);
    });
    other.close();
  },
};
