// The safety modes that a request turns on by headers, for protocols whose bodies have no place for them.
// Source: docs/reference.md, "Modes by headers"
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";

const HEADERS: Readonly<Record<keyof Policy, string>> = {
  read_only: "x-agentd-read-only",
  dry_run: "x-agentd-dry-run",
  strict: "x-agentd-strict",
  confirm: "x-agentd-confirm",
};

/** The modes that are turned on. Throws AppError bad_request for a value that is neither true nor false. */
export function modesOf(headers: IncomingHttpHeaders): Partial<Policy> {
  const on = Object.entries(HEADERS).map(([mode, header]) => {
    const value = headers[header] ?? "false";
    if (value !== "true" && value !== "false") throw new AppError("bad_request", `${header} must be true or false.`);
    return [mode, value === "true"];
  });
  return Object.fromEntries(on) as Partial<Policy>;
}
