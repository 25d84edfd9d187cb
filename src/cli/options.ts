// The options several commands share, and how they become the flags of the configuration. Source: reference, section 9.
import type { Flags } from "../config/input.js";
import { StartError } from "../domain/error.js";

/** A whole number between two bounds, refused by name otherwise. */
export function wholeNumber(option: string, least: number, most: number): (value: unknown) => number | undefined {
  return (value) => {
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new StartError(`--${option} takes a whole number from ${least} to ${most}.`, { exitCode: 2 });
  };
}

/** Understood by every command. */
export const GLOBAL = {
  "data-dir": { type: "string", describe: "Where agentd keeps its data [default: .agentd; AGENTD_DATA_DIR]" },
  verbose: { type: "boolean", describe: "More in the log; stack traces with errors" },
} as const;

/** The safety modes. */
export const SAFETY = {
  "read-only": { type: "boolean", describe: "Refuse every call that changes something" },
  "dry-run": { type: "boolean", describe: "Send nothing to the application; show what would be sent" },
  strict: { type: "boolean", describe: "Refuse inferred tools and arguments that do not fit exactly" },
  confirm: { type: "boolean", describe: "Every changing call needs a person's yes" },
} as const;

/** The token, for the daemon that demands it and for the commands that go through one. */
export const TOKEN = {
  token: { type: "string", describe: "The daemon's token; safer in AGENTD_TOKEN or a file" },
  "token-file": { type: "string", describe: "A file that holds the token" },
} as const;

/** Which model and which application. */
export const PARTS = {
  provider: {
    type: "string",
    describe: "Model provider: a name in config.json, or openai, anthropic, google, offline",
  },
  model: { type: "string", describe: "The model's name at the provider" },
  schema: { type: "string", describe: "The schema document [default: schema.json in the data directory]" },
  "base-url": { type: "string", describe: "Address of the application; wins over the schema document" },
} as const;

const LONGEST_GRACE_S = 86_400;

/** Options of `serve` alone. */
export const LISTENER = {
  host: { alias: "bind", type: "string", describe: "Address to listen on [default: 127.0.0.1]" },
  port: {
    type: "number",
    coerce: wholeNumber("port", 0, 65_535),
    describe: "Port to listen on, 0 for a free one [default: 4242]",
  },
  "allowed-host": { type: "string", array: true, describe: "A further Host name to answer to; may be repeated" },
  "insecure-no-token": { type: "boolean", describe: "Listen beyond this machine without a token" },
  grace: {
    type: "number",
    coerce: wholeNumber("grace", 0, LONGEST_GRACE_S),
    describe: "Seconds running turns get when the daemon stops [default: 10]",
  },
} as const;

/** The flags of the configuration among a command's arguments. */
export function toFlags(args: Flags & { allowedHost?: string[] | undefined }): Flags {
  const { host, port, token, tokenFile, insecureNoToken, grace, readOnly, dryRun, strict, confirm } = args;
  const { provider, model, schema, baseUrl, allowedHost } = args;
  return {
    ...{ host, port, token, tokenFile, insecureNoToken, grace, readOnly, dryRun, strict, confirm },
    ...{ provider, model, schema, baseUrl, allowedHosts: allowedHost },
  };
}
