// The settings of a process: flags, AGENTD_* variables, config.json and defaults, merged once, checked once.
// Data directory, flags and environment come in; plain values come out, secrets resolved. Opens nothing and listens nowhere.
// Source: docs/reference.md, "Precedence of settings"
import { resolve } from "node:path";
import { DEFAULT_TOKEN_NAME } from "../domain/caller.js";
import { StartError, usageError } from "../domain/error.js";
import { isGuessable, MAKE_TOKEN, type NamedToken, STRONG_TOKEN } from "../domain/token.js";
import type { TrustCheck } from "../domain/trust.js";
import { isLoopback } from "../lib/loopback.js";
import type { ReadFiles } from "../lib/read-files.js";
import { configFile, readConfigFile } from "./file.js";
import { resolveTable } from "./merge.js";
import { createSecretReader } from "./secret.js";
import type { FlagsOf, Origin, ValuesOf } from "./setting.js";
import { SETTINGS } from "./table.js";
import { refuseMisspeltVariables } from "./variables.js";

/** What the command line can set. */
export type Flags = FlagsOf<typeof SETTINGS>;

/** Everything the parts of a process are made from: a value for every row of the table, and what is known about them. */
export interface Settings extends ValuesOf<typeof SETTINGS> {
  /** Absolute. */
  dataDir: string;
  /** Absolute path of the schema document. */
  schemaFile: string;
  /** Whether the file was named, so that its absence is a mistake. */
  schemaGiven: boolean;
  /** Documents of applications with a name that stand elsewhere than in the data directory: those of the demonstration. */
  documents?: ReadonlyMap<string, string>;
  /** What the files of the data directory have to pass, when that was only found. */
  trust: TrustCheck | undefined;
  /** Every secret value in use, for redaction. */
  secrets: string[];
  /** Where config.json holds one in plain text. */
  literalSecrets: string[];
  /** A sentence for each secret that is not there, where the settings were read leniently. */
  missingSecrets: string[];
  /** Sentences for the log. */
  warnings: string[];
  /** Where each value came from, by its name in config.json. */
  origins: Record<string, Origin>;
}

/**
 * The data directory that a flag or AGENTD_DATA_DIR names, absolute; undefined when neither does. Throws StartError for an empty
 * flag: a script whose variable is not set means another directory than the one found here.
 */
export function namedDataDir(flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (flag?.trim() === "")
    throw usageError("--data-dir is empty. Name a directory, or leave it out to use the one found here or above.");
  const name = flag ?? env["AGENTD_DATA_DIR"];
  return name ? resolve(name) : undefined;
}

/** A schema document that a flag or variable names is trusted like a data directory that one names. */
function trustOfDocuments(trust: TrustCheck, schemaFile: string, origin: Origin | undefined): TrustCheck {
  const isNamed = origin !== "default" && origin !== "config.json";
  return {
    version: () => trust.version(),
    files: () => trust.files(),
    faultOf: (file, content) => (isNamed && file === schemaFile ? undefined : trust.faultOf(file, content)),
  };
}

/**
 * Reads and merges the settings. Throws StartError (1 for a broken file or variable, 2 for a wrong flag).
 * `lenient` is for commands that use no secret: a missing one becomes a warning and is left out.
 */
export async function loadSettings(input: {
  /** Absolute. */
  dataDir: string;
  trust?: TrustCheck | undefined;
  flags: Flags;
  env: NodeJS.ProcessEnv;
  lenient?: boolean;
  /** Gets every file that is read, also when that fails. */
  files?: ReadFiles;
  /** Is told of a config.json with faults, which then says nothing: for clients of a daemon, which goes on with what it has read. */
  onBrokenFile?: ((message: string) => void) | undefined;
}): Promise<Settings> {
  const { env, dataDir, trust, files, lenient: isLenient = false } = input;
  refuseMisspeltVariables(env);
  files?.note(configFile(dataDir));
  const file = readConfigFile(dataDir, trust, input.onBrokenFile);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const secrets = createSecretReader({ env, folder: dataDir, isLenient, warn, files });
  const origins: Record<string, Origin> = {};
  const values = resolveTable(SETTINGS, {
    flags: input.flags,
    env,
    file,
    prefix: "",
    dataDir,
    secrets,
    isLenient,
    warn,
    hasDefaults: true,
    origins,
  });
  return {
    ...values,
    schemaGiven: origins["schema"] !== "default",
    trust: trust && trustOfDocuments(trust, values.schemaFile, origins["schema"]),
    secrets: [...secrets.known],
    literalSecrets: [...secrets.literals],
    missingSecrets: [...secrets.missing],
    // The entry of the provider in use is read twice.
    warnings: [...new Set(warnings)],
    origins,
  };
}

/** The tokens of a daemon by their names: the one of `token`, then the named ones. */
export function tokensByName({ token, tokens }: Pick<Settings, "token" | "tokens">): Record<string, NamedToken> {
  return token === undefined ? tokens : { [DEFAULT_TOKEN_NAME]: { token, readOnly: false }, ...tokens };
}

/** Two names for one token would say nothing of whose word it was. Throws StartError. */
function refuseTwins(tokens: Record<string, NamedToken>): void {
  const names = new Map<string, string>();
  for (const [name, { token }] of Object.entries(tokens)) {
    const other = names.get(token);
    if (other !== undefined)
      throw new StartError(`the tokens "${other}" and "${name}" are the same. Give each its own. ${MAKE_TOKEN}`);
    names.set(token, name);
  }
}

/** How messages call a token. */
const called = (name: string): string => (name === DEFAULT_TOKEN_NAME ? "the token" : `the token "${name}"`);

/**
 * What must not be served. Throws StartError for a listener that any host on the network could use without a token, or after
 * guessing it; returns a loud sentence when that was asked for by name, or where only this machine can guess.
 */
export function refuseUnsafeListener(settings: Settings): string | undefined {
  const host = settings.listen === undefined ? settings.host : "localhost";
  const tokens = tokensByName(settings);
  refuseTwins(tokens);
  const [guessable] = Object.entries(tokens).find(([, { token }]) => isGuessable(token)) ?? [];
  if (guessable !== undefined) {
    if (isLoopback(host)) return `${called(guessable)} can be guessed: use ${STRONG_TOKEN}. ${MAKE_TOKEN}`;
    throw usageError(
      `refusing to listen on ${host} with a token that can be guessed: ${called(guessable)} must have ${STRONG_TOKEN}. ${MAKE_TOKEN}`,
    );
  }
  if (isLoopback(host) || Object.keys(tokens).length > 0) return undefined;
  if (!settings.insecureNoToken)
    throw usageError(
      `refusing to listen on ${host} without a token: everybody who reaches it could use the application. Give --token (or --token-file, AGENTD_TOKEN), or --insecure-no-token to do it all the same.`,
    );
  return `INSECURE: listening on ${host} without a token. Everybody who reaches this address can use the application and read the history.`;
}
