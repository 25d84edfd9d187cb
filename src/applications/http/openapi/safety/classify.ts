// What kind of thing an operation does: its verb, how dangerous it is, and the resource it belongs to.

import type { Provenance, Safety, Verb } from "../../../../domain/schema-document.js";
import { textsOf } from "../../../../lib/json.js";
import { joinParts } from "../../../../tools/acting-words.js";
import { impliedSafety, SAFE_METHODS } from "../../implied.js";
import { operationTitle, type PathOperation, textOf, type Warn } from "../read.js";
import type { SuccessResponse } from "../responses.js";
import { actsByWords } from "./acting.js";

const SAFETY = "x-agentd-safety";
/** From the most harmless on. */
const SAFETIES: readonly Safety[] = ["read_only", "mutating", "destructive"];
/** Words for what an operation does, where the method is only how it is sent. */
const WORDS: [RegExp, Verb][] = [
  [/^(list|search|find|query|browse)$/, "list"],
  [/^(get|read|retrieve|show|info|lookup|count|check|validate|preview)$/, "get"],
  [/^(create|add|new|insert|register|open|make|post|upload|invite|schedule)$/, "create"],
  [/^(update|set|edit|rename|change|modify|replace|patch)$/, "update"],
  [/^(delete|remove|destroy|revoke)$/, "delete"],
];
/** What begins like the word for a list, and finds one record. */
const OF_ONE = /^find (?:one|first|unique|by id)\b/;
/** Path segments that name a version or a prefix, not a thing. */
const NOT_A_RESOURCE = /^(v?\d+([._-]\d+)*|v\d+\w*|v\{[^{}]*\}|api|apis|rest)$/i;

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

const isWordForCreating = (segment: string): boolean =>
  WORDS.some(([pattern, verb]) => verb === "create" && pattern.test(segment.toLowerCase()));

/** The verb in the operation's own name: "issues/create-comment", "createPet", "chat.postMessage", "pins_list". */
function namedVerb({ method, operation }: PathOperation, last: string): Verb | undefined {
  const split = (text: string): string[] =>
    text
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/);
  const id = textOf(operation["operationId"]) ?? (last.startsWith("{") ? "" : last);
  const tail = joinParts(split(id.split(/[/.:]/).at(-1) ?? ""));
  const end = joinParts(split(id.split(/[^a-zA-Z0-9]/).at(-1) ?? ""));
  // FastAPI ends every id with its method.
  const isMethod = method === "post" && end.join("") === method;
  if ([tail, end].some((words) => OF_ONE.test(words.join(" ")))) return "get";
  const first = tail.find((word) => !/^(?:batch|bulk)$/.test(word));
  for (const word of [first, joinParts(split(id))[0], isMethod ? undefined : end[0]])
    for (const [pattern, verb] of WORDS) if (word !== undefined && pattern.test(word)) return verb;
  return undefined;
}

/** The verb of an operation. Only a word for people and ranking: it decides nothing about safety. */
export function verbOf(described: PathOperation, response: SuccessResponse, safety: Safety): Verb {
  const { method, path } = described;
  const last = segments(path).at(-1) ?? "";
  const named = namedVerb(described, last);
  if (SAFE_METHODS.has(method.toUpperCase()) && safety !== "read_only")
    return named === "create" || named === "update" || named === "delete" ? named : "action";
  switch (method) {
    case "get":
      if (named === "list" && !(last.endsWith("}") && response.shape === "object")) return "list";
      if (response.shape === "list") return named === "get" && response.envelope ? "get" : "list";
      return response.shape === "unknown" && named !== "get" && !last.endsWith("}") ? "list" : "get";
    case "head":
    case "options":
      return "get";
    case "query":
      return response.shape === "object" || named === "get" ? "get" : "list";
    case "put":
    case "patch":
      return "update";
    case "delete":
      return "delete";
    default:
      // "POST /shops/{id}/open" makes no record: what the word does is done to one that is there.
      if (named === "create" && isWordForCreating(last) && segments(path).at(-2)?.endsWith("}")) return "action";
      if (named) return named;
      // "POST /pets" makes one; "POST /pets/{id}/feed" does something to one.
      return !/[}.:]/.test(last) && (segments(path).length === 1 || /[^s]s$/i.test(last)) ? "create" : "action";
  }
}

/** How dangerous an operation is, and how that is known. */
interface Judged {
  safety: Safety;
  provenance: Provenance;
}

/** What the method implies. A GET or HEAD whose words act is mutating, and that is inferred. */
function impliedOf(described: PathOperation, response: SuccessResponse): Judged {
  const { method, isAdditional } = described;
  const isRead = !isAdditional && (method === "get" || method === "head");
  if (isRead && actsByWords(described, response)) return { safety: "mutating", provenance: "inferred" };
  if (method === "query" && !isAdditional) return { safety: "read_only", provenance: "declared" };
  // One among `additionalOperations`: what it does is known to the target alone.
  return { safety: isAdditional ? "destructive" : impliedSafety(method), provenance: "declared" };
}

/** How dangerous an operation is: what the description declares in `x-agentd-safety`, otherwise what its method implies. */
export function safetyOf(described: PathOperation, response: SuccessResponse, warn: Warn): Judged {
  const { item, operation } = described;
  const { [SAFETY]: declared = item[SAFETY] } = operation;
  const implied = impliedOf(described, response);
  if (declared === undefined) return implied;
  const title = operationTitle(described);
  const safety = SAFETIES.find((one) => one === declared);
  if (safety === undefined) {
    warn(`${title}: x-agentd-safety must be read_only, mutating or destructive; it is taken as destructive.`);
    return { safety: "destructive", provenance: "declared" };
  }
  // The author of a description is not always the one whose data it is about.
  if (SAFETIES.indexOf(safety) < SAFETIES.indexOf(implied.safety))
    warn(
      `${title} is ${safety} because its description says so (x-agentd-safety); by itself it would be ${implied.safety}. overrides.json corrects that.`,
    );
  return { safety, provenance: "declared" };
}

/** The name of the resource: the first tag, else the first segment of the path that names a thing. */
export function resourceOf({ path, operation }: PathOperation): string {
  const tag = textsOf(operation["tags"])[0]?.trim();
  if (tag) return tag;
  const names = segments(path).filter((segment) => !segment.startsWith("{"));
  return names.find((segment) => !NOT_A_RESOURCE.test(segment)) ?? names[0] ?? "root";
}
