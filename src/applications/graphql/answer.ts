// What an endpoint answers to an outcome: the value of the one root field, a connection as its rows and what is said of the page,
// what the server complains of beside it. An answer that is no GraphQL is left to what HTTP makes of it.
// Source: GraphQL, section 7 (Response); GraphQL over HTTP, section 6; docs/graphql.md, "What comes back".
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../../lib/json.js";
import type { Rows } from "../../results/rows.js";
import type { Outcome } from "../transport.js";
import type { GraphqlDescription } from "./description.js";

/** Complaints that are kept, and characters of one. */
const MAX_ERRORS = 20;
const MAX_MESSAGE = 1_000;
/** Characters of an answer that is no GraphQL. */
const MAX_QUOTED = 2_000;
/** Characters of what an error says besides, and of what an answer says of its cost. */
const MAX_EXTENSIONS = 2_000;
/** What an answer says of what it took and of what is left. */
const COST = /cost|limit|rate|throttl|complexity|quota/i;

/** The messages of a list of errors, as far as it is one. */
export function messagesOf(errors: JsonValue | undefined): string[] {
  return listOf(errors).flatMap((one) => {
    const message = objectOf(one)["message"];
    return typeof message === "string" ? [message.slice(0, MAX_MESSAGE)] : [];
  });
}

/** Errors cut to what helps: what, where in the answer, and the little that extensions say. */
function shortErrors(errors: JsonValue | undefined): JsonValue[] {
  return listOf(errors)
    .slice(0, MAX_ERRORS)
    .map((one) => {
      const { message, path, extensions } = objectOf(one);
      const short: JsonObject = {
        message: typeof message === "string" ? message.slice(0, MAX_MESSAGE) : toJson(one).slice(0, MAX_MESSAGE),
      };
      if (Array.isArray(path)) short["path"] = path;
      if (isObject(extensions)) {
        const { stacktrace: _, exception: __, ...rest } = extensions;
        if (Object.keys(rest).length > 0 && toJson(rest).length <= MAX_EXTENSIONS) short["extensions"] = rest;
      }
      return short;
    });
}

function costOf(extensions: JsonValue | undefined): JsonObject | undefined {
  const found = Object.entries(objectOf(extensions)).filter(([key]) => COST.test(key));
  const cost = Object.fromEntries(found);
  return found.length > 0 && toJson(cost).length <= MAX_EXTENSIONS ? cost : undefined;
}

/** "total_count" for "totalCount". */
const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** A page as its rows and what is said of it: `{ items, total_count, has_next_page, end_cursor }`. */
function pageValue(page: JsonObject, rows: "nodes" | "edges"): JsonObject {
  const { pageInfo, [rows]: list, ...about } = page;
  const items = rows === "nodes" ? listOf(list) : listOf(list).map(nodeOf);
  const { hasNextPage, endCursor } = objectOf(pageInfo);
  const edges = rows === "edges" ? listOf(list).map(withoutNode) : [];
  return {
    items,
    // What was chosen of the edges, in the order of the items.
    ...(edges.some((edge) => Object.keys(edge).length > 0) && { edges }),
    ...Object.fromEntries(Object.entries(about).map(([name, value]) => [snake(name), value])),
    ...(typeof hasNextPage === "boolean" && { has_next_page: hasNextPage }),
    // Where nothing follows there is nothing to ask for.
    ...(endCursor !== undefined && endCursor !== null && hasNextPage !== false && { end_cursor: endCursor }),
  };
}

function withoutNode(edge: JsonValue): JsonObject {
  const { node: _, ...rest } = objectOf(edge);
  return rest;
}

function nodeOf(edge: JsonValue): JsonValue {
  return objectOf(edge)["node"] ?? null;
}

/** Names of fields for the aliases that stand for them in a selection. */
function aliasesIn(query: string): ReadonlyMap<string, string> {
  return new Map([...query.matchAll(/\b((\w+?)__\w+): /g)].map(([, alias = "", name = ""]) => [alias, name]));
}

/** A value with the schema's own names for its fields. */
function withoutAliases(value: JsonValue, aliases: ReadonlyMap<string, string>): JsonValue {
  if (aliases.size === 0) return value;
  if (Array.isArray(value)) return value.map((one) => withoutAliases(one, aliases));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [aliases.get(key) ?? key, withoutAliases(inner, aliases)]),
  );
}

/** What an answer is read with. */
interface AnswerContext {
  description: GraphqlDescription;
  /** The text of the operation. */
  query: string;
}

/** The value of the root field as a tool gives it. */
function fieldValue(value: JsonValue, { description: { rows }, query }: AnswerContext): JsonValue {
  const plain = withoutAliases(value, aliasesIn(query));
  return rows && isObject(plain) ? pageValue(plain, rows) : plain;
}

/** A value with what the server says beside it, under names that the value does not have. */
function withBeside(value: JsonValue, beside: JsonObject): JsonValue {
  const entries = Object.entries(beside);
  if (entries.length === 0) return value;
  const record: JsonObject = isObject(value) ? value : Array.isArray(value) ? { items: value } : { value };
  const free = (key: string): string => (Object.hasOwn(record, key) ? `graphql_${key}` : key);
  return { ...record, ...Object.fromEntries(entries.map(([key, one]) => [free(key), one])) };
}

/** An answer with errors and without a value of its field. */
function failed(answer: JsonObject, { description }: AnswerContext, more: JsonObject = {}): Outcome {
  const messages = messagesOf(answer["errors"]);
  const message =
    messages.join("; ").slice(0, MAX_MESSAGE) || "the endpoint refused the operation and does not say why";
  const doubt = description.operation === "mutation" && isObject(answer["data"]);
  return {
    status: "error",
    value: {
      error: "graphql_error",
      message: doubt
        ? `${message}. Something may have been changed all the same: check before sending it again`
        : message,
      ...more,
      errors: shortErrors(answer["errors"]),
    },
  };
}

/** The rows of a long answer where the tool's value has them. */
function movedRows(rows: Rows, { description, query }: AnswerContext, value: JsonValue): Rows | undefined {
  const { field, rows: inside } = description;
  const [data, root, ...path] = rows.path;
  if (data !== "data" || root !== field) return undefined;
  const isPage = inside !== undefined && path.length === 1 && path[0] === inside;
  const aliases = aliasesIn(query);
  const change = (row: JsonValue): JsonValue =>
    withoutAliases(isPage && inside === "edges" ? nodeOf(row) : row, aliases);
  const own = isPage ? ["items"] : path.map((key) => aliases.get(key) ?? key);
  const isWrapped = own.length === 0 && !Array.isArray(value);
  return {
    ...rows,
    path: isWrapped ? ["items"] : own,
    async *read(from) {
      for await (const batch of rows.read(from)) yield batch.map(change);
    },
  };
}

/** The outcome of an answer that has the form of GraphQL's. */
async function readAnswer(answer: JsonObject, outcome: Outcome, context: AnswerContext): Promise<Outcome> {
  const { description } = context;
  const found = objectOf(answer["data"])[description.field];
  const errors = shortErrors(answer["errors"]);
  const { rows } = outcome;
  if (found === undefined || found === null) {
    await rows?.close();
    if (errors.length > 0 || found === undefined) return failed(answer, context);
    if (description.operation === "mutation" || description.selection === undefined)
      return { status: "ok", value: null };
    const message = `${description.field} gave nothing (null): there is none with these arguments, or it may not be seen`;
    return { status: "error", value: { error: "not_found", message } };
  }
  const cost = isObject(found) ? costOf(answer["extensions"]) : undefined;
  const beside: JsonObject = { ...(errors.length > 0 && { errors }), ...(cost && { extensions: cost }) };
  const value = withBeside(fieldValue(found, context), beside);
  const moved = rows && movedRows(rows, context, value);
  if (rows && !moved) await rows.close();
  return { status: "ok", value, ...(moved && { rows: moved }) };
}

/** The outcome of what HTTP made of an endpoint's answer. */
export async function graphqlOutcome(outcome: Outcome, context: AnswerContext): Promise<Outcome> {
  const value = objectOf(outcome.value);
  if (outcome.status === "error") {
    const body = objectOf(value["body"]);
    if (messagesOf(body["errors"]).length === 0) return outcome;
    const { status } = value;
    const isAccess = status === 401 || status === 403;
    const refused = failed(body, context, status === undefined ? {} : { status });
    const message = `${String(value["message"])}: ${messagesOf(body["errors"]).join("; ").slice(0, MAX_MESSAGE)}`;
    const own = isAccess ? { ...objectOf(refused.value), error: `http_${status}`, message } : refused.value;
    return { ...outcome, status: "error", value: own };
  }
  if (value["truncated"] === true && isObject(value["body"])) {
    const inner = await readAnswer(value["body"], { status: "ok", value: null }, context);
    return inner.status === "error" ? inner : { status: "ok", value: { ...value, body: inner.value } };
  }
  if ("data" in value || Array.isArray(value["errors"])) return readAnswer(value, outcome, context);
  await outcome.rows?.close();
  const what = typeof outcome.value === "string" && /^\s*</.test(outcome.value) ? "a web page" : "something";
  const message = `the endpoint answered with ${what} that is not GraphQL; check its address`;
  const isShort = toJson(outcome.value).length <= MAX_QUOTED;
  return { status: "error", value: { error: "invalid_response", message, ...(isShort && { body: outcome.value }) } };
}
