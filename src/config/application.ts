// The applications with a name: their entries in config.json, each resolved as `target` is. An application that has no entry
// has the defaults. Which applications there are is not known here: that depends on the documents.
import { z } from "zod";
import { APPLICATION_NAME, applicationNameFault } from "../domain/application-name.js";
import type { JsonObject } from "../lib/json.js";
import { APPLICATION_SETTINGS } from "./application-table.js";
import { byName } from "./kinds.js";
import { resolveTable } from "./merge.js";
import { createSecretReader } from "./secret.js";
import type { Found, Kind, Sources, ValuesOf } from "./setting.js";
import { objectSchema } from "./shape.js";

/** The settings of one application, secrets resolved. */
export type ApplicationSettings = ValuesOf<typeof APPLICATION_SETTINGS>;

const nameSchema = z.string().regex(APPLICATION_NAME, {
  error: ({ input }) => applicationNameFault(String(input)) ?? "is no name",
});

/** Entries by the names of applications. */
// The rows of an entry are checked one by one; together they are the object of what they name.
export const APPLICATIONS: Kind<Record<string, JsonObject>> = byName(
  z.record(nameSchema, objectSchema(APPLICATION_SETTINGS) as unknown as z.ZodType<JsonObject>),
);

/** The settings of every entry. Throws StartError naming where a bad value stands. */
export function resolveApplications(
  { value: entries, place }: Found<Record<string, JsonObject>>,
  sources: Sources,
): ReadonlyMap<string, ApplicationSettings> {
  const resolved = Object.entries(entries).map(([name, entry]): [string, ApplicationSettings] => [
    name,
    resolveTable(APPLICATION_SETTINGS, { ...sources, flags: {}, env: {}, file: entry, prefix: `${place}.${name}.` }),
  ]);
  return new Map(resolved);
}

const UNCONFIGURED: ApplicationSettings = resolveTable(APPLICATION_SETTINGS, {
  flags: {},
  env: {},
  file: {},
  prefix: "",
  dataDir: "",
  secrets: createSecretReader({ env: {}, folder: "", isLenient: false, warn: () => undefined }),
  isLenient: false,
  warn: () => undefined,
  hasDefaults: true,
  origins: {},
});

/** The settings of an application, "" for the one without a name; the defaults for one that config.json does not mention. */
export function applicationSettings(
  settings: { target: ApplicationSettings; applications: ReadonlyMap<string, ApplicationSettings> },
  name: string,
): ApplicationSettings {
  return name === "" ? settings.target : (settings.applications.get(name) ?? UNCONFIGURED);
}
