// The answer to a change: what was done to which record, and the record as it is now.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, listOf } from "../../lib/json.js";
import { resourceNoun } from "../resource-noun.js";
import type { AnsweredCall } from "./context.js";
import { brief, fieldList, recordText } from "./markdown.js";
import { recordName } from "./rows.js";

/** Whether an answer has no body: it is its status alone, and perhaps the location of the new record. */
export function isEmptyAnswer(value: JsonValue): boolean {
  return (
    isObject(value) &&
    typeof value["status"] === "number" &&
    Object.keys(value).every((key) => /^(?:status|location|etag|retry_after)$/.test(key))
  );
}

const PARTICIPLES: Readonly<Partial<Record<Tool["verb"], string>>> = {
  create: "Created",
  update: "Updated",
  delete: "Deleted",
};

/** The participle of a tool's verb; undefined for an action such as /orders/{id}/ship. */
function participleOf({ verb, transport }: Tool): string | undefined {
  const acts = /\}\/[^/{}]+$/.test(transport.path ?? "") && verb !== "create";
  return acts ? undefined : PARTICIPLES[verb];
}

/** The arguments that are no path parameters. */
function changedFields(tool: Tool, args: JsonObject): string {
  const path = tool.transport.path ?? "";
  return fieldList(Object.fromEntries(Object.entries(args).filter(([name]) => !path.includes(`{${name}}`))));
}

function lastPathValue(tool: Tool, args: JsonObject): JsonValue | undefined {
  const last = [...(tool.transport.path ?? "").matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  return last === undefined ? undefined : args[last];
}

/** Whether a payload says what was wrong with the input, as mutations do beside the record: `userErrors`, `errors`. */
function hasUserErrors({ transport }: Tool, record: JsonObject): boolean {
  const isSaid = ([name, value]: [string, JsonValue]): boolean => /errors$/i.test(name) && listOf(value).length > 0;
  return transport.kind === "graphql" && Object.entries(record).some(isSaid);
}

/** A change as text; `value` is what the target answered. */
export function changeText({ tool, args }: AnsweredCall, value: JsonValue): string {
  const record = isObject(value) && !isEmptyAnswer(value) ? value : undefined;
  if (record && hasUserErrors(tool, record))
    return `\`${tool.name}\` was answered with errors, so do not count on it:\n\n${recordText(record)}`;
  const id = record?.["id"] ?? record?.["number"] ?? (tool.verb === "create" ? undefined : lastPathValue(tool, args));
  const name = record ? recordName(record) : undefined;
  const which = `${id === undefined ? "" : ` ${brief(id)}`}${name && name !== brief(id) ? ` (${name})` : ""}`;
  const participle = participleOf(tool);
  const head =
    participle === undefined ? `Done: \`${tool.name}\`${which}.` : `${participle} ${resourceNoun(tool)}${which}.`;
  const body = record && Object.keys(record).length > 0 ? recordText(record) : changedFields(tool, args);
  return tool.verb === "delete" || body === "" ? head : `${head}\n\n${body}`;
}
