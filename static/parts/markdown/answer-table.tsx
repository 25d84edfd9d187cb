// A table of an answer as it is written, with its numbers that lead to their cells, and as a result to sort, filter, sum and draw. Its rows
// are read from the page when they are asked for.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { JsonObject } from "../../../src/lib/json.js";
import { writtenRows } from "../../values/written-table.js";
import type { Tab } from "../result/tabs.js";
import { WithViews } from "../result/with-views.js";

const VIEWS: readonly Tab[] = ["table", "chart", "json"];

/** The text of a cell, with its lines. */
function textOf(cell: Element): string {
  if (cell.querySelector("br") === null) return cell.textContent;
  const copy = cell.cloneNode(true) as Element;
  for (const lineBreak of copy.querySelectorAll("br")) lineBreak.replaceWith("\n");
  return copy.textContent;
}

/** The rows of a table that may be in parts, each with the head once more; those of `more` may not be displayed yet. */
function rowsIn(box: Element | null, more: readonly string[]): JsonObject[] {
  const textsOf = (row: Element) => Array.from(row.children, textOf);
  const [table] = box?.querySelectorAll("table") ?? [];
  const [head] = box?.querySelectorAll("thead tr") ?? [];
  const others = more.map((html) => new DOMParser().parseFromString(html, "text/html"));
  const parts = more.length > 0 && table !== undefined ? [table, ...others] : box === null ? [] : [box];
  const body = parts.flatMap((part) => Array.from(part.querySelectorAll("tbody tr"), textsOf));
  return writtenRows(head === undefined ? [] : textsOf(head), body);
}

function directionOf(box: Element | null): "ltr" | "rtl" | undefined {
  const table = box?.querySelector("table");
  return table?.matches(":dir(rtl)") ? "rtl" : "ltr";
}

/** A table that is written in an answer. */
export function AnswerTable(props: { more: readonly string[]; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <WithViews
      name="As written"
      views={VIEWS}
      value={() => rowsIn(box.current, props.more)}
      direction={() => directionOf(box.current)}
      label="Table"
    >
      <div class="answer-table" ref={box}>
        {props.children}
      </div>
    </WithViews>
  );
}
