// The operator's credentials on a request for a description that asks for some. Which scheme a credential is for is known when a
// document of the application is there; else what the server asks for, and the credential's own form, have to do.
// Source: RFC 9110, section 11.6.1 (WWW-Authenticate).
import type { JsonObject } from "../../../../lib/json.js";
import type { DescriptionAccess } from "../../../source.js";

/** Ways tried for one description. */
const MAX_WAYS = 8;

const bearer = (secret: string): Record<string, string> => ({
  authorization: /^bearer /i.test(secret) ? secret : `Bearer ${secret}`,
});
const basic = (secret: string): Record<string, string> => ({
  authorization: /^basic /i.test(secret) ? secret : `Basic ${Buffer.from(secret).toString("base64")}`,
});

/** The headers of a credential whose scheme is known; undefined for what no header can carry. */
function byScheme(scheme: JsonObject, secret: string): Record<string, string> | undefined {
  const { type, name } = scheme;
  const kind = String(scheme["scheme"] ?? "bearer");
  if (type === "apiKey" && typeof name === "string") {
    if (scheme["in"] === "header") return { [name.toLowerCase()]: secret };
    return scheme["in"] === "cookie" ? { cookie: `${name}=${secret}` } : undefined;
  }
  if (type === "basic" || (type === "http" && /^basic$/i.test(kind))) return basic(secret);
  if (type === "http") return /^bearer$/i.test(kind) ? bearer(secret) : { authorization: `${kind} ${secret}` };
  return type === "oauth2" || type === "openIdConnect" ? bearer(secret) : undefined;
}

/** Sets of headers to try one after another; `challenge` is what the server asked for. */
export function waysToSignIn(access: DescriptionAccess, challenge: string): Record<string, string>[] {
  const ways = Object.entries(access.credentials).map(([name, secret]) => {
    const scheme = access.schemes[name];
    if (scheme) return byScheme(scheme, secret);
    if (/\bbasic\b/i.test(challenge) && secret.includes(":")) return basic(secret);
    return bearer(secret);
  });
  return ways.filter((way) => way !== undefined).slice(0, MAX_WAYS);
}
