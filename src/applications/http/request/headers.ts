// Header and cookie parameters. What frames the message, routes it or proves who is asking is never an argument's to set.
// Source: OpenAPI 3.1.1 section 4.8.12 ("Accept", "Content-Type" and "Authorization" shall be ignored); RFC 9110.
import { type JsonObject, toJson } from "../../../lib/json.js";
import { CallError, type Target } from "../../transport.js";
import { argument, type HttpOperation } from "./operation.js";
import { encode, headerText, pairs } from "./styles.js";
import { isMethodOverride } from "./url.js";

const FORBIDDEN =
  /^(accept|accept-encoding|authorization|connection|content-(encoding|length|type)|cookie2?|date|expect|forwarded|host|http2-settings|keep-alive|origin|proxy-.*|sec-.*|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-original-.*|x-rewrite-.*|x-real-ip)$/i;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Whether an argument may set this header; framing, routing, credential and method-override headers it may not. */
function isArgumentHeader(name: string): boolean {
  return TOKEN.test(name) && !FORBIDDEN.test(name) && !isMethodOverride(name);
}

/** Whether a configured value can stand in this header at all. */
function isHeader(name: string, value: string): boolean {
  return TOKEN.test(name) && VALUE.test(value);
}

/** Throws CallError for a configured header that cannot be sent; `settings` is where it is configured. */
export function checkHeaders(headers: Readonly<Record<string, string>>, settings: string): void {
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value))
      throw new CallError(
        `the header ${JSON.stringify(name)} cannot be sent: check ${settings}.headers and ${settings}.auth for line breaks and non-ASCII text`,
      );
}

/**
 * Header parameters and the Cookie header, by lower-case name. `taken` are the cookies a credential will fill; arguments of
 * those names are left out. Throws CallError on a value no header can hold.
 */
export function argumentHeaders(
  operation: HttpOperation,
  args: JsonObject,
  taken: ReadonlySet<string>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const value = argument(args, parameter.name);
    if (value === undefined || value === null || parameter.in === "query") continue;
    if (parameter.in === "cookie") {
      const list = parameter.asJson ? pairs(parameter, toJson(value)) : pairs(parameter, value);
      const free = list.filter(([key]) => !taken.has(key));
      cookies.push(...free.map(([key, text]) => `${encode(key)}=${text}`));
    } else if (isArgumentHeader(parameter.key)) {
      const text = parameter.asJson ? toJson(value) : headerText(parameter, value);
      if (!VALUE.test(text))
        throw new CallError(
          `${parameter.name} goes into the header ${parameter.key}, which holds only printable ASCII on one line`,
        );
      headers[parameter.key.toLowerCase()] = text.trim();
    }
  }
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ");
  return headers;
}

/** The target for a request that it refuses when what is changed is in another state than this; without one as it is. */
export function onlyIfMatch(target: Target, etag: string | undefined): Target {
  return etag === undefined ? target : { ...target, headers: { ...target.headers, "if-match": etag } };
}
