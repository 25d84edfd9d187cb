// The settings as a person reads them: every effective value with where it came from, and no secret among them.

import type { JsonValue } from "../lib/json.js";
import type { Settings } from "./settings.js";

/** One line of `agentd config`. */
export interface SettingLine {
  /** Its name in config.json. */
  name: string;
  value: JsonValue;
  /** `flag`, the name of a variable, `config.json` or `default`. */
  from: string;
}

/** What stands for a secret. */
const SET = "[set]";

function masked(entries: Readonly<Record<string, string>>): JsonValue {
  return Object.fromEntries(Object.keys(entries).map((name) => [name, SET]));
}

/** Every effective setting and its origin; secrets show as `[set]` only. */
export function describeSettings(settings: Settings): SettingLine[] {
  const { policy, target, provider } = settings;
  const chosen = provider.configured;
  const values: Record<string, JsonValue> = {
    data_dir: settings.dataDir,
    host: settings.host,
    port: settings.port,
    token: settings.token === undefined ? null : SET,
    allowed_hosts: settings.allowedHosts,
    insecure_no_token: settings.insecureNoToken,
    grace_ms: settings.graceMs,
    schema: settings.schemaFile,
    default_provider: chosen?.name ?? null,
    "provider.type": chosen?.type ?? null,
    "provider.base_url": chosen?.baseUrl ?? null,
    "provider.api_key": chosen?.apiKey === undefined ? null : SET,
    "provider.headers": masked(chosen?.headers ?? {}),
    model: chosen?.model ?? provider.model ?? null,
    "target.base_url": settings.baseUrl ?? null,
    "target.headers": masked(target.headers),
    "target.auth": masked(target.credentials),
    "target.arguments": masked(target.arguments),
    "target.timeout_ms": target.timeoutMs,
    "target.allow_files": target.allowFiles,
    "safety.read_only": policy.read_only,
    "safety.dry_run": policy.dry_run,
    "safety.strict": policy.strict,
    "safety.confirm": policy.confirm,
    max_iterations: settings.maxIterations,
    turn_timeout_ms: settings.turnTimeoutMs,
    max_turns: settings.maxTurns,
    max_queue: settings.maxQueue,
    history_keep_days: settings.historyKeepDays ?? null,
    confirmation_ttl_ms: settings.confirmationTtlMs,
  };
  const ofProvider = settings.origins["default_provider"] ?? "default";
  return Object.entries(values).map(([name, value]) => ({
    name,
    value,
    from: settings.origins[name] ?? (name.startsWith("provider.") ? ofProvider : "default"),
  }));
}
