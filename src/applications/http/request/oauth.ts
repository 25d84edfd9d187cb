// Access tokens by OAuth client credentials: fetched when a call needs one, kept until shortly before they expire. What is asked
// and what is believed is oauth4webapi's, loaded at the first token; connection, deadline and size are those of any call here.
// Source: RFC 6749, sections 2.3.1 and 4.4. The token is learned by the redactor before it can be echoed.
import type { Client, ClientAuth, CustomFetchOptions } from "oauth4webapi";
import { type JsonObject, objectOf, parseJson, toJson } from "../../../lib/json.js";
import type { Redactor } from "../../../lib/redact/redact.js";
import type { Deadline, HttpAnswer, HttpClient } from "../http-client.js";
import type { Grant } from "./auth.js";

/** A token is not used in its last seconds: the call would arrive after it expired. */
const EARLY_MS = 10_000;
/** Lifetime of a token whose answer names none (RFC 6749 leaves it to the documentation). */
const DEFAULT_LIFETIME_S = 300;
const MAX_ANSWER_BYTES = 256 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** The token endpoint gave no token; the message never holds the secret. */
export class TokenError extends Error {}

interface Token {
  text: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** Tokens by grant. */
export interface Tokens {
  /** A valid token, fetched when there is none. Throws TokenError or a network error. */
  get(grant: Grant, deadline: Deadline): Promise<string>;
  /** Drops a token the target refused, so that the next call fetches a fresh one. */
  drop(grant: Grant): void;
}

/** What keeps secrets out of what is stored and shown. */
export type Secrets = Pick<Redactor, "learn" | "text" | "cutText">;

const formEncode = (text: string): string => encodeURIComponent(text).replace(/%20/g, "+");

/**
 * Both halves form-encoded, as RFC 6749 section 2.3.1 has it. The library's own also encodes unreserved characters such as the
 * hyphens of a UUID, which servers that decode nothing take for another client.
 */
function basicAuth(clientSecret: string): ClientAuth {
  return (...[, { client_id: clientId }, , headers]: Parameters<ClientAuth>) => {
    const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
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
  const text = toJson({ access_token: body["access_token"], expires_in: lifetimeOf(body), token_type: "bearer" });
  const status = answer.status === 200 ? 200 : 400;
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}

/** Sends what the library asks over a connection of ours, as a plain form. Redirects come back as they are. */
function sendOver(client: HttpClient, deadline: Deadline) {
  return (href: string, { method, headers, body }: CustomFetchOptions<"POST", URLSearchParams>) => {
    const { origin, pathname, search } = new URL(href);
    const { "user-agent": _, ...own } = headers;
    const asked = { ...own, "content-type": FORM };
    const request = { origin, path: pathname + search, method, headers: asked, body: String(body) };
    return client.send({ ...request, signal: deadline, maxBytes: MAX_ANSWER_BYTES });
  };
}

async function fetchToken(grant: Grant, deadline: Deadline, { client, redact }: TokenContext): Promise<Token> {
  const oauth = await import("oauth4webapi");
  const { origin, pathname } = new URL(grant.tokenUrl);
  const server = { issuer: origin, token_endpoint: grant.tokenUrl };
  const own: Client = { client_id: grant.clientId };
  const parameters = new URLSearchParams({ grant_type: "client_credentials" });
  if (grant.scope !== "") parameters.set("scope", grant.scope);
  const send = sendOver(client, deadline);
  const received: { answer?: HttpAnswer } = {};
  const response = await oauth.clientCredentialsGrantRequest(server, own, basicAuth(grant.clientSecret), parameters, {
    [oauth.customFetch]: async (href, options) => {
      received.answer = await send(href, options);
      return toResponse(received.answer);
    },
    // The target itself may speak plain http, on this machine or in a network of its own.
    [oauth.allowInsecureRequests]: true,
  });
  try {
    const { access_token: text, expires_in: seconds = DEFAULT_LIFETIME_S } =
      await oauth.processClientCredentialsResponse(server, own, response);
    if (!/^[\x21-\x7e]+$/.test(text)) throw new Error("a token that no header can hold");
    return { text, expires: Date.now() + seconds * 1000 - EARLY_MS };
  } catch {
    const { answer } = received;
    const error = answer && bodyOf(answer)["error"];
    // Redacted before it is cut: a part of a secret is not recognised any more.
    const code = typeof error === "string" ? ` (${redact.text(error).slice(0, 80)})` : "";
    throw new TokenError(
      `the token endpoint ${origin}${pathname} answered ${answer?.status}${code} instead of giving an access token`,
    );
  }
}

/** What tokens are fetched with. */
interface TokenContext {
  client: HttpClient;
  /** Learns every token before it is used. */
  redact: Secrets;
}

/** An empty store of tokens. */
export function createTokens(context: TokenContext): Tokens {
  const tokens = new Map<string, Promise<Token>>();
  const keyOf = (grant: Grant): string =>
    JSON.stringify([grant.tokenUrl, grant.clientId, grant.clientSecret, grant.scope]);
  const fetchAndKeep = (key: string, grant: Grant, deadline: Deadline): Promise<Token> => {
    const fetching = fetchToken(grant, deadline, context);
    tokens.set(key, fetching);
    fetching.then(
      ({ text }) => context.redact.learn(text, { passing: true }),
      () => tokens.get(key) === fetching && tokens.delete(key),
    );
    return fetching;
  };
  return {
    async get(grant, deadline) {
      const key = keyOf(grant);
      const held = tokens.get(key);
      const token = held && (await held);
      if (token && token.expires > Date.now()) return token.text;
      // Another call that waited for the same stale token may already be fetching the next one.
      const current = tokens.get(key);
      return (await (current === undefined || current === held ? fetchAndKeep(key, grant, deadline) : current)).text;
    },
    drop: (grant) => void tokens.delete(keyOf(grant)),
  };
}
