// The arguments of a call as they are stored and displayed: for its events, its row, and the request that is made of them. The one
// place that decides what is hidden.
import type { ToolCall } from "../domain/message.js";
import type { Action } from "../domain/schema-document.js";
import { isObject, type JsonObject } from "../lib/json.js";
import type { Redactor } from "../lib/redact/redact.js";
import type { Catalogue } from "../tools/catalogue.js";

/** What is needed to find the tool of a call, and to hide what is secret in its arguments. */
interface RedactContext {
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
}

/** Arguments without secrets: those known by value, and what is secret by its name or the one it has in the request. */
export function redactArguments(args: JsonObject, action: Action | undefined, redactor: Redactor): JsonObject {
  const described = action?.parameters["properties"];
  return redactor.members(args, {
    otherNames: action?.wireNames ?? {},
    isPublic: (name) => isObject(described) && Object.hasOwn(described, name),
  });
}

/** The arguments of a call of the model, also of one whose tool nobody knows. */
export function redactCall(
  { name, arguments: args }: Pick<ToolCall, "name" | "arguments">,
  context: RedactContext,
): JsonObject {
  return redactArguments(args, context.catalogue.action(name), context.redactor);
}
