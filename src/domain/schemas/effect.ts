// What a call changes, as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
import { z } from "zod";
import { AnyObject, Timestamp } from "../json-schemas.js";
import { UNDO_STATES } from "../undo-state.js";

/** How many rows of a table a call touches. */
const TableCountsSchema = z.object({
  name: z.string(),
  inserted: z.int(),
  updated: z.int(),
  deleted: z.int(),
});

/** One row, or one record, before and after a call. */
const RowChangeSchema = z.object({
  /** Name of the table, or of the resource. */
  resource: z.string(),
  key: AnyObject,
  /** Null for one that was not there. */
  before: AnyObject.nullable(),
  /** Null for one that is gone. */
  after: AnyObject.nullable(),
});

/** What a call would do, or did. Source: docs/reference.md, "Effects". */
export const EffectSchema = z.object({
  /** Counted in full, of all that was touched as far as it is known. */
  tables: z.array(TableCountsSchema).optional(),
  /** Cut at a limit, secrets redacted. */
  changes: z.array(RowChangeSchema),
  /** Whether everything that the call touches is in it, triggers and cascades included. */
  complete: z.boolean(),
  /** What a person should know: why it could not be run in advance, what is left out. */
  note: z.string().optional(),
  /** When the record was read that it begins with; of what was not run in advance. */
  read_at: Timestamp.optional(),
});

export const UndoStateSchema = z.enum(UNDO_STATES);

/** Of a call that was not made yet, or was not undone. */
export const ForeseenUndoSchema = UndoStateSchema.exclude(["done"]);
