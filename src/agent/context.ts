// What the parts of the agent are given: for the whole agent, for one call, for one turn. Plain objects, made in create.ts,
// prompt.ts and direct-call.ts; types only.
import type { Target, Transport } from "../applications/transport.js";
import type { Settings } from "../config/settings.js";
import type { PromptOptions } from "../domain/agent.js";
import type { Limits } from "../domain/limits.js";
import type { Message } from "../domain/message.js";
import type { Policy } from "../domain/policy.js";
import type { LocalTime } from "../domain/time-zone.js";
import type { ModelUsage } from "../domain/usage.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";
import type { Providers } from "../providers/open.js";
import type { Provider, Usage } from "../providers/provider.js";
import type { SessionResults } from "../results/cache.js";
import type { Store } from "../store/store.js";
import type { Application, Applications } from "../tools/applications.js";
import type { ArgumentChecks } from "../tools/arguments/check.js";
import type { Catalogue } from "../tools/catalogue.js";
import type { Confirmations } from "./state/confirmations.js";
import type { Notifier } from "./state/notify.js";
import type { RunningCalls } from "./state/running-calls.js";
import type { Sessions } from "./state/sessions.js";
import type { TurnClocks } from "./state/turn-clocks.js";
import type { TurnLog } from "./state/turn-log.js";
import type { TurnQueue } from "./state/turn-queue.js";
import type { UnsavedTurns } from "./state/unsaved-turns.js";
import type { UseLimits } from "./state/use-limits.js";

/** What an agent is made of; `open.ts` picks the parts. */
export interface AgentParts {
  /** All of the configuration, to be described: what counts is in the other parts. */
  settings: Settings;
  store: Store;
  providers: Providers;
  applications: Applications;
  redactor: Redactor;
  log: Log;
  policy: Policy;
  /** Whether `confirm` is on by a flag or variable, so that no permission of config.json lifts it. */
  isConfirmFirm: boolean;
  /** An application as the operator configured it, for its document in force; undefined is one that is not there. */
  target(application: Application | undefined): Target;
  /** The modes of an application on top of those of the daemon and of the request. */
  modes(application: string): Partial<Policy>;
  /** The transport of a kind, loaded when first used; undefined for a kind the daemon does not know. */
  transport(kind: string): Promise<Transport | undefined>;
  version: string;
  maxIterations: number;
  /** Wall clock of one turn, milliseconds; time spent waiting for a person counts too. */
  turnTimeoutMs: number;
  /** What sessions and days may take. */
  limits: Limits;
  /** The names a turn may have whose words steer every other: of the tokens that are not read-only. */
  fullTokens: ReadonlySet<string>;
  /** Turns and direct calls running at once. */
  maxTurns: number;
  /** Prompts waiting in one session. */
  maxQueue: number;
  confirmationTtlMs: number;
  /** Tells of calls that are held. */
  notifier: Notifier;
  /** Ends what the parts hold open (connections, the lock). */
  onClose(): Promise<void>;
}

/** The parts that a reload of the configuration replaces. */
export type ReloadableParts = Pick<
  AgentParts,
  | "settings"
  | "providers"
  | "applications"
  | "policy"
  | "isConfirmFirm"
  | "target"
  | "modes"
  | "maxIterations"
  | "turnTimeoutMs"
  | "limits"
  | "fullTokens"
>;

/** The parts, and the state that prompts, calls and decisions share. */
export interface AgentContext extends AgentParts {
  turnQueue: TurnQueue;
  turnLog: TurnLog;
  turnClocks: TurnClocks;
  runningCalls: RunningCalls;
  sessions: Sessions;
  confirmations: Confirmations;
  unsavedTurns: UnsavedTurns;
  argumentChecks: ArgumentChecks;
  useLimits: UseLimits;
  /** The documents, targets and modes in force at the moment, also from the copy that a turn works with. */
  contextNow(): PrepareContext;
}

/** What preparing a call needs. */
export interface PrepareContext {
  readonly catalogue: Catalogue;
  /** The modes of the daemon and of the request; those of the tool's application come on top. */
  readonly policy: Policy;
  /** Whether `confirm` is on by more than config.json: a flag, a variable, the request, the provider. */
  readonly isConfirmFirm: boolean;
  readonly redactor: Redactor;
  modes(application: string): Partial<Policy>;
  /** The target of an application, by its name: no other is given its credentials. */
  target(application: string): Target;
  readonly argumentChecks: ArgumentChecks;
  transport(kind: string): Promise<Transport | undefined>;
  /** The transport of the daemon's own tools; without it they are unknown. */
  readonly builtinTransport?: Transport | undefined;
  readonly store: Store;
  /** The session whose calls alone may be undone: that of a turn; missing where a person names the call. */
  readonly undoSession?: string;
}

/** What sending a prepared call needs. */
export interface SendContext {
  readonly store: Store;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Aborted when this call alone is to be stopped; missing where that is impossible. */
  readonly stop?: AbortSignal | undefined;
  readonly useLimits: UseLimits;
}

/** What one call needs, from being found to being recorded. */
export interface CallContext extends PrepareContext, SendContext {
  readonly confirmations: Confirmations;
  readonly runningCalls: RunningCalls;
  /** What an approved call is prepared with: what counts is in force when it is decided, not when it was held. */
  contextNow(): PrepareContext;
  /** "" when the call belongs to no session. */
  readonly session_id: string;
  /** "" when the call belongs to no turn. */
  readonly turn_id: string;
  /** Names for the record; "" when no model asked for the call. */
  readonly provider: string;
  readonly model: string;
  readonly client: string;
  /** Name of the token that asks. */
  readonly asked_by: string;
  /** Whether the client can answer a confirmation while the call waits. */
  readonly interactive: boolean;
  /** The number of the call's `tool_call` event; missing for a call without a turn. */
  readonly event?: number;
  /** Of a call that is asked about together with others: resolves once those before it are over, rejects when one of them threw. */
  readonly before?: Promise<unknown>;
}

/** What one turn needs beside its calls. */
export interface TurnContext extends CallContext {
  readonly modelProvider: Provider;
  readonly systemPrompt: string;
  /** When the prompt was taken, where the person is. */
  readonly now: LocalTime;
  readonly prompt: string;
  /** What the model saw before this turn, the prompt itself included. */
  readonly earlierMessages: readonly Message[];
  /** Filled as the turn goes on: what this turn adds to the session, so that nothing is lost when it throws. */
  readonly newMessages: Message[];
  /** Results cut for the model. */
  readonly results: SessionResults;
  readonly maxIterations: number;
  /** Events of the turn so far. */
  eventCount(): number;
  readonly onModelCall: PromptOptions["onModelCall"];
  /** Adds what a model call took to what the turn took; what that call took is returned. */
  count(tokens: Usage): ModelUsage;
}
