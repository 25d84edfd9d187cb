// A single thing as a list of its fields, with labels for people; what is nested stands within, lists of things as tables.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Tool } from "../../../src/domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../../src/lib/json.js";
import { tools } from "../../state/daemon.js";
import { cellText } from "../../values/cell.js";
import { type Column, columnsOf, isNumeric } from "../../values/column.js";
import { pointOf } from "../../values/geo.js";
import { thingTool } from "../../values/links.js";
import { labelOf } from "../../values/names.js";
import { fieldOf } from "../../values/rows.js";
import { relativeTime, timeOf } from "../../values/time.js";
import { counted } from "../format.js";
import { Json } from "../json.js";
import { Revealed } from "../reveal.js";
import { Scroll } from "../scroll.js";
import { CellContent } from "./cell.js";

/** Fields, rows and depth that are displayed at once; the rest is a click away or JSON. */
const FIRST_FIELDS = 80;
const FIRST_ROWS = 20;
const MAX_DEPTH = 4;
/** A longer text is clamped. */
const MAX_TEXT = 320;

/** A long text, a few lines of it at first. */
function ClampedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div class={isOpen ? "long-text" : "long-text clamped"}>
        <Revealed text={isOpen ? text : text.slice(0, 4 * MAX_TEXT).toWellFormed()} lines="break" />
      </div>
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Show less" : "Show all"}
      </button>
    </>
  );
}

/** Rows inside of something else: a table without tools. */
function SmallTable({ rows, from, depth }: { rows: JsonObject[]; from: Tool | undefined; depth: number }) {
  const [count, setCount] = useState(FIRST_ROWS);
  const columns = useMemo(() => columnsOf([...new Set(rows.flatMap((row) => Object.keys(row)))], rows), [rows]);
  return (
    <>
      <Scroll class="rows" label={`Table of ${counted(rows.length, "row")}`}>
        <table class="small-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" key={column.name} class={isNumeric(column) ? "number" : undefined}>
                  <Revealed text={labelOf(column.name)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, i) => (
              <tr key={i}>
                {columns.map((column) => {
                  const value = fieldOf(row, column.name);
                  return (
                    <td
                      key={column.name}
                      class={isNumeric(column) ? "number" : undefined}
                      title={cellText(value, column, row).exact || undefined}
                    >
                      {isThing(value) && depth < MAX_DEPTH ? (
                        <Nested value={value} from={from} depth={depth + 1} />
                      ) : (
                        <CellContent value={value} column={column} row={row} link={linkOf(column, from)} />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length > count && (
        <button type="button" class="link" onClick={() => setCount(count * 5)}>
          {`Show more of ${counted(rows.length, "row")}`}
        </button>
      )}
    </>
  );
}

function linkOf(column: Column, from: Tool | undefined) {
  return from === undefined ? undefined : thingTool(column.name, from, tools.value ?? []);
}

/** A nested value, unfolded: an object as fields, a list of objects as a table. */
export function Nested({ value, from, depth }: { value: JsonValue; from: Tool | undefined; depth: number }) {
  if (depth >= MAX_DEPTH) return <Json value={value} label="Nested value" />;
  if (Array.isArray(value) && value.length > 0 && value.every(isObject))
    return <SmallTable rows={value as JsonObject[]} from={from} depth={depth} />;
  if (isObject(value) && Object.keys(value).length > 0) return <FieldList value={value} from={from} depth={depth} />;
  if (Array.isArray(value) && value.length === 0) return <span class="quiet">empty list</span>;
  if (isObject(value)) return <span class="quiet">no fields</span>;
  return <Json value={value} label="Nested value" />;
}

/** Whether a value is unfolded in place: an object or a list of them, and no file, point or list of plain values. */
function isThing(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  if (Array.isArray(value)) return value.length === 0 || value.some((item) => typeof item === "object");
  return isObject(value) && value["binary"] !== true && pointOf(value) === undefined;
}

function FieldValue(props: {
  value: JsonValue;
  column: Column;
  row: JsonObject;
  from: Tool | undefined;
  depth: number;
}) {
  const { value, column, row, from, depth } = props;
  if (typeof value === "string" && value.length > MAX_TEXT && column.kind === "text")
    return <ClampedText text={value} />;
  if (isThing(value)) return <Nested value={value} from={from} depth={depth + 1} />;
  const time = column.kind === "time" ? timeOf(value) : Number.NaN;
  return (
    <>
      <CellContent value={value} column={column} row={row} link={linkOf(column, from)} lines="break" />
      {!Number.isNaN(time) && column.timeForm !== "relative" && (
        <span class="faint">{` · ${relativeTime(time, Date.now())}`}</span>
      )}
    </>
  );
}

/** The fields of an object. The marked one comes into view, and has the focus. */
export function FieldList(props: {
  value: JsonObject;
  from: Tool | undefined;
  depth?: number;
  marked?: { column: string } | undefined;
}) {
  const { value, from, depth = 0, marked } = props;
  const [all, setAll] = useState(false);
  const found = useRef<HTMLElement>(null);
  useEffect(() => {
    if (marked === undefined) return;
    if (found.current === null) setAll(true);
    found.current?.scrollIntoView({ block: "center" });
    found.current?.focus({ preventScroll: true });
  }, [marked, all]);
  const names = Object.keys(value);
  const shown = all ? names : names.slice(0, FIRST_FIELDS);
  const columns = useMemo(() => columnsOf(shown, [value]), [value, all]);
  return (
    <>
      <dl class={depth === 0 ? "fields" : "fields fields-nested"}>
        {columns.map((column) => {
          const field = fieldOf(value, column.name) ?? null;
          return (
            <div class="field" key={column.name}>
              <dt title={column.name}>
                <Revealed text={labelOf(column.name)} />
              </dt>
              <dd
                title={cellText(field, column, value).exact || undefined}
                {...(column.name === marked?.column && { ref: found, class: "marked", tabIndex: -1 })}
              >
                <FieldValue value={field} column={column} row={value} from={from} depth={depth} />
              </dd>
            </div>
          );
        })}
      </dl>
      {names.length > shown.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {`Show all ${counted(names.length, "field")}`}
        </button>
      )}
    </>
  );
}
