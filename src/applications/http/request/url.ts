// Arguments to a URL that cannot leave the target: the path is filled in one pass, every segment is checked, and the result
// must be at the target's origin and under its base path, exactly as written.
import { settingsKey } from "../../../domain/application-name.js";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { isOwnAddress } from "../../../lib/own-address.js";
import { withoutTrailing } from "../../../lib/trailing.js";
import { CallError, type Target } from "../../transport.js";
import { isMethodOverride, namesMethod } from "../argument-names.js";
import { argument, checkNames, type HttpOperation, type RequestParameter, undescribed } from "./operation.js";
import { hasDotPiece } from "./path-pieces.js";
import { encode, joinPairs, type Pair, pairs, pathText, plainText, serialised } from "./styles.js";

/** Where a request goes. */
export interface Destination {
  origin: string;
  /** Path and query, byte for byte as sent. */
  path: string;
}

/** Characters a path may hold as they are (RFC 3986 pchar, "/" and "%"). */
const NOT_PATH = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu;

function parseBase(text: string, base?: string): URL {
  try {
    return new URL(text, base);
  } catch (cause) {
    // A user and password before the host are not repeated.
    const address = text.replace(/\/\/[^/?#]*@/, "//");
    throw new CallError(`the target's address ${address || '""'} is not a URL; set it with --base-url`, { cause });
  }
}

/** The address a call must stay under. A server the operation names itself must be at the target's own origin. */
function resolveBase(operation: HttpOperation, target: Target): { origin: string; prefix: string } {
  if (target.baseUrl === "")
    throw new CallError(
      `the target has no address; set it with agentd sync --base-url, or ${settingsKey(target.application)}.base_url in config.json`,
    );
  const base = parseBase(target.baseUrl);
  if (base.protocol !== "http:" && base.protocol !== "https:")
    throw new CallError(`the target's address must start with http:// or https://, not ${base.protocol}`);
  if (base.username || base.password)
    throw new CallError(
      `the target's address holds a user name or password; put them into ${settingsKey(target.application)}.auth instead`,
    );
  if (isOwnAddress(base))
    throw new CallError(
      "the target's address is that of this agentd, which is no application of its own; nothing was sent",
    );
  const server =
    operation.server === undefined ? base : parseBase(operation.server, `${withoutTrailing(target.baseUrl, "/")}/`);
  if (server.origin !== base.origin)
    throw new CallError(
      `${operation.name} belongs to ${server.origin}, but the target is ${base.origin}; nothing was sent`,
    );
  return { origin: base.origin, prefix: withoutTrailing(server.pathname, "/") };
}

/** Characters of a value in a path: servers refuse addresses of 8 KiB and more. */
const MAX_PATH_VALUE = 8 * 1024;
/** Characters of all values together and the path's own text, escaped. */
const MAX_PATH = 64 * 1024;

/** Every text in a value, names of members too: a style may write any of them. */
function textsIn(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Refuses what no path segment can express, and values whose type the tool's schema excludes. */
function checkPathValue(parameter: RequestParameter, value: JsonValue | undefined): JsonValue {
  const { name, types } = parameter;
  if (value === undefined || value === null) throw new CallError(`${name} is missing; it is part of the address`);
  if (value === "") throw new CallError(`${name} must not be empty; it would address something else`);
  const texts = textsIn(value);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_PATH_VALUE)
    throw new CallError(`${name} is too long for an address: at most ${MAX_PATH_VALUE} characters`);
  if (texts.some(hasDotPiece))
    throw new CallError(
      `${name} must not be "." or "..", nor hold one beside a slash, in any encoding; it would address something else`,
    );
  const structured = typeof value === "object";
  const kind = Array.isArray(value) ? "array" : typeof value;
  if (structured && (types.length === 0 ? !isStyled(parameter) : !types.includes(kind)))
    throw new CallError(`${name} must be a single value, not an ${kind}`);
  if (kind === "boolean" && types.length > 0 && !types.includes(kind))
    throw new CallError(`${name} must not be true or false`);
  return value;
}

/** Whether the description itself says that the value may be an array or object. */
function isStyled(parameter: RequestParameter): boolean {
  return parameter.content !== undefined || parameter.style !== "simple" || parameter.explode;
}

function fillPath(operation: HttpOperation, args: JsonObject): string {
  return operation.pieces
    .map((piece) => {
      if ("text" in piece) return piece.text.replace(NOT_PATH, (c) => encode(c));
      const parameter = operation.path.get(piece.key);
      if (!parameter)
        throw new CallError(
          `${operation.name} cannot be called: its path needs ${piece.key}, which it does not describe`,
        );
      const value = checkPathValue(parameter, argument(args, parameter.name));
      const whole = serialised(parameter, value);
      const text = whole === undefined ? pathText(parameter, value) : encode(whole);
      if (text === "") throw new CallError(`${parameter.name} must not be empty; it would address something else`);
      return text;
    })
    .join("");
}

function queryPairs(operation: HttpOperation, args: JsonObject): Pair[] {
  const list: Pair[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.in !== "query") continue;
    const value = argument(args, parameter.name);
    if (value === undefined) continue;
    const whole = serialised(parameter, value);
    if (whole !== undefined) list.push([parameter.key, encode(plainText(whole, parameter.key))]);
    else list.push(...pairs(parameter, value));
  }
  if (operation.rest === "query")
    for (const [key, value] of undescribed(args, operation))
      list.push(
        ...pairs({ key, style: isObject(value) ? "deepObject" : "form", explode: true, allowReserved: false }, value),
      );
  return list.filter(([key]) => !isMethodOverride(key));
}

/** The query string that is one value; "" for none. */
function wholeQuery(operation: HttpOperation, args: JsonObject): string {
  const parameter = operation.parameters.find((one) => one.in === "querystring");
  if (!parameter) return "";
  const value = argument(args, parameter.name);
  if (value === undefined) return "";
  return encode(serialised(parameter, value) ?? plainText(value, parameter.key));
}

const withQuery = (path: string, ...queries: string[]): string => {
  const query = queries.filter((one) => one !== "").join("&");
  return query === "" ? path : `${path}?${query}`;
};

/**
 * The address of a call. `taken` are query names a credential will fill; arguments of those names are left out.
 * Throws CallError when the arguments or the description do not give an address under the target's.
 */
export function destination(
  operation: HttpOperation,
  args: JsonObject,
  { target, taken }: { target: Target; taken: ReadonlySet<string> },
): Destination {
  checkNames(args);
  const { origin, prefix } = resolveBase(operation, target);
  if (namesMethod(operation.fixedQuery))
    throw new CallError(`${operation.name} cannot be called: its path names another method for the request`);
  const filled = fillPath(operation, args);
  if (!filled.startsWith("/") || filled.startsWith("//"))
    throw new CallError(`${operation.name} cannot be called: its path must start with one "/"`);
  if (filled.length > MAX_PATH) throw new CallError(`the address would be too long: at most ${MAX_PATH} characters`);
  // Values and the path's own text may give together what none of them does.
  if (hasDotPiece(filled))
    throw new CallError("a piece of the path must not be . or .., in any encoding; it would address something else");
  const path = prefix + filled;
  const parsed = new URL(origin + path);
  if (parsed.origin !== origin || parsed.pathname !== path)
    throw new CallError(`${operation.name} cannot be called: its path leaves the target's address`);
  const list = queryPairs(operation, args).filter(([key]) => !taken.has(key));
  const fixed = operation.fixedQuery.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/gu, (c) => encode(c));
  return { origin, path: withQuery(path, fixed, wholeQuery(operation, args), joinPairs(list)) };
}
