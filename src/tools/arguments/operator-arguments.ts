// Arguments the operator supplies: documents that declare a token as an ordinary parameter would have the model hold the secret.
// What is configured is taken out of the tools here and put back by the transport while it sends. Pure; holds no secret.

import type { Action, SchemaDocument } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../lib/json.js";

/** Whether a parameter of a transport description goes by this name: its argument's, or its own on the wire. */
function isNamed(parameter: JsonValue, name: string): boolean {
  if (!isObject(parameter)) return false;
  const { name: argument, key, in: place } = parameter;
  if (argument === name || key === name) return true;
  return place === "header" && typeof key === "string" && key.toLowerCase() === name.toLowerCase();
}

/** The arguments of an action that a configured name means. */
function argumentsNamed({ parameters, transport }: Action, name: string): string[] {
  const found = new Set<string>();
  if (isObject(parameters["properties"]) && Object.hasOwn(parameters["properties"], name)) found.add(name);
  if (String(transport["path"]).includes(`{${name}}`) && !Array.isArray(transport["parameters"])) found.add(name);
  for (const one of listOf(transport["parameters"]))
    if (isNamed(one, name) && isObject(one)) found.add(String(one["name"] ?? one["key"]));
  for (const [argument, field] of Object.entries(objectOf(objectOf(transport["body"])["properties"])))
    if (argument === name || field === name) found.add(argument);
  return [...found];
}

/** A schema by whose `dependentRequired` no member needs these names any more. */
export function withoutNeeded(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { dependentRequired, ...rest } = schema;
  if (!isObject(dependentRequired)) return schema;
  const kept = Object.entries(dependentRequired).map(([name, needed]): [string, JsonValue[]] => [
    name,
    listOf(needed).filter((one) => !names.has(String(one))),
  ]);
  const left = kept.filter(([, needed]) => needed.length > 0);
  return left.length > 0 ? { ...rest, dependentRequired: Object.fromEntries(left) } : rest;
}

function without(parameters: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { properties, required } = parameters;
  return {
    ...withoutNeeded(parameters, names),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    }),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.has(String(name))) }),
  };
}

/**
 * A document whose tools no longer ask for the arguments these names mean; each of its actions knows which they were. The
 * document given is left as it is.
 */
export function hideOperatorArguments(document: SchemaDocument, configured: readonly string[]): SchemaDocument {
  if (configured.length === 0) return document;
  const actions = document.actions.map((action): Action => {
    const operatorArguments = Object.fromEntries(
      configured.flatMap((name) => argumentsNamed(action, name).map((argument) => [argument, name])),
    );
    const hidden = new Set(Object.keys(operatorArguments));
    return hidden.size === 0
      ? action
      : { ...action, parameters: without(action.parameters, hidden), operatorArguments };
  });
  return { ...document, actions };
}
