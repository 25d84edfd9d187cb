// What is wrong with the arguments of a call, each at its place: so that a form can show it beside its field.
import { isObject, type JsonValue, listOf } from "../lib/json.js";

/** One thing that is wrong. Source: docs/reference.md, "Calling a tool". */
export type ArgumentFault = {
  /** JSON Pointer into the arguments; "" for all of them. What is missing has the pointer it would have. */
  pointer: string;
  message: string;
};

/** The faults in the result of a refused call; none for any other result. */
export function faultsOf(result: JsonValue): ArgumentFault[] {
  if (!isObject(result) || result["error"] !== "invalid_arguments") return [];
  return listOf(result["details"]).flatMap((one) => {
    const { pointer, message } = isObject(one) ? one : {};
    return typeof pointer === "string" && typeof message === "string" ? [{ pointer, message }] : [];
  });
}
