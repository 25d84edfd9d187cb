// Random requests made from the daemon's own OpenAPI document: no 5xx, no status the document does not name, and a
// conversation beside them that is not disturbed.
import assert from "node:assert/strict";
import { request as send } from "node:http";
import fc from "fast-check";
import { openChat } from "../../support/raw.js";
import type { Served } from "../../support/spawn.js";
import { createTally, type Fault } from "../fault.js";
import { openLab } from "../lab.js";

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
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  declared: string[];
}

const words = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
  fc.string({ minLength: 1, maxLength: 250 }),
  fc.constantFrom(
    "0",
    "1",
    "-1",
    "1.5",
    "1e9",
    "9007199254740993",
    "null",
    "true",
    "..",
    "__proto__",
    "%00",
    "s-1",
    "s-2",
  ),
  fc.integer().map(String),
);

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
  const prompt = fc
    .tuple(fc.string({ minLength: 1, maxLength: 80 }), fc.constantFrom("s-1", "s-2", "s-3"))
    .map(([message, session_id]) => JSON.stringify({ message, session_id }));
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

function randomRequests(document: Document): fc.Arbitrary<RandomRequest> {
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
        .tuple(words, pairs, headers, bodies(operation, document))
        .map(([id, list, head, body]): RandomRequest => {
          const search = list.map(([name, value]) => `${name}=${encode(value)}`).join("&");
          const filled = path.replace("{id}", encode(id).replace(/^\.+$/, "%2E"));
          return {
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
  async run({ short, log }) {
    const runs = short ? 300 : 10_000;
    const lab = await openLab(createTally());
    const { tally } = lab;
    const daemon = await lab.start();
    const document = (await (await fetch(`${daemon.url}/-/openapi.json`)).json()) as Document;
    const other = await openChat(`${daemon.url}/chat?session_id=beside`);
    const statuses = new Map<number, number>();
    let prompts = 0;
    tally.tried = runs;
    const property = fc.asyncProperty(randomRequests(document), async (request) => {
      const status = await fire(daemon, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert(status < 500, `answered ${status}`);
      assert(request.declared.includes(String(status)), `answered ${status}, which the document does not name`);
      if (tally.survived++ % 200 !== 0) return;
      other.send(`hello ${++prompts}`);
      const kinds = (await other.turns()).map(({ kind }) => kind).join();
      assert(kinds === "user_prompt,assistant_delta,assistant_message,done", `another conversation read ${kinds}`);
    });
    const found = await fc.check(property, { numRuns: runs });
    if (found.failed) {
      tally.survived = Math.min(tally.survived, runs - 1);
      tally.problems.push(fc.defaultReportMessage(found) ?? "");
    }
    tally.survived = Math.min(tally.survived, runs);
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    log(counts.join(", "));
    await tally.attempt("the other conversation", async () => {
      const { turns } = (await (await fetch(`${daemon.url}/-/sessions/beside`)).json()) as { turns: unknown[] };
      assert(turns.length === prompts, `it has ${turns.length} turns, not ${prompts}`);
      await lab.auditTranscripts(daemon);
    });
    tally.note = counts.join(", ");
    other.close();
    return lab.close();
  },
};
