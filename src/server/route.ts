// One entry of the table of routes. Types only.
import type { Request, Response } from "express";

/** One method of one path, written as OpenAPI writes it: `/-/sessions/{id}`. */
export interface Route {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  /** Whether a read-only token may use it; of itself it may use GET alone. */
  forReadOnly?: true;
  handle(req: Request, res: Response): void | Promise<void>;
}
