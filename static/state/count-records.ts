// Counts the records of a resource by one call of its list tool, under the modes of this tab and on record like every call. This browser
// remembers what it came to last: nothing is called without a click.
import { isObject, objectOf } from "../../src/lib/json.js";
import { recordCount } from "../values/record-count.js";
import { requestJson } from "./api.js";
import { callTool, loadTool } from "./direct-calls.js";

/** Rows of a database that are counted: each of them is read. */
const MOST_ROWS = 10_000;

/** What counting came to. */
interface RecordsCounted {
  /** In words. */
  text: string;
  /** The history row that says so. */
  row?: number | undefined;
  /** When, in milliseconds since 1970, where it is a number of records. */
  at?: number;
}

const STORAGE_KEY = "agentd.counts";
/** The counts of this many tools are remembered, those made last. */
const MAX_COUNTS = 200;

function stored(): [string, RecordsCounted][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(value) ? (value as [string, RecordsCounted][]) : [];
  } catch {
    return [];
  }
}

/** What this browser counted last with a tool; `target` is the address of its application. */
export function lastCount(target: string, tool: string): RecordsCounted | undefined {
  return stored().find(([name]) => name === `${target} ${tool}`)?.[1];
}

/** Remembers a count. */
export function rememberCount(target: string, tool: string, counted: RecordsCounted): void {
  const name = `${target} ${tool}`;
  const others = stored().filter(([one]) => one !== name);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, [name, counted]].slice(-MAX_COUNTS)));
  } catch {
    // A full storage keeps what it has.
  }
}

/** Counts. Throws ApiError. */
export async function countRecords(name: string): Promise<RecordsCounted> {
  const tool = await loadTool(name);
  if (tool?.safety !== "read_only") return { text: "Its list tool is gone." };
  const limit = tool.transport.kind === "sql" ? MOST_ROWS : undefined;
  const answer = await callTool(name, {
    arguments: limit === undefined ? {} : { limit },
    modes: {},
    signal: new AbortController().signal,
  });
  const { history_id: row, result, status } = answer;
  if (answer.confirmation) return { text: "waits for a yes", row };
  if (status !== "ok" || row === undefined || objectOf(result)["dry_run"] === true)
    return { text: status === "ok" ? "not sent" : "failed", row };
  const page = await requestJson(`/-/results/${row}?count=true`);
  const items = isObject(page as never) ? (page as Record<string, unknown>)["total_items"] : undefined;
  if (typeof items !== "number") return { text: "no list", row };
  const isIncomplete = (page as { incomplete?: true }).incomplete === true;
  const { count, isAll } = recordCount({ result, items, isIncomplete, schema: tool.input_schema, limit });
  const noun = count === 1 ? "record" : "records";
  return { text: `${isAll ? "" : "at least "}${count.toLocaleString()} ${noun}`, row, at: Date.now() };
}
