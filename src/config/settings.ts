// The settings of a process: flags, AGENTD_* variables, config.json and defaults, merged once, checked once.
// Data directory, flags and environment come in; plain values come out, secrets resolved. Opens nothing and listens nowhere.
// Source: reference, sections 5 and 9.
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { StartError } from "../domain/error.js";
import type { Policy } from "../domain/policy.js";
import { isLoopback } from "../lib/loopback.js";
import { readConfigFile } from "./file.js";
import { checkUrl, type Flags, type Load, readHeaders, readSecrets } from "./input.js";
import { asBoolean, asList, asNumber, asText, Layers, type Origin, refuseMisspeltVariables } from "./layers.js";
import { type ProviderChoice, pickProvider } from "./provider.js";
import { createSecretReader } from "./secret.js";
import { pickToken } from "./token.js";

/** Everything the parts of a process are made from. */
export interface Settings {
  /** Absolute. */
  dataDir: string;
  host: string;
  port: number;
  token?: string;
  allowedHosts: string[];
  insecureNoToken: boolean;
  graceMs: number;
  policy: Policy;
  maxIterations: number;
  turnTimeoutMs: number;
  /** Turns running at once. */
  maxTurns: number;
  /** Prompts waiting in one session. */
  maxQueue: number;
  /** For ever when absent. */
  historyKeepDays?: number;
  confirmationTtlMs: number;
  /** Absolute path of the schema document. */
  schemaFile: string;
  /** Whether somebody named the file, so that its absence is a mistake. */
  schemaGiven: boolean;
  /** The target's address when given by flag, variable or file; wins over the document. No trailing slash. */
  baseUrl?: string;
  target: {
    headers: Record<string, string>;
    /** By security scheme. */
    credentials: Record<string, string>;
    /** Arguments the model never sees, by the parameter's name. */
    arguments: Record<string, string>;
    timeoutMs: number;
    allowFiles: boolean;
  };
  provider: ProviderChoice;
  /** Every secret value in use, for redaction. */
  secrets: string[];
  /** Sentences for the log. */
  warnings: string[];
  /** Where each value came from, by its name in config.json. */
  origins: Record<string, Origin>;
}

const DEFAULT_DATA_DIR = ".agentd";
const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 4242;
/** A day: nobody waits longer for a daemon to stop. */
const LONGEST_GRACE_S = 86_400;

/** The data directory: flag, AGENTD_DATA_DIR or `.agentd`; absolute. */
export function dataDirOf(dataDir: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(dataDir || env["AGENTD_DATA_DIR"] || DEFAULT_DATA_DIR);
}

/**
 * Reads and merges the settings. Throws StartError (1 for a broken file or variable, 2 for a wrong flag).
 * `lenient` is for commands that use no secret: a missing one becomes a warning and is left out.
 */
export async function loadSettings(input: {
  dataDir?: string | undefined;
  flags: Flags;
  env: NodeJS.ProcessEnv;
  lenient?: boolean;
}): Promise<Settings> {
  const { flags, env, lenient = false } = input;
  refuseMisspeltVariables(env);
  const dataDir = dataDirOf(input.dataDir, env);
  const file = await readConfigFile(dataDir);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const secrets = createSecretReader({ env, folder: dataDir, lenient, warn });
  const layers = new Layers(env);
  const load: Load = { flags, env, dataDir, file, layers, secrets, lenient };
  layers.origins["data_dir"] = input.dataDir ? "flag" : env["AGENTD_DATA_DIR"] ? "AGENTD_DATA_DIR" : "default";
  const token = pickToken(load);
  const settings: Settings = {
    dataDir,
    ...(token !== undefined && { token }),
    ...pickListener(load),
    policy: pickPolicy(load),
    ...pickLimits(load),
    ...pickTarget(load),
    provider: pickProvider(load),
    secrets: [],
    warnings,
    origins: layers.origins,
  };
  settings.secrets = [...secrets.known];
  return settings;
}

function pickListener({ layers, flags, file }: Load) {
  const grace = layers.pick("grace_ms", {
    flag: flags.grace === undefined ? undefined : flags.grace * 1000,
    env: ["AGENTD_GRACE", (text) => asNumber(0, LONGEST_GRACE_S)(text) * 1000],
    file: file.grace_ms,
  });
  return {
    host: pickHost({ layers, flags, file }),
    port: layers.pick("port", { flag: flags.port, env: ["AGENTD_PORT", asPort], file: file.port }) ?? DEFAULT_PORT,
    allowedHosts:
      layers.pick("allowed_hosts", {
        flag: flags.allowedHosts?.length ? flags.allowedHosts : undefined,
        env: ["AGENTD_ALLOWED_HOSTS", asList],
        file: file.allowed_hosts,
      }) ?? [],
    insecureNoToken:
      layers.pick("insecure_no_token", {
        flag: flags.insecureNoToken,
        env: ["AGENTD_INSECURE_NO_TOKEN", asBoolean],
        file: file.insecure_no_token,
      }) ?? false,
    graceMs: grace ?? 10_000,
  };
}

/** Whether it looks like an IP address and is none; other names are for the resolver. */
const isBadAddress = (host: string): boolean => /^[\d.]+$|:/.test(host) && isIP(host.replace(/^\[(.*)\]$/, "$1")) === 0;

/** Throws StartError for an empty address: Node would take it for every address of this machine. */
function pickHost({ layers, flags, file }: Pick<Load, "layers" | "flags" | "file">): string {
  const host = layers.pick("host", { flag: flags.host, env: ["AGENTD_HOST", asText], file: file.host }) ?? DEFAULT_HOST;
  const problem =
    host.trim() === "" ? "is empty" : isBadAddress(host) ? `is "${host}", which is no address` : undefined;
  if (problem === undefined) return host;
  const origin = layers.origins["host"];
  const place = origin === "flag" ? "--host" : origin === "config.json" ? "host in config.json" : "AGENTD_HOST";
  throw new StartError(`${place} ${problem}. Give an address such as ${DEFAULT_HOST}, or leave it out.`, {
    exitCode: origin === "flag" ? 2 : 1,
  });
}

function asPort(text: string): number {
  const port = asNumber(0, 65_535)(text);
  if (!Number.isInteger(port)) throw new Error("expected a whole number");
  return port;
}

function pickPolicy({ layers, flags, file }: Load): Policy {
  const { safety } = file;
  return {
    read_only:
      layers.pick("safety.read_only", {
        flag: flags.readOnly,
        env: ["AGENTD_READ_ONLY", asBoolean],
        file: safety?.read_only,
      }) ?? false,
    dry_run:
      layers.pick("safety.dry_run", {
        flag: flags.dryRun,
        env: ["AGENTD_DRY_RUN", asBoolean],
        file: safety?.dry_run,
      }) ?? false,
    strict:
      layers.pick("safety.strict", { flag: flags.strict, env: ["AGENTD_STRICT", asBoolean], file: safety?.strict }) ??
      false,
    confirm:
      layers.pick("safety.confirm", {
        flag: flags.confirm,
        env: ["AGENTD_CONFIRM", asBoolean],
        file: safety?.confirm,
      }) ?? false,
  };
}

function pickLimits({ layers, file }: Load) {
  const days = layers.pick("history_keep_days", { file: file.history_keep_days });
  return {
    maxIterations: layers.pick("max_iterations", { file: file.max_iterations }) ?? 8,
    turnTimeoutMs: layers.pick("turn_timeout_ms", { file: file.turn_timeout_ms }) ?? 600_000,
    maxTurns: layers.pick("max_turns", { file: file.max_turns }) ?? 64,
    maxQueue: layers.pick("max_queue", { file: file.max_queue }) ?? 32,
    ...(days !== undefined && { historyKeepDays: days }),
    confirmationTtlMs: layers.pick("confirmation_ttl_ms", { file: file.confirmation_ttl_ms }) ?? 300_000,
  };
}

function pickTarget(load: Load) {
  const { layers, flags, file, dataDir, secrets } = load;
  const target = file.target;
  const schema = layers.pick("schema", {
    flag: flags.schema === undefined ? undefined : resolve(flags.schema),
    env: ["AGENTD_SCHEMA", (text) => resolve(text)],
    file: file.schema === undefined ? undefined : resolve(dataDir, file.schema),
  });
  const baseUrl = layers.pick("target.base_url", {
    flag: flags.baseUrl,
    env: ["AGENTD_BASE_URL", asText],
    file: target?.base_url,
  });
  const origin = layers.origins["target.base_url"];
  const place = origin === "flag" ? "--base-url" : origin === "config.json" ? "target.base_url" : "AGENTD_BASE_URL";
  return {
    schemaFile: schema ?? join(dataDir, "schema.json"),
    schemaGiven: schema !== undefined,
    ...(baseUrl !== undefined && { baseUrl: checkUrl(baseUrl, place, origin === "flag" ? 2 : 1) }),
    target: {
      headers: readHeaders(secrets, "target.headers", layers.pick("target.headers", { file: target?.headers })),
      credentials: readSecrets(secrets, "target.auth", layers.pick("target.auth", { file: target?.auth })),
      arguments: readSecrets(secrets, "target.arguments", layers.pick("target.arguments", { file: target?.arguments })),
      timeoutMs: layers.pick("target.timeout_ms", { file: target?.timeout_ms }) ?? 30_000,
      allowFiles: layers.pick("target.allow_files", { file: target?.allow_files }) ?? false,
    },
  };
}

/**
 * What must not be served. Throws StartError for a listener that anybody on the network could use without a token;
 * returns a loud sentence when that was asked for by name.
 */
export function refuseUnsafeListener(settings: Settings): string | undefined {
  if (isLoopback(settings.host) || settings.token !== undefined) return undefined;
  if (!settings.insecureNoToken)
    throw new StartError(
      `refusing to listen on ${settings.host} without a token: everybody who reaches it could use the application. Give --token (or --token-file, AGENTD_TOKEN), or --insecure-no-token to do it all the same.`,
      { exitCode: 2 },
    );
  return `INSECURE: listening on ${settings.host} without a token. Everybody who reaches this address can use the application and read the history.`;
}
