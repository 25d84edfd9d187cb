// Which of the operator's credentials a call carries, and where. The document names the schemes; only a credential the operator
// mapped to a scheme is used, and it only travels to the target's own origin (or to a token endpoint the operator named).
import { type ApplicationCredential, isOAuthClient, type OAuthClient } from "../../../config/application-auth.js";
import type { CommandSecret } from "../../../config/command-secret.js";
import { unconfirmedAddress } from "../../../domain/schema-document.js";
import { type JsonObject, objectOf, textsOf } from "../../../lib/json.js";
import { REDACTED } from "../../../lib/redact/redact.js";
import { unsupportedKind } from "../../security-schemes.js";
import { CallError, type Target } from "../../transport.js";
import { oauthEndpoint } from "../oauth/endpoints.js";
import type { LoginUse } from "../oauth/logins.js";
import type { Grant } from "../oauth/tokens.js";
import type { HttpOperation } from "./operation.js";

/** Where a credential goes once it is known. */
export type CredentialLocation = { in: "header" | "query" | "cookie"; name: string };

/** A secret that a command prints: what it gives is read as if it stood in the configuration. */
interface CommandUse {
  command: CommandSecret;
  read(text: string): Credential | undefined;
}

/** One credential of a call. Holds the secret: never displayed, never stored. */
export interface Credential {
  location: CredentialLocation;
  /** Text before the secret, such as "Bearer ". */
  prefix: string;
  secret: string | Grant | LoginUse | CommandUse;
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

/** A scheme that the operator has a credential for. */
interface MappedScheme {
  name: string;
  scheme: JsonObject;
  /** What the operation needs of it. */
  scopes: string[];
  /** As the operator wrote it. */
  secret: string;
}

/** What an OAuth client of the operator's gets tokens by. */
function oauthCredential(
  client: OAuthClient,
  { name, scheme, scopes }: Omit<MappedScheme, "secret">,
  target: Target,
): Credential {
  const { grant, issuer, clientId, clientSecret, clientAuth, scope = scopes.join(" "), parameters } = client;
  const tokenUrl = oauthEndpoint("token", { name, scheme, client }, target);
  const common = { location: AUTHORIZATION, prefix: "Bearer " };
  if (grant !== "client_credentials")
    return { ...common, secret: { application: target.application, scheme: name, client, tokenUrl } };
  if (clientSecret === undefined)
    throw new CallError(`the credential of ${name} has no client_secret; nothing was sent`);
  if (tokenUrl === undefined && issuer === undefined)
    throw new CallError(
      `nothing says where tokens for ${name} come from: give its credential an "issuer" or a "token_url"`,
    );
  return { ...common, secret: { tokenUrl, issuer, clientId, clientSecret, clientAuth, scope, parameters } };
}

/**
 * `client_id:client_secret`, optionally followed by a blank and the token endpoint. An endpoint at another origin than the
 * target must be named so by the operator: a document must not choose where a secret goes.
 */
function oauth2({ name, scheme, scopes, secret }: MappedScheme, target: Target): Credential {
  const flow = objectOf(objectOf(scheme["flows"])["clientCredentials"]);
  const declared = typeof flow["tokenUrl"] === "string" ? flow["tokenUrl"] : undefined;
  const [pair = "", named] = secret.split(/\s+(?=https?:\/\/\S+$)/);
  const colon = pair.indexOf(":");
  if (colon < 1 || (declared === undefined && named === undefined)) return header("Bearer ", secret);
  const tokenUrl = new URL(named ?? declared ?? "", `${target.baseUrl}/`);
  if (named === undefined && tokenUrl.origin !== new URL(target.baseUrl).origin)
    throw new CallError(
      `the document gets tokens for ${name} at ${tokenUrl.origin}, which is not the target; to allow it write the credential as "client_id:client_secret ${tokenUrl.href}"`,
    );
  const grant: Grant = {
    tokenUrl: tokenUrl.href,
    clientId: pair.slice(0, colon),
    clientSecret: pair.slice(colon + 1),
    clientAuth: "basic",
    scope: scopes.join(" "),
    parameters: {},
  };
  return { location: AUTHORIZATION, prefix: "Bearer ", secret: grant };
}

function credential(name: string, scopes: string[], target: Target): Credential | undefined {
  const scheme = target.schemes[name];
  const given: ApplicationCredential | undefined = target.credentials[name];
  if (!scheme || !given || unsupportedKind(scheme) !== undefined) return undefined;
  if (isOAuthClient(given)) return oauthCredential(given, { name, scheme, scopes }, target);
  if (typeof given === "string") return plainCredential({ name, scheme, scopes, secret: given.trim() }, target);
  const read = (secret: string): Credential | undefined => plainCredential({ name, scheme, scopes, secret }, target);
  const placed = read(REDACTED);
  return placed && { ...placed, prefix: "", secret: { command: given, read } };
}

/** A secret that is there, in the place its scheme says. */
function plainCredential(mapped: MappedScheme, target: Target): Credential | undefined {
  const { scheme, secret } = mapped;
  if (secret === "") return undefined;
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
      return oauth2(mapped, target);
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
function supportedAlternatives(
  { name, security = [] }: Pick<HttpOperation, "name" | "security">,
  target: Target,
): readonly JsonObject[] {
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
export function accessOf(operation: Pick<HttpOperation, "name" | "security">, target: Target): Access {
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
    throw new CallError(`${unconfirmedAddress(target.baseUrl, target.application)} Nothing was sent.`);
}
