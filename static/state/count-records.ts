// Counts the records of a resource by one call of its list tool, under the modes of this tab and on record like every call.
import { isObject, objectOf } from "../../src/lib/json.js";
import { recordCount } from "../values/record-count.js";
import { requestJson } from "./api.js";
import { callTool, loadTool } from "./direct-calls.js";

/** Rows of a database that are counted: each of them is read. */
const MOST_ROWS = 10_000;

/** What it came to, in words, and the history row that says so. Throws ApiError. */
export async function countRecords(name: string): Promise<{ text: string; row?: number | undefined }> {
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
  return { text: `${isAll ? "" : "at least "}${count.toLocaleString()} ${noun}`, row };
}
