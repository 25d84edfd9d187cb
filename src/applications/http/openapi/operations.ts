// The operations of a description: each path's methods, wherever the path and the operation are kept. What cannot be looked at is
// skipped with the reason.
// Source: OpenAPI 3.2, Paths Object and Path Item Object.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../lib/json.js";
import type { ImportReport } from "../../source.js";
import { ImportProblem, operationTitle, type PathOperation } from "./read.js";
import type { Refs } from "./schemas/refs.js";

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

/** What is found, or undefined with an entry in the report when it cannot be looked up. */
function tried<T>(operation: string, report: ImportReport, find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    report.operations++;
    report.skipped.push({ operation, reason: error.message });
    return undefined;
  }
}

/** The operations of a path item as they stand there, by method. */
function methodsOf(item: JsonObject, refs: Refs): [method: string, operation: JsonValue, isAdditional: boolean][] {
  const fixed = Object.entries(item).filter(([key]) => METHODS.has(key.toLowerCase()));
  const others = Object.entries(refs.object(item["additionalOperations"]));
  return [
    ...fixed.map(([key, operation]): [string, JsonValue, boolean] => [key.toLowerCase(), operation, false]),
    ...others.map(([key, operation]): [string, JsonValue, boolean] => [key, operation, true]),
  ];
}

function readable(
  given: JsonValue,
  { method, isAdditional }: Pick<PathOperation, "method" | "isAdditional">,
  { refs, item }: { refs: Refs; item: JsonObject },
) {
  if (!isObject(given)) throw new ImportProblem("its description is no object");
  if (isAdditional && METHODS.has(method.toLowerCase()) && item[method.toLowerCase()] !== undefined)
    throw new ImportProblem(`${method} is described twice, once among additionalOperations`);
  return refs.merged(given);
}

/** All operations, in the description's order. What cannot be even looked at is entered in the report at once. */
export function* operationsOf(root: JsonObject, refs: Refs, report: ImportReport): Generator<PathOperation> {
  const paths = tried("paths", report, () => refs.merged(root["paths"]));
  for (const [path, given] of Object.entries(objectOf(paths))) {
    if (path.startsWith("x-") || path === "$ref") continue;
    // Siblings of a path's reference count too: that is how some describe one operation here and the others elsewhere.
    const found = tried(path, report, () => {
      const item = refs.merged(given);
      return { item, methods: methodsOf(item, refs) };
    });
    for (const [method, described, isAdditional] of found?.methods ?? []) {
      const { item } = found as { item: JsonObject };
      const title = operationTitle({ method, path });
      const operation = tried(title, report, () => readable(described, { method, isAdditional }, { refs, item }));
      if (operation) yield { method, isAdditional, path, item, operation };
    }
  }
}
