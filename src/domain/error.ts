// What a caller can get wrong: one table from code to HTTP status, and the error that carries them to the entry point.

/** Every error code that leaves the daemon, with its HTTP status. */
export const ERROR_STATUS = {
  invalid_body: 400,
  invalid_query: 400,
  bad_request: 400,
  unauthorized: 401,
  origin_refused: 403,
  host_refused: 403,
  read_only_token: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_mismatch: 422,
  upgrade_required: 426,
  too_many_turns: 429,
  headers_too_large: 431,
  internal: 500,
  busy: 503,
  shutting_down: 503,
  audit_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The JSON body of every error response. */
interface ErrorBody {
  error: { code: ErrorCode; message: string; details: string[] };
}

/** A failure the caller can read and act on. `message` says what is wrong and what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: string[];
  /** Seconds after which trying again makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: string[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = "AppError";
    this.code = code;
    this.details = extra.details ?? [];
    this.retryAfter = extra.retryAfter;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The body an error response carries. */
export function errorBody(code: ErrorCode, message: string, details: string[] = []): ErrorBody {
  return { error: { code, message, details } };
}

/** A failure at startup or on the command line: the message names the file or address and the way out. */
export class StartError extends Error {
  /** 2 for usage, 1 for everything else. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "StartError";
    this.exitCode = options.exitCode ?? 1;
  }
}

/** A mistake on the command line: exit code 2. */
export function usageError(message: string, cause?: unknown): StartError {
  return new StartError(message, { exitCode: 2, cause });
}

/** A sentence for any thrown value. Never throws, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an error that cannot be read";
  }
}

/** Why a running turn, or a call of one, is stopped from outside. */
export type StopCause = "cancelled" | "call_cancelled" | "client_gone" | "shutting_down" | "timeout";

/** The reason of every AbortSignal in this program, so that what is stopped can say why. */
export class Stopped extends Error {
  readonly why: StopCause;

  constructor(why: StopCause) {
    super(
      {
        cancelled: "cancelled",
        call_cancelled: "cancelled: the call was stopped",
        client_gone: "cancelled: the client went away",
        shutting_down: "cancelled: the daemon is shutting down",
        timeout: "stopped: the turn took too long",
      }[why],
    );
    this.name = "Stopped";
    this.why = why;
  }
}

/** Whether a person cancelled it. */
export function isCancel(error: unknown): boolean {
  return error instanceof Stopped && error.why === "cancelled";
}

/** Whether it was the end of the daemon that stopped something, of which the next start may have more to say. */
export function isShutdown(error: unknown): boolean {
  return error instanceof Stopped && error.why === "shutting_down";
}
