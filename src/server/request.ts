// What a caller may say: prompts, frames, decisions and queries, each checked by one schema. Text comes in, typed values go
// out; everything else is an AppError that names what is wrong. Source: reference, sections 4 and 10.

import { z } from "zod";
import type { Decision, PromptRequest } from "../domain/agent.js";
import { AppError, type ErrorCode } from "../domain/error.js";
import { HISTORY_STATUSES } from "../domain/history-status.js";
import type { HistoryQuery } from "../domain/record.js";
import { SESSION_ID, SESSION_ID_RULE } from "../domain/session-id.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../lib/json.js";
import { zodMessage } from "../lib/zod-messages.js";

const SessionId = z.string().regex(SESSION_ID, SESSION_ID_RULE);
const Mode = z.boolean().optional();

/** The body of POST /run and a prompt frame of /chat. */
export const PromptBody = z.strictObject({
  message: z.string().refine((text) => text.trim() !== "", "must not be empty"),
  read_only: Mode,
  dry_run: Mode,
  strict: Mode,
  confirm: Mode,
  session_id: SessionId.optional(),
  events: z.literal("extended").optional(),
});

const json = z.custom<JsonObject>(isObject, "must be an object");
const decision = { decision: z.enum(["approve", "deny"]), reason: z.string().max(2000).optional() };

/** The body of POST /-/confirmations/{id}. */
export const DecisionBody = z.strictObject({ ...decision, arguments: json.optional() });
const CancelFrame = z.strictObject({ type: z.literal("cancel") });
const ConfirmFrame = z.strictObject({
  ...decision,
  type: z.literal("confirm"),
  id: z.string().min(1).max(200),
  arguments: json.optional(),
});

/** A prompt as its door understood it; the session is the door's to choose when none is named. */
export interface Prompt {
  message: string;
  session_id: string | undefined;
  policy: PromptRequest["policy"];
  extended: boolean;
}

/** A text frame a /chat client sent. */
export type Frame =
  | { kind: "prompt"; prompt: Prompt }
  | { kind: "cancel" }
  | { kind: "confirm"; id: string; decision: Decision };

/** Faults named in an answer, and in its one sentence; a body can hold a hundred thousand. */
const MAX_FAULTS = 10;
const MAX_FAULTS_SAID = 3;
/** Characters of a caller's own word that are quoted back. */
const MAX_QUOTED = 80;

function unknownName(what: "field" | "parameter", key: string, known: readonly string[]): string {
  const short = key.length > MAX_QUOTED ? `${key.slice(0, MAX_QUOTED)}…` : key;
  const near = didYouMean(short, known);
  return `unknown ${what} ${JSON.stringify(short)}.${near || ` Known: ${known.join(", ") || "none"}.`}`;
}

/** A fault as a sentence about the field. */
function sentence({ path, message }: z.core.$ZodIssue): string {
  const said = `${path.length > 0 ? path.join(".") : "The body"} ${message}`;
  return /[.?]$/.test(said) ? said : `${said}.`;
}

/** The faults as one sentence: a /chat client sees nothing else. */
function sayAll(faults: readonly string[], total: number): string {
  const said = faults.slice(0, MAX_FAULTS_SAID).map((fault, at) => `(${at + 1}) ${fault}`);
  const more = total > said.length ? ` … and ${total - said.length} more` : "";
  return `${total} things are wrong: ${said.join(" ")}${more}`;
}

function check<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode, known: readonly string[]): T {
  const parsed = schema.safeParse(value, { error: zodMessage });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue): ({ key: string } | { text: string })[] => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => ({ key }));
    return [{ text: sentence(issue) }];
  });
  const details = faults
    .slice(0, MAX_FAULTS)
    .map((fault) => ("key" in fault ? unknownName("field", fault.key, known) : fault.text));
  const message = faults.length === 1 && details[0] ? details[0] : sayAll(details, faults.length);
  if (faults.length > details.length) details.push(`and ${faults.length - details.length} more`);
  throw new AppError(code, message, { details });
}

const keysOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape);
const PROMPT_KEYS = keysOf(PromptBody);

function toPrompt(value: JsonValue): Prompt {
  const body = check(PromptBody, value, "invalid_body", PROMPT_KEYS);
  const { message, session_id, events, read_only, dry_run, strict, confirm } = body;
  return {
    message,
    session_id,
    policy: {
      read_only: read_only ?? false,
      dry_run: dry_run ?? false,
      strict: strict ?? false,
      confirm: confirm ?? false,
    },
    extended: events === "extended",
  };
}

/** Parses a JSON text a caller sent. Throws AppError invalid_body. */
export function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const hint = text.trim() === "" ? "it is empty" : (error as Error).message;
    throw new AppError("invalid_body", `The body is not valid JSON: ${hint}.`, { cause: error });
  }
}

/** The body of POST /run. Throws AppError invalid_body. */
export function parsePrompt(text: string): Prompt {
  return toPrompt(parseBody(text));
}

/** The body of POST /-/confirmations/{id}. Throws AppError invalid_body. */
export function parseDecision(text: string): Decision {
  return check(DecisionBody, parseBody(text), "invalid_body", keysOf(DecisionBody));
}

/** A text frame: JSON when it starts with `{`, else a bare prompt. Throws AppError invalid_body. */
export function parseFrame(text: string): Frame {
  if (!text.startsWith("{")) return { kind: "prompt", prompt: toPrompt({ message: text }) };
  const value = parseBody(text);
  if (!isObject(value) || !Object.hasOwn(value, "type")) return { kind: "prompt", prompt: toPrompt(value) };
  if (value["type"] === "cancel") {
    check(CancelFrame, value, "invalid_body", ["type"]);
    return { kind: "cancel" };
  }
  if (value["type"] === "confirm") {
    const { id, type: _, ...decision } = check(ConfirmFrame, value, "invalid_body", keysOf(ConfirmFrame));
    return { kind: "confirm", id, decision };
  }
  throw new AppError("invalid_body", 'type must be "cancel" or "confirm"; a prompt has no type.');
}

const Count = z.string().regex(/^[1-9]\d*$/, "must be a whole number, 1 or more");
const toId = z.number().max(Number.MAX_SAFE_INTEGER);
const Id = Count.transform(Number).pipe(toId);
/** Where reading the history forward begins: 0 is before the first row. */
const FromId = z
  .string()
  .regex(/^(0|[1-9]\d*)$/, "must be a whole number, 0 or more")
  .transform(Number)
  .pipe(toId);

/** GET /history: more rows than this are asked for page by page. */
export const MAX_HISTORY_LIMIT = 10_000;
const limit = (fallback: number, most: number) => Count.transform(Number).pipe(z.number().max(most)).default(fallback);

/** The query parameters of each route that reads its query; /run takes none and reads it to say so. */
export const QUERIES = {
  history: z.object({
    limit: limit(20, MAX_HISTORY_LIMIT),
    before: Id.optional(),
    after: FromId.optional(),
    session_id: SessionId.optional(),
    tool: z.string().max(200).optional(),
    status: z.enum(HISTORY_STATUSES).optional(),
  }),
  sessions: z.object({ limit: limit(50, 1000), before: z.string().max(200).optional() }),
  confirmations: z.object({
    limit: limit(100, 1000),
    status: z.enum(["pending", "approved", "denied", "expired"]).optional(),
  }),
  search: z.object({ q: z.string().max(2000).default(""), limit: limit(20, 1000) }),
  chat: z.object({ session_id: SessionId.optional(), events: z.literal("extended").optional() }),
  run: z.object({}),
} as const;

/** Ignored in every query: a client may put its token there, as it must in the address of a WebSocket. */
const IGNORED = "token";

/** A mode in the query would do nothing, and the caller would believe in it. */
function unknownParameter(key: string, known: readonly string[]): string {
  if (PROMPT_KEYS.includes(key)) return `unknown parameter "${key}". It is a field of the prompt: send it in the JSON.`;
  return unknownName("parameter", key, known);
}

/** Refuses a misspelt filter, or a mode out of place: the answer would be another than the caller meant. */
function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...new Set(query.keys())].filter((name) => name !== IGNORED && !known.includes(name));
  if (unknown.length === 0) return;
  const details = unknown.slice(0, MAX_FAULTS).map((name) => unknownParameter(name, known));
  const message = unknown.length === 1 && details[0] ? details[0] : sayAll(details, unknown.length);
  throw new AppError("invalid_query", message, { details });
}

/** Reads a query. Throws AppError invalid_query when a parameter does not fit, is given twice or is unknown. */
export function parseQuery<N extends keyof typeof QUERIES>(
  name: N,
  query: URLSearchParams,
): z.output<(typeof QUERIES)[N]> {
  const schema: z.ZodObject = QUERIES[name];
  refuseUnknown(query, keysOf(schema));
  const given: Record<string, string> = {};
  for (const key of Object.keys(schema.shape)) {
    const values = query.getAll(key);
    if (values.length > 1) throw new AppError("invalid_query", `${key} must be given once.`);
    if (values[0] !== undefined) given[key] = values[0];
  }
  return check(schema, given, "invalid_query", []) as z.output<(typeof QUERIES)[N]>;
}

/** The rows a history query asks for. */
export function parseHistoryQuery(query: URLSearchParams): HistoryQuery {
  return dropUndefined(parseQuery("history", query));
}

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

/** The most characters of a client's label that are kept. */
const LONGEST_LABEL = 128;

/** What a client calls itself in X-Agentd-Client, made harmless; the door's name when it says nothing. */
export function clientLabel(header: string | string[] | undefined, door: string): string {
  const label = String(header ?? "").replace(/[^\x20-\x7e]/g, "");
  return label.slice(0, LONGEST_LABEL).trim() || door;
}
