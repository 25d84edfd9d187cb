// One request to a token endpoint, whatever the grant, and the metadata that names such endpoints. What is asked and what is
// believed is oauth4webapi's, loaded at the first use; connection, deadline and size are those of any call here, and redirects come
// back as they are. Source: RFC 6749, sections 2.3.1, 5 and 6; RFC 8414.
import type { AuthorizationServer, Client, ClientAuth, CustomFetchOptions } from "oauth4webapi";
import { messageOf } from "../../../domain/error.js";
import { type JsonObject, objectOf, parseJson, toJson } from "../../../lib/json.js";
import type { Redactor } from "../../../lib/redact/redact.js";
import type { Deadline, HttpAnswer, HttpClient } from "../http-client.js";

const MAX_ANSWER_BYTES = 256 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** A token endpoint gave no token; the message never holds a secret. */
export class TokenError extends Error {
  /** The error code of the endpoint; "" when it gave none. */
  readonly code: string;

  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, options);
    this.code = options.code ?? "";
  }
}

/** What keeps secrets out of what is stored and shown. */
export type Secrets = Pick<Redactor, "learn" | "text" | "cutText">;

/** What requests are made with. */
export interface TokenContext {
  client: HttpClient;
  /** Learns every token before it is used. */
  redact: Secrets;
}

/** A client at its authorization server, its secret resolved. */
export interface TokenClient {
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  clientAuth: "basic" | "body";
}

/** What a token endpoint gave. */
interface TokenAnswer {
  accessToken: string;
  /** Seconds; undefined when it does not say. */
  expiresIn: number | undefined;
  refreshToken: string | undefined;
}

const formEncode = (text: string): string => encodeURIComponent(text).replace(/%20/g, "+");

/**
 * Both halves form-encoded, as RFC 6749 section 2.3.1 has it. The library's own also encodes unreserved characters such as the
 * hyphens of a UUID, which servers that decode nothing take for another client.
 */
function authOf({ clientId, clientSecret, clientAuth }: TokenClient): ClientAuth {
  return (...[, , body, headers]: Parameters<ClientAuth>) => {
    if (clientSecret !== undefined && clientAuth === "basic") {
      const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
      headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
      return;
    }
    body.set("client_id", clientId);
    if (clientSecret !== undefined) body.set("client_secret", clientSecret);
  };
}

function bodyOf({ bytes }: HttpAnswer): JsonObject {
  try {
    return objectOf(parseJson(bytes.toString("utf8")));
  } catch {
    return {};
  }
}

/** Seconds, also where they are written as text; what is no lifetime is over at once. */
function lifetimeOf({ expires_in: given }: JsonObject): number | undefined {
  if (given === undefined || given === null) return undefined;
  const seconds = Number(given);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : 0;
}

/**
 * What counts of an answer, as the library takes it. It is strict where servers are not: they leave the token's type out or call
 * it otherwise (RFC 6749 requires it; a token is only ever sent as Bearer here), add tokens of other kinds, and call JSON by
 * other names. Every status but 200 is one refusal, since a Response takes only some.
 */
function toResponse(answer: HttpAnswer): Response {
  const body = bodyOf(answer);
  const { access_token, refresh_token: refresh } = body;
  const kept = typeof refresh === "string" && refresh !== "" ? { refresh_token: refresh } : {};
  const text = toJson({ access_token: access_token, expires_in: lifetimeOf(body), token_type: "bearer", ...kept });
  const status = answer.status === 200 ? 200 : 400;
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}

/** Sends what the library asks over a connection of ours. */
function sendOver(client: HttpClient, deadline: Deadline) {
  return (
    href: string,
    { method, headers, body }: CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<HttpAnswer> => {
    const { origin, pathname, search } = new URL(href);
    const { "user-agent": _, ...own } = headers;
    const asked = body === undefined ? own : { ...own, "content-type": FORM };
    const sent = body === undefined ? undefined : String(body);
    const request = { origin, path: pathname + search, method, headers: asked, body: sent };
    return client.send({ ...request, signal: deadline, maxBytes: MAX_ANSWER_BYTES });
  };
}

const plain = (href: string): string => {
  const { origin, pathname } = new URL(href);
  return origin + pathname;
};

/** What is asked of an endpoint. */
interface TokenRequest {
  endpoint: string;
  client: TokenClient;
  grant: string;
  parameters: Readonly<Record<string, string>>;
  deadline: Deadline;
}

/** Gets a token. Throws TokenError, or the network's error when `deadline` is over. */
export async function requestToken(
  { endpoint, client: own, grant, parameters, deadline }: TokenRequest,
  { client, redact }: TokenContext,
): Promise<TokenAnswer> {
  const oauth = await import("oauth4webapi");
  const server: AuthorizationServer = { issuer: new URL(endpoint).origin, token_endpoint: endpoint };
  const id: Client = { client_id: own.clientId };
  const send = sendOver(client, deadline);
  const received: { answer?: HttpAnswer } = {};
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      id,
      authOf(own),
      grant,
      { ...parameters },
      {
        [oauth.customFetch]: async (href, options) => {
          received.answer = await send(href, options);
          return toResponse(received.answer);
        },
        // The target itself may speak plain http, on this machine or in a network of its own.
        [oauth.allowInsecureRequests]: true,
      },
    );
    const answer = await oauth.processGenericTokenEndpointResponse(server, id, response);
    const { access_token: accessToken, expires_in: expiresIn, refresh_token: refreshToken } = answer;
    if (!/^[\x21-\x7e]+$/.test(accessToken)) throw new Error("a token that no header can hold");
    for (const token of [accessToken, refreshToken]) if (token !== undefined) redact.learn(token, { passing: true });
    return { accessToken, expiresIn, refreshToken };
  } catch (error) {
    const { answer } = received;
    if (!answer && deadline.aborted) throw error;
    if (!answer) throw new TokenError(`the token endpoint ${plain(endpoint)} cannot be reached (${messageOf(error)})`);
    const given = bodyOf(answer)["error"];
    // Redacted before it is cut: a part of a secret is not recognised any more.
    const code = typeof given === "string" ? redact.text(given).slice(0, 80) : "";
    throw new TokenError(
      `the token endpoint ${plain(endpoint)} answered ${answer.status}${code === "" ? "" : ` (${code})`} instead of giving an access token`,
      { code },
    );
  }
}

/** A POST of a form that is no grant, such as the one for a device code. Throws TokenError. */
export async function postForm(
  { endpoint, client: own, parameters, deadline }: Omit<TokenRequest, "grant">,
  { client, redact }: TokenContext,
): Promise<JsonObject> {
  const headers = new Headers({ accept: "application/json" });
  const body = new URLSearchParams(parameters);
  await authOf(own)({ issuer: endpoint }, { client_id: own.clientId }, body, headers);
  let answer: HttpAnswer;
  try {
    answer = await sendOver(client, deadline)(endpoint, {
      method: "POST",
      headers: Object.fromEntries(headers),
      body,
      redirect: "manual",
    });
  } catch (error) {
    throw new TokenError(`${plain(endpoint)} cannot be reached (${messageOf(error)})`);
  }
  if (answer.status === 200) return bodyOf(answer);
  const given = bodyOf(answer)["error"];
  const code = typeof given === "string" ? redact.text(given).slice(0, 80) : "";
  throw new TokenError(`${plain(endpoint)} answered ${answer.status}${code === "" ? "" : ` (${code})`}`, { code });
}

/** An endpoint that metadata name; undefined where there is none that is as safe as its issuer. */
export function endpointIn(metadata: AuthorizationServer, key: keyof AuthorizationServer): string | undefined {
  const address = metadata[key];
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const allowed = new URL(metadata.issuer).protocol === "http:" ? ["http:", "https:"] : ["https:"];
  return allowed.includes(new URL(address).protocol) ? address : undefined;
}

/** The metadata of an authorization server, from either of the two places. Throws TokenError. */
export async function discover(
  issuer: string,
  deadline: Deadline,
  { client }: Pick<TokenContext, "client">,
): Promise<AuthorizationServer> {
  const oauth = await import("oauth4webapi");
  const faults: string[] = [];
  for (const algorithm of ["oidc", "oauth2"] as const)
    try {
      const response = await oauth.discoveryRequest(new URL(issuer), {
        algorithm,
        [oauth.customFetch]: async (href, { method, headers }) => {
          const { status, bytes } = await sendOver(client, deadline)(href, {
            method,
            headers,
            body: undefined,
            redirect: "manual",
          });
          return new Response(status === 200 ? new Uint8Array(bytes) : null, {
            status: status === 200 ? 200 : 404,
            headers: { "content-type": "application/json" },
          });
        },
        [oauth.allowInsecureRequests]: true,
      });
      return await oauth.processDiscoveryResponse(new URL(issuer), response);
    } catch (error) {
      faults.push(messageOf(error));
    }
  throw new TokenError(`${issuer} gives no usable metadata (${[...new Set(faults)].join("; ")})`);
}
