// OpenAPI 3.0, 3.1 and Swagger 2.0 descriptions to schema documents: every operation becomes a tool or is listed with the
// reason why not. Reads files and addresses; knows nothing of data directories, models or how requests are sent.
// Source: docs/reference.md, "Importing a description" and "Schema document".
import { sizeOf } from "../../../domain/definitions.js";
import { StartError } from "../../../domain/error.js";
import { type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../../lib/json.js";
import { createSlices } from "../../../lib/slices.js";
import type { Imported, ImportReport, Source, SourceInput } from "../../source.js";
import { createDocumentSize, shareArguments } from "./document-size.js";
import { findDescription } from "./find/find.js";
import { bundle } from "./load/bundle.js";
import { displayUrl, locationUrl, newBudget } from "./load/load.js";
import { nameTools } from "./names/tool-names.js";
import { type Description, readOperation } from "./operation.js";
import { operationsOf } from "./operations.js";
import { ImportProblem, isShallow, operationTitle, type PathOperation, reported, spelled, textOf } from "./read.js";
import { readsByWords } from "./safety/acting.js";
import { resourceOf } from "./safety/classify.js";
import { createMembers } from "./schemas/members.js";
import { createRefs } from "./schemas/refs.js";
import { createSchemas } from "./schemas/schemas.js";
import { createWork } from "./schemas/work.js";
import { checkBaseUrl, pickServer, serversOf } from "./servers.js";
import { upgradeSwagger } from "./swagger.js";
import { INNER_TEXT, plain, TITLE_TEXT } from "./text.js";
import { unnamed } from "./unresolved.js";

/** Operations of one description; the largest known has some 30,000. */
const MAX_OPERATIONS = 50_000;
/** Characters of one security scheme: its scopes make the largest ones. */
const MAX_SCHEME = 100_000;
/** Sentences in the report; a description with more of them has one cause behind most. */
const MAX_WARNINGS = 50;
/** From here on the model is not offered all tools at once, which is worth a warning. In bytes. */
const LARGE = 200_000;

/** What an error means for one operation; other errors are thrown on. */
function problemOf(error: unknown): string {
  if (error instanceof ImportProblem) return error.message;
  // The end of the stack: whatever it was that is nested so deep, it is this operation's.
  if (error instanceof RangeError) return "what it refers to is nested too deep";
  throw error;
}

/** An operation and the action it became, which has no name yet. */
interface ReadOperation {
  described: PathOperation;
  action: JsonObject;
}

/** Whether an operation counts as a change, and its words only read. */
function isReadByWords({ described, action }: ReadOperation): boolean {
  return action["safety"] === "mutating" && described.method === "post" && readsByWords(described);
}

/** Names all actions at once: only together it shows how their ids were made, and which names are taken. */
function nameActions(all: readonly ReadOperation[], report: ImportReport): void {
  const operations = all.map(({ described: { method, path, operation } }) => {
    return { operationId: textOf(operation["operationId"]), method, path, tag: textsOf(operation["tags"])[0] };
  });
  for (const [at, { name, aliases, pattern }] of nameTools(operations).entries()) {
    const action = all[at]?.action ?? {};
    action["name"] = name;
    if (aliases.length > 0) action["aliases"] = aliases;
    if (all[at] && isReadByWords(all[at])) report.readsByWords.push(name);
    if (pattern !== undefined) report.renamed.push({ pattern, from: operations[at]?.operationId ?? "", to: name });
  }
}

/** The tools of a description by resource, and the definitions they share. */
interface Imports {
  resources: JsonObject[];
  definitions: ReadonlyMap<string, JsonValue>;
  /** Characters of the tools without what they share. */
  characters: number;
}

/** Reads every operation; `bytes` is the size of the description. Throws StartError when there are too many. */
async function readAll(from: Description, report: ImportReport, bytes: number): Promise<Imports> {
  const described = new Map<string, string>();
  for (const tag of listOf(from.root["tags"]).map(objectOf))
    described.set(spelled(tag["name"]).trim(), plain(textOf(tag["description"]) ?? "", INNER_TEXT));
  const resources = new Map<string, JsonObject[]>();
  const size = createDocumentSize(bytes);
  const read: ReadOperation[] = [];
  const slices = createSlices();
  for (const described of operationsOf(from.root, from.refs, report)) {
    if (++report.operations > MAX_OPERATIONS)
      throw new StartError(`The description has more than ${MAX_OPERATIONS} operations; give a smaller one.`);
    if (slices.isOver()) await slices.pause();
    from.work.begin();
    try {
      const action = readOperation(described, from);
      size.add(action);
      const resource = resourceOf(described);
      const actions = resources.get(resource);
      if (actions) actions.push(action);
      else resources.set(resource, [action]);
      read.push({ described, action });
      report.imported++;
    } catch (error) {
      report.skipped.push({ operation: operationTitle(described), reason: problemOf(error) });
    }
  }
  nameActions(read, report);
  const definitions = from.schemas.definitions();
  const uses = size.common();
  const sharing = uses && { uses, definitions, newName: from.schemas.newName };
  const added = sharing ? shareArguments([...resources.values()].flat(), sharing) : [];
  return {
    resources: [...resources].map(([name, actions]) => ({ name, description: described.get(name) ?? "", actions })),
    definitions: new Map([...definitions, ...added]),
    characters: size.characters(),
  };
}

/** The security schemes that can be read; of the others a warning is left. */
function schemesOf({ root, refs, work, warn }: Description): Record<string, JsonObject> {
  work.begin();
  const read = (name: string, scheme: JsonValue): [string, JsonObject][] => {
    try {
      const found = refs.object(scheme);
      if (sizeOf(found) <= MAX_SCHEME && isShallow(found)) return [[name, found]];
      warn(`The security scheme ${name} is left out: it is too large to be one.`);
    } catch (error) {
      warn(`The security scheme ${name} is left out: ${problemOf(error)}.`);
    }
    return [];
  };
  try {
    const { securitySchemes } = refs.object(root["components"]);
    return Object.fromEntries(Object.entries(refs.object(securitySchemes)).flatMap(([name, one]) => read(name, one)));
  } catch (error) {
    warn(`The security schemes are left out: ${problemOf(error)}.`);
    return {};
  }
}

/** What the description calls the application and says of it. */
function aboutOf(root: JsonObject): JsonObject {
  const info = objectOf(root["info"]);
  const title = plain(textOf(info["title"]) ?? "", TITLE_TEXT);
  const description = plain(textOf(info["summary"]) ?? textOf(info["description"]) ?? "", INNER_TEXT);
  return { ...(title && { title }), ...(description && { description }) };
}

/** The address of the target: the operator's, else the description's; "" with a warning when there is none. */
function baseUrl(given: string | undefined, server: string | undefined, warnings: string[]): string {
  if (given) return checkBaseUrl(given);
  if (server !== undefined && /^https?:/.test(server)) return server;
  warnings.push(
    `The description names no host${server ? ` (its server is ${server})` : ""}; pass --base-url, like http://127.0.0.1:8000${server ?? ""}.`,
  );
  return "";
}

function summarise(report: ImportReport, { definitions, characters }: Imports): void {
  const extra = report.warnings.length - MAX_WARNINGS;
  if (extra > 0) report.warnings.splice(MAX_WARNINGS, extra, `… and ${extra} more like these.`);
  const bytes = [...definitions.values()].reduce<number>((sum, one) => sum + sizeOf(one), characters);
  if (bytes > LARGE)
    report.warnings.push(
      `${report.imported} tools, about ${Math.round(bytes / 4000)} thousand tokens of definitions: the model is shown the best matching ones for each prompt.`,
    );
}

/** A description with all its files, as OpenAPI 3, and how large it was. */
async function load(input: SourceInput) {
  const { allowExternal = false } = input;
  const budget = newBudget();
  const { bytes: most } = budget;
  input.onStep?.("fetching the description");
  const { root: first, url, headers, note } = await findDescription(input, budget);
  input.onStep?.("reading the description");
  const bundled = await bundle({ root: first, url, headers, budget, allowExternal });
  const bytes = most - budget.bytes;
  const work = createWork(bytes);
  const { refused } = bundled;
  const root = first["openapi"] === undefined ? upgradeSwagger({ source: first, refused, work }) : first;
  return { root, url, bundled, bytes, work, found: note, notes: budget.notes };
}

/** A path that only the description of agentd has, which calls itself so. */
const OWN_PATH = "/-/confirmations/{id}";

/** As an application of itself a daemon would let a model decide what is left to a person. */
function refuseOwn(root: JsonObject): void {
  if (textOf(objectOf(root["info"])["title"]) === "agentd" && objectOf(root["paths"])[OWN_PATH] !== undefined)
    throw new StartError("This describes agentd itself, which cannot be an application of agentd.");
}

/** OpenAPI and Swagger descriptions. */
export const openapiSource: Source = {
  kind: "openapi",
  async read(input: SourceInput): Promise<Imported> {
    const { root, url, bundled, bytes, work, found, notes } = await load(input);
    refuseOwn(root);
    const report: ImportReport = {
      operations: 0,
      imported: 0,
      skipped: [],
      renamed: [],
      readsByWords: [],
      warnings: [],
    };
    const sentences = new Set<string>();
    const warn = (sentence: string): void => void sentences.add(reported(sentence));
    const refs = createRefs({ root, refused: bundled.refused, work });
    const schemas = createSchemas({ root, refs, work, warn });
    const membersOf = createMembers({ refs, schemas, work });
    const server = pickServer(serversOf(root), url);
    const from = { root, url, refs, work, schemas, membersOf, warn, server };
    input.onStep?.("making tools");
    const imports = await readAll(from, report, bytes);
    if (report.imported === 0 && report.skipped[0]) {
      const { operation, reason } = report.skipped[0];
      throw new StartError(
        `None of the ${report.operations} operations of ${displayUrl(url)} can be imported; ${operation}: ${reason}.`,
      );
    }
    const auth = schemesOf(from);
    const address = baseUrl(input.baseUrl, server, report.warnings);
    report.warnings = [...report.warnings, ...notes, ...bundled.notes, ...sentences];
    report.warnings = [...report.warnings, ...unnamed({ ...bundled, root, bytes }, report)];
    if (report.operations === 0) report.warnings.push("The description has no operations under its paths.");
    const hooks = Object.keys(objectOf(root["webhooks"])).length;
    if (hooks > 0)
      report.warnings.push(`Its webhooks (${hooks}) are calls that the target makes; they do not become tools.`);
    summarise(report, imports);
    const { resources, definitions } = imports;
    const document = {
      version: 1,
      source: "openapi",
      ...aboutOf(root),
      base_url: address,
      auth,
      resources,
      ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
    };
    // Of what the operator named: a page may have led on to another origin, which nobody vouched for.
    const named = locationUrl(input.location);
    return { document, origin: named.protocol === "file:" ? undefined : named.origin, found, report };
  },
};
