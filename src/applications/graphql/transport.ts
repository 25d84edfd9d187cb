// The GraphQL transport: an action and its arguments become one operation, which HTTP's transport posts to the endpoint; its answer
// becomes an outcome. Addresses, credentials, time, size and failures are HTTP's business. Source: docs/graphql.md, "Requests".
import { settingsKey } from "../../domain/application-name.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import { REDACTED } from "../../lib/redact/redact.js";
import { createHttpTransport, type HttpOptions } from "../http/transport.js";
import {
  type CallArguments,
  CallError,
  type Outcome,
  type PreparedCall,
  type Target,
  type Transport,
} from "../transport.js";
import { graphqlOutcome } from "./answer.js";
import type { GraphqlDescription } from "./description.js";
import { endpointAction } from "./endpoint.js";
import { descriptionOf, type GraphqlOperation, graphqlOperation } from "./operation.js";

/** What `execute` needs: the operation itself is made when it is sent. */
interface GraphqlPlan {
  action: Action;
  args: JsonObject;
}

/** A value for each argument that the operator supplies. */
function withOperatorArguments(args: JsonObject, action: Action, value: (name: string) => string): JsonObject {
  const own = Object.entries(action.operatorArguments ?? {}).map(([argument, name]) => [argument, value(name)]);
  return own.length > 0 ? { ...args, ...Object.fromEntries(own) } : args;
}

function operatorValue(name: string, { application, arguments: values }: Target): string {
  const value = values?.[name];
  if (value === undefined)
    throw new CallError(`${settingsKey(application)}.arguments holds no ${name} any more; nothing was sent`);
  return value;
}

/** The action that posts an operation, by the rules of HTTP. */
function postOf(description: GraphqlDescription, action: Action, target: Target): Action {
  const { tail = "", security, operation } = description;
  const post = endpointAction({ baseUrl: target.baseUrl, tail }, { isSafe: operation === "query", security });
  return action.operatorArguments ? { ...post, operatorArguments: action.operatorArguments } : post;
}

const bodyOf = ({ query, operationName, variables }: GraphqlOperation): JsonObject => ({
  query,
  operationName,
  variables,
});

/** A call to be prepared, and for which target. */
interface Wanted {
  action: Action;
  args: CallArguments;
  target: Target;
}

function prepareCall(http: Transport, { action, args: { sent, shown }, target }: Wanted): PreparedCall {
  const description = descriptionOf(action);
  const placed = (args: JsonObject): JsonObject => withOperatorArguments(args, action, () => REDACTED);
  if (sent !== shown) graphqlOperation(action, placed(sent));
  const operation = graphqlOperation(action, placed(shown));
  const body = bodyOf(operation);
  const post = postOf(description, action, target);
  const { request, preview } = http.prepare(post, { sent: { body }, shown: { body } }, target);
  const { body: _, ...head } = preview;
  const plan: GraphqlPlan = { action, args: sent };
  return {
    request: request && { ...request, operation: operation.operationName },
    preview: { ...head, operation: operation.query, variables: operation.variables },
    plan,
  };
}

async function executeCall(
  http: Transport,
  { action, args }: GraphqlPlan,
  { target, stop }: { target: Target; stop: AbortSignal | undefined },
): Promise<Outcome> {
  const description = descriptionOf(action);
  let call: PreparedCall;
  let query: string;
  try {
    const operation = graphqlOperation(
      action,
      withOperatorArguments(args, action, (name) => operatorValue(name, target)),
    );
    ({ query } = operation);
    const body = bodyOf(operation);
    call = http.prepare(postOf(description, action, target), { sent: { body }, shown: { body } }, target);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { status: "error", value: { error: "invalid_request", message: error.message } };
  }
  const context = { description, query };
  const outcome = await http.execute(call, target, { stop });
  const { renew } = outcome;
  const own = await graphqlOutcome(outcome, context);
  if (!renew) return own;
  return {
    ...own,
    async renew() {
      const renewal = await renew();
      if ("outcome" in renewal) return { outcome: await graphqlOutcome(renewal.outcome, context) };
      return { send: async () => graphqlOutcome(await renewal.send(), context) };
    },
  };
}

/** A transport for actions of kind `graphql`. Keeps connections and access tokens; `close` ends them. */
export function createGraphqlTransport(options: HttpOptions = {}): Transport {
  const http = createHttpTransport(options);
  return {
    kind: "graphql",
    prepare: (action, args, target) => prepareCall(http, { action, args, target }),
    execute: ({ plan }, target, { stop } = {}) => executeCall(http, plan as GraphqlPlan, { target, stop }),
    close: async () => http.close?.(),
  };
}
