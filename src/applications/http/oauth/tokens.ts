// Access tokens by OAuth client credentials: fetched when a call needs one, kept until shortly before they expire.
// Source: RFC 6749, section 4.4. The token is learned by the redactor before it can be echoed.
import type { CommandSecret } from "../../../config/command-secret.js";
import type { Deadline } from "../http-client.js";
import {
  discover,
  endpointIn,
  requestToken,
  type TokenClient,
  type TokenContext,
  TokenError,
} from "./token-endpoint.js";

/** A token is not used in its last seconds: the call would arrive after it expired. */
const EARLY_MS = 10_000;
/** Lifetime of a token whose answer names none (RFC 6749 leaves it to the documentation). */
const DEFAULT_LIFETIME_S = 300;

/** Getting an access token by OAuth client credentials. */
export interface Grant {
  /** Where; undefined when the issuer's metadata say it. */
  tokenUrl: string | undefined;
  issuer?: string | undefined;
  clientId: string;
  clientSecret: string | CommandSecret;
  clientAuth: "basic" | "body";
  scope: string;
  /** What is asked beside that. */
  parameters: Readonly<Record<string, string>>;
}

interface Token {
  text: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** Tokens by grant. */
interface Tokens {
  /** A valid token, fetched when there is none. Throws TokenError, HelperError or a network error. */
  get(grant: Grant, deadline: Deadline): Promise<string>;
  /** Drops a token the target refused, unless another one is held by now. */
  drop(grant: Grant, text: string): void;
}

/** What tokens are fetched with. */
interface GrantContext extends TokenContext {
  /** The value of a secret. */
  secret(secret: string | CommandSecret): Promise<string>;
}

async function endpointOf(
  { tokenUrl, issuer = "" }: Grant,
  deadline: Deadline,
  context: TokenContext,
): Promise<string> {
  const endpoint = tokenUrl ?? endpointIn(await discover(issuer, deadline, context), "token_endpoint");
  if (endpoint === undefined) throw new TokenError(`the metadata of ${issuer} name no token endpoint`);
  return endpoint;
}

async function fetchToken(grant: Grant, deadline: Deadline, context: GrantContext): Promise<Token> {
  const { clientId, clientAuth, scope, parameters } = grant;
  const client: TokenClient = { clientId, clientAuth, clientSecret: await context.secret(grant.clientSecret) };
  const asked = scope === "" ? { ...parameters } : { ...parameters, scope };
  const endpoint = await endpointOf(grant, deadline, context);
  const request = { endpoint, client, grant: "client_credentials", parameters: asked, deadline };
  const { accessToken, expiresIn = DEFAULT_LIFETIME_S } = await requestToken(request, context);
  return { text: accessToken, expires: Date.now() + expiresIn * 1000 - EARLY_MS };
}

/** An empty store of tokens. */
export function createTokens(context: GrantContext): Tokens {
  const tokens = new Map<string, Promise<Token>>();
  /** By what is held, to compare without waiting. */
  const texts = new Map<string, string>();
  const keyOf = (grant: Grant): string => JSON.stringify(grant);
  const fetchAndKeep = (key: string, grant: Grant, deadline: Deadline): Promise<Token> => {
    const fetching = fetchToken(grant, deadline, context);
    tokens.set(key, fetching);
    fetching.then(
      ({ text }) => texts.set(key, text),
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
    drop(grant, text) {
      const key = keyOf(grant);
      if (texts.get(key) === text) tokens.delete(key);
    },
  };
}
