// The vendor's usual variable as the key of an entry that names none: at the vendor's own address, or at the one that its usual
// variable names. To any other address a key goes only when the entry says so.
import { StartError } from "../domain/error.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import { withoutTrailing } from "../lib/trailing.js";
import type { SecretEntry } from "./command-entry.js";
import type { Found, Sources } from "./setting.js";
import { type KnownVendor, keyFault, VENDORS } from "./vendors.js";

/** The vendor's host and those below it, which are its regions. Nothing is sent without TLS. */
function isOwnAddress({ host = "", base }: KnownVendor, address: string, env: Sources["env"]): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:" && (url.hostname === host || url.hostname.endsWith(`.${host}`))) return true;
  const withoutSlash = (text: string): string => withoutTrailing(text.trim(), "/");
  return base !== undefined && withoutSlash(env[base] ?? "") === withoutSlash(address);
}

/** Whether the entry brings a key in another way. */
function hasOwnAuth({ headers, query }: JsonObject): boolean {
  return headers !== undefined || query !== undefined;
}

const isAddress = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

/**
 * The reference to the key: the entry's own, or the vendor's usual variable. Throws StartError naming what is missing. Warns of a
 * key that is there and not sent.
 */
export function findApiKey({ env, file, prefix, isLenient, warn }: Sources): Found<SecretEntry> | undefined {
  const place = `${prefix}api_key`;
  const { type, api_key, base_url } = file;
  // The schema of config.json leaves nothing else.
  if (api_key !== undefined) return { value: api_key as SecretEntry, origin: "config.json", place };
  const vendor = VENDORS.find(({ name }) => name === type);
  if (!vendor) return undefined;
  // A token for gateways travels in a header of its own.
  const variables = [...vendor.keys.filter((one) => one !== vendor.bearerKey), ...(vendor.sharedKeys ?? [])];
  const name = variables.find((variable) => env[variable]?.trim());
  const entry = prefix.slice(0, -1);
  if (isAddress(base_url) && !isOwnAddress(vendor, base_url, env)) {
    if (name !== undefined && !hasOwnAuth(file))
      warn(
        `${entry} has an address of its own and no key: ${name} is for ${vendor.host} and is not sent there. If it belongs there, write "api_key": "env:${name}" into the entry.`,
      );
    return undefined;
  }
  const fault = name && keyFault(env[name]?.trim() ?? "");
  if (name !== undefined && fault === undefined) return { value: `env:${name}`, origin: name, place };
  if (isLenient || (isAddress(base_url) && hasOwnAuth(file))) return undefined;
  const reason = fault === undefined ? `set ${variables[0]}` : `${name} ${fault}; set it`;
  throw new StartError(
    `${entry} needs a key: ${reason}, or write "api_key": "env:NAME" into its entry in config.json.`,
  );
}
