// One recorded call whole, for a person: what was asked for, what was sent, what came back, what it changed.
import { UNNAMED } from "../../domain/application-name.js";
import { reasonOf } from "../../domain/failure-reason.js";
import type { HistoryEntry } from "../../domain/record.js";
import { isUndoable } from "../../domain/undo-state.js";
import { visible } from "../../lib/invisible-characters.js";
import type { JsonObject } from "../../lib/json.js";
import { effectLines, effectSummary } from "./effect.js";
import type { Look } from "./look.js";
import { tookText } from "./outcome.js";
import { paint, type Span, span, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";
import { INDENT, jsonLines, valueLines } from "./value-lines.js";
import { fieldLines } from "./whole-rows.js";

const LABEL_WIDTH = 13;

function fieldsOf(entry: HistoryEntry, timeOf: (ts: string) => string): [label: string, text: string][] {
  const { id, ts, status, duration_ms: took, policy, undo, kept } = entry;
  const modes = Object.entries(policy).flatMap(([mode, on]) => (on ? [mode] : []));
  return [
    ["status", `${status}${took === null ? "" : `, ${tookText(took)}`}`],
    ["time", timeOf(ts)],
    ["application", entry.application || UNNAMED],
    ["session", entry.session_id || "none"],
    ["turn", entry.turn_id || "none: called directly"],
    ["asked by", [entry.client, entry.asked_by].filter((text) => text !== "").join(", token ")],
    ["model", [entry.model, entry.provider].filter((text) => text !== "").join(" of ") || "none"],
    ["modes", modes.join(", ") || "none"],
    ["undo", isUndoable(undo) ? `${undo}: agentd undo ${id}` : (undo ?? "")],
    ["confirmation", status === "held" ? "waits: agentd approvals" : status === "denied" ? "denied" : ""],
    [
      "kept",
      kept
        ? `${kept.items} items, ${kept.bytes} bytes${kept.truncated ? ", not all of them" : ""}: agentd result ${id}`
        : "",
    ],
  ];
}

/** A call as painted text, nothing of it left out; ends with a line break. `sent` is its request where more is known than the row has. */
export function callPage(
  entry: HistoryEntry,
  { timeOf = (ts) => ts, ...look }: Look & { timeOf?: (ts: string) => string },
  sent?: JsonObject,
): string {
  const { id, tool, safety, status, effect, result } = entry;
  const request = sent ?? entry.request;
  const section = (title: string, lines: readonly Span[][]): Span[][] =>
    lines.length === 0 ? [] : [[], [span(title, "bold")], ...lines];
  const fields = fieldLines(
    fieldsOf(entry, timeOf).flatMap(([label, text]) => (text === "" ? [] : [[label, oneLine(text)] as const])),
    look.width,
    LABEL_WIDTH,
  );
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
    ...section("Result", result === null ? [] : valueLines(result, look.width)),
  ];
  return lines.map((line) => `${paint(line, look.styled).trimEnd()}\n`).join("");
}
