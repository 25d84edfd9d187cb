// What is in force, and where it comes from: for the page of settings. Names only of what is secret.
// Source: docs/reference.md, "Settings in force".
import { join } from "node:path";
import { credentialNeeds } from "../applications/credential-needs.js";
import { applicationKey, credentialNames } from "../config/credential-names.js";
import { configFile } from "../config/file.js";
import type { Settings } from "../config/settings.js";
import { applicationsFile, type KeptLocation, readKeptLocations } from "../data-dir/applications-file.js";
import { RECORD_FILE } from "../data-dir/directory.js";
import type { ModeState, SettingsView } from "../domain/agent.js";
import type { Policy } from "../domain/policy.js";
import type { Safety } from "../domain/schema-document.js";
import { publicAddress, withoutCredentials } from "../lib/url.js";
import type { Application, ApplicationSet } from "../tools/applications.js";
import type { AgentContext } from "./context.js";

type Mode = keyof Policy;
type ApplicationState = SettingsView["applications"][number];

const RESTART = "No client can turn it off: restart agentd without it.";

/** What turned a mode on, and what it takes to turn it off. */
function modeState(mode: Mode, { policy, settings, providers }: AgentContext): ModeState {
  const key = `safety.${mode}`;
  if (!policy[mode]) {
    const { confirmsChanges, name } = providers.inUse;
    if (mode === "confirm" && confirmsChanges)
      return {
        on: true,
        from: "provider",
        why: `The provider ${name} has every change confirmed by a person, whatever the modes.`,
      };
    return {
      on: false,
      from: "default",
      why: "It is off. A prompt, a token or an application can turn it on for itself.",
    };
  }
  if (!settings.policy[mode])
    return {
      on: true,
      from: "default",
      why: "It was on when agentd started, and no change of the configuration turns a mode off while it runs. Restart agentd.",
    };
  const origin = settings.origins[key] ?? "default";
  if (origin === "flag")
    return { on: true, from: "flag", why: `agentd was started with --${mode.replace("_", "-")}. ${RESTART}` };
  if (origin === "config.json")
    return {
      on: true,
      from: "config",
      why: `${key} is true in config.json. Take it out and restart agentd: no client can turn it off.`,
    };
  return { on: true, from: "variable", why: `The variable ${origin} is set. ${RESTART}` };
}

/** What is kept of the syncs; nothing where that cannot be read. */
function keptLocations({ dataDir, trust }: Settings): Map<string, KeptLocation> {
  try {
    return readKeptLocations(dataDir, trust);
  } catch {
    return new Map();
  }
}

function safetyOf({ catalogue }: ApplicationSet, application: string): Record<Safety, number> {
  const counts = { read_only: 0, mutating: 0, destructive: 0 };
  for (const action of catalogue.actions) if ((action.application ?? "") === application) counts[action.safety]++;
  return counts;
}

function applicationState(
  context: AgentContext,
  set: ApplicationSet,
  application: Application,
): Omit<ApplicationState, "source"> {
  const { name, loaded, error } = application;
  const safety = safetyOf(set, name);
  const modes = Object.entries(context.modes(name)).flatMap(([mode, on]) => (on ? [mode] : []));
  return {
    name,
    title: loaded?.document.title?.trim() ?? "",
    kind: loaded?.document.source ?? "unknown",
    base_url: publicAddress(context.target(application).baseUrl),
    tools: safety.read_only + safety.mutating + safety.destructive,
    safety,
    modes,
    ...(error !== undefined && { error }),
  };
}

/** What was kept of an application's last sync. */
function syncState(
  kept: KeptLocation | undefined,
  { redactor }: AgentContext,
): Pick<ApplicationState, "source" | "synced_at" | "last_difference"> {
  if (!kept) return {};
  const { location, synced_at, last_difference } = kept;
  return {
    source: redactor.text(withoutCredentials(location)),
    ...(synced_at !== undefined && { synced_at }),
    ...(last_difference && { last_difference }),
  };
}

/** Credentials that tools of an application need and that are not configured. */
function missingCredentials({ name, loaded }: Application, configured: readonly string[]): SettingsView["credentials"] {
  if (!loaded) return [];
  const { needs } = credentialNeeds(loaded.document, name, configured);
  return needs.flatMap(({ scheme, secret, isConfigured }) =>
    secret === undefined || isConfigured
      ? []
      : [{ name: `${applicationKey(name)}.auth.${scheme}`, used_by: name, set: false }],
  );
}

function credentials(
  { settings, target }: AgentContext,
  { applications }: ApplicationSet,
): SettingsView["credentials"] {
  const missing = applications.flatMap((application) =>
    missingCredentials(application, Object.keys(target(application).credentials)),
  );
  return [
    ...credentialNames(
      settings,
      applications.map(({ name }) => name),
    ),
    ...missing,
  ];
}

/** All of it. */
export async function settingsView(context: AgentContext): Promise<SettingsView> {
  const { settings, store, useLimits, version, limits, maxIterations, maxTurns, maxQueue, turnTimeoutMs } = context;
  const { dataDir } = settings;
  const set = context.applications.current();
  const kept = keptLocations(settings);
  const { historyRows, fileBytes } = await store.stats();
  const mode = (name: Mode): ModeState => modeState(name, context);
  return {
    modes: { read_only: mode("read_only"), dry_run: mode("dry_run"), strict: mode("strict"), confirm: mode("confirm") },
    applications: set.applications.map((application) => ({
      ...applicationState(context, set, application),
      ...syncState(kept.get(application.name), context),
    })),
    credentials: credentials(context, set),
    retention: {
      history_keep_days: settings.historyKeepDays ?? null,
      session_keep_days: settings.sessionKeepDays ?? null,
    },
    limits: {
      session: limits.session,
      day: limits.day,
      today: await useLimits.today(),
      max_iterations: maxIterations,
      max_turns: maxTurns,
      max_queue: maxQueue,
      turn_timeout_ms: turnTimeoutMs,
      confirmation_ttl_ms: context.confirmationTtlMs,
    },
    version,
    node: process.versions.node,
    record: { rows: historyRows, bytes: fileBytes },
    data_dir: dataDir,
    files: { config: configFile(dataDir), applications: applicationsFile(dataDir), record: join(dataDir, RECORD_FILE) },
  };
}
