// What a database says of itself: tables, views, columns and functions, in the same terms for every dialect.
// Made by introspection, turned into a schema document by document.ts; knows no connection.

export type Dialect = "sqlite" | "postgres" | "mysql";

/** A table or view by its own name; `schema` is left out where the dialect has none, or it is the usual one. */
export interface TableName {
  schema?: string;
  name: string;
}

/**
 * What a value is, whatever the dialect calls it. `other` goes in and comes out as text; so does `opaque`, which has no order and is
 * compared as that text.
 */
export type ColumnKind =
  | "integer"
  | "decimal"
  | "float"
  | "boolean"
  | "text"
  | "uuid"
  | "date"
  | "time"
  | "timestamp"
  | "timestamptz"
  | "interval"
  | "json"
  | "bytes"
  | "array"
  | "other"
  | "opaque";

export interface Column {
  name: string;
  kind: ColumnKind;
  /**
   * As the database spells it in a cast: `numeric`, `"Mood"`, `integer[]`. PostgreSQL's without a length, as a cast to `varchar(3)` cuts
   * what is longer.
   */
  type: string;
  isNullable: boolean;
  /** Whether a row may be created without it: a default, an identity or a sequence. */
  hasDefault: boolean;
  /** Whether the database alone gives its value (GENERATED ALWAYS): it is no argument. */
  isGenerated: boolean;
  /** Values it is limited to: an enum, or a CHECK that lists them. */
  values?: readonly string[];
  /** Characters. */
  maxLength?: number;
  minimum?: number | string;
  maximum?: number | string;
  exclusiveMinimum?: number | string;
  exclusiveMaximum?: number | string;
  comment?: string;
}

export interface ForeignKey {
  columns: readonly string[];
  references: TableName;
  referencedColumns: readonly string[];
  onDelete: "no action" | "restrict" | "cascade" | "set null" | "set default";
}

export interface Table {
  name: TableName;
  kind: "table" | "view" | "materialized view" | "foreign table" | "partitioned table";
  columns: readonly Column[];
  /** Names of the columns of the primary key, or of the only unique key that is never null; empty for none. */
  key: readonly string[];
  foreignKeys: readonly ForeignKey[];
  /** CHECKs that no column has in its fields, as the database writes them. */
  checks: readonly string[];
  comment?: string;
  /** What may be done with it, by its kind and by the privileges of the role. */
  can: { select: boolean; insert: boolean; update: boolean; delete: boolean };
}

/** A function or procedure that can be called. */
export interface Routine {
  name: TableName;
  /** IMMUTABLE and STABLE functions read; VOLATILE ones may do anything. */
  isVolatile: boolean;
  parameters: readonly { name: string; type: string; kind: ColumnKind; hasDefault: boolean }[];
  /** Whether it gives rows and not one value. */
  returnsRows: boolean;
  comment?: string;
}

export interface DatabaseCatalogue {
  dialect: Dialect;
  tables: readonly Table[];
  routines: readonly Routine[];
  /** Why there is no `query` tool; missing where there may be one. */
  noQuery?: string;
  /** What is there and cannot become a tool, with the reason. */
  skipped: readonly { name: string; reason: string }[];
  /** What a person should know: powers of the role, server version. */
  warnings: readonly string[];
}
