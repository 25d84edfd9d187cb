// Ending a sign-in at the server that gave it. Only metadata name the endpoint, so only a sign-in by an issuer can be ended there.
// Source: RFC 7009; RFC 8414.
import type { Login } from "../../../data-dir/logins.js";
import { Deadline } from "../http-client.js";
import { discover, endpointIn, postForm, type TokenClient, type TokenContext } from "./token-endpoint.js";

/** Metadata and the request together: the person waits at the terminal. */
const REVOKE_MS = 15_000;

/**
 * Ends a sign-in at its server; false where the server names no way to do so. The refresh token stands for all that came of it.
 * Throws TokenError.
 */
export async function revoke(login: Login, client: TokenClient, context: TokenContext): Promise<boolean> {
  const { issuer, access_token, refresh_token } = login;
  if (issuer === undefined) return false;
  const deadline = new Deadline(REVOKE_MS);
  try {
    const endpoint = endpointIn(await discover(issuer, deadline, context), "revocation_endpoint");
    if (endpoint === undefined) return false;
    const token = refresh_token ?? access_token;
    context.redact.learn(token, { passing: true });
    const token_type_hint = refresh_token === undefined ? "access_token" : "refresh_token";
    await postForm({ endpoint, client, parameters: { token, token_type_hint }, deadline }, context);
    return true;
  } finally {
    deadline.stop();
  }
}
