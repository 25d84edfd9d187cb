// What kind of thing an operation does: its verb, how dangerous it is, and the resource it belongs to.
import type { JsonObject, JsonValue } from "../../json.js";
import type { Safety, Verb } from "../../schema.js";
import { textOf, textsOf, type Warn } from "./read.js";
import type { Answer } from "./responses.js";

const SAFETIES = new Set(["read_only", "mutating", "destructive"]);
const CREATES = /^(create|add|new|insert|register|open|make)/i;
const LISTS = /^(list|search|find|query|browse)/i;
/** Path segments that name a version or a prefix, not a thing. */
const NOT_A_RESOURCE = /^(v?\d+([._-]\d+)*|v\d+\w*|api|apis|rest)$/i;

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The verb of an operation. Only a word for people and ranking: it decides nothing about safety. */
export function verbOf(method: string, path: string, operation: JsonObject, answer: Answer): Verb {
  const last = segments(path).at(-1) ?? "";
  const id = (textOf(operation["operationId"]) ?? "").split(/[/.:]/).at(-1) ?? "";
  switch (method) {
    case "get":
      if (answer.shape === "list") return "list";
      return answer.shape === "unknown" && !last.endsWith("}") ? "list" : "get";
    case "head":
    case "options":
      return "get";
    case "put":
    case "patch":
      return "update";
    case "delete":
      return "delete";
    default:
      if (LISTS.test(id)) return "list";
      if (CREATES.test(id)) return "create";
      // "POST /pets" makes one; "POST /pets/{id}/feed" does something to one.
      return !last.endsWith("}") && (segments(path).length === 1 || /[^s]s$/i.test(last)) ? "create" : "action";
  }
}

/** How dangerous an operation is: what the description says in `x-agentd-safety`, otherwise what its method implies. */
export function safetyOf(method: string, where: string, marks: (JsonValue | undefined)[], warn: Warn): Safety {
  const mark = marks.find((value) => value !== undefined);
  if (typeof mark === "string" && SAFETIES.has(mark)) return mark as Safety;
  if (mark !== undefined) {
    warn(`${where}: x-agentd-safety must be read_only, mutating or destructive; it is taken as destructive.`);
    return "destructive";
  }
  if (method === "get" || method === "head" || method === "options") return "read_only";
  return method === "delete" ? "destructive" : "mutating";
}

/** The name of the resource: the first tag, else the first segment of the path that names a thing. */
export function resourceOf(path: string, operation: JsonObject): string {
  const tag = textsOf(operation["tags"])[0]?.trim();
  if (tag) return tag;
  const names = segments(path).filter((segment) => !segment.startsWith("{"));
  return names.find((segment) => !NOT_A_RESOURCE.test(segment)) ?? names[0] ?? "root";
}
