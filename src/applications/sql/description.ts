// The transport object of an action on a database: written by document.ts at sync, read by transport.ts at the call.
// Source: docs/reference.md, "Schema document".
import { z } from "zod";
import type { Column, Dialect } from "./catalogue.js";

const DIALECTS = ["sqlite", "postgres", "mysql"] as const satisfies readonly Dialect[];

const KINDS = [
  "integer",
  "decimal",
  "float",
  "boolean",
  "text",
  "uuid",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "interval",
  "json",
  "bytes",
  "array",
  "other",
  "opaque",
] as const satisfies readonly Column["kind"][];

const Name = z.object({ schema: z.string().optional(), name: z.string() });

/** A column of the table; `argument` is what the tool calls it where that is another name. */
const DescribedColumn = z.object({
  name: z.string(),
  kind: z.enum(KINDS),
  type: z.string(),
  argument: z.string().optional(),
});

const OfTable = {
  kind: z.literal("sql"),
  dialect: z.enum(DIALECTS),
  table: Name,
  columns: z.array(DescribedColumn),
  /** Names of the columns of the key; empty for none. */
  key: z.array(z.string()),
};

/** How an action on a database is called. */
export const SqlDescription = z.discriminatedUnion("operation", [
  z.object({ ...OfTable, operation: z.literal("list") }),
  z.object({ ...OfTable, operation: z.literal("create") }),
  z.object({ ...OfTable, operation: z.literal("update") }),
  z.object({ ...OfTable, operation: z.literal("delete") }),
  z.object({ kind: z.literal("sql"), dialect: z.enum(DIALECTS), operation: z.literal("query") }),
  z.object({
    kind: z.literal("sql"),
    dialect: z.enum(DIALECTS),
    operation: z.literal("routine"),
    routine: Name,
    is_volatile: z.boolean(),
    parameters: z.array(
      z.object({ name: z.string(), type: z.string(), kind: z.enum(KINDS), argument: z.string().optional() }),
    ),
  }),
]);
export type SqlDescription = z.infer<typeof SqlDescription>;
