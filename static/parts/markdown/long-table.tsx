// A table of an answer in parts: only the last one is made again while it grows, and those out of view are not laid out. The columns
// of all are as wide as those of the first, which the browser makes by what is in them.
import { Component, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Scroll } from "../scroll.js";
import type { Chunk } from "./definitions.js";
import type { LinkedNumbers } from "./origins.js";
import { type Alignment, type TableView, toViews } from "./view.js";

/** For rows that were never in view. */
const ROW_HEIGHT_REM = 1.9;

/** Parts of a table that came whole which are laid out at once. */
const PARTS_AT_ONCE = 2;

/** Some rows of a table. */
export interface RowsPart {
  chunk: Pick<Chunk, "html">;
  split: LinkedNumbers["split"] | undefined;
  isFinal: boolean;
}

const columnStyle = (i: number): string => `--column-${i}`;

/** Rows of a table whose head stands elsewhere; it is here once more for those who hear it. */
class Rows extends Component<RowsPart & { alignments: readonly Alignment[] }> {
  override shouldComponentUpdate(next: Readonly<RowsPart>): boolean {
    const { chunk, split, isFinal } = this.props;
    return next.chunk.html !== chunk.html || next.split !== split || next.isFinal !== isFinal;
  }

  render({ chunk, split, isFinal, alignments }: RowsPart & { alignments: readonly Alignment[] }) {
    // The first one is the head's.
    const height = `auto ${(chunk.html.split("<tr>").length - 2) * ROW_HEIGHT_REM}rem`;
    const columns = alignments.map((_, i) => <col key={i} style={{ width: `var(${columnStyle(i)})` }} />);
    return (
      <div
        class={isFinal ? "table-rows table-rows-final" : "table-rows"}
        style={isFinal ? { containIntrinsicHeight: height } : undefined}
      >
        {toViews(chunk.html, {
          topHeading: 1,
          split,
          alignments,
          columns: <colgroup>{columns}</colgroup>,
          wrapTable: ({ table }) => table,
        })}
      </div>
    );
  }
}

/** A table that goes on in more parts. `alignments`: those of its columns. */
export function LongTable(props: {
  first: VNode;
  dir: "rtl" | undefined;
  more: readonly RowsPart[];
  alignments: readonly Alignment[];
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const table = box.current?.querySelector("table");
    if (!table) return undefined;
    const measure = () => {
      const heads = Array.from(table.querySelectorAll("th"), (head) => head.getBoundingClientRect().width);
      for (const [i, width] of heads.entries()) box.current?.style.setProperty(columnStyle(i), `${width}px`);
      box.current?.style.setProperty("--table-width", `${table.getBoundingClientRect().width}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return (
    <Scroll class="scroll-x long-table" label="Table" dir={props.dir} box={box}>
      {props.first}
      {props.more.map((part, i) => (
        <Rows key={i} {...part} alignments={props.alignments} />
      ))}
    </Scroll>
  );
}

/** A very long table that came whole: its parts are laid out one after the other, so that the page does not wait for all of them. */
export function SlicedTable({ view, split }: { view: TableView; split: LinkedNumbers["split"] | undefined }) {
  const [count, setCount] = useState(0);
  const isComplete = count >= view.more.length;
  useEffect(() => {
    if (isComplete) return undefined;
    const timer = setTimeout(() => setCount(count + PARTS_AT_ONCE), 0);
    return () => clearTimeout(timer);
  }, [count, isComplete]);
  const more = view.more.slice(0, count).map((html) => ({ chunk: { html }, split, isFinal: true }));
  return <LongTable first={view.table} dir={view.dir} more={more} alignments={view.alignments} />;
}
