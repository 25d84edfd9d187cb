// The list of the history: however many rows there are, only those in view are in the document.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { HistoryRows } from "../../state/history-rows.js";
import { view } from "../../state/route.js";
import { type Frame, partOf, topFor } from "./part-of.js";
import { Row } from "./row.js";

/** Heights of a row in pixels, as in history.css. */
const ROW = 44;
const NARROW_ROW = 84;
const NARROW = "(width < 52rem)";
function useFrame(): [{ current: HTMLDivElement | null }, Frame, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [frame, setFrame] = useState<Frame>({ top: 0, height: 800 });
  const [rowHeight, setRowHeight] = useState(matchMedia(NARROW).matches ? NARROW_ROW : ROW);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const look = () => {
      setFrame({ top: box.scrollTop, height: box.clientHeight });
      setRowHeight(matchMedia(NARROW).matches ? NARROW_ROW : ROW);
    };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  return [ref, frame, rowHeight];
}

/** Steps of the arrow keys and their like, in rows; undefined for another key. */
function stepOf(key: string, page: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}

/** What of a list is drawn, and how. */
interface Drawn {
  box: { current: HTMLDivElement | null };
  frame: Frame;
  rowHeight: number;
  part: { first: number; last: number };
  open: number | undefined;
}

/** The row that the Tab key reaches, and what the arrow keys make of it. */
function useActiveRow(rows: HistoryRows, { box, frame, rowHeight, part, open }: Drawn) {
  /** Its key. */
  const [active, setActive] = useState<number | undefined>(open);
  /** The key of the row that takes the focus once it is drawn. An effect of an earlier drawing may still come: it has to ask for this one, too. */
  const wanted = useRef<number | undefined>(undefined);
  const opened = useRef<number | undefined>(undefined);
  const found = Math.max(0, active === undefined ? 0 : rows.indexOf(active));
  const scrollTo = (index: number) => {
    if (box.current !== null) box.current.scrollTop = topFor(index, rows.length, { rowHeight, frame });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, Math.max(1, Math.floor(frame.height / rowHeight) - 1));
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = Math.min(Math.max(0, found + step), rows.length - 1);
    wanted.current = rows.keyAt(next);
    setActive(wanted.current);
    scrollTo(next);
  };
  useEffect(() => {
    if (wanted.current !== undefined) {
      const link = box.current?.querySelector<HTMLElement>(`li[data-key="${wanted.current}"] a`);
      if (!link) return;
      wanted.current = undefined;
      link.focus({ preventScroll: true });
    }
    // A row that is opened by its address is brought into view once it has a place.
    if (open === undefined || opened.current === open || rows.indexOf(open) < 0) return;
    opened.current = open;
    scrollTo(rows.indexOf(open));
  });
  // What is out of view is not drawn, and takes no focus.
  const index = found >= part.first && found <= part.last ? found : part.first;
  return { index, setActive, onKeyDown };
}

/** The rows, newest first. */
export function HistoryList({ rows }: { rows: HistoryRows }) {
  const [box, frame, rowHeight] = useFrame();
  const open = view.value.kind === "history" ? view.value.row : undefined;
  rows.version.value;
  const count = rows.length;
  const part = partOf(count, rowHeight, frame);
  useEffect(() => {
    if (part.last >= part.first) rows.need(part.first, part.last);
  });
  const active = useActiveRow(rows, { box, frame, rowHeight, part, open });
  const size = rows.hasMore ? -1 : count;
  const places = Array.from({ length: Math.max(0, part.last - part.first + 1) }, (_, at) => part.first + at);
  return (
    <div class="history-scroll" ref={box}>
      <ul
        class="history"
        aria-label="Calls, newest first"
        aria-busy={rows.loading.value}
        style={{ height: `${part.height}px` }}
      >
        {places.map((index) => {
          const key = rows.keyAt(index);
          const row = rows.at(index);
          const style = { translate: `0 ${part.offset + (index - part.first) * rowHeight}px` };
          return (
            <li key={key} data-key={key} class="row" style={style} aria-setsize={size} aria-posinset={index + 1}>
              {row === undefined ? (
                <span class="row-missing faint">{rows.isGone(index) ? `${key} is not kept any more` : "…"}</span>
              ) : (
                <Row
                  row={row}
                  open={open === row.id}
                  tabbable={index === active.index}
                  onFocus={() => active.setActive(key)}
                  onKeyDown={active.onKeyDown}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
