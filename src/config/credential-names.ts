// The credentials of a configuration by their names: which there are and for whom, never a value.
import { applicationSettings } from "./application.js";
import type { Settings } from "./settings.js";

/** A credential that is configured, or is missing. */
interface CredentialName {
  /** Its key in config.json. */
  name: string;
  /** Name of an application or a provider, or CLIENTS. */
  used_by: string;
  set: boolean;
}

/** Who uses the tokens of the daemon. */
const CLIENTS = "clients of this daemon";

/** Where an application without a name, or with one, stands in config.json. */
export const applicationKey = (name: string): string => (name === "" ? "target" : `applications.${name}`);

function ofApplication(settings: Settings, application: string): CredentialName[] {
  const { credentials, headers, arguments: values, environment, location } = applicationSettings(settings, application);
  const groups = { auth: credentials, headers, arguments: values, environment };
  const names = Object.entries(groups).flatMap(([group, members]) =>
    Object.keys(members).map((name) => `${group}.${name}`),
  );
  return [...names, ...(location === undefined ? [] : ["location"])].map((name) => ({
    name: `${applicationKey(application)}.${name}`,
    used_by: application,
    set: true,
  }));
}

function ofProviders({ provider }: Settings): CredentialName[] {
  const entries = [provider.configured, ...(provider.entries ?? [])].filter((one) => one !== undefined);
  const byName = new Map(entries.map((one) => [one.name, one]));
  return [...byName.values()].flatMap((entry) => {
    const key = { name: `providers.${entry.name}.api_key`, used_by: entry.name };
    if ("error" in entry) return [{ ...key, set: false }];
    const headers = Object.keys(entry.headers ?? {}).map((name) => ({
      name: `providers.${entry.name}.headers.${name}`,
      used_by: entry.name,
      set: true,
    }));
    return entry.apiKey === undefined ? headers : [{ ...key, set: true }, ...headers];
  });
}

/** Every credential of these applications ("" is the one without a name), of the providers and of the daemon's clients. */
export function credentialNames(settings: Settings, applications: readonly string[]): CredentialName[] {
  const tokens = [
    ...(settings.token === undefined ? [] : ["token"]),
    ...Object.keys(settings.tokens).map((name) => `tokens.${name}`),
  ];
  return [
    ...applications.flatMap((name) => ofApplication(settings, name)),
    ...ofProviders(settings),
    ...tokens.map((name) => ({ name, used_by: CLIENTS, set: true })),
  ];
}
