// The query of GET /-/results/{id}: texts in, the question to a result out. Source: docs/reference.md, "Whole results"
import type { Request } from "express";
import { z } from "zod";
import { messageOf } from "../../domain/error.js";
import {
  FILTER_OPS,
  type FieldCondition,
  parseAggregates,
  parseGroup,
  parseNames,
  parseSort,
  RESULT_FORMATS,
  RESULT_MEDIA_TYPES,
  type ResultFormat,
  type ResultQuery,
} from "../../domain/result-query.js";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../../lib/json.js";
import { preferredType } from "./accept.js";

const MAX_TEXT = 4_000;
const MAX_CONDITIONS = 100;
/** Numbers that are looked for at once. */
const MAX_NUMBERS = 400;
/** Rows of a page that is not sent as a file. */
const MAX_PAGE = 10_000;
const DEFAULT_PAGE = 50;

const Flag = z.enum(["true", "false"]).optional();
const Digits = z.string().regex(/^(0|[1-9]\d{0,15})$/, "must be a whole number, 0 or more");

/** A text that `read` understands; what it throws is what is wrong with it. */
function textFor<T>(read: (text: string) => T) {
  return z
    .string()
    .max(MAX_TEXT)
    .transform((text, context): T => {
      try {
        return read(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: messageOf(error) });
        return z.NEVER;
      }
    });
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new SyntaxError("must be JSON");
  }
}

function readObject(text: string): JsonObject {
  const value = jsonOf(text);
  if (!isObject(value)) throw new SyntaxError('must be a JSON object, such as {"status":"open"}');
  if (Object.keys(value).length > MAX_CONDITIONS) throw new SyntaxError(`must have at most ${MAX_CONDITIONS} fields`);
  return value;
}

const isOp = (op: JsonValue | undefined): op is FieldCondition["op"] => FILTER_OPS.some((one) => one === op);

function readCondition(condition: JsonValue): FieldCondition {
  if (!isObject(condition)) throw new SyntaxError('must hold objects such as {"field":"price","op":"gt","value":10}');
  const { field, op, value } = condition;
  const unknown = Object.keys(condition).find((key) => !["field", "op", "value"].includes(key));
  if (unknown !== undefined) throw new SyntaxError(`holds a condition with an unknown ${JSON.stringify(unknown)}`);
  if (typeof field !== "string" || field === "") throw new SyntaxError("holds a condition without a field");
  if (!isOp(op)) throw new SyntaxError(`holds a condition whose op is none of ${FILTER_OPS.join(", ")}`);
  const needsValue = op !== "empty" && op !== "not_empty";
  if (needsValue && value === undefined) throw new SyntaxError(`holds a condition ${op} without a value`);
  if (op === "in" && !Array.isArray(value)) throw new SyntaxError("holds a condition in whose value is no list");
  return { field, op, value };
}

function readFilter(text: string): FieldCondition[] {
  const conditions = jsonOf(text);
  if (!Array.isArray(conditions)) throw new SyntaxError("must be a JSON array of conditions");
  if (conditions.length > MAX_CONDITIONS) throw new SyntaxError(`must have at most ${MAX_CONDITIONS} conditions`);
  return conditions.map(readCondition);
}

function parseNumbers(text: string): string[] {
  const numbers = jsonOf(text);
  if (!Array.isArray(numbers) || numbers.length > MAX_NUMBERS || !numbers.every((one) => typeof one === "string"))
    throw new SyntaxError(`must be a JSON array of at most ${MAX_NUMBERS} texts such as "12.5"`);
  return numbers as string[];
}

/** The parameters, as texts. */
export const ResultParameters = z.object({
  path: z.string().max(2_000).optional(),
  offset: Digits.transform(Number).optional(),
  limit: Digits.transform(Number)
    .refine((count) => count <= MAX_PAGE, `must be at most ${MAX_PAGE}`)
    .optional(),
  where: textFor(readObject).optional(),
  contains: textFor(readObject).optional(),
  filter: textFor(readFilter).optional(),
  q: z.string().max(MAX_TEXT).optional(),
  sort: textFor(parseSort).optional(),
  fields: textFor(parseNames).optional(),
  count: Flag,
  group: textFor(parseGroup).optional(),
  aggregate: textFor(parseAggregates).optional(),
  columns: Flag,
  numbers: textFor(parseNumbers).optional(),
  format: z.enum(RESULT_FORMATS).optional(),
  // The whole list as a file, also as JSON.
  download: Flag,
});

/** What is asked of a result. */
export function toResultQuery(given: z.output<typeof ResultParameters>): ResultQuery {
  const {
    offset = 0,
    limit = DEFAULT_PAGE,
    sort = [],
    group = [],
    aggregate = [],
    fields,
    count,
    columns,
    numbers,
  } = given;
  return {
    path: given.path,
    where: given.where,
    contains: given.contains,
    filter: given.filter,
    q: given.q || undefined,
    offset,
    limit,
    sort,
    fields: fields && fields.length > 0 ? fields : undefined,
    count: count === "true",
    group,
    aggregate,
    columns: columns === "true",
    numbers,
  };
}

/** The media types of the forms, without their parameters. */
const FORMAT_OF_TYPE = new Map<string, ResultFormat>(
  RESULT_FORMATS.map((format) => [(RESULT_MEDIA_TYPES[format].split(";")[0] ?? "").trim(), format]),
);

/** The form an answer is wanted in: by parameter, else by `Accept`. */
export function formatOf(
  req: Request,
  { format, download }: z.output<typeof ResultParameters>,
): { format: ResultFormat; isFile: boolean } {
  const chosen =
    format ?? FORMAT_OF_TYPE.get(preferredType(req, ["application/json", ...FORMAT_OF_TYPE.keys()])) ?? "json";
  return { format: chosen, isFile: chosen !== "json" || download === "true" };
}
