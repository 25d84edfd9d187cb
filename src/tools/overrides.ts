// What the operator says about tools (overrides.json or overrides/NAME.json in the data directory): it wins over the description and
// survives every sync. Text comes in, a changed copy of the schema document goes out; no file is touched here.
import { z } from "zod";
import { applicationFiles } from "../data-dir/application-files.js";
import { type Action, Provenance, Safety, type SchemaDocument, TOOL_NAME } from "../domain/schema-document.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { parseJson } from "../lib/json.js";
import { namedWithLines, repeatedKeys } from "../lib/repeated-keys.js";
import { zodMessage } from "../lib/zod-messages.js";
import { BUILTIN_NAMES } from "./builtin-tools.js";
import { createOverrideLookup, isPattern, requestLineOf, unusedKeys } from "./override-keys.js";
import { overrideParameters, ParameterOverrideIn } from "./override-parameters.js";

const OverrideIn = z.strictObject({
  safety: Safety.optional(),
  provenance: Provenance.optional(),
  name: z.string().regex(TOOL_NAME, "a tool name is 1 to 64 of a-z, A-Z, 0-9, _ and -").optional(),
  description: z.string().optional(),
  hidden: z.boolean().optional(),
  parameters: z.record(z.string(), ParameterOverrideIn).optional(),
});
const OverridesIn = z.record(z.string(), OverrideIn).superRefine((overrides, context) => {
  for (const [key, { name }] of Object.entries(overrides))
    if (name !== undefined && isPattern(key))
      context.addIssue({
        code: "custom",
        path: [key, "name"],
        message: "a pattern cannot name the tools it stands for",
      });
});

/** The corrections of one tool, or of all that a pattern stands for. */
type Override = z.infer<typeof OverrideIn>;
/** By the name the tool has in the schema document, by its method and path ("POST /search"), or by a pattern of one of them. */
export type Overrides = Record<string, Override>;

/** Reads an overrides file. Throws Error naming the tool and the key that does not fit. */
export function parseOverrides(text: string): Overrides {
  const value = parseJson(text);
  const repeated = repeatedKeys(text);
  if (repeated.length > 0)
    throw new Error(`keys that stand twice in one object: ${namedWithLines(repeated, text)}. Keep one of each.`);
  const parsed = OverridesIn.safeParse(value, { error: zodMessage });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.join(".") || "the file";
  if (issue?.code !== "unrecognized_keys") throw new Error(`${place}: ${issue?.message ?? "does not fit"}`);
  const key = issue.keys[0] ?? "";
  const known = Object.keys(issue.path.length > 1 ? ParameterOverrideIn.shape : OverrideIn.shape);
  throw new Error(`${place}: there is no key ${key}; known are ${known.join(", ")}.${didYouMean(key, known)}`);
}

/** Overrides whose new names may be the full ones: as names within their application, whose full names begin with `prefix`. */
export function withOwnNames(overrides: Overrides, prefix: string): Overrides {
  if (prefix === "") return overrides;
  const own = (name: string): string => (name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : name);
  return Object.fromEntries(
    Object.entries(overrides).map(([key, said]) => [
      key,
      said.name === undefined ? said : { ...said, name: own(said.name) },
    ]),
  );
}

/** A document with the operator's word applied, and what of it had no effect. */
interface Overridden {
  document: SchemaDocument;
  /** What each tool that is not hidden is called now, by the name it has in the document. */
  names: ReadonlyMap<string, string>;
  warnings: string[];
}

/** A tool's name before the operator says anything: as the document has it, unless the daemon has a tool of that name. */
function documentName(name: string, actions: Action[], reserved: ReadonlySet<string>): string {
  if (!reserved.has(name)) return name;
  let free = `application_${name}`;
  while (actions.some((action) => action.name === free)) free += "_";
  return free;
}

/** The names after renaming. A new name that would be there twice is not given, which may free or take another. */
function newNames(
  actions: Action[],
  byName: ReadonlyMap<string, Override>,
  { reserved, file, warnings }: { reserved: ReadonlySet<string>; file: string; warnings: string[] },
): Map<string, string> {
  const own = new Map(actions.map(({ name }) => [name, documentName(name, actions, reserved)]));
  const names = new Map(own);
  const keep = (old: string, name: string, why: string): void => {
    warnings.push(`${file} calls ${old} ${name}, but ${why}; it is not renamed.`);
    names.set(old, own.get(old) ?? old);
  };
  for (const { name } of actions) {
    const wanted = byName.get(name)?.name;
    if (wanted !== undefined && reserved.has(wanted)) keep(name, wanted, "agentd has a tool of that name itself");
    else if (wanted !== undefined) names.set(name, wanted);
  }
  for (;;) {
    const seen = new Map<string, string>();
    let clash: [string, string] | undefined;
    for (const [old, name] of names) {
      const other = seen.get(name);
      // Of two, the one that keeps its own name stays; of two renamed, the first.
      if (other !== undefined) clash = [own.get(old) === name ? other : old, name];
      seen.set(name, old);
    }
    if (!clash) break;
    keep(...clash, "another tool has that name");
  }
  for (const [old, name] of names)
    if (reserved.has(old) && own.get(old) === name)
      warnings.push(`The tool ${old} is called ${name} here: agentd has a tool of that name itself.`);
  return names;
}

/** A sentence for a key that stands for no tool, with the nearest one that would. */
function unusedKey(key: string, file: string, actions: readonly Action[]): string {
  if (isPattern(key)) return `${file} has the pattern ${key}, which no tool fits.`;
  const known = actions.flatMap((action) => (key.includes(" ") ? (requestLineOf(action) ?? []) : action.name));
  return `${file} names ${key}, which is not a tool.${didYouMean(key, known)}`;
}

/**
 * Applies overrides to a document; the document given is left as it is. Hidden tools are gone from the result. An
 * override for a tool that is not there, and a new name that another tool has, are warnings: a sync may bring the tool
 * back, and a name clash must not stop the daemon. A tool of the application without a name that is called like one of the daemon's
 * own gets another name.
 */
export function applyOverrides(document: SchemaDocument, overrides: Overrides, application = ""): Overridden {
  const file = applicationFiles("", application).overrides;
  // Behind the name of its application no tool is called like one of the daemon's own.
  const reserved: ReadonlySet<string> = application === "" ? BUILTIN_NAMES : new Set();
  const unused = unusedKeys(Object.keys(overrides), document.actions);
  const warnings = unused.map((key) => unusedKey(key, file, document.actions));
  const saidOf = createOverrideLookup(overrides);
  const byName = new Map(document.actions.map((action) => [action.name, saidOf(action)]));
  const visible = document.actions.filter((action) => byName.get(action.name)?.hidden !== true);
  const names = newNames(visible, byName, { reserved, file, warnings });
  const patterns = Object.entries(overrides).filter(([key]) => isPattern(key));
  const general = new Set(patterns.flatMap(([, { parameters = {} }]) => Object.keys(parameters)));
  const actions = visible.map((action): Action => {
    const said = byName.get(action.name) ?? {};
    const { name: _, hidden: __, parameters = {}, ...rest } = said;
    const own = overrideParameters(action, parameters, (argument, sentence) => {
      // A pattern stands for tools that have it and for tools that do not.
      if (!general.has(argument)) warnings.push(`${file} ${sentence}`);
    });
    const overridden = Object.keys(said);
    const newName = names.get(action.name) ?? action.name;
    return {
      ...own,
      ...rest,
      name: newName,
      // By its former name it stands in the record.
      ...(newName !== action.name && { aliases: [...(action.aliases ?? []), action.name] }),
      ...(overridden.length > 0 && { overridden }),
    };
  });
  return { document: { ...document, actions }, names, warnings };
}
