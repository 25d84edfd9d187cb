// The query parameters of every route that reads them, as one table: what is checked and what the OpenAPI document describes.
// Source: docs/reference.md, "Query parameters".
import { z } from "zod";
import { CONFIRMATION_FILTERS } from "../../domain/confirmation-status.js";
import { AppError } from "../../domain/error.js";
import { HISTORY_STATUSES } from "../../domain/history-status.js";
import type { HistoryQuery } from "../../domain/record.js";
import { Safety } from "../../domain/schema-document.js";
import { PromptBody, SessionId } from "./request.js";
import { ResultParameters } from "./result-query.js";
import { toFaultError, unknownName, validate } from "./validate.js";

/** The digits of a whole number become the number; other text is left for the schema to refuse. */
const readDigits = (text: unknown): unknown =>
  typeof text === "string" && /^(0|[1-9]\d*)$/.test(text) ? Number(text) : text;

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** A whole number in decimal digits. `z.int()` would name its own bound beside `most`. */
function wholeNumber(least: 0 | 1, most = Number.MAX_SAFE_INTEGER) {
  const rule = `must be a whole number, ${least} or more`;
  const error = ({ code }: z.core.$ZodRawIssue) => (code === "invalid_type" ? rule : undefined);
  return z.number({ error }).min(least, rule).max(most).meta({ type: "integer" });
}

const limit = (fallback: number, most: number) => z.preprocess(readDigits, wholeNumber(1, most).default(fallback));

/** Values separated by commas. */
function listOf<const Value extends string>(values: readonly Value[]) {
  const one = z.enum(values);
  const any = ` *(${values.join("|")}) *`;
  return z
    .string()
    .max(200)
    .meta({ pattern: `^${any}(,${any})*$` })
    .transform((text, context) => {
      const given = [...new Set(text.split(",").map((part) => part.trim()))];
      const known = given.flatMap((part) => one.safeParse(part).data ?? []);
      if (known.length === given.length) return known;
      const message = `must be ${values.join(", ")} or several of them, separated by commas`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    });
}

/** A date, which stands for its beginning or end in UTC, or a date-time of RFC 3339; in UTC with milliseconds. */
function time(ofDay: string) {
  const rule = "must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z";
  return z
    .string()
    .refine((text) => DATE.test(text) || DATE_TIME.test(text), rule)
    .transform((text, context) => {
      const date = new Date(DATE.test(text) ? `${text}T${ofDay}Z` : text);
      // The last day of a month is no 31st of the next one.
      const isReal = !Number.isNaN(date.getTime()) && (!DATE.test(text) || date.toISOString().startsWith(text));
      if (isReal) return date.toISOString();
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    });
}

/** Query parameters by route; what changes something takes none, and its query is read only to refuse them. */
export const QUERIES = {
  history: z.object({
    // More rows than this are asked for page by page.
    limit: limit(20, 10_000),
    before: z.preprocess(readDigits, wholeNumber(1)).optional(),
    // Where reading the history forward begins: 0 is before the first row.
    after: z.preprocess(readDigits, wholeNumber(0)).optional(),
    session_id: SessionId.optional(),
    // Names of tokens that are gone are in the record, too.
    asked_by: z.string().max(200).optional(),
    // Names of applications that are gone are in the record, too.
    application: z.string().max(200).optional(),
    tool: z.string().max(200).optional(),
    // Those that follow are found by looking at rows.
    status: listOf(HISTORY_STATUSES).optional(),
    safety: listOf(Safety.options).optional(),
    tool_contains: z.string().max(200).optional(),
    q: z.string().max(200).optional(),
    from: time("00:00:00.000").optional(),
    to: time("23:59:59.999").optional(),
    // For lists: a result can be a megabyte, and is read when it is opened.
    results: z.literal("small").optional(),
  }),
  transcript: z.object({ results: z.literal("small").optional() }),
  sessions: z.object({
    limit: limit(50, 1000),
    before: z.string().max(200).optional(),
    // Words in titles, prompts and answers.
    q: z.string().min(1).max(200).optional(),
  }),
  confirmations: z.object({
    limit: limit(100, 1000),
    status: z.enum(CONFIRMATION_FILTERS).optional(),
    before: z.string().max(200).optional(),
    // A client that only follows what became of them needs no arguments of decided ones.
    details: z.literal("pending").optional(),
  }),
  schema: z.object({ application: z.string().max(200).optional() }),
  tools: z.object({ name: z.string().max(200).optional(), application: z.string().max(200).optional() }),
  search: z.object({
    q: z.string().max(2000).default(""),
    limit: limit(20, 1000),
    application: z.string().max(200).optional(),
  }),
  chat: z.object({ session_id: SessionId.optional(), events: z.literal("extended").optional() }),
  none: z.object({}),
  turnEvents: z.object({
    after: z.string().max(300).optional(),
    // false: only what is there by now.
    follow: z.enum(["true", "false"]).default("true"),
  }),
  response: z.object({
    stream: z.enum(["true", "false"]).default("false"),
    starting_after: z.preprocess(readDigits, wholeNumber(0)).optional(),
  }),
  inputItems: z.object({ order: z.enum(["asc", "desc"]).default("desc") }),
  result: ResultParameters,
  sessionEvents: z.object({ after: z.string().max(300).optional() }),
} as const;

/** Routes that clients of another format use, which send parameters that mean nothing here. */
const TOLERANT: ReadonlySet<string> = new Set(["response", "inputItems"]);

/** A route with a query. */
export type QueryName = keyof typeof QUERIES;

/** Ignored in every query: a client may put its token there, as it must in the address of a WebSocket. */
const IGNORED = "token";

const PROMPT_KEYS = Object.keys(PromptBody.shape);

/** A mode in the query would do nothing, and the caller would believe in it. */
function unknownParameter(key: string, known: readonly string[]): string {
  if (PROMPT_KEYS.includes(key)) return `unknown parameter "${key}". It is a field of the prompt: send it in the JSON.`;
  return unknownName("parameter", key, known);
}

/** Refuses a misspelt filter, or a mode that belongs in the body: the answer would be another than the caller meant. */
function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...new Set(query.keys())].filter((name) => name !== IGNORED && !known.includes(name));
  if (unknown.length > 0)
    throw toFaultError(
      "invalid_query",
      unknown.map((name) => () => unknownParameter(name, known)),
    );
}

/** Reads a query. Throws AppError invalid_query when a parameter is invalid, given twice or unknown. */
export function parseQuery<N extends QueryName>(name: N, query: URLSearchParams): z.output<(typeof QUERIES)[N]> {
  const schema: z.ZodObject = QUERIES[name];
  const known = Object.keys(schema.shape);
  if (!TOLERANT.has(name)) refuseUnknown(query, known);
  const given: Record<string, string> = {};
  for (const key of known) {
    const values = query.getAll(key);
    if (values.length > 1) throw new AppError("invalid_query", `${key} must be given once.`);
    if (values[0] !== undefined) given[key] = values[0];
  }
  return validate(schema, given, "invalid_query") as z.output<(typeof QUERIES)[N]>;
}

/** The rows a history query asks for. */
export function parseHistoryQuery(query: URLSearchParams): HistoryQuery {
  const { status: statuses, q, tool_contains, ...rest } = parseQuery("history", query);
  const [status, ...others] = statuses ?? [];
  return {
    ...rest,
    // An empty field of a form is no filter.
    ...(q && { q }),
    ...(tool_contains && { tool_contains }),
    ...(others.length > 0 ? { statuses } : { status }),
  };
}
