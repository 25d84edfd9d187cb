// The parts of an agent that tests of calls do not care about: one provider, no secrets, generous limits.
import type { AgentParts } from "../../src/agent/context.js";
import { createNotifier } from "../../src/agent/state/notify.js";
import type { Settings } from "../../src/config/settings.js";
import type { Log } from "../../src/lib/log.js";
import { createRedactor } from "../../src/lib/redact/redact.js";
import type { Provider } from "../../src/providers/provider.js";

/** What an agent is made of beside its store, its applications, their modes and their transport. */
export function agentParts(
  provider: Provider,
  log: Log,
): Omit<AgentParts, "store" | "policy" | "applications" | "target" | "modes" | "transport"> {
  return {
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
    redactor: createRedactor([]),
    log,
    isConfirmFirm: false,
    fullTokens: new Set([""]),
    notifier: createNotifier(log),
    version: "0",
    maxIterations: 8,
    turnTimeoutMs: 10_000,
    limits: { session: {}, day: {} },
    maxTurns: 8,
    maxQueue: 8,
    confirmationTtlMs: 60_000,
    onClose: async () => {},
  };
}
