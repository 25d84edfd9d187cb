// Builds what the HTTP transport is given: actions and targets, with defaults a test overrides.

import type { Outcome, PreparedCall, Target, Transport } from "../../src/applications/transport.js";
import type { Action } from "../../src/domain/schema-document.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";

/** An action of kind `http`; `transport` and `properties` (of the arguments' schema) as the test needs them. */
export function httpAction(transport: JsonObject, properties: JsonObject = {}): Action {
  return {
    name: "the_tool",
    application: "",
    description: "",
    resource: "things",
    verb: "action",
    safety: "mutating",
    provenance: "declared",
    parameters: { type: "object", properties },
    transport: { kind: "http", ...transport },
  };
}

/** A target at an address, without credentials. */
export function targetAt(baseUrl: string, extra: Partial<Target> = {}): Target {
  return {
    application: "",
    baseUrl,
    headers: {},
    schemes: {},
    credentials: {},
    timeoutMs: 10_000,
    allowFiles: false,
    ...extra,
  };
}

/** Prepares with nothing hidden. */
export function prepare(transport: Transport, action: Action, args: JsonObject, target: Target): PreparedCall {
  return transport.prepare(action, { sent: args, shown: args }, target);
}

/** Prepares and executes. */
export function send(transport: Transport, action: Action, args: JsonObject, target: Target): Promise<Outcome> {
  return transport.execute(prepare(transport, action, args, target), target);
}

/** An outcome's value, which the test knows to be an object. */
export function objectIn(outcome: Outcome): JsonObject {
  return outcome.value as JsonObject;
}

/** A parameter whose name on the wire is its own. */
export function parameter(name: string, place: string, extra: JsonObject = {}): JsonValue {
  return { name, key: name, in: place, ...extra };
}
