// A side of a difference as it came, cut where it becomes too long: what is displayed until its values are set in type. Pure.
import { type JsonValue, toJson } from "../../src/lib/json.js";

/** One side of a difference in a field. */
export interface SideProps {
  /** The field, or where in it the difference is: "address.city". */
  path: string;
  value: JsonValue;
  /** The other side; undefined where there is none. */
  other: JsonValue | undefined;
}

/** Characters of one side of a cell. */
const MAX_CELL_LENGTH = 200;

const wholeText = (value: JsonValue): string => (typeof value === "string" ? value : toJson(value));

/** Whether all of a value is displayed. */
export const isWholeSide = (value: JsonValue): boolean => wholeText(value).length <= MAX_CELL_LENGTH;

/** The text of a value. */
export function sideText(value: JsonValue): string {
  const text = wholeText(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH).toWellFormed()}…` : text;
}
