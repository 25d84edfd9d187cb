// How MySQL and MariaDB spell statements. Every column is selected as a text, bytes as hexadecimal digits, so that no digit is lost on
// the way; every parameter that a comparison would take for a double is cast. Pure.
import type { ColumnType } from "../database.js";
import type { Syntax } from "../statement.js";

const quote = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

/** The most digits of a DECIMAL, and behind its point. */
const [MAX_DIGITS, MAX_SCALE] = [65, 30];

const GEOMETRY = /^(geometry|point|linestring|polygon|multi|geomcollection|geometrycollection)/;

function decimalType(type: string): string {
  const [, digits = "0", scale = "0"] = /\((\d+)(?:,(\d+))?\)/.exec(type) ?? [];
  const whole = Number(digits) - Number(scale);
  return `DECIMAL(${MAX_DIGITS},${whole > MAX_DIGITS - MAX_SCALE ? Number(scale) : MAX_SCALE})`;
}

function parameter({ kind, type }: ColumnType): string {
  if (kind === "integer" || kind === "boolean")
    return /unsigned|^bit|^year/.test(type) ? "CAST(? AS UNSIGNED)" : "CAST(? AS SIGNED)";
  if (kind === "decimal") return `CAST(? AS ${decimalType(type)})`;
  return GEOMETRY.test(type) ? "ST_GeomFromText(?)" : "?";
}

/** Not named: a name would stand for the text in ORDER BY, where the column is meant. */
function result({ name, kind, type }: ColumnType): string {
  const column = quote(name);
  if (kind === "bytes") return `HEX(${column})`;
  if (GEOMETRY.test(type)) return `ST_AsText(${column})`;
  // A FLOAT has six digits as a text and more as a number; a BIT is bytes as a text.
  if (/^(float|bit)/.test(type)) return `CAST(${column} + 0${type.startsWith("bit") ? "" : "e0"} AS CHAR)`;
  return `CAST(${column} AS CHAR)`;
}

/** The Syntax of MySQL and MariaDB. */
export const MYSQL_SYNTAX: Syntax = {
  quote,
  parameter: (_, column) => parameter(column),
  result,
  text: ({ name }) => `CAST(${quote(name)} AS CHAR)`,
  like: (text, pattern) => `LOWER(${text}) LIKE LOWER(${pattern})`,
  isNullFirst: true,
  noColumns: "() VALUES ()",
};
