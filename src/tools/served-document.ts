// What GET /schema answers: with one application its document byte for byte; with several one document made of all of theirs, in
// which every action has the name of its tool; with none an empty one. Source: docs/reference.md, "Several applications".
import { definitionName } from "../domain/definitions.js";
import { parseDocument } from "../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../lib/json.js";
import { withHintedNames } from "./full-names.js";
import { etagOf, type LoadedDocument } from "./schema-file.js";

/** A document as it is sent. */
export interface ServedDocument {
  bytes: Uint8Array;
  etag: string;
}

/** An application's part of a document made of several. */
interface NamedDocument {
  /** "" for the one without a name. */
  application: string;
  loaded: LoadedDocument;
  /** The name of each tool among those of all applications, by its name in the document. */
  fullNames: ReadonlyMap<string, string>;
}

const DEFINITIONS = "#/$defs/";
const REFERENCES = new Set(["$ref", "$dynamicRef"]);

/** A definition is called after its application, too: two of them may both have a "Pet". */
const prefixOf = (application: string): string => `${application}:`;

/** A value whose references to the definitions of its document lead to those of the whole; `own` are definitions it brings itself. */
function withReferences(value: JsonValue, prefix: string, own: JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, prefix, own));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, JsonValue] => {
      const name = REFERENCES.has(key) ? definitionName(inner) : undefined;
      if (name === undefined || Object.hasOwn(own, name)) return [key, withReferences(inner, prefix, own)];
      return [key, DEFINITIONS + prefix + String(inner).slice(DEFINITIONS.length)];
    }),
  );
}

/** The resources of a document as they stand in the whole, and its definitions. */
function partOf({ application, loaded, fullNames }: NamedDocument): { resources: JsonObject[]; $defs: JsonObject } {
  const document = objectOf(parseDocument(loaded.bytes.toString("utf8")));
  const prefix = prefixOf(application);
  let position = 0;
  const toActions = (action: JsonObject): JsonObject[] => {
    const name = fullNames.get(loaded.names[position++]?.name ?? "");
    // What overrides.json hides is no tool.
    if (name === undefined) return [];
    const whole = { ...action, name };
    if (!isObject(action["parameters"])) return [whole];
    const parameters = withHintedNames(action["parameters"], action["transport"], fullNames);
    return [{ ...whole, parameters: withReferences(parameters, prefix, objectOf(parameters["$defs"])) }];
  };
  const resources = listOf(document["resources"]).map(objectOf);
  const definitions = Object.entries(objectOf(document["$defs"]));
  return {
    resources: resources.map((resource) => ({
      ...resource,
      application,
      actions: listOf(resource["actions"]).flatMap((action) => toActions(objectOf(action))),
    })),
    $defs: Object.fromEntries(
      definitions.map(([name, schema]) => [prefix + name, withReferences(schema, prefix, {})] as const),
    ),
  };
}

/** The document that is sent for these applications; `count` is how many there are, those without a usable document included. */
export function servedDocument(documents: readonly NamedDocument[], count: number): ServedDocument {
  const [first] = documents;
  if (first && count === 1) return first.loaded;
  const parts = documents.map(partOf);
  const $defs: JsonObject = Object.assign({}, ...parts.map((part) => part.$defs));
  const whole: JsonObject = {
    version: 1,
    source: count > 1 ? "several" : "unknown",
    base_url: "",
    resources: parts.flatMap(({ resources }) => resources),
  };
  if (Object.keys($defs).length > 0) whole["$defs"] = $defs;
  const bytes = Buffer.from(toJson(whole));
  return { bytes, etag: etagOf(bytes) };
}
