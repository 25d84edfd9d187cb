// Asks an endpoint for its schema: with everything a schema may say first, plainly where the server is too old for that. What the
// answer may be instead ends in a sentence that says what to do. Sends nothing but the two questions, to the address that was named.
// Source: GraphQL, section 4 (Introspection); docs/graphql.md, "Connecting".
import { type GraphQLSchema, getIntrospectionQuery } from "graphql";
import { messageOf, StartError } from "../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { waysToSignIn } from "../http/openapi/find/sign-in.js";
import { createHttpTransport } from "../http/transport.js";
import type { SourceInput } from "../source.js";
import type { Outcome, Target, Transport } from "../transport.js";
import { messagesOf } from "./answer.js";
import { endpointAction, type GraphqlEndpoint } from "./endpoint.js";
import { fromIntrospection } from "./read-schema.js";

/** Both questions, with all ways to sign in. */
const TIMEOUT_MS = 60_000;
/** Of an answer. */
const MAX_BYTES = 100_000_000;
/** Characters of an answer that is quoted. */
const MAX_QUOTED = 200;

const FULL = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: false,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
const PLAIN = getIntrospectionQuery({ descriptions: true });

/** A schema, and whether the endpoint gave it only to somebody who signed in. */
interface Introspected {
  schema: GraphQLSchema;
  needsCredential: boolean;
}

/** One attempt: the schema, or what came instead. */
interface Attempt {
  schema?: GraphQLSchema;
  /** The answer as a value. */
  value: JsonValue;
  /** What the server says is wrong. */
  messages: string[];
}

/** The value of an outcome with all its rows: those of a long answer stand beside it. */
async function wholeValue({ value, rows }: Outcome): Promise<JsonValue> {
  if (!rows) return value;
  try {
    const all: JsonValue[] = [];
    for await (const batch of rows.read()) for (const row of batch) all.push(row);
    let at: JsonValue = value;
    for (const key of rows.path.slice(0, -1)) at = objectOf(at)[key] ?? null;
    const last = rows.path.at(-1);
    if (last !== undefined && isObject(at)) at[last] = all;
    return value;
  } finally {
    await rows.close();
  }
}

/** Asks with one set of headers, twice at most. */
async function ask(transport: Transport, endpoint: GraphqlEndpoint, headers: Record<string, string>): Promise<Attempt> {
  const target: Target = {
    application: "",
    baseUrl: endpoint.baseUrl,
    headers,
    schemes: {},
    credentials: {},
    timeoutMs: TIMEOUT_MS,
    allowFiles: false,
  };
  const action = endpointAction(endpoint, { isSafe: true, security: undefined });
  let last: Attempt = { value: null, messages: [] };
  for (const query of [FULL, PLAIN]) {
    const body: JsonObject = { query, operationName: "IntrospectionQuery" };
    const call = transport.prepare(action, { sent: { body }, shown: { body } }, target);
    const outcome = await transport.execute(call, target);
    const value = await wholeValue(outcome);
    const answer = outcome.status === "ok" ? value : (objectOf(value)["body"] ?? null);
    const found = fromIntrospection(answer);
    last = { value, messages: messagesOf(objectOf(answer)["errors"]) };
    if (found) return { ...last, schema: found };
    // An answer that is not GraphQL's will not become so by another question.
    if (last.messages.length === 0) return last;
  }
  return last;
}

const isOff = (messages: readonly string[]): boolean => messages.some((text) => /introspect|__schema/i.test(text));

/** An address that answers and speaks no GraphQL. */
export class NoEndpointError extends StartError {}

/** The sentence for an endpoint that gave no schema. */
function refusal({ value, messages }: Attempt, where: string, hint: string | undefined): StartError {
  const ways = `Give its schema as a file instead, SDL or the result of an introspection, with --base-url ${where}`;
  const { error, message, status, location } = objectOf(value);
  if (status === 401 || status === 403)
    return new StartError(
      `${where} answered ${String(status)}: it wants to know who asks. ${hint ? `${hint}.` : 'Pass a credential with --header "Authorization: env:NAME".'}`,
    );
  if (isOff(messages))
    return new StartError(`Introspection is off at ${where} (${messages[0]?.slice(0, MAX_QUOTED)}). ${ways}.`);
  if (messages.length > 0)
    return new StartError(`${where} refused to describe itself: ${messages.join("; ").slice(0, MAX_QUOTED)}. ${ways}.`);
  if (typeof status === "number" && typeof location === "string")
    return new StartError(`${where} answered ${status} and points to ${location}; give that address if you trust it.`);
  if (typeof error === "string") {
    const text = typeof message === "string" ? message.replace(/; check the credential in .*$/, "") : error;
    if (status === undefined) return new StartError(`${where} cannot be asked for its schema: ${text}.`);
    return new NoEndpointError(
      `${where} cannot be asked for its schema: ${text}. If this is not the endpoint, give that; it often ends in /graphql.`,
    );
  }
  const what = typeof value === "string" && /^\s*</.test(value) ? "a web page" : "something else";
  return new NoEndpointError(
    `${where} is no GraphQL endpoint: it answered with ${what}. The endpoint often ends in /graphql.`,
  );
}

/** The schema of an endpoint. Throws StartError that says why there is none and what to do. */
export async function introspect(
  endpoint: GraphqlEndpoint,
  where: string,
  { headers = {}, access }: SourceInput,
): Promise<Introspected> {
  const transport = createHttpTransport({ maxAnswerBytes: MAX_BYTES });
  try {
    const first = await ask(transport, endpoint, headers);
    const isSignedIn = Object.keys(headers).some((name) => /^authorization$/i.test(name));
    if (first.schema) return { schema: first.schema, needsCredential: isSignedIn };
    for (const way of access ? waysToSignIn(access, "") : []) {
      const { schema } = await ask(transport, endpoint, { ...headers, ...way });
      if (schema) return { schema, needsCredential: true };
    }
    throw refusal(first, where, access?.hint);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${where} describes itself in a way that cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await transport.close?.();
  }
}
