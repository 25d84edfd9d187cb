// The answers about the result of a recorded call as zod schemas: types and the OpenAPI document are made from them, and nothing is
// parsed with them. Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { AnyJson, AnyObject } from "../json-schemas.js";

/** What the values of one column are like, over all rows that match. */
export const ResultColumnSchema = z.object({
  name: z.string(),
  /** How many values there are of each type: `number`, `string`, `boolean`, `null`, `object`, `array`. */
  types: z.record(z.string(), z.int()),
  /** How many different values; missing when there are too many to count. */
  distinct: z.int().optional(),
  /** Of a column of numbers, or of dates. */
  min: AnyJson.optional(),
  max: AnyJson.optional(),
  /** The most digits behind the decimal point. */
  decimals: z.int().optional(),
  /** What all its texts are. */
  format: z.enum(["date-time", "date", "uri", "email", "color", "image"]).optional(),
});

/** One group of rows. */
export const ResultGroupSchema = z.object({
  /** Its value, or part of a date, by field; null for rows without. */
  key: AnyObject,
  /** By the name they were asked for with. */
  values: AnyObject,
});

/** Where one number stands in the rows that match. */
export const ResultNumberSchema = z.object({
  /** In plain digits, without zeros that say nothing. */
  number: z.string(),
  /** How often it is there, also inside of nested values. */
  count: z.int(),
  /** The position of the first row that has it in a column, unless it is met inside of a nested value before. */
  index: z.int().optional(),
  /** The columns that it stands in, at most eight of them. */
  fields: z.array(z.string()),
});

/** A page of a list. */
export const ResultPageSchema = z.object({
  history_id: z.int(),
  /** Where the list stands in the answer, as a JSON Pointer. */
  path: z.string(),
  total_items: z.int(),
  matching_items: z.int(),
  offset: z.int(),
  items: z.array(AnyJson),
  /** The position of each item in the whole list, from 0. */
  indexes: z.array(z.int()),
  /** Where the next page begins; missing on the last one. */
  next_offset: z.int().optional(),
  /** Set when the answer had more items than were kept. */
  incomplete: z.literal(true).optional(),
  columns: z.array(ResultColumnSchema).optional(),
  /** Set when there are more columns than are described. */
  more_columns: z.literal(true).optional(),
  groups: z.array(ResultGroupSchema).optional(),
  /** Set when there are more groups than are listed; rows of the others are in none. */
  more_groups: z.literal(true).optional(),
  /** What was computed of all rows that match, by the name it was asked for with. */
  sums: AnyObject.optional(),
  /** Of the numbers that were asked for those that are there. */
  numbers: z.array(ResultNumberSchema).optional(),
  /** Those that stand beside the list, and in which of the fields there. */
  numbers_around: z.array(ResultNumberSchema).optional(),
});

/** A value that is no list. */
const ResultValueSchema = z.object({ history_id: z.int(), path: z.string(), value: AnyJson });

/** GET /-/results/{id}. */
export const ResultAnswerSchema = z.union([ResultPageSchema, ResultValueSchema]);
