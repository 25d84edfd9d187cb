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

/** The rows of a table that may be in parts, each with the head once more. */
function rowsIn(box: Element | null): JsonObject[] {
  const textsOf = (row: Element) => Array.from(row.children, textOf);
  const [head] = box?.querySelectorAll("thead tr") ?? [];
  const body = Array.from(box?.querySelectorAll("tbody tr") ?? [], textsOf);
  return writtenRows(head === undefined ? [] : textsOf(head), body);
}

function directionOf(box: Element | null): "ltr" | "rtl" | undefined {
  const table = box?.querySelector("table");
  return table?.matches(":dir(rtl)") ? "rtl" : "ltr";
}

/** A table that is written in an answer. */
export function AnswerTable({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <WithViews
      name="As written"
      views={VIEWS}
      value={() => rowsIn(box.current)}
      direction={() => directionOf(box.current)}
      label="Table"
    >
      <div class="answer-table" ref={box}>
        {children}
      </div>
    </WithViews>
  );
}
