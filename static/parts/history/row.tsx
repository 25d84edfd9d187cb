// One row of the history list, as a link to what it holds.
import type { HistoryEntry } from "../../../src/domain/record.js";
import { navigate, pathOf, type View, view } from "../../state/route.js";
import { ApplicationTag } from "../applications.js";
import { duration, fullTime, moment } from "../format.js";
import { Revealed } from "../reveal.js";
import { argumentsLine } from "../summary.js";
import { SafetyTag, StatusTag } from "../tags.js";

/** The address of a row, or of the list alone; filters stay. */
export function rowView(id: number | undefined): View {
  const now = view.peek();
  return { kind: "history", row: id, search: now.kind === "history" ? now.search : "" };
}

/** A row; `tabbable` for the one that the Tab key reaches. */
export function Row(props: {
  row: HistoryEntry;
  open: boolean;
  tabbable: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { row, open, tabbable, onFocus, onKeyDown } = props;
  const target = rowView(row.id);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(open ? rowView(undefined) : target);
  };
  return (
    <a
      class="row-head"
      href={pathOf(target)}
      aria-current={open ? "true" : undefined}
      tabIndex={tabbable ? 0 : -1}
      onClick={onClick}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <span class="row-id faint">{row.id}</span>
      <time class="row-time" dateTime={row.ts} title={fullTime(row.ts)}>
        {moment(row.ts)}
      </time>
      <code class="row-tool">
        <ApplicationTag name={row.application} /> <Revealed text={row.tool} />
      </code>
      <span class="row-arguments">
        <Revealed
          text={argumentsLine(typeof row.request?.["asks"] === "string" ? row.request : row.arguments)}
          lines="mark"
        />
      </span>
      <span class="row-safety">
        <SafetyTag safety={row.safety} />
      </span>
      <span class="row-duration faint">{row.duration_ms === null ? "" : duration(row.duration_ms)}</span>
      <StatusTag status={row.status} />
    </a>
  );
}
