// Connecting an application: a description is displayed as what it would import, and connected as it was displayed. What is sent may
// be much larger than any other body. Source: docs/reference.md, "Connecting an application".
import type { Request, Response } from "express";
import { z } from "zod";
import { APPLICATION_NAME, applicationNameFault } from "../../domain/application-name.js";
import { CONNECTABLE_KINDS, type Connector, type ConnectRequest } from "../../domain/connector.js";
import { AppError } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import { parseBody, readText } from "../request/body.js";
import { validate } from "../request/validate.js";
import { goneSignal, sendJson } from "../response/respond.js";
import type { Route } from "../route.js";

/** Bytes of a body with the text of a description; the largest known have some 15 MB. */
const MAX_DESCRIPTION_BYTES = 32 * 1024 * 1024;

const WEB = /^https?:\/\//i;
const Address = z
  .string()
  .max(4_000)
  .refine((text) => WEB.test(text) && URL.canParse(text), "must be an http:// or https:// address");

/** The body of POST /-/applications/preview. */
export const PreviewBody = z.strictObject({
  kind: z.enum(CONNECTABLE_KINDS).optional(),
  name: z
    .string()
    .refine((name) => name === "" || APPLICATION_NAME.test(name), {
      error: ({ input }) => `is no name: ${applicationNameFault(String(input).slice(0, 100)) ?? ""}`,
    })
    .default(""),
  location: Address.optional(),
  document: z
    .string()
    .refine((text) => text.trim() !== "", "must not be empty")
    .optional(),
  base_url: Address.optional(),
});

/** The body of POST /-/applications. */
export const ConnectBody = z.strictObject({ ...PreviewBody.shape, digest: z.string().min(1).max(200) });

/** Throws AppError invalid_body unless there is exactly one description. */
function checkOne({ location, document }: ConnectRequest): void {
  if ((location === undefined) === (document === undefined))
    throw new AppError("invalid_body", "Give either location, an address, or document, the text of a description.");
}

async function readRequest<T extends ConnectRequest>(req: Request, res: Response, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(req, res, MAX_DESCRIPTION_BYTES);
  const request = validate(schema, parseBody(text), "invalid_body");
  checkOne(request);
  return request;
}

/** The routes over what connects; a daemon without it refuses them. */
export function createApplicationRoutes(connector: Connector | undefined): Route[] {
  const inUse = (): Connector => {
    if (!connector) throw new AppError("conflict", "This daemon connects no applications; use agentd sync.");
    return connector;
  };
  return [
    {
      method: "post",
      path: "/-/applications/preview",
      async handle(req, res) {
        const request = await readRequest(req, res, PreviewBody);
        const preview = await inUse().preview(request, goneSignal(req, res));
        if (!res.destroyed) sendJson(res, toJson(preview));
      },
    },
    {
      method: "post",
      path: "/-/applications",
      async handle(req, res) {
        const request = await readRequest(req, res, ConnectBody);
        const connected = await inUse().connect(request, goneSignal(req, res));
        if (!res.destroyed) sendJson(res, toJson(connected), 201);
      },
    },
  ];
}
