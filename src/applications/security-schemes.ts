// Security schemes in OpenAPI's form: what each is in words, what its credential looks like, and which of them agentd can do.
// Source: OpenAPI 3.1, Security Scheme Object; docs/reference.md, "Importing a description".
import { isObject, type JsonObject } from "../lib/json.js";

/** What there is to know of one scheme. */
interface SchemeKind {
  /** In words: "bearer token", "http digest". */
  words: string;
  /** How its credential is written; undefined for a scheme that is not supported. */
  secret: string | undefined;
}

const UNSUPPORTED = { secret: undefined };

/**
 * HTTP schemes that compute what they send for each request, or prove a key; of others the name and a secret are all there is.
 * Source: IANA, HTTP Authentication Scheme Registry; and those in use without being registered.
 */
const COMPUTED = new Set(
  "aws4-hmac-sha256 concealed digest dpop gnap hawk hoba mutual negotiate ntlm oauth privatetoken scram-sha-1 scram-sha-256 vapid".split(
    " ",
  ),
);

function httpKind(scheme: JsonObject): SchemeKind {
  const name = String(scheme["scheme"] ?? "bearer");
  if (name.toLowerCase() === "bearer") return { words: "bearer token", secret: "token" };
  if (name.toLowerCase() === "basic") return { words: "http basic", secret: "user:password" };
  if (COMPUTED.has(name.toLowerCase())) return { words: `http ${name}`, ...UNSUPPORTED };
  return { words: `http ${name}`, secret: "secret" };
}

/** Members that are texts. A description can have anything there, also what cannot become one. */
const TEXTS = ["type", "scheme", "in", "name"];

/** What a scheme is; undefined for what names no type. */
export function schemeKind(scheme: JsonObject): SchemeKind | undefined {
  const { type, flows } = scheme;
  const wrong = TEXTS.find((key) => scheme[key] !== undefined && typeof scheme[key] !== "string");
  if (wrong !== undefined) return { words: `unreadable (${wrong} is no text)`, ...UNSUPPORTED };
  switch (type) {
    case undefined:
      return undefined;
    case "apiKey":
      return { words: `key in the ${String(scheme["in"] ?? "header")} ${String(scheme["name"] ?? "")}`, secret: "key" };
    case "http":
      return httpKind(scheme);
    case "basic": // Swagger 2.0's spelling
      return { words: "http basic", secret: "user:password" };
    case "oauth2": {
      const isGrant = isObject(flows) && flows["clientCredentials"] !== undefined;
      return { words: "OAuth 2", secret: isGrant ? "client_id:client_secret, or an access token" : "access token" };
    }
    case "openIdConnect":
      return { words: "OpenID Connect", secret: "access token" };
    default:
      return { words: String(type), ...UNSUPPORTED };
  }
}

/** What a scheme is called where it is not supported; undefined where it is, or where nothing is known of it. */
export function unsupportedKind(scheme: JsonObject | undefined): string | undefined {
  const kind = scheme && schemeKind(scheme);
  return kind && kind.secret === undefined ? kind.words : undefined;
}
