// What both ways of signing a person in have in common: who asks whom, and for what. Source: docs/reference.md, "Signing in to an
// application".
import type { OAuthClient } from "../../../config/application-auth.js";
import type { Login } from "../../../data-dir/logins.js";
import type { Deadline } from "../http-client.js";
import { toLogin } from "./logins.js";
import { requestToken, type TokenClient, type TokenContext } from "./token-endpoint.js";

/** A sign-in that is about to happen. */
export interface SignIn {
  client: OAuthClient;
  /** Its secret, resolved. */
  clientSecret: string | undefined;
  /** "" asks for none by name. */
  scope: string;
  tokenUrl: string;
  /** Of the browser's page or for device codes, as the way needs it. */
  startUrl: string;
  /** Set when the issuer's metadata named the endpoints, and the answer must come from it. */
  issuer: string | undefined;
  /** Whether the issuer promises to name itself in its answer. */
  namesItself: boolean;
}

/** What a sign-in uses besides. */
export interface SignInContext extends TokenContext {
  /** Says something to the person. */
  say(text: string): void;
  /** Opens a page in a browser, where there is one. */
  open(address: string): Promise<void>;
  signal: AbortSignal;
}

/** The client as a token endpoint sees it. */
export const tokenClientOf = ({ client, clientSecret }: SignIn): TokenClient => ({
  clientId: client.clientId,
  clientAuth: client.clientAuth,
  clientSecret,
});

/** What is asked for at the start. */
export function startParameters({ client, scope }: SignIn): Record<string, string> {
  return scope === "" ? { ...client.parameters } : { ...client.parameters, scope };
}

/** Exchanges what the person's consent gave for tokens. Throws TokenError. */
export async function exchange(
  signIn: SignIn,
  { grant, parameters, deadline }: { grant: string; parameters: Record<string, string>; deadline: Deadline },
  context: TokenContext,
): Promise<Login> {
  const { tokenUrl, issuer, client } = signIn;
  const asked = { endpoint: tokenUrl, client: tokenClientOf(signIn), grant, parameters, deadline };
  const answer = await requestToken(asked, context);
  return toLogin(answer, { client_id: client.clientId, token_url: tokenUrl, issuer });
}
