// Errors in OpenAI's shape, for every answer under /-/v1, whoever gives it. Source: docs/reference.md, "OpenAI-compatible routes".
import { AppError, type ErrorCode } from "../../domain/error.js";

/** Everything below it answers in this shape. */
export const OPENAI_PREFIX = "/-/v1";

/** The error object of an answer or a stream. */
interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** A fault of one field of the body, or a name that is not known, in OpenAI's words. */
export class ApiError extends AppError {
  /** The field, as a path; null for none. */
  readonly param: string | null;
  readonly apiCode: string;

  constructor(code: ErrorCode, message: string, { param = null, apiCode }: { param?: string | null; apiCode: string }) {
    super(code, message);
    this.param = param;
    this.apiCode = apiCode;
  }
}

/** A field that cannot be taken as it is. */
export function invalidField(param: string, message: string, apiCode = "invalid_value"): ApiError {
  return new ApiError("invalid_body", message, { param, apiCode });
}

/** The turn began and did not succeed; it must not be asked for again by itself. */
export const NO_RETRY = ["x-should-retry", "false"] as const;

/** What OpenAI calls ours; other codes keep their names. */
const CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: "invalid_api_key",
  too_many_turns: "rate_limit_exceeded",
  internal: "server_error",
};

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** An error as these clients read it. */
export function toOpenAiError(error: AppError): OpenAiError {
  const isOwn = error instanceof ApiError;
  const details = error.details.filter((detail) => !error.message.includes(detail));
  return {
    message: [error.message, ...details].join(" "),
    type: typeOf(error.status),
    param: isOwn ? error.param : null,
    code: isOwn ? error.apiCode : (CODES[error.code] ?? error.code),
  };
}

/** The body of an error. */
export const toOpenAiBody = (error: AppError): { error: OpenAiError } => ({ error: toOpenAiError(error) });

/** Whether a path is one of these routes, or would be. */
export function isOpenAiPath(path: string): boolean {
  return path === OPENAI_PREFIX || path.startsWith(`${OPENAI_PREFIX}/`);
}

/** What a turn ended by, as an error. */
export function failureOf(message: string): ApiError {
  if (message.startsWith("cancelled")) return new ApiError("conflict", message, { apiCode: "cancelled" });
  return new ApiError("internal", message, { apiCode: "server_error" });
}
