// An agent whose transport and model a test plays, and whose record, confirmations and turns are real: no secrets, generous limits.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentParts } from "../../src/agent/context.js";
import { createAgent } from "../../src/agent/create.js";
import { createNotifier } from "../../src/agent/state/notify.js";
import type { Target } from "../../src/applications/transport.js";
import type { Settings } from "../../src/config/settings.js";
import { loadSettings } from "../../src/config/settings.js";
import type { Lock } from "../../src/data-dir/lock.js";
import type { Agent } from "../../src/domain/agent.js";
import { OPEN_POLICY, type Policy } from "../../src/domain/policy.js";
import { createRedactor } from "../../src/lib/redact/redact.js";
import type { Provider, Reply, ReplyRequest } from "../../src/providers/provider.js";
import { openSqliteStore } from "../../src/store/sqlite/store.js";
import type { Store } from "../../src/store/store.js";
import { openApplications } from "../../src/tools/applications.js";
import { keptLog } from "./daemon.js";
import { targetAt } from "./http.js";

/** What a test decides of its agent. */
export interface TransportAgentOptions {
  transport: AgentParts["transport"];
  /** The schema document of its only application. */
  schema: object;
  /** What its model answers. */
  reply(request: ReplyRequest): Reply;
  policy?: Partial<Policy> | undefined;
  /** Modes of the application alone. */
  modes?: Partial<Policy> | undefined;
  target?: Partial<Target> | undefined;
  /** Time that a question waits. */
  confirmationTtlMs?: number | undefined;
  /** Of the data directory, where the caller has it. */
  lock?: Lock | undefined;
  /** Methods of the record that are played, too. */
  faults?(store: Store): Partial<Store>;
}

function playedProvider(reply: TransportAgentOptions["reply"]): Provider {
  return {
    name: "played",
    model: "m",
    historyLimit: 40,
    maxTools: 64,
    resultBudget: 8_000,
    // biome-ignore lint/correctness/useYield: it has nothing to stream
    async *reply(request) {
      return reply(request);
    },
  };
}

/** An agent on the data directory `dir`. */
export async function openTransportAgent(
  dir: string,
  {
    schema,
    transport,
    reply,
    policy,
    modes = {},
    target,
    confirmationTtlMs = 60_000,
    lock,
    faults,
  }: TransportAgentOptions,
): Promise<Agent> {
  writeFileSync(join(dir, "schema.json"), JSON.stringify(schema));
  const { log } = keptLog();
  const settings = await loadSettings({ dataDir: dir, flags: {}, env: {} });
  const provider = playedProvider(reply);
  const store = await openSqliteStore(lock ? { dir, lock } : { dir });
  return createAgent({
    store: { ...store, ...faults?.(store) },
    // No test of a call asks what is in force.
    settings: {} as Settings,
    providers: {
      inUse: provider,
      offers: [],
      historyLimit: provider.historyLimit,
      get: async () => provider,
      price: () => undefined,
      acting: new Set(),
    },
    applications: openApplications(settings, { log, implied: () => ({ safety: "destructive", verb: "action" }) }),
    target: () => ({ ...targetAt("http://127.0.0.1:9"), ...target }),
    policy: { ...OPEN_POLICY, ...policy },
    modes: () => modes,
    transport,
    redactor: createRedactor([]),
    log,
    isConfirmFirm: false,
    fullTokens: new Set([""]),
    notifier: createNotifier(log),
    version: "0",
    maxIterations: 8,
    turnTimeoutMs: 60_000,
    limits: { session: {}, day: {} },
    maxTurns: 8,
    maxQueue: 8,
    confirmationTtlMs,
    onClose: async () => {},
  });
}
