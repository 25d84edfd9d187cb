// One recorded call whole, for a person: what was asked for, what was sent, what came back, what it changed.
import { UNNAMED } from "../../domain/application-name.js";
import { reasonOf } from "../../domain/failure-reason.js";
import type { HistoryEntry } from "../../domain/record.js";
import { visible, visibleJson } from "../../lib/invisible-characters.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { effectLines, effectSummary } from "./effect.js";
import type { Look } from "./look.js";
import { tookText } from "./outcome.js";
import { paint, type Span, span, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";
import { tableLines } from "./table-lines.js";

/** Rows of a list that are shown; --json has all that the row has, agentd result all that is kept. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 30;
const LABEL_WIDTH = 13;
const INDENT = "  ";

const cellOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? "" : oneLine(typeof value === "string" ? value : toJson(value), 200);

/** The list of rows that a result is, or holds as its only list. */
function rowsIn(result: JsonValue): JsonObject[] | undefined {
  const lists = Array.isArray(result) ? [result] : isObject(result) ? Object.values(result).filter(Array.isArray) : [];
  const [list] = lists;
  if (!list || lists.length > 1 || list.length === 0) return undefined;
  return list.every((row) => isObject(row)) ? (list as JsonObject[]) : undefined;
}

function jsonLines(value: JsonValue): Span[][] {
  return visibleJson(toJson(value, 2))
    .split("\n")
    .map((line) => [span(INDENT + line, "code")]);
}

/** A value as a table where it is a list of rows, as text where it is text, else as JSON. */
function valueLines(value: JsonValue, { width }: Look): Span[][] {
  if (typeof value === "string")
    return visible(value)
      .split("\n")
      .flatMap((line) => wrapLine([span(line)], width - INDENT.length).map((part) => [span(INDENT), ...part]));
  const rows = rowsIn(value);
  if (!rows) return jsonLines(value);
  const names = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const table = {
    headings: names.map((name) => [span(oneLine(name), "bold")]),
    rows: rows.slice(0, MAX_ROWS).map((row) => names.map((name) => [span(cellOf(row[name]))])),
    ruled: true,
  };
  const lines = tableLines(table, width - INDENT.length).map((line) => [span(INDENT), ...line]);
  if (rows.length > MAX_ROWS)
    lines.push([span(`${INDENT}the first ${MAX_ROWS} of ${rows.length}; --json has them all`, "dim")]);
  return lines;
}

function fieldsOf(entry: HistoryEntry): [label: string, text: string][] {
  const { id, ts, status, duration_ms: took, policy, undo, kept } = entry;
  const modes = Object.entries(policy).flatMap(([mode, on]) => (on ? [mode] : []));
  const canUndo = undo === "possible" || undo === "partial";
  return [
    ["status", `${status}${took === null ? "" : `, ${tookText(took)}`}`],
    ["time", ts],
    ["application", entry.application || UNNAMED],
    ["session", `${entry.session_id || "none"}${entry.session_id ? `  (agentd sessions ${entry.session_id})` : ""}`],
    ["turn", entry.turn_id || "none: called directly"],
    ["asked by", [entry.client, entry.asked_by].filter((text) => text !== "").join(", token ")],
    ["model", [entry.model, entry.provider].filter((text) => text !== "").join(" of ") || "none"],
    ["modes", modes.join(", ") || "none"],
    ["undo", canUndo ? `${undo}: agentd undo ${id}` : (undo ?? "")],
    ["confirmation", status === "held" ? "waits: agentd approvals" : status === "denied" ? "denied" : ""],
    ["kept", kept ? `${kept.items} items, ${kept.bytes} bytes${kept.truncated ? ", not all of them" : ""}` : ""],
  ];
}

/** A call as painted text; ends with a line break. */
export function callPage(entry: HistoryEntry, look: Look): string {
  const { id, tool, safety, status, request, effect, result } = entry;
  const section = (title: string, lines: readonly Span[][]): Span[][] =>
    lines.length === 0 ? [] : [[], [span(title, "bold")], ...lines];
  const fields = fieldsOf(entry).flatMap(([label, text]): Span[][] => {
    if (text === "") return [];
    const [first = [], ...rest] = wrapLine([span(oneLine(text))], look.width - LABEL_WIDTH);
    return [
      [span(label.padEnd(LABEL_WIDTH), "dim"), ...first],
      ...rest.map((line) => [span(" ".repeat(LABEL_WIDTH)), ...line]),
    ];
  });
  const failed = status === "error" || status === "blocked" || status === "denied";
  const reason = failed ? reasonOf(result) : undefined;
  const changes = effect
    ? [...effectSummary(effect, undefined).map((line) => INDENT + line), ...effectLines(effect)]
    : [];
  const lines = [
    [span(`call ${id}  ${oneLine(tool)}`, "bold"), span(` (${safety})`)],
    ...(reason === undefined ? [] : wrapLine([span(oneLine(reason), "bold")], look.width)),
    ...fields,
    ...section("Arguments", jsonLines(entry.arguments)),
    ...section("Request", request ? jsonLines(request) : []),
    ...section(
      "Effect",
      changes.flatMap((line) => wrapLine([span(visible(line))], look.width)),
    ),
    ...section("Result", result === null ? [] : valueLines(result, look)),
  ];
  return lines.map((line) => `${paint(line, look.styled).trimEnd()}\n`).join("");
}
