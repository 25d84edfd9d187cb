// The OpenAPI 3.1 document of the daemon's own interface, served at /-/openapi.json. A test compares it with the routes and
// with what a daemon answers. Loaded only when it is asked for.
import type { JsonObject } from "../../lib/json.js";
import { QUERIES, type QueryName } from "../request/query.js";
import { OPERATIONS } from "./operations.js";
import { type RouteDescription, TAGS } from "./route-description.js";
import { namedSchemas, propertiesOf, schemaRef } from "./schemas.js";

const ERRORS: Readonly<Record<number, string>> = {
  400: "The body, query or path is invalid; so is a query parameter that is not named here, `token` excepted.",
  401: "The token is missing or wrong. A browser's page load gets a sign-in page instead of JSON.",
  403: "The Host or Origin is refused.",
  404: "There is no such thing.",
  409: "The thing is not in a state that allows this.",
  413: "The body is over 1 MiB, or 32 MiB where an application is connected.",
  415: "The body is not JSON in UTF-8.",
  422: "The Idempotency-Key was used for another prompt.",
  426: "A plain request to a path that speaks WebSocket.",
  429: "Too many prompts of this session are waiting.",
  500: "Something unexpected failed; the message says what.",
  503: "The daemon is busy, shutting down, or cannot keep its record. Retry-After says when to try again.",
};
/** What any route may answer before its handler is reached, or when it breaks. */
const COMMON_ERRORS = [400, 401, 403, 500, 503];

/** The parameters of a path such as `/-/sessions/{id}`. */
function pathParameters(path: string): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function queryParameters(name: QueryName): JsonObject[] {
  return propertiesOf(QUERIES[name]).map(([field, schema]) => ({ name: field, in: "query", required: false, schema }));
}

function errorResponses({ isOpen, errors = [], errorSchema }: RouteDescription): JsonObject {
  const statuses = [...COMMON_ERRORS, ...errors].filter((status) => !(isOpen && status === 401));
  const own = schemaRef("Error");
  const schema: JsonObject = errorSchema ? { anyOf: [own, errorSchema] } : own;
  const content: JsonObject = { "application/json": { schema } };
  return Object.fromEntries(statuses.map((status) => [status, { description: ERRORS[status] ?? "", content }]));
}

function describeOperation(operation: RouteDescription, path: string): JsonObject {
  const { operationId, tag, summary, success, query, headers = {}, body } = operation;
  const { bodySchema = body && schemaRef(body) } = operation;
  const described: JsonObject = { operationId, tags: [tag], summary };
  const parameters = [
    ...pathParameters(path),
    ...(query ? queryParameters(query) : []),
    ...Object.entries(headers).map(([name, header]) => ({ name, in: "header", required: false, ...header })),
  ];
  if (parameters.length > 0) described["parameters"] = parameters;
  if (operation.isOpen) described["security"] = [];
  if (bodySchema)
    described["requestBody"] = { required: true, content: { "application/json": { schema: bodySchema } } };
  described["responses"] = { ...success, ...errorResponses(operation) };
  return described;
}

function describePaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [route, operation] of Object.entries(OPERATIONS)) {
    const [method = "", path = ""] = route.split(" ");
    paths[path] = { ...paths[path], [method]: describeOperation(operation, path) };
  }
  return paths;
}

const serialised = new Map<string, string>();

/** The document as JSON, for paths below a base path; made at the first call and kept. */
export function openApi(version: string, basePath = ""): string {
  const known = serialised.get(basePath);
  if (known !== undefined) return known;
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "agentd", version, description: "A local daemon that operates an application by prompts." },
    servers: [{ url: basePath || "/" }],
    security: [{ bearer: [] }, { serviceToken: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: describePaths(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "Needed only when the daemon was started with a token.",
        },
        serviceToken: { type: "apiKey", in: "header", name: "X-Service-Token" },
      },
      schemas: namedSchemas(),
    },
  });
  serialised.set(basePath, document);
  return document;
}
