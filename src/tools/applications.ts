// All applications in force: which there are, what each of their documents comes to, and one catalogue of the tools of all. Looks
// at the files when it is asked, as each document does; what did not change is the same object as before.
// Source: docs/reference.md, "Several applications".
import { statSync } from "node:fs";
import { join } from "node:path";
import { applicationSettings } from "../config/application.js";
import type { Settings } from "../config/settings.js";
import { DOCUMENTS_FOLDER, namedApplications } from "../data-dir/application-files.js";
import { messageOf, StartError } from "../domain/error.js";
import type { Action } from "../domain/schema-document.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { Log } from "../lib/log.js";
import { BUILTIN_NAMES } from "./builtin-tools.js";
import { type Catalogue, createCatalogue } from "./catalogue.js";
import { fullName, withHintedNames } from "./full-names.js";
import { type PermissionRules, permissionOf, permissionRules, unusedRules } from "./permissions.js";
import {
  type DocumentFile,
  type DocumentSettings,
  type DocumentState,
  type ImpliedBy,
  openDocument,
  schemaLocation,
} from "./schema-file.js";
import { createGlossary, type Glossary } from "./search/glossary.js";
import { type ServedDocument, servedDocument } from "./served-document.js";

/** An application and what its document comes to. */
export interface Application extends DocumentState {
  /** "" for the one without a name. */
  name: string;
}

/** The applications as they are at one moment. */
export interface ApplicationSet {
  /** The one without a name first, then by name. */
  readonly applications: readonly Application[];
  /** The tools of all. */
  readonly catalogue: Catalogue;
  /** Those of them that a model is offered: all but the denied ones. */
  readonly offered: Catalogue;
  find(name: string): Application | undefined;
  /** What GET /schema answers: the document of the only application, or one made of all. */
  readonly served: ServedDocument;
}

/** The applications of a data directory. */
export interface Applications {
  current(): ApplicationSet;
}

/** Where the applications are, and what the operator says about them. */
type ApplicationsSettings = DocumentSettings & Pick<Settings, "schemaGiven" | "permissions">;

interface Context {
  log: Log;
  implied: ImpliedBy;
  /** What configurations in force before this one said of tools. */
  earlierRules?: readonly PermissionRules[] | undefined;
}

/** The tools of an application among those of all. */
interface NamedActions {
  application: Application;
  actions: readonly Action[];
  /** What each is called here, by the name it has in the document. */
  fullNames: ReadonlyMap<string, string>;
}

/** The actions of an application under their full names, which are added to `taken`. */
function nameActions(application: Application, taken: Set<string>): NamedActions {
  const { name: prefix, loaded } = application;
  const called = (loaded?.document.actions ?? []).map((action): Action => {
    const { name: ownName, aliases = [] } = action;
    const name = prefix === "" ? ownName : fullName(prefix, ownName, taken);
    taken.add(name);
    if (prefix === "") return action;
    const others = aliases.map((alias) => fullName(prefix, alias, new Set()));
    return { ...action, application: prefix, name, ownName, aliases: others };
  });
  const byOwnName = new Map(called.map(({ name, ownName = name }) => [ownName, name]));
  const fullNames = new Map(
    (loaded?.names ?? []).flatMap(({ name, tool = "" }): [string, string][] => {
      const full = byOwnName.get(tool);
      return full === undefined ? [] : [[name, full]];
    }),
  );
  if ([...fullNames].every(([name, full]) => name === full)) return { application, actions: called, fullNames };
  const actions = called.map((action) => {
    const parameters = withHintedNames(action.parameters, action.transport, fullNames);
    return parameters === action.parameters ? action : { ...action, parameters };
  });
  return { application, actions, fullNames };
}

function glossaryOf(names: readonly string[], settings: ApplicationsSettings): Glossary {
  const entries = names.flatMap((application) =>
    Object.entries(applicationSettings(settings, application).glossary).map(([word, meaning]) => ({
      application,
      word,
      meaning,
    })),
  );
  return createGlossary(entries, names);
}

/** The catalogue of all tools, and that of the tools that are not denied, which is the same where all may be offered. */
function createCatalogues(
  actions: readonly Action[],
  glossary: Glossary,
): { catalogue: Catalogue; offered: Catalogue } {
  const catalogue = createCatalogue({ actions: [...actions] }, glossary);
  const permitted = actions.filter(({ permission }) => permission?.is !== "deny");
  const isSame = permitted.length === actions.length;
  return { catalogue, offered: isSame ? catalogue : createCatalogue({ actions: permitted }, glossary) };
}

function createSet(
  applications: readonly Application[],
  settings: ApplicationsSettings,
  permissions: readonly PermissionRules[],
): ApplicationSet {
  const taken = new Set(BUILTIN_NAMES);
  const named = applications.map((application) => nameActions(application, taken));
  const actions = named
    .flatMap((one) => one.actions)
    .map((action) => {
      const permission = permissionOf(permissions, action);
      return permission ? { ...action, permission } : action;
    });
  const byName = new Map(applications.map((application) => [application.name, application]));
  let served: ServedDocument | undefined;
  return {
    applications,
    ...createCatalogues(actions, glossaryOf([...byName.keys()], settings)),
    find: (name) => byName.get(name),
    get served() {
      return (served ??= serve(named));
    },
  };
}

function serve(named: readonly NamedActions[]): ServedDocument {
  const documents = named.flatMap(({ application: { name, loaded }, fullNames }) =>
    loaded ? [{ application: name, loaded, fullNames }] : [],
  );
  return servedDocument(documents, named.length);
}

/** What the newest permissions say of tools that are not there: a sync may bring them, so it is no more than a warning. */
function unusedPermissions({ applications, catalogue }: ApplicationSet, rules: PermissionRules): string[] {
  const isAny = applications.some(({ loaded }) => loaded !== undefined);
  return isAny ? unusedRules(rules, catalogue.actions) : [];
}

/** What config.json says of applications that are not there: a sync may bring them, so it is no more than a warning. */
function unusedEntries({ applications }: ApplicationSet, { applications: entries }: ApplicationsSettings): string[] {
  const names = applications.map(({ name }) => name);
  return [...entries.keys()]
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `there is no application ${name}, so nothing uses applications.${name} of config.json, its safety modes included.${didYouMean(name, names)} agentd sync KIND LOCATION --name ${name} connects it.`,
    );
}

/** The names of the applications that have one; none, with a word in the log, while their folder cannot be read. */
function createNames({ dataDir, trust, documents }: ApplicationsSettings, log: Log): () => readonly string[] {
  const elsewhere = [...(documents?.keys() ?? [])];
  const folder = join(dataDir, DOCUMENTS_FOLDER);
  let said = "";
  const say = (sentence: string): void => {
    if (sentence !== "" && sentence !== said) log.warn({ folder }, sentence);
    said = sentence;
  };
  return () => {
    // Most data directories have none, and asking for what is not there is cheap.
    if (!trust && !statSync(folder, { throwIfNoEntry: false })) return elsewhere;
    try {
      const { names, misnamed } = namedApplications(dataDir, trust);
      say(misnamed.length > 0 ? `not the name of an application, so nothing uses it: ${misnamed.join(", ")}` : "");
      return elsewhere.length > 0 ? [...new Set([...names, ...elsewhere])].sort() : names;
    } catch (error) {
      say(`the applications with a name cannot be used: ${messageOf(error)}`);
      return elsewhere;
    }
  };
}

/**
 * Opens the applications. Throws StartError naming the file when the document of the one without a name cannot be used, or was
 * named and is missing; what is wrong with any other takes only its own tools away.
 */
export function openApplications(
  settings: ApplicationsSettings,
  { log, implied, earlierRules = [] }: Context,
): Applications {
  const rules = permissionRules(settings);
  const namesNow = createNames(settings, log);
  const files = new Map<string, DocumentFile>();
  const stateOf = (name: string): DocumentState | undefined => {
    let file = files.get(name);
    if (!file) files.set(name, (file = openDocument(schemaLocation(settings, name), { log, implied })));
    return file.current();
  };
  let states: (DocumentState | undefined)[] = [];
  let names: readonly string[] = [];
  let set: ApplicationSet | undefined;

  const unnamed = stateOf("");
  if (unnamed && !unnamed.loaded) throw new StartError(unnamed.error ?? "");
  if (!unnamed && settings.schemaGiven)
    throw new StartError(
      `There is no schema document at ${settings.schemaFile}. Make one with "agentd sync openapi <file or address>", or try "agentd serve --demo".`,
    );
  return {
    current() {
      const namesRead = ["", ...namesNow()];
      const statesRead = namesRead.map(stateOf);
      const isSame =
        namesRead.length === names.length &&
        namesRead.every((name, i) => name === names[i] && statesRead[i] === states[i]);
      if (set && isSame) return set;
      for (const name of files.keys()) if (!namesRead.includes(name)) files.delete(name);
      [names, states] = [namesRead, statesRead];
      set = createSet(
        namesRead.flatMap((name, i) => {
          const state = statesRead[i];
          return state ? [{ name, ...state }] : [];
        }),
        settings,
        [...earlierRules, rules],
      );
      for (const sentence of [...unusedEntries(set, settings), ...unusedPermissions(set, rules)])
        log.warn({}, sentence);
      return set;
    },
  };
}
