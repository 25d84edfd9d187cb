// One entry of the table of routes, and what a request names in its path. Knows no handlers.
import type { Request, Response } from "express";

/** One method of one path, written as OpenAPI writes it: `/-/sessions/{id}`. */
export interface Route {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  /** Whether a read-only token may use it; of itself it may use GET alone. */
  forReadOnly?: true;
  handle(req: Request, res: Response): void | Promise<void>;
}

/** What the path of a request has in the place of `{name}`. */
export function parameterOf(req: Request, name = "id"): string {
  return String(req.params[name]);
}
