// The description of an action and the arguments of a call become one named operation with one root field, and its variables. The
// text is made of names of the schema only; values travel as variables. Pure. Source: GraphQL, section 2.3 (Operations).
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { createDescriptionReader } from "../description-reader.js";
import { CallError } from "../transport.js";
import { chosenSelection } from "./chosen-fields.js";
import { GraphqlDescription } from "./description.js";
import { readOutputTypes } from "./output-types.js";

/** An operation ready to be posted. */
export interface GraphqlOperation {
  /** Its text. */
  query: string;
  operationName: string;
  variables: JsonObject;
}

/** How an action is called. Throws CallError. */
export const descriptionOf = createDescriptionReader(GraphqlDescription);

/** The variables that arguments set, each under the name the field gives it. */
function variablesOf(description: GraphqlDescription, args: JsonObject): JsonObject {
  const { variables: types, input, names, fields, defaults = {} } = description;
  const variables = new Map<string, JsonValue>();
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(args)) {
    if (name === fields || value === undefined) continue;
    const wire = Object.hasOwn(names, name) ? (names[name] ?? name) : name;
    if (Object.hasOwn(types, wire) && wire !== input) variables.set(wire, value);
    else if (input !== undefined) members.set(wire, value);
    else throw new CallError(`${name} is no argument of ${description.field}`);
  }
  // A page is counted from one end only.
  const isCounted = variables.has("last");
  for (const [name, value] of isCounted ? [] : Object.entries(defaults))
    if (!variables.has(name)) variables.set(name, value);
  if (input !== undefined) variables.set(input, Object.fromEntries(members));
  return Object.fromEntries(variables);
}

function selectionText(action: Action, description: GraphqlDescription, args: JsonObject): string {
  const { fields, selection, returns } = description;
  const chosen = fields === undefined ? undefined : args[fields];
  if (fields === undefined || chosen === undefined || chosen === null || (Array.isArray(chosen) && chosen.length === 0))
    return selection === undefined ? "" : ` { ${selection} }`;
  const types = readOutputTypes(action.definitions);
  try {
    return ` { ${chosenSelection(chosen, returns, { types, argument: fields })} }`;
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError(`${fields} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** The operation of a call. Throws CallError when the arguments do not fit the description. */
export function graphqlOperation(action: Action, args: JsonObject): GraphqlOperation {
  const description = descriptionOf(action);
  const { operation, field, variables: types } = description;
  const variables = variablesOf(description, args);
  const used = Object.keys(variables);
  const declared = used.map((name) => `$${name}: ${types[name]}`).join(", ");
  const given = used.map((name) => `${name}: $${name}`).join(", ");
  const head = declared === "" ? `${operation} ${field}` : `${operation} ${field}(${declared})`;
  const call = given === "" ? field : `${field}(${given})`;
  const query = `${head} { ${call}${selectionText(action, description, args)} }`;
  return { query, operationName: field, variables };
}
