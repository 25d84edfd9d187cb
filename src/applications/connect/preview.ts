// A description that was read, as what connecting it would import: counts, examples, what is doubtful and what is left out. Pure.
// Source: docs/reference.md, "Connecting an application".
import { createHash } from "node:crypto";
import type { Connector } from "../../domain/connector.js";
import { StartError } from "../../domain/error.js";
import { type Action, readSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { checkJsonSize, type JsonObject, type JsonValue, parseJson, toJson } from "../../lib/json.js";
import { reportSafety } from "../../tools/safety-report.js";
import { credentialNeeds } from "../credential-needs.js";
import { impliedByTransport } from "../kinds.js";
import type { Imported } from "../source.js";

/** What a preview is made for. */
export interface PreviewContext {
  kind: string;
  /** Of the application, "" for the one without a name. */
  name: string;
  /** The security schemes that config.json has credentials for. */
  configured: readonly string[];
  /** Whether config.json names the address that calls go to. */
  isNamed: boolean;
  configFile: string;
}

/** A preview, and the document that would be written. */
export interface Previewed {
  preview: Awaited<ReturnType<Connector["preview"]>>;
  document: JsonObject;
}

/** Tools and operations that are listed of each kind; the page says how many more there are. */
const MAX_EXAMPLES = 50;
const MAX_DOUBTFUL = 100;
const MAX_SKIPPED = 200;
const MAX_NOTES = 50;
const MAX_DESCRIPTION_CHARS = 300;

const ACTS = "its method reads, and its words say that it acts: it counts as a change";
const READS = "its method changes, and its words only read: it counts as a change";

const toExample = ({ name, safety, description }: Action) => ({
  tool: name,
  safety,
  description: description.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed(),
});

/** The first tools of each safety class, so that none hides the others. */
function examplesOf(actions: readonly Action[]): Action[] {
  const classes = (["read_only", "mutating", "destructive"] as const).map((safety) =>
    actions.filter((action) => action.safety === safety),
  );
  const chosen: Action[] = [];
  for (let at = 0; chosen.length < MAX_EXAMPLES && classes.some(({ length }) => length > at); at++)
    chosen.push(...classes.flatMap((list) => list[at] ?? []).slice(0, MAX_EXAMPLES - chosen.length));
  return chosen;
}

/** The lines of config.json that name the address and supply what the tools need to sign in. */
function credentialLines(document: SchemaDocument, { name, configured, isNamed }: PreviewContext): string[] {
  const { config } = credentialNeeds(document, name, configured);
  if (config === undefined) return [];
  const lines = parseJson(`{${config}}`) as JsonObject;
  const [[key = "", value = {}] = []] = Object.entries(lines);
  if (isNamed || document.base_url === "") return toJson(lines, 2).split("\n");
  const withAddress = (settings: JsonValue): JsonObject => ({
    base_url: document.base_url,
    ...(settings as JsonObject),
  });
  const own = name === "" ? withAddress(value) : { [name]: withAddress((value as JsonObject)[name] ?? {}) };
  return toJson({ [key]: own }, 2).split("\n");
}

/** What an imported description comes to. Throws StartError for one that is of no use. */
export function previewOf(imported: Imported, context: PreviewContext): Previewed {
  const found = readSchema(imported.document, impliedByTransport);
  if (found.actions.length === 0) throw new StartError("The description has no operation that can become a tool.");
  const document = context.isNamed ? imported.document : { ...imported.document, base_url_confirmed: false };
  const text = toJson(document);
  checkJsonSize(text);
  const { counts, acting, reading } = reportSafety(found, {}, imported.report.readsByWords);
  const { skipped, warnings } = imported.report;
  const { refused } = credentialNeeds(found, context.name, context.configured);
  const notes = [...(imported.found === undefined ? [] : [imported.found]), ...warnings];
  if (refused.length > 0) notes.push(`${refused.length} tools cannot be called, for want of a way to sign in.`);
  if (skipped.length > MAX_SKIPPED) notes.push(`${skipped.length - MAX_SKIPPED} more operations are skipped.`);
  const because = (why: string) => (action: Action) => ({ ...toExample(action), why });
  const preview: Previewed["preview"] = {
    kind: context.kind,
    name: context.name,
    title: found.title ?? "",
    base_url: found.base_url,
    tools: found.actions.length,
    safety: counts,
    examples: examplesOf(found.actions).map(toExample),
    doubtful: [...acting.map(because(ACTS)), ...reading.map(because(READS))].slice(0, MAX_DOUBTFUL),
    skipped: skipped.slice(0, MAX_SKIPPED).map(({ operation, reason }) => ({ operation, reason })),
    credentials: credentialLines(found, context),
    config_file: context.configFile,
    notes: notes.slice(0, MAX_NOTES),
    digest: createHash("sha256").update(text).digest("hex"),
  };
  return { preview, document };
}
