// Header and cookie parameters. What no argument may set is ignored where OpenAPI says so, and else refused: a document that an
// earlier version imported may still offer it.
import type { JsonObject } from "../../../lib/json.js";
import { CallError, type Target } from "../../transport.js";
import { isArgumentHeader, isHeaderName, isIgnoredHeader } from "../argument-names.js";
import { argument, type HttpOperation } from "./operation.js";
import { cookiePairs, headerText, serialised } from "./styles.js";

const VALUE = /^[\t\x20-\x7e]*$/;

/** What stands in the texts of JSON alone, where it may be escaped. Source: RFC 8259, section 7. */
const NOT_ASCII = /[\x7f-\uffff]/g;
const escapedInJson = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Whether a configured value can stand in this header at all. */
function isHeader(name: string, value: string): boolean {
  return isHeaderName(name) && VALUE.test(value);
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
 * those names are left out. Throws CallError on a value no header can hold, and on a header that is not an argument's to set;
 * `settings` is where the application is configured.
 */
export function argumentHeaders(
  operation: HttpOperation,
  args: JsonObject,
  { taken, settings }: { taken: ReadonlySet<string>; settings: string },
): Record<string, string> {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const value = argument(args, parameter.name);
    if (value === undefined || value === null || (parameter.in !== "header" && parameter.in !== "cookie")) continue;
    if (parameter.in === "cookie") {
      const list = cookiePairs(parameter, serialised(parameter, value) ?? value, taken);
      cookies.push(...list.map(([key, text]) => `${key}=${text}`));
      continue;
    }
    if (isIgnoredHeader(parameter.key)) continue;
    if (!isArgumentHeader(parameter.key))
      throw new CallError(
        `the header ${parameter.key} is not for an argument to set; import the description again, and what every call is to send goes into ${settings}.headers`,
      );
    const whole = serialised(parameter, value);
    const text =
      (parameter.content === "json" ? whole?.replace(NOT_ASCII, escapedInJson) : whole) ?? headerText(parameter, value);
    if (!VALUE.test(text))
      throw new CallError(
        `${parameter.name} goes into the header ${parameter.key}, which holds only printable ASCII on one line`,
      );
    headers[parameter.key.toLowerCase()] = text.trim();
  }
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ");
  return headers;
}

/** The target for a request that it refuses when what is changed is in another state than this; without one as it is. */
export function onlyIfMatch(target: Target, etag: string | undefined): Target {
  return etag === undefined ? target : { ...target, headers: { ...target.headers, "if-match": etag } };
}
