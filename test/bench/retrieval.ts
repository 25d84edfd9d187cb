// `npm run bench -- retrieval --tools F --queries F --out RUN.json`: ranks a catalogue for a file of prompts and writes the
// rankings, so that they can be scored by any program. Tools and prompts are JSON lines:
// {name, method, path, op, summary, description, tags, params: [[name, description]], api} and {id, query, pool?}.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { impliedSafety } from "../../src/applications/http/implied.js";
import type { Verb } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
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

function verbOf(method: string, path: string): Verb {
  if (method === "GET") return /\}$/.test(path) ? "get" : "list";
  if (method === "POST") return "create";
  if (method === "PUT" || method === "PATCH") return "update";
  return method === "DELETE" ? "delete" : "action";
}

function toTool(line: ToolLine, many: boolean): Tool {
  const safety = impliedSafety(line.method || "GET");
  return {
    name: line.name,
    description: [line.summary, line.description].filter((text) => text !== "").join("\n"),
    input_schema: {
      type: "object",
      properties: Object.fromEntries(line.params.map(([name, description]) => [name, { description }])),
    },
    resource: many ? line.api : (line.tags[0] ?? line.api),
    verb: verbOf(line.method, line.path),
    safety,
    provenance: "declared",
    transport: { kind: "http", method: line.method, path: line.path },
  };
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
  const many = new Set(lines.map((line) => line.api)).size > 1;
  const tools = new Map(lines.map((line) => [line.name, toTool(line, many)]));
  const extras = new Map(lines.map((line) => [line.name, `${line.op} ${line.tags.join(" ")}`]));

  const started = performance.now();
  const whole = createIndex([...tools.values()], extras);
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
          extras,
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
    run[line.id] = found.map(({ tool }) => tool.name);
  });
  writeFileSync(values.out, JSON.stringify(run));
  console.log(
    `${tools.size} tools indexed in ${indexMs.toFixed(0)} ms, ${queries.length} prompts ranked in ${median(times).toFixed(2)} ms each (p95 ${quantile(times, 0.95).toFixed(2)} ms)`,
  );
}
