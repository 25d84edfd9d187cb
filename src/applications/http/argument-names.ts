// Which names in a request are never an argument's to set: what frames the message, routes it, proves who is asking, or turns one
// method into another. One list for what becomes an argument and for what is sent.
// Source: OpenAPI 3.1.1 section 4.8.12 ("Accept", "Content-Type" and "Authorization" shall be ignored); RFC 9110.

/** A pattern of the names that some of these patterns, which stand between blanks, are about. */
const listed = (patterns: string): RegExp => new RegExp(`^(?:${patterns.trim().split(/\s+/).join("|")})$`, "i");

const IGNORED = listed("accept content-type authorization");
const REFUSED = listed(`
  accept-encoding connection content-encoding content-length cookie2? date expect forwarded http2-settings keep-alive origin
  proxy proxy-.* remote-(addr|host) sec-.* te trailer transfer-encoding upgrade via
  (cf-connecting|fastly-client|true-client|x-client|x-cluster-client|x-real)-ip (x-)?host x-http-host-override
  x-envoy-(external-address|original-.*) x-forwarded(-.*)? x-rewrite-.*
  (x-)?remote-(email|extra-.*|groups?|name|roles?|user) x-auth-request-.* x-authenticated-.* x-webauth-.* tailscale-user-.*
  cf-access-.* x-amzn-oidc-.* x-appengine-.* x-goog-(authenticated-user-.*|iap-.*) x-ms-(client-principal(-.*)?|token-.*)
  (x-)?(ssl-)?client-cert(-.*)? (x-)?ssl-client-.* x-arr-clientcert
  x-original-(for|forwarded-.*|host|ip|method|path|port|prefix|proto|remote-.*|scheme|uri|url)`);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Ways to turn one method into another; a read must not become a delete. */
const METHOD_OVERRIDE = listed(
  "_method x[-_]http[-_]method([-_]override)? x[-_]method[-_]override x[-_]override[-_]method",
);

/** A parameter as PHP reads it, which writes dots and blanks as underscores, drops blanks in front, and takes brackets for a list. */
const readParameter = (name: string): string => name.trimStart().replace(/\[.*$/s, "").replaceAll(/[ .]/g, "_");
/** A header as CGI reads it, which tells dashes and underscores apart no more (RFC 3875, section 4.1.18). */
const readHeader = (name: string): string => name.replaceAll("_", "-");

/** Whether a name would change the request's method at many servers. */
export function isMethodOverride(name: string): boolean {
  return METHOD_OVERRIDE.test(readParameter(name));
}

/** Whether a query or a form names another method for the request. */
export function namesMethod(query: string): boolean {
  return [...new URLSearchParams(query.replaceAll(";", "&")).keys()].some(isMethodOverride);
}

/** Whether a text can be the name of a header. */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

/** Whether OpenAPI itself says that a header parameter of this name is ignored. */
export function isIgnoredHeader(name: string): boolean {
  return IGNORED.test(name);
}

/** Whether an argument may set this header; framing, routing, credential and method-override headers it may not. */
export function isArgumentHeader(name: string): boolean {
  const read = readHeader(name);
  return isHeaderName(name) && !IGNORED.test(read) && !REFUSED.test(read) && !isMethodOverride(name);
}
