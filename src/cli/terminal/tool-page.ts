// One tool whole, for a person: what it does, how it is classed, what it sends, and the schema of its arguments.
import { UNNAMED } from "../../domain/application-name.js";
import type { Tool } from "../../domain/tool.js";
import { visible } from "../../lib/invisible-characters.js";
import type { Look } from "./look.js";
import { paint, type Span, span, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";
import { jsonLines } from "./value-lines.js";
import { fieldLines } from "./whole-rows.js";

/** What of a tool is sent where: "POST /orders", or the kind of its application's interface. */
export function requestText({ transport: { method, path, kind } }: Tool): string {
  return [method?.toUpperCase(), path].filter(Boolean).join(" ") || kind;
}

/** A tool as painted text, nothing of it left out; ends with a line break. `changed` says what of it the operator changed, and where. */
export function toolPage(tool: Tool, look: Look, changed = ""): string {
  const { name, application, safety, provenance, permission, description, input_schema: schema } = tool;
  const fields: [label: string, text: string][] = [
    ["request", requestText(tool)],
    ["application", application || UNNAMED],
    ["provenance", provenance],
    ["permission", permission?.is ?? ""],
    ["changed", changed],
  ];
  const lines: Span[][] = [
    [span(oneLine(name), "bold"), span(` (${safety})`)],
    ...fieldLines(
      fields.flatMap(([label, text]) => (text === "" ? [] : [[label, oneLine(text)] as const])),
      look.width,
    ),
    [],
    ...description.split("\n").flatMap((line) => wrapLine([span(visible(line))], look.width)),
    [],
    [span("Arguments", "bold")],
    ...jsonLines(schema),
  ];
  return lines.map((line) => `${paint(line, look.styled).trimEnd()}\n`).join("");
}
