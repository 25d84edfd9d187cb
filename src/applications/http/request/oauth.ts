// Access tokens by OAuth client credentials: fetched when a call needs one, kept until shortly before they expire.
// Source: RFC 6749, sections 2.3.1 and 4.4. The token is learned by the redactor before anyone can echo it.
import { isObject, parseJson } from "../../../lib/json.js";
import type { Redactor } from "../../../lib/redact/redact.js";
import type { Deadline, HttpClient } from "../http-client.js";
import type { Grant } from "./auth.js";

/** A token is not used in its last seconds: the call would arrive after it expired. */
const EARLY_MS = 10_000;
/** Lifetime of a token whose answer names none (RFC 6749 leaves it to the documentation). */
const DEFAULT_LIFETIME_S = 300;
const MAX_ANSWER_BYTES = 256 * 1024;

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
  get(grant: Grant, signal: Deadline): Promise<string>;
  /** Drops a token the target refused, so that the next call fetches a fresh one. */
  drop(grant: Grant): void;
}

// RFC 6749 section 2.3.1: both halves are form-encoded before Basic joins them.
const formEncode = (text: string): string => encodeURIComponent(text).replace(/%20/g, "+");

async function fetchToken(grant: Grant, client: HttpClient, signal: Deadline, redact: Secrets): Promise<Token> {
  const url = new URL(grant.tokenUrl);
  const basic = Buffer.from(`${formEncode(grant.clientId)}:${formEncode(grant.clientSecret)}`).toString("base64");
  const scope = grant.scope === "" ? "" : `&scope=${formEncode(grant.scope)}`;
  const answer = await client.send({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    headers: {
      authorization: `Basic ${basic}`,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: `grant_type=client_credentials${scope}`,
    signal,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const where = `${url.origin}${url.pathname}`;
  let body: unknown;
  try {
    body = parseJson(answer.bytes.toString("utf8"));
  } catch {
    body = undefined;
  }
  const token = isObject(body) ? body["access_token"] : undefined;
  if (answer.status !== 200 || typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    const error = isObject(body) ? body["error"] : undefined;
    // Redacted before it is cut: nobody would know a part of a secret again.
    const code = typeof error === "string" ? ` (${redact.text(error).slice(0, 80)})` : "";
    throw new TokenError(
      `the token endpoint ${where} answered ${answer.status}${code} instead of giving an access token`,
    );
  }
  const seconds = isObject(body) ? Number(body["expires_in"] ?? DEFAULT_LIFETIME_S) : DEFAULT_LIFETIME_S;
  return { text: token, expires: Date.now() + (Number.isFinite(seconds) ? seconds * 1000 : 0) - EARLY_MS };
}

/** Who keeps secrets out of what is stored and shown. */
export type Secrets = Pick<Redactor, "learn" | "text">;

/** An empty store of tokens; `redact` learns every token before it is used. */
export function createTokens(client: HttpClient, redact: Secrets): Tokens {
  const tokens = new Map<string, Promise<Token>>();
  const keyOf = (grant: Grant): string =>
    JSON.stringify([grant.tokenUrl, grant.clientId, grant.clientSecret, grant.scope]);
  const fetchAndKeep = (key: string, grant: Grant, signal: Deadline): Promise<Token> => {
    const fetching = fetchToken(grant, client, signal, redact);
    tokens.set(key, fetching);
    fetching.then(
      ({ text }) => redact.learn(text, { passing: true }),
      () => tokens.get(key) === fetching && tokens.delete(key),
    );
    return fetching;
  };
  return {
    async get(grant, signal) {
      const key = keyOf(grant);
      const held = tokens.get(key);
      const token = held && (await held);
      if (token && token.expires > Date.now()) return token.text;
      // Whoever waited for the same stale token may already be fetching the next one.
      const current = tokens.get(key);
      return (await (current === undefined || current === held ? fetchAndKeep(key, grant, signal) : current)).text;
    },
    drop: (grant) => void tokens.delete(keyOf(grant)),
  };
}
