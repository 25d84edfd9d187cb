// The cell of a table that is pointed at from elsewhere comes into view once its row is here, and has the focus.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { NO_ROW } from "../../values/rows.js";
import type { ActiveCell } from "./table-rows.js";
import type { Items } from "./use-items.js";
import type { RowsState } from "./use-result.js";

/** Brings the marked cell into view, once for each mark and each source of the rows. */
export function useMarked(
  marked: { index: number; column: string } | undefined,
  options: {
    list: RowsState;
    items: Items;
    box: RefObject<HTMLElement | null>;
    scrollTo: (index: number) => void;
    setActive: (cell: ActiveCell) => void;
  },
): void {
  const { list, items, box, scrollTo, setActive } = options;
  const reached = useRef<{ marked: object; source: object } | undefined>(undefined);
  useEffect(() => {
    const isReached = reached.current?.marked === marked && reached.current?.source === list.source;
    if (marked === undefined || isReached || items.isLoading) return;
    const cell = box.current?.querySelector<HTMLElement>("td.marked");
    if (cell == null) {
      if (marked.index !== NO_ROW) scrollTo(marked.index);
      return;
    }
    reached.current = { marked, source: list.source };
    const place = cell.dataset["cell"];
    const [item = 0, column = 0] = (place ?? "").split(":").map(Number);
    if (place !== undefined) setActive({ item, column });
    cell.scrollIntoView({ block: "center", inline: "nearest" });
    cell.focus({ preventScroll: true });
  });
}
