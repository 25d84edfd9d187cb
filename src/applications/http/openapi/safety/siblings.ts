// What the other methods of a path say about a GET: that they act where it shows, or that all of them are one operation.
import { isObject, type JsonObject, objectOf } from "../../../../lib/json.js";
import { isPlainlyReading } from "../../../../tools/acting-words.js";
import { words } from "../../../../tools/search/terms.js";
import { type PathOperation, textOf } from "../read.js";

const CHANGES = ["post", "put", "patch", "delete"];

/** The mark of a method in an id that is else the name of a function: "copyPadUsingGET". */
const OF_METHOD = /Using(?:GET|HEAD|POST|PUT|PATCH|DELETE)(?:_\d+)?$/;

/** Whether the path has another operation, which changes something: not the same one once more, by another method. */
export function hasChange({ item, operation }: PathOperation): boolean {
  const nameOf = (one: JsonObject): string => (textOf(one["operationId"]) ?? "").replace(OF_METHOD, "");
  const own = nameOf(operation);
  const changes = CHANGES.flatMap((method) => (item[method] === undefined ? [] : [objectOf(item[method])]));
  return changes.some((other) => own === "" || nameOf(other) !== own);
}

/** Whether an id reads by more than what frameworks put into that of any GET. */
const isReadId = (operation: JsonObject): boolean =>
  words(textOf(operation["operationId"]) ?? "").some(
    (word) => isPlainlyReading(word) && !/^(?:get|list|retrieve)$/.test(word),
  );

/** Whether its text is that of a change of the same path as well, and only its own id says that it reads: "aws-read-role". */
export function sharesText({ item, operation }: PathOperation): boolean {
  const said = (one: JsonObject): string | undefined =>
    textOf(one["summary"]) ?? textOf(one["description"]) ?? textOf(item["summary"]) ?? textOf(item["description"]);
  const own = said(operation);
  if (own === undefined || !isReadId(operation)) return false;
  const changes = CHANGES.flatMap((method) => (isObject(item[method]) ? [item[method]] : []));
  return changes.some((other) => said(other) === own && !isReadId(other));
}
