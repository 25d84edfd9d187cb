// The sample application behind `--demo`: a small shop with its own HTTP interface, database and OpenAPI document. The daemon
// reaches it like any other target; it knows nothing of the daemon.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Request, type Response } from "express";
import { customerOperations } from "./customers.js";
import { openShopDatabase } from "./database.js";
import { openApiDocument } from "./document.js";
import { mount, Problem } from "./operation.js";
import { orderOperations } from "./orders.js";
import { productOperations } from "./products.js";
import { reportOperations } from "./reports.js";

/** The application without a port, for tests; `close` frees its database. */
export interface SampleApplication {
  app: RequestListener;
  close(): void;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Express's own errors (a body that is not JSON, too large) carry their status.
  const { status } = error as { status?: unknown };
  if (typeof status === "number" && status >= 400 && status < 500)
    return new Problem(status, "invalid_request", "the request cannot be read: send a JSON object");
  return new Problem(500, "internal", "something went wrong in the sample application");
}

/** A fresh shop: every one has its own rows. */
export function createSampleApplication(): SampleApplication {
  const db = openShopDatabase();
  const operations = [
    ...productOperations(db),
    ...customerOperations(db),
    ...orderOperations(db),
    ...reportOperations(db),
  ];
  const document = openApiDocument(operations);
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());
  app.get("/openapi.json", (_request, response) => {
    response.json(document);
  });
  for (const one of operations) mount(app, one);
  app.use((request: Request) => {
    throw new Problem(404, "not_found", `there is no ${request.method} ${request.path}`);
  });
  const answer: RequestListener = (request, response) =>
    app(request as Request, response as Response, (error: unknown) => {
      const { status, code, message } = problemOf(error);
      (response as Response).status(status).json({ error: { code, message } });
    });
  return { app: answer, close: () => db.close() };
}

/** Starts the shop on a loopback port, a free one unless named. Its document is at `/openapi.json` under `url`. */
export async function startSampleApplication(
  options: { port?: number } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { app, close } = createSampleApplication();
  const server = createServer(app).listen(options.port ?? 0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error) => {
      close();
      reject(error);
    });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
