// The interface to one database: introspect, read rows, make one change. A driver knows one dialect and its connections; it knows
// nothing of tools, arguments, policy or history. Every value goes in and comes out as JSON, digits kept.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { Evidence, Preview } from "../transport.js";
import type { Column, DatabaseCatalogue, TableName } from "./catalogue.js";

/** How a column is compared. `in` takes a list, `is_null` true or false, the rest one value. */
export const OPERATORS = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "in",
  "contains",
  "starts_with",
  "ends_with",
  "is_null",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Whether a text is the name of an operator. */
export function isOperator(name: string): name is Operator {
  return OPERATORS.some((one) => one === name);
}

/** What a statement has to know of a column. */
export type ColumnType = Pick<Column, "name" | "kind" | "type">;

export interface Condition {
  column: ColumnType;
  operator: Operator;
  value: JsonValue;
}

/** Rows of one table or view. */
export interface Selection {
  table: TableName;
  /** In the order of the result. */
  columns: readonly ColumnType[];
  where: readonly Condition[];
  order: readonly { column: ColumnType; isDescending: boolean }[];
  /** Keyset paging: only rows that come after this one in `order`; a value for each of its columns. */
  after?: JsonObject;
  limit?: number;
}

/** One row to create, update or delete. */
export interface Change {
  operation: "create" | "update" | "delete";
  table: TableName;
  /** All columns of the table, in order. */
  columns: readonly ColumnType[];
  /** Names of the columns of the key. */
  keyColumns: readonly string[];
  /** The whole key of the row; empty for create. */
  key: JsonObject;
  /** The columns to set; empty for delete. */
  values: JsonObject;
}

/** One row as a change found it and as it left it; what undoes it is made of these. */
export interface RowImage {
  table: TableName;
  key: JsonObject;
  before: JsonObject | null;
  after: JsonObject | null;
}

/** Rows to be put back: each is found as `after` and left as `before`. Any that is not as `after` is a conflict. */
export interface Restoration {
  operation: "restore";
  images: readonly RowImage[];
  /** Of the tables when the images were made; another one now means that their columns have changed. */
  schemaHash: string;
  /** Why the images are not all that the change did: then nothing is put back. */
  inexact?: string;
}

/** Bounds of one call. */
export interface CallLimits {
  /** Milliseconds for all of it. */
  timeoutMs: number;
  /** Milliseconds to wait for a lock. */
  lockMs: number;
  /** Ends what runs, with a failure `cancelled`; given with what is to be committed only until `keep`. */
  signal?: AbortSignal | undefined;
}

export interface ChangeOptions extends CallLimits {
  /** False: it is rolled back whatever happens. */
  commit: boolean;
  /** See ExecuteOptions. */
  expected?: string;
  keep?(evidence: Evidence): Promise<void>;
}

/** What became of a change. */
export type ChangeOutcome =
  /** `row` is the row as it is now, or as it was for a delete; null for a restoration. */
  | { kind: "done"; row: JsonObject | null; preview: Preview }
  /** Nothing was done: the rows are not those that were expected. */
  | { kind: "changed"; preview: Preview };

/** Rows as they arrive; leaving the loop early ends the statement. */
export interface RowStream extends AsyncIterable<JsonObject[]> {
  /** Names of the columns, in order, where the database tells them before the first row. */
  columns?: readonly string[];
}

/** Whose statement it is: a free one fails for its own mistakes, a tool's because the schema has changed. */
export type StatementOrigin = "own" | "free";

/** What a driver is opened with. */
export interface DatabaseOptions {
  /** An address or a file, secrets resolved. */
  location: string;
  /** Whether free queries are permitted with a role that may do anything. */
  allowsSuperuser: boolean;
}

export interface Database {
  introspect(): Promise<DatabaseCatalogue>;
  /** In a transaction that cannot write. */
  select(selection: Selection, limits: CallLimits): RowStream;
  /** One SELECT of a person's or a model's, which the database itself keeps from writing. */
  query(sql: string, parameters: readonly JsonValue[], limits: CallLimits): RowStream;
  /**
   * Calls a function. A volatile one is a change without images: `preview` is what it did; with `changed`, it was rolled back because
   * that is not what was expected.
   */
  callRoutine?(
    call: { name: TableName; arguments: readonly (ColumnType & { value: JsonValue })[] },
    options: ChangeOptions & { isVolatile: boolean },
  ): Promise<{ rows: JsonObject[]; preview?: Preview; changed?: boolean }>;
  /** One transaction: the change, what it touched, `keep`, COMMIT. */
  change(change: Change | Restoration, options: ChangeOptions): Promise<ChangeOutcome>;
  /** See Transport. */
  transactionStatus?(transaction: string): Promise<"committed" | "aborted" | undefined>;
  close(): Promise<void>;
}

/** What a database refused, in words a model can act on. Every method of a database throws this for failures of the database. */
export class DatabaseFailure extends Error {
  /** `not_found`, `constraint_violation`, `invalid_value`, `conflict`, `timeout`, `cancelled`, `locked`, `connection_failed`, `permission_denied`, `schema_changed`, `refused`, `database_error`. */
  readonly code: string;
  /** Beside the message: constraint, column, table, and for a conflict what differs. */
  readonly details: JsonObject;

  constructor(code: string, message: string, { details = {}, cause }: { details?: JsonObject; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "DatabaseFailure";
    this.code = code;
    this.details = details;
  }
}

/** What a call fails with that its signal has ended. */
export function cancelledFailure(): DatabaseFailure {
  return new DatabaseFailure("cancelled", "the turn was stopped before this had been read");
}
