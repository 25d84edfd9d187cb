// What a client may send: the fields that count, each checked, those that would change the answer and cannot be had, refused by
// name, and all others ignored, as clients of this format send many. Source: docs/reference.md, "OpenAI-compatible routes".
import { z } from "zod";
import { AppError } from "../../domain/error.js";
import { SESSION_ID_RULE } from "../../domain/session-id.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { zodMessage } from "../../lib/zod-messages.js";
import { parseBody } from "../request/body.js";
import { misplacedMode, ONLY_BY_HEADERS } from "../request/mode-headers.js";
import { SessionId } from "../request/request.js";
import { type ApiError, invalidField } from "./errors.js";

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string(), z.array(Part)], "must be a text or an array of parts, each with a type");

const ChatMessage = z.looseObject({ role: z.string(), content: Content.nullish() });
/** An item of `input`: a message, or one of the items that an earlier answer was made of. */
const InputItem = z.looseObject({ type: z.string().nullish(), role: z.string().nullish(), content: Content.nullish() });

const CONVERSATION_RULE = `must be the name of a session, or an object with it as id; it ${SESSION_ID_RULE}`;

const Common = {
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  conversation: z.union([SessionId, z.looseObject({ id: SessionId })], CONVERSATION_RULE).nullish(),
  previous_response_id: z.string().nullish(),
};

/** The body of POST /-/v1/chat/completions, as far as it counts. */
export const ChatBody = z.looseObject({
  ...Common,
  messages: z.array(ChatMessage).min(1, "must not be empty"),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

/** The body of POST /-/v1/responses, as far as it counts. */
export const ResponsesBody = z.looseObject({
  ...Common,
  input: z.union([z.string(), z.array(InputItem)], "must be a text or an array of items with text as their content"),
  instructions: z.string().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
});

/** A message of either body. */
export type ApiMessage = z.output<typeof InputItem>;
/** What both bodies have. */
export type CommonBody = Pick<z.output<typeof ChatBody>, "model" | "stream" | "conversation" | "previous_response_id">;

const isEmpty = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0;
const isText = (format: JsonValue): boolean => objectOf(format)["type"] === "text";
const isIdle = (choice: JsonValue): boolean => choice === "auto" || choice === "none";

const OWN_TOOLS = "agentd runs its own tools and hands none to the client; leave it out.";
const ONLY_TEXT = "agentd answers with text; leave it out.";

/** Fields that ask for another answer than there would be, with the values that are let through; null always is. */
const REFUSED: readonly { field: string; allows(value: JsonValue): boolean; why: string }[] = [
  { field: "tools", allows: isEmpty, why: OWN_TOOLS },
  { field: "functions", allows: isEmpty, why: OWN_TOOLS },
  { field: "tool_choice", allows: isIdle, why: OWN_TOOLS },
  { field: "function_call", allows: isIdle, why: OWN_TOOLS },
  { field: "n", allows: (value) => value === 1, why: "agentd gives one answer to a prompt; leave it out or send 1." },
  { field: "response_format", allows: isText, why: ONLY_TEXT },
  {
    field: "modalities",
    allows: (value) => Array.isArray(value) && value.every((one) => one === "text"),
    why: ONLY_TEXT,
  },
  { field: "audio", allows: () => false, why: ONLY_TEXT },
  { field: "prompt", allows: () => false, why: "agentd keeps no prompt templates: send the prompt itself." },
  ...["read_only", "dry_run", "strict", "confirm"].map((field) => ({
    field,
    allows: () => false,
    why: ONLY_BY_HEADERS,
  })),
  // Where clients of this format put what it has no field for.
  ...["metadata", "extra_body"].map((field) => ({
    field,
    allows: (value: JsonValue) => misplacedMode(value) === undefined,
    why: ONLY_BY_HEADERS,
  })),
];

function refuseFields(body: JsonObject): void {
  for (const { field, allows, why } of REFUSED) {
    const value = body[field];
    if (value === undefined || value === null || allows(value)) continue;
    throw invalidField(field, `${field} is not supported: ${why}`, "unsupported_parameter");
  }
  const format = objectOf(body["text"])["format"];
  if (format !== undefined && format !== null && !isText(format))
    throw invalidField("text.format", `text.format is not supported: ${ONLY_TEXT}`, "unsupported_parameter");
}

/** `messages[0].content`, as OpenAI writes a path. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

function faultOf(issue: z.core.$ZodIssue): ApiError {
  const param = pathText(issue.path);
  if (param === "") return invalidField("", `The body ${issue.message}.`, "invalid_type");
  const isMissing = issue.code === "invalid_type" && issue.input === undefined;
  return invalidField(param, `${param} ${issue.message}.`, isMissing ? "missing_required_parameter" : "invalid_value");
}

/** A checked body. Throws AppError invalid_body, as ApiError where it is a fault of one field. */
export function parseFields<T>(schema: z.ZodType<T>, text: string): T {
  const value = parseBody(text);
  if (!isObject(value)) throw new AppError("invalid_body", "The body must be a JSON object.");
  refuseFields(value);
  const parsed = schema.safeParse(value, { error: zodMessage, reportInput: true });
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw first ? faultOf(first) : new AppError("invalid_body", "The body is invalid.");
}
