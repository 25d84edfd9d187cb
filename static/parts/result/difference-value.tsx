// The two sides of a difference as a result writes its values: numbers and dates in the reader's form with one precision, the exact value
// for the pointer. Nothing that differs may look the same: then both sides are as they came. Loaded with the first difference.
import { type SideProps, sideText } from "../../turn/side-text.js";
import { cellText } from "../../values/cell.js";
import { differenceColumn } from "../../values/difference-column.js";
import { Revealed } from "../reveal.js";
import "../../style/result.css";

/** One side of a difference; `other` is the other one. */
export function FormattedSide({ path, value, other }: SideProps) {
  const values = [value, other].filter((one) => one !== undefined);
  const column = differenceColumn(path, values);
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
