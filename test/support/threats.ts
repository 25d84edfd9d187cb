// The table of threats, read from docs/threats.md: every id, and those without a test, each with the reason.
import { read, tables } from "./docs.js";

const PAGE = tables(read("docs/threats.md"));

const rowsOf = (column: string): string[][] =>
  PAGE.filter(({ header }) => header[0] === column).flatMap(({ rows }) => rows);

/** Every id. */
export const THREATS: readonly string[] = rowsOf("id").map(([id = ""]) => id);

/** Ids without a test, and why. */
export const UNTESTED: Readonly<Record<string, string>> = Object.fromEntries(
  rowsOf("ids").flatMap(([ids = "", why = ""]) => ids.split(", ").map((id) => [id, why])),
);
