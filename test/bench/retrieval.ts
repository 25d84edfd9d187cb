// `npm run bench -- retrieval --tools F --queries F --out RUN.json`: ranks a catalogue for a file of prompts and writes the
// rankings, so that they can be scored by any program. Tools and prompts are JSON lines:
// {name, method, path, op, summary, description, tags, params: [[name, description]], api} and {id, query, pool?}.
// The lines become an OpenAPI description that is imported as any other: that form is what users get.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openapiSource } from "../../src/applications/http/openapi/source.js";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { parseSchema } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { toSearchedTool } from "../../src/tools/public-form.js";
import { createIndex, type ToolIndex } from "../../src/tools/search/tool-index.js";
import { median, quantile } from "./measure.js";

interface ToolLine {
  name: string;
  method: string;
  path: string;
  op: string;
  summary: string;
  description: string;
  tags: string[];
  params: [string, string][];
  api: string;
}

interface QueryLine {
  id: string;
  query: string;
  /** Rank only these. */
  pool?: string[];
}

/** Ranks written per prompt. */
const DEPTH = 20;

function readLines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** A segment of a path that says what a text says. */
function segment(text: string): string {
  return (
    text
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "x"
  );
}

const BODIES = new Set(["post", "put", "patch"]);

/** The line as an OpenAPI operation; `keys` are the parameters in its path. */
function toOperation({ op, summary, description, tags, params }: ToolLine, keys: string[], method: string): JsonObject {
  const said = new Map(params);
  const named = (name: string, place: string): JsonObject => ({
    name,
    in: place,
    required: place === "path",
    description: said.get(name) ?? "",
    schema: { type: "string" },
  });
  const others = [...said.keys()].filter((name) => !keys.includes(name));
  const inBody = BODIES.has(method) ? others : [];
  const properties = Object.fromEntries(
    inBody.map((name) => [name, { type: "string", description: said.get(name) ?? "" }]),
  );
  const schema = { type: "object", properties };
  return {
    operationId: op,
    summary,
    description,
    tags,
    parameters: [
      ...keys.map((name) => named(name, "path")),
      ...others.filter((name) => !inBody.includes(name)).map((name) => named(name, "query")),
    ],
    ...(inBody.length > 0 && { requestBody: { content: { "application/json": { schema } } } }),
    responses: {},
  };
}

/** Imports the lines as one description; the tools by the names of their lines. */
async function importLines(lines: readonly ToolLine[]): Promise<Map<string, Tool>> {
  const many = new Set(lines.map(({ api }) => api)).size > 1;
  const paths: Record<string, JsonObject> = {};
  const names = new Map<string, string>();
  for (const line of lines) {
    const method = (line.method || "POST").toLowerCase();
    const own = line.path ? line.path.replace(/^\/?/, "/") : `/${segment(line.op)}`;
    let path = many ? `/${segment(line.api)}${own}` : own;
    while (paths[path]?.[method]) path += "-2";
    const keys = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
    const operation = toOperation(
      many ? { ...line, op: `${line.api} ${line.op}`, tags: [line.api] } : line,
      keys,
      method,
    );
    paths[path] = { ...paths[path], [method]: operation };
    names.set(`${method.toUpperCase()} ${path}`, line.name);
  }
  const folder = mkdtempSync(join(tmpdir(), "agentd-retrieval-"));
  try {
    const location = join(folder, "openapi.json");
    writeFileSync(location, JSON.stringify({ openapi: "3.0.3", info: { title: "bench", version: "1" }, paths }));
    const { document } = await openapiSource.read({ location, baseUrl: "http://127.0.0.1:1" });
    const tools = parseSchema(toJson(document), impliedByTransport).actions.map(toSearchedTool);
    return new Map(tools.map((tool) => [names.get(`${tool.transport.method} ${tool.transport.path}`) ?? "", tool]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The command. Prints how long indexing and ranking took. */
export async function retrieval(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { tools: { type: "string" }, queries: { type: "string" }, out: { type: "string" } },
  });
  if (!values.tools || !values.queries || !values.out)
    throw new Error("retrieval needs --tools F --queries F --out RUN.json");
  const lines = readLines<ToolLine>(values.tools);
  const queries = readLines<QueryLine>(values.queries);
  const tools = await importLines(lines);
  const lineOf = new Map([...tools].map(([name, tool]) => [tool, name]));

  const started = performance.now();
  const whole = createIndex([...tools.values()], { lenient: true });
  const indexMs = performance.now() - started;
  const pools = new Map<string, ToolIndex>();
  const indexOf = (pool: string[] | undefined): ToolIndex => {
    if (!pool) return whole;
    const key = pool.join("\n");
    let index = pools.get(key);
    if (!index)
      pools.set(
        key,
        (index = createIndex(
          pool.flatMap((name) => tools.get(name) ?? []),
          { lenient: true },
        )),
      );
    return index;
  };
  const indexes = queries.map((line) => indexOf(line.pool));

  const times: number[] = [];
  const run: Record<string, string[]> = {};
  queries.forEach((line, i) => {
    const begun = performance.now();
    const found = (indexes[i] ?? whole).search(line.query, DEPTH);
    times.push(performance.now() - begun);
    run[line.id] = found.map(({ tool }) => lineOf.get(tool) ?? tool.name);
  });
  writeFileSync(values.out, JSON.stringify(run));
  console.log(
    `${tools.size} tools indexed in ${indexMs.toFixed(0)} ms, ${queries.length} prompts ranked in ${median(times).toFixed(2)} ms each (p95 ${quantile(times, 0.95).toFixed(2)} ms)`,
  );
}
