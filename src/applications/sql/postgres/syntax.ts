// How PostgreSQL spells statements. Every parameter is a text with a cast to the type of its column; the type carries no length, so
// that a text too long is refused and not cut. Pure.
import type { ColumnType } from "../database.js";
import type { Syntax } from "../statement.js";

/** A name of a table or column in quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The Syntax of PostgreSQL. */
export const POSTGRES_SYNTAX: Syntax = {
  quote: quoteName,
  parameter: (position, { type }: ColumnType) => `$${position}::${type}`,
  result: ({ name }) => quoteName(name),
  text: ({ name }) => `${quoteName(name)}::text`,
  like: (text, pattern) => `${text} ILIKE ${pattern}`,
  isNullFirst: false,
  noColumns: "DEFAULT VALUES",
};
