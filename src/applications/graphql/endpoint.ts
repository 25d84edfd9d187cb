// The endpoint of an application: where every operation is posted to, as an action of HTTP, so that addresses, credentials, limits
// and failures are those of any other request. Source: GraphQL over HTTP, sections 5 and 6.
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { withoutTrailing } from "../../lib/trailing.js";
import type { WrittenHttpDescription } from "../http/description.js";

const ACCEPT = "application/graphql-response+json, application/json;q=0.9";

/** An address in the two parts that a document keeps it in. */
export interface GraphqlEndpoint {
  /** Without a slash at its end and without a query. */
  baseUrl: string;
  /** What the address has behind that: "/", "?version=2". */
  tail: string;
}

/** The parts of an endpoint's address; user and password are left out. */
export function endpointAt(address: string): GraphqlEndpoint {
  const { origin, pathname, search } = new URL(address);
  const path = withoutTrailing(pathname, "/");
  return { baseUrl: origin + path, tail: (path === "" ? "" : pathname.slice(path.length)) + search };
}

const actions = new Map<string, Action>();
/** Endpoints whose actions are kept: one an application. */
const MAX_KEPT = 100;

/** An action that posts its argument `body` to the endpoint. */
export function endpointAction(
  { baseUrl, tail }: GraphqlEndpoint,
  { isSafe, security }: { isSafe: boolean; security: JsonValue | undefined },
): Action {
  const key = JSON.stringify([baseUrl, tail, isSafe, security ?? null]);
  const known = actions.get(key);
  if (known) return known;
  const path = URL.canParse(baseUrl) ? withoutTrailing(new URL(baseUrl).pathname, "/") : "";
  const whole = path + tail;
  const description: WrittenHttpDescription = {
    kind: "http",
    method: "POST",
    path: whole.startsWith("/") ? whole : `/${whole}`,
    server: "/",
    parameters: [],
    body: { contentType: "application/json", required: true, argument: "body" },
    accept: ACCEPT,
    isSafe,
    ...(security !== undefined && { security: security as NonNullable<WrittenHttpDescription["security"]> }),
  };
  const action: Action = {
    name: "operation",
    application: "",
    description: "",
    resource: "",
    verb: "action",
    safety: "destructive",
    provenance: "declared",
    parameters: { type: "object" },
    transport: description as JsonObject & { kind: string },
  };
  if (actions.size >= MAX_KEPT) actions.clear();
  actions.set(key, action);
  return action;
}
