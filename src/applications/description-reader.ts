// Reads the transport object of an action by the schema of its kind: once for each action, because it is asked at every call.
import type { z } from "zod";
import type { Action } from "../domain/schema-document.js";
import { CallError } from "./transport.js";

/** What gives the description of an action; throws CallError when it does not fit the schema. */
export function createDescriptionReader<Description>(schema: z.ZodType<Description>): (action: Action) => Description {
  const known = new WeakMap<object, Description>();
  return ({ name, transport }) => {
    const found = known.get(transport);
    if (found) return found;
    const { data, error } = schema.safeParse(transport);
    if (error) {
      const fault = "its description is not what agentd writes; run agentd sync again";
      throw new CallError(`${name} cannot be called: ${fault}`, { cause: error });
    }
    known.set(transport, data);
    return data;
  };
}
