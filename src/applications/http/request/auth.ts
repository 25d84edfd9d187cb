// Which of the operator's credentials a call carries, and where. The document names the schemes; only a credential the operator
// mapped to a scheme is used, and it only travels to the target's own origin (or to a token endpoint the operator named).
import { unconfirmedAddress } from "../../../domain/schema-document.js";
import { type JsonObject, textsOf } from "../../../lib/json.js";
import { unsupportedKind } from "../../security-schemes.js";
import { CallError, type Target } from "../../transport.js";
import type { HttpOperation } from "./operation.js";

/** Where a credential goes once it is known. */
export type CredentialLocation = { in: "header" | "query" | "cookie"; name: string };

/** Getting an access token by OAuth client credentials (RFC 6749, section 4.4). */
export interface Grant {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
}

/** One credential of a call. Holds the secret: never displayed, never stored. */
export interface Credential {
  location: CredentialLocation;
  /** Text before the secret, such as "Bearer ". */
  prefix: string;
  secret: string | Grant;
}

export interface Access {
  credentials: Credential[];
  /** Schemes the operation asks for and the operator has not mapped; for the message when the target refuses. */
  missing: string[];
}

const AUTHORIZATION: CredentialLocation = { in: "header", name: "authorization" };
const NO_ACCESS: Access = { credentials: [], missing: [] };

function header(prefix: string, secret: string): Credential {
  // An operator may have pasted the whole header value.
  const whole = secret.toLowerCase().startsWith(prefix.toLowerCase());
  return { location: AUTHORIZATION, prefix: whole ? "" : prefix, secret };
}

function clientCredentialsUrl(scheme: JsonObject): string | undefined {
  const flow = (scheme["flows"] as JsonObject | undefined)?.["clientCredentials"] as JsonObject | undefined;
  return typeof flow?.["tokenUrl"] === "string" ? flow["tokenUrl"] : undefined;
}

/** A scheme that the operator has a credential for. */
interface MappedScheme {
  name: string;
  scheme: JsonObject;
  /** What the operation needs of it. */
  scopes: string[];
  /** As the operator wrote it. */
  secret: string;
}

/**
 * `client_id:client_secret`, optionally followed by a blank and the token endpoint. An endpoint at another origin than the
 * target must be named so by the operator: a document must not choose where a secret goes.
 */
function oauth2({ name, scheme, scopes, secret }: MappedScheme, target: Target): Credential {
  const declared = clientCredentialsUrl(scheme);
  const [pair = "", named] = secret.split(/\s+(?=https?:\/\/\S+$)/);
  const colon = pair.indexOf(":");
  if (colon < 1 || (declared === undefined && named === undefined)) return header("Bearer ", secret);
  const tokenUrl = new URL(named ?? declared ?? "", `${target.baseUrl}/`);
  if (named === undefined && tokenUrl.origin !== new URL(target.baseUrl).origin)
    throw new CallError(
      `the document gets tokens for ${name} at ${tokenUrl.origin}, which is not the target; to allow it write the credential as "client_id:client_secret ${tokenUrl.href}"`,
    );
  const grant = { tokenUrl: tokenUrl.href, clientId: pair.slice(0, colon), clientSecret: pair.slice(colon + 1) };
  return { location: AUTHORIZATION, prefix: "Bearer ", secret: { ...grant, scope: scopes.join(" ") } };
}

function credential(name: string, scopes: string[], target: Target): Credential | undefined {
  const scheme = target.schemes[name];
  const secret = target.credentials[name]?.trim();
  if (!scheme || !secret || unsupportedKind(scheme) !== undefined) return undefined;
  const key = scheme["name"];
  switch (scheme["type"]) {
    case "apiKey":
      if (typeof key !== "string") return undefined;
      if (scheme["in"] === "query" || scheme["in"] === "cookie")
        return { location: { in: scheme["in"], name: key }, prefix: "", secret };
      return { location: { in: "header", name: key.toLowerCase() }, prefix: "", secret };
    case "http": {
      const kind = String(scheme["scheme"] ?? "bearer");
      if (kind.toLowerCase() === "bearer") return header("Bearer ", secret);
      if (kind.toLowerCase() !== "basic") return header(`${kind} `, secret);
      return header("Basic ", /^basic /i.test(secret) ? secret : Buffer.from(secret).toString("base64"));
    }
    case "basic": // Swagger 2.0's spelling
      return header("Basic ", Buffer.from(secret).toString("base64"));
    case "oauth2":
      return oauth2({ name, scheme, scopes, secret }, target);
    case "openIdConnect":
      return header("Bearer ", secret);
    default:
      return undefined;
  }
}

/**
 * The alternatives that can be met; an Authorization header of the operator's own meets every HTTP scheme. Throws CallError when
 * there are some, and none of them can.
 */
function supportedAlternatives({ name, security = [] }: HttpOperation, target: Target): readonly JsonObject[] {
  const isSignedIn = Object.keys(target.headers).some((header) => header.toLowerCase() === AUTHORIZATION.name);
  const faults = security.map((alternative) =>
    Object.keys(alternative).flatMap((name) => {
      const scheme = target.schemes[name];
      const words = unsupportedKind(scheme);
      return words === undefined || (isSignedIn && scheme?.["type"] === "http") ? [] : [`${name} (${words})`];
    }),
  );
  const supported = security.filter((_, i) => faults[i]?.length === 0);
  if (security.length > 0 && supported.length === 0) {
    const needed = [...new Set(faults.flat())].join(", ");
    throw new CallError(`${name} needs ${needed}, which agentd does not support; nothing was sent`);
  }
  return supported;
}

/**
 * The credentials of a call. Of the operation's alternatives the first whose every scheme the operator mapped; with none mapped
 * the call goes without. An operation whose document says nothing of security gets every credential the operator mapped.
 * Throws CallError when no alternative is supported.
 */
export function accessOf(operation: HttpOperation, target: Target): Access {
  if (Object.keys(target.credentials).length === 0 && !operation.security?.length) return NO_ACCESS;
  const alternatives = operation.security && supportedAlternatives(operation, target);
  if (alternatives === undefined) {
    const all = Object.keys(target.credentials).map((name) => credential(name, [], target));
    return { credentials: all.filter((one) => one !== undefined), missing: [] };
  }
  for (const alternative of alternatives) {
    const entries = Object.entries(alternative);
    const found = entries.map(([name, scopes]) => credential(name, textsOf(scopes), target));
    const complete = found.filter((one) => one !== undefined);
    if (entries.length > 0 && complete.length === entries.length) return { credentials: complete, missing: [] };
  }
  const optional = alternatives.length === 0 || alternatives.some((one) => Object.keys(one).length === 0);
  return { credentials: [], missing: optional ? [] : Object.keys(alternatives[0] ?? {}) };
}

/** Throws CallError when a call would carry something of the operator's to an address that waits for the operator's word. */
export function refuseWaiting({ credentials }: Access, operatorArguments: object, target: Target): void {
  const carried = [...credentials, ...Object.keys(target.headers), ...Object.keys(operatorArguments)];
  if (target.credentialsWait && carried.length > 0)
    throw new CallError(`${unconfirmedAddress(target.baseUrl)} Nothing was sent.`);
}
