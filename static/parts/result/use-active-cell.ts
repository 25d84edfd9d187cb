// The cell of a table that was chosen: in a grid it has the focus, the arrow keys move it, and Ctrl+C copies it.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Column } from "../../values/column.js";
import { toTsv } from "../../values/delimited.js";
import { fieldOf, plainText } from "../../values/rows.js";
import { copyText, OUTCOME_MS } from "../copy.js";
import { gridTarget, HEAD } from "./grid-keys.js";
import type { ActiveCell } from "./table-rows.js";
import type { Items } from "./use-items.js";

/** The cell with the focus of a grid, and the keys that move it. */
export function useActiveCell(options: {
  items: Items;
  columns: readonly Column[];
  scrollTo: (item: number) => void;
  box: { current: HTMLElement | null };
}) {
  const { items, columns, box } = options;
  const [active, setActive] = useState<ActiveCell | undefined>(undefined);
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    if (!wantsFocus.current || active === undefined) return;
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${active.item}:${active.column}"]`);
    if (cell == null) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: active.item !== HEAD });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const [copied, setCopied] = useState("");
  const rowText = (at: ActiveCell): string | undefined => {
    const item = items.at(at.item);
    if (item.kind !== "row" || item.placed === undefined) return undefined;
    return toTsv(
      [item.placed.row],
      columns.map(({ name }) => name),
    )
      .split("\r\n")
      .slice(1)
      .join("\r\n");
  };
  const cellValue = (at: ActiveCell): string | undefined => {
    const item = items.at(at.item);
    const name = columns[at.column]?.name;
    return item.kind === "row" && item.placed !== undefined && name !== undefined
      ? plainText(fieldOf(item.placed.row, name))
      : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = active ?? { item: 0, column: 0 };
    if (event.key.toLowerCase() === "c" && (event.ctrlKey || event.metaKey) && getSelection()?.isCollapsed !== false) {
      const text = event.shiftKey ? rowText(here) : cellValue(here);
      if (text === undefined || here.item === HEAD) return;
      event.preventDefault();
      void copyText(text).then((outcome) => {
        setCopied(outcome);
        setTimeout(() => setCopied(""), OUTCOME_MS);
      });
      return;
    }
    if (event.key === "Enter" && event.target instanceof HTMLTableCellElement) {
      event.target.querySelector<HTMLElement>("button, a")?.click();
      return;
    }
    const next = gridTarget(event, here, { items: items.count, columns: columns.length });
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    if (next.item !== HEAD) options.scrollTo(next.item);
    setActive(next);
  };
  return { active, setActive, onKeyDown, cellValue, rowText, copied };
}
