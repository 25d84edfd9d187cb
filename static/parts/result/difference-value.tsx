// The two sides of a difference as a result writes its values: numbers and dates in the reader's form with one precision, the exact value
// for the pointer. Nothing that differs may look the same: then both sides are as they came. Loaded with the first difference.
import { decimalsOf } from "../../../src/lib/decimals.js";
import type { JsonValue } from "../../../src/lib/json.js";
import { type SideProps, sideText } from "../../turn/side-text.js";
import { cellText } from "../../values/cell.js";
import { type Column, columnsOf } from "../../values/column.js";
import { Revealed } from "../reveal.js";
import "../../style/result.css";

/** The last name of a path: "city" of "address.city", "quantity" of "lines[0].quantity". */
const leafOf = (path: string): string => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path;

/** A column that loses no digit, and of moments none either. */
function columnFor(path: string, values: readonly JsonValue[]): Column | undefined {
  const name = leafOf(path);
  const [column] = columnsOf(
    [name],
    values.map((value) => ({ [name]: value })),
  );
  if (column === undefined) return undefined;
  const digits = values.map((value) => (typeof value === "number" ? decimalsOf(value) : 0));
  const decimals = column.scale === 1 ? Math.max(column.decimals, ...digits) : column.decimals;
  return { ...column, decimals, timeForm: column.timeForm === "relative" ? "minutes" : column.timeForm };
}

/** One side of a difference; `other` is the other one. */
export function FormattedSide({ path, value, other }: SideProps) {
  const values = [value, other].filter((one) => one !== undefined);
  const column = columnFor(path, values);
  const isPlain = value !== null && typeof value !== "object";
  if (column === undefined || !isPlain) return <Revealed text={sideText(value)} />;
  const { text, exact, isFormatted } = cellText(value, column);
  const isTold = other === undefined || cellText(other, column).text !== text;
  if (column.kind === "color")
    return (
      <span class="swatch-text">
        <span class="swatch" aria-hidden="true" style={{ backgroundColor: String(value).trim() }} />
        {text}
      </span>
    );
  if (!isFormatted || !isTold) return <Revealed text={sideText(value)} />;
  return <span title={exact || undefined}>{text}</span>;
}
