// One entry of the sample application's interface: its route, its inputs and what it does. The Express routes and the OpenAPI
// document are both made from a list of these, so that they cannot differ.
import type { Express, Request, Response } from "express";
import { z } from "zod";
import type { JsonObject } from "../lib/json.js";

/** A refusal with its HTTP status; becomes `{ "error": { code, message } }`. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The checked inputs of a handler. */
interface Input<Query, Body> {
  /** The number in the path, 0 when the path has none. */
  id: number;
  query: Query;
  body: Body;
}

interface Operation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodObject = z.ZodObject> {
  operationId: string;
  method: "get" | "post" | "patch" | "delete";
  /** OpenAPI form, at most one placeholder, an integer. */
  path: string;
  tag: string;
  summary: string;
  query?: Query;
  body?: Body;
  /** Status of success; 204 answers without a body. */
  status: number;
  /** Component schema of the answer. */
  answer?: JsonObject;
  /** Refusals besides 400, by status. */
  problems?: Record<number, string>;
  run(input: Input<z.output<Query>, z.output<Body>>): unknown;
}

/** An operation without the types of its inputs, for lists. */
export type AnyOperation = Omit<Operation, "run"> & { run(input: Input<unknown, unknown>): unknown };

/** Checks an operation's types where it is written and drops them for the list. */
export function operation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodObject = z.ZodObject>(
  one: Operation<Query, Body>,
): AnyOperation {
  return one as unknown as AnyOperation;
}

function parse(schema: z.ZodObject | undefined, value: unknown, where: string): unknown {
  const parsed = (schema ?? z.strictObject({})).safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || where}: ${issue.message}`);
  throw new Problem(400, "invalid_request", issues.join("; "));
}

function idOf(request: Request): number {
  const [text] = Object.values(request.params);
  if (text === undefined) return 0;
  if (typeof text !== "string" || !/^[1-9]\d{0,14}$/.test(text))
    throw new Problem(400, "invalid_request", "the id in the path must be a positive integer");
  return Number(text);
}

/** Adds an operation's route to an Express application. */
export function mount(app: Express, one: AnyOperation): void {
  app[one.method](one.path.replace(/\{(\w+)\}/, ":$1"), (request: Request, response: Response) => {
    const input = {
      id: idOf(request),
      query: parse(one.query, request.query, "query"),
      body: parse(one.body, request.body, "body"),
    };
    const answer = one.run(input);
    if (one.status === 204) response.status(204).end();
    else response.status(one.status).json(answer);
  });
}
