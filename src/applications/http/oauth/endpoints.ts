// Where an OAuth client's requests go: to the endpoints the operator named, else, at the application's own origin only, to those of its
// description. Those of an issuer's metadata are found out when they are needed.
import type { OAuthClient } from "../../../config/application-auth.js";
import { isObject, type JsonObject, objectOf } from "../../../lib/json.js";
import { CallError, type Target } from "../../transport.js";

/** What an endpoint is for. */
type EndpointKind = "token" | "authorization" | "device";

/** How each is called, in a description and in the operator's configuration. */
const NAMES = {
  token: { declared: "tokenUrl", configured: "tokenUrl", key: "token_url" },
  authorization: { declared: "authorizationUrl", configured: "authorizationUrl", key: "authorization_url" },
  device: { declared: "deviceAuthorizationUrl", configured: "deviceUrl", key: "device_url" },
} as const;

/** The flows of a description in which an endpoint of a grant is looked for. */
const FLOWS: Readonly<Record<OAuthClient["grant"], readonly string[]>> = {
  client_credentials: ["clientCredentials"],
  authorization_code: ["authorizationCode", "deviceAuthorization"],
  device_code: ["deviceAuthorization", "authorizationCode"],
};

/** A scheme of a description, and the client the operator has for it. */
interface ClientOfScheme {
  name: string;
  scheme: JsonObject;
  client: OAuthClient;
}

/** The address of an endpoint; undefined when only the issuer can say it, or nobody does. Throws CallError for a foreign one. */
export function oauthEndpoint(
  kind: EndpointKind,
  { name, scheme, client }: ClientOfScheme,
  { baseUrl }: Pick<Target, "baseUrl">,
): string | undefined {
  const { declared, configured, key } = NAMES[kind];
  const named = client[configured];
  // What an issuer says of itself is believed, because the operator named it.
  if (named !== undefined || client.issuer !== undefined) return named;
  const flows = objectOf(scheme["flows"]);
  const found = FLOWS[client.grant].map((flow) => flows[flow]).find((flow) => isObject(flow) && flow[declared]);
  const address = objectOf(found)[declared];
  if (typeof address !== "string" || !URL.canParse(address, `${baseUrl}/`)) return undefined;
  const url = new URL(address, `${baseUrl}/`);
  if (url.origin !== new URL(baseUrl).origin)
    throw new CallError(
      `the document has the ${kind} endpoint of ${name} at ${url.origin}, which is not the application; to allow it give the credential "${key}": "${url.href}"`,
    );
  return url.href;
}
