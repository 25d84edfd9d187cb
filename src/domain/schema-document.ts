// The schema document: what the target application can do, in a form any source can write and any transport can run.
// Text comes in; a checked document with every default filled in goes out. Unknown fields are allowed everywhere.
import { z } from "zod";
import { isObject, type JsonObject, type JsonValue, objectOf, parseJson } from "../lib/json.js";
import { referred } from "../lib/json-pointer.js";
import { zodMessage } from "../lib/zod-messages.js";
import { settingsKey } from "./application-name.js";
import { AnyObject } from "./json-schemas.js";
import type { Permission } from "./permission.js";

/** What an action does to the application's data. */
export const Safety = z.enum(["read_only", "mutating", "destructive"]);
export type Safety = z.infer<typeof Safety>;

/** What an action does to its resource. */
export const Verb = z.enum(["list", "get", "create", "update", "delete", "action"]);
export type Verb = z.infer<typeof Verb>;

/** How the action is known to do what its description says. */
export const Provenance = z.enum(["declared", "inferred", "verified"]);
export type Provenance = z.infer<typeof Provenance>;

/** How an action reaches the target; the fields beyond `kind` belong to the transport of that kind. */
export type TransportDescription = JsonObject & { kind: string };

/** What a transport says of an action by itself. */
export interface Implied {
  safety: Safety;
  verb: Verb;
  /** What arguments are called in the request, where that is another name. */
  wireNames?: Readonly<Record<string, string>>;
}

/** One thing the target application can do. */
export interface Action {
  name: string;
  /** Name of the application it belongs to; "" for the one without a name, and for the daemon's own tools. */
  application: string;
  /** What its document calls it, where `name` begins with the name of the application. */
  ownName?: string;
  /** What else it goes by: its id in the description, and names it once had. */
  aliases?: readonly string[];
  description: string;
  /** The resource the action belongs to. */
  resource: string;
  verb: Verb;
  safety: Safety;
  provenance: Provenance;
  /** JSON Schema 2020-12 of the arguments; `$defs` and cycles are allowed. `selfContained` of definitions.ts makes it whole. */
  parameters: JsonObject;
  /** What its references lead to that its own `$defs` do not have: the document's, one object for all its actions. */
  definitions?: Readonly<JsonObject> | undefined;
  transport: TransportDescription;
  /** What arguments are called in the request, where that is another name. */
  wireNames?: Readonly<Record<string, string>>;
  /** What the operator says of it in config.json. */
  permission?: Permission | undefined;
  /** What of it the operator says in overrides.json, by the keys there. */
  overridden?: readonly string[];
  /** Arguments the operator supplies, by name, each with the name its value is configured under; not in `parameters`. */
  operatorArguments?: Readonly<Record<string, string>>;
}

/** A schema document, read. */
export interface SchemaDocument {
  /** Kind of source (`openapi`, `sql`, …), "unknown" when the document names none. */
  source: string;
  /** Address of the target application, "" when there is none. */
  base_url: string;
  /** What the description calls the application, and says of it. */
  title?: string | undefined;
  description?: string | undefined;
  /** False when a description chose the address and the operator has not named it: credentials are not sent there. */
  base_url_confirmed?: boolean | undefined;
  /** Security schemes by name, in OpenAPI's form. */
  auth: Record<string, JsonObject>;
  /** Definitions that the parameters of its actions share. */
  $defs?: Readonly<JsonObject> | undefined;
  /** In document order. */
  actions: Action[];
}

/** What is said of an address whose `base_url_confirmed` is false, and what to do about it. */
export function unconfirmedAddress(baseUrl: string, application = ""): string {
  const name = application === "" ? "" : ` --name ${application}`;
  return (
    `Credentials are not sent to ${baseUrl}: a description chose this address, and nobody has named it. ` +
    `If it is right, set ${settingsKey(application)}.base_url in config.json to it, or give agentd sync${name} --base-url ${baseUrl}.`
  );
}

/** What a tool may be called: the character set every model provider takes. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A list that may be missing; anything that is no list counts as missing. Faults of its items are not hidden by that. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given : []), z.array(item));

// Documents of other authors may use a name for something else: what is of another type counts as missing. A name that a tool
// cannot have is refused all the same, because settings, corrections and the record go by it.
const ActionIn = z.looseObject({
  name: z.string().regex(TOOL_NAME, "a tool name is 1 to 64 of a-z, A-Z, 0-9, _ and -").optional(),
  aliases: z.array(z.string()).optional().catch(undefined),
  description: z.string().default("").catch(""),
  // What a later version of the format may say is read as the most careful of what this one knows.
  verb: Verb.optional().catch("action"),
  safety: Safety.optional().catch("destructive"),
  provenance: Provenance.default("inferred").catch("inferred"),
  parameters: AnyObject.optional().catch(undefined),
  transport: z
    .custom<TransportDescription>((v) => isObject(v) && typeof v["kind"] === "string")
    .catch({ kind: "unknown" }),
});
const ResourceIn = z.looseObject({
  name: z.string().default("").catch(""),
  description: z.string().default("").catch(""),
  actions: listOf(z.preprocess(objectOf, ActionIn)),
});
const DocumentIn = z.looseObject({
  version: z.custom((given) => typeof given !== "number" || given <= 1, "this agentd reads version 1").optional(),
  source: z.string().min(1).default("unknown").catch("unknown"),
  base_url: z.string().default("").catch(""),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  base_url_confirmed: z.boolean().optional().catch(undefined),
  auth: z.record(z.string(), AnyObject.catch({})).default({}).catch({}),
  $defs: AnyObject.optional().catch(undefined),
  resources: z.array(z.preprocess(objectOf, ResourceIn)),
});

const DEFINITIONS = "#/$defs/";

/** Whether a schema is nothing but a reference to a member of a definition: "#/$defs/Pet/properties/name". */
function isMemberReference(schema: JsonValue): boolean {
  const ref = objectOf(schema)["$ref"];
  if (typeof ref !== "string" || !ref.startsWith(DEFINITIONS)) return false;
  return ref.includes("/", DEFINITIONS.length) && Object.keys(objectOf(schema)).length === 1;
}

/** Arguments that refer to members of definitions, as those members: written once, and the same object wherever they are used. */
function withMembers(parameters: JsonObject, $defs: JsonObject): JsonObject {
  const { properties } = parameters;
  if (!isObject(properties) || !Object.values(properties).some(isMemberReference)) return parameters;
  const found = Object.entries(properties).map(([name, schema]): [string, JsonValue] => {
    const member = isMemberReference(schema) ? referred(schema, { $defs }) : undefined;
    return [name, isObject(member) ? member : schema];
  });
  return { ...parameters, properties: Object.fromEntries(found) };
}

/** The JSON of a schema document's text, which may begin with a byte order mark. Throws Error. */
export const parseDocument = (text: string): JsonValue => parseJson(text.replace(/^\ufeff/, ""));

/** Reads the text of a schema document, as `readSchema` does. Throws Error, also for bad JSON. */
export function parseSchema(text: string, implied: (transport: TransportDescription) => Implied): SchemaDocument {
  return readSchema(parseDocument(text), implied);
}

/**
 * Reads a schema document. Unknown fields are ignored, missing ones get their defaults; an action without a name is called
 * `action_1`, `action_2` and so on, in document order. Safety and verb that are missing, and the names on the wire, come from
 * `implied`. An action with an unknown transport is kept; calling it fails. Throws Error naming the first place that does not fit
 * (no `resources`, a later version, a bad or repeated tool name).
 */
export function readSchema(document: JsonValue, implied: (transport: TransportDescription) => Implied): SchemaDocument {
  const parsed = DocumentIn.safeParse(document, { error: zodMessage });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${issue?.path.join(".") || "document"}: ${issue?.message ?? "does not fit"}`);
  }
  const { source, base_url, title, description, base_url_confirmed, auth, $defs, resources } = parsed.data;
  const given = new Set(resources.flatMap((resource) => resource.actions.map(({ name }) => name)));
  let tried = 0;
  const freeName = (): string => {
    do tried++;
    while (given.has(`action_${tried}`));
    return `action_${tried}`;
  };
  const seen = new Set<string>();
  const actions: Action[] = [];
  for (const resource of resources)
    for (const action of resource.actions) {
      const { transport, name = freeName() } = action;
      if (seen.has(name)) throw new Error(`resources.${resource.name}: the tool name ${name} is used twice`);
      seen.add(name);
      const own = implied(transport);
      actions.push({
        name,
        application: "",
        ...(action.aliases && { aliases: action.aliases }),
        description: action.description,
        resource: resource.name,
        verb: action.verb ?? own.verb,
        safety: action.safety ?? own.safety,
        provenance: action.provenance,
        parameters: withMembers(action.parameters ?? { type: "object" }, $defs ?? {}),
        ...($defs && { definitions: $defs }),
        transport,
        ...(own.wireNames && { wireNames: own.wireNames }),
      });
    }
  return {
    source,
    base_url,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(base_url_confirmed !== undefined && { base_url_confirmed }),
    auth,
    ...($defs && { $defs }),
    actions,
  };
}
