// Applications with an HTTP interface that OpenAPI or Swagger describes.
import type { ApplicationKind } from "../kind.js";
import { impliedByDescription } from "./implied.js";

export const http: ApplicationKind = {
  kind: "http",
  sources: { openapi: async () => (await import("./openapi/source.js")).openapiSource },
  openTransport: async (context) => (await import("./transport.js")).createHttpTransport(context),
  implied: impliedByDescription,
};
