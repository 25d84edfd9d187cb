// What the parts of the agent are given: for the whole agent, for one call, for one turn. Plain objects, made in create.ts,
// prompt.ts and direct-call.ts; types only.
import type { Target, Transport } from "../applications/transport.js";
import type { PromptOptions } from "../domain/agent.js";
import type { Message } from "../domain/message.js";
import type { Policy } from "../domain/policy.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";
import type { Provider } from "../providers/provider.js";
import type { SessionResults } from "../results/cache.js";
import type { Store } from "../store/store.js";
import type { ArgumentChecks } from "../tools/arguments/check.js";
import type { Catalogue } from "../tools/catalogue.js";
import type { SchemaFile } from "../tools/schema-file.js";
import type { Confirmations } from "./confirmations.js";
import type { Sessions } from "./sessions.js";
import type { TurnQueue } from "./turn-queue.js";
import type { UnsavedTurns } from "./unsaved-turns.js";

/** What an agent is made of; `open.ts` picks the parts. */
export interface AgentParts {
  store: Store;
  provider: Provider;
  schemaFile: SchemaFile;
  redactor: Redactor;
  log: Log;
  policy: Policy;
  /** The target as the operator configured it for the document in force. */
  target(): Target;
  /** The transport of a kind, loaded when first used; undefined for a kind the daemon does not know. */
  transport(kind: string): Promise<Transport | undefined>;
  version: string;
  maxIterations: number;
  /** Wall clock of one turn, milliseconds; time spent waiting for a person counts too. */
  turnTimeoutMs: number;
  /** Turns and direct calls running at once. */
  maxTurns: number;
  /** Prompts waiting in one session. */
  maxQueue: number;
  confirmationTtlMs: number;
  /** Ends what the parts hold open (connections, the lock). */
  onClose(): Promise<void>;
}

/** The parts that a reload of the configuration replaces. */
export type ReloadableParts = Pick<
  AgentParts,
  "provider" | "schemaFile" | "policy" | "target" | "maxIterations" | "turnTimeoutMs"
>;

/** The parts, and the state that prompts, calls and decisions share. */
export interface AgentContext extends AgentParts {
  turnQueue: TurnQueue;
  sessions: Sessions;
  confirmations: Confirmations;
  unsavedTurns: UnsavedTurns;
  argumentChecks: ArgumentChecks;
}

/** What preparing a call needs. */
export interface PrepareContext {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly redactor: Redactor;
  readonly target: Target;
  readonly argumentChecks: ArgumentChecks;
  transport(kind: string): Promise<Transport | undefined>;
  /** The transport of the daemon's own tools; without it they are unknown. */
  readonly builtinTransport?: Transport;
}

/** What sending a prepared call needs. */
export interface SendContext {
  readonly store: Store;
  readonly redactor: Redactor;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** What one call needs, from being found to being recorded. */
export interface CallContext extends PrepareContext, SendContext {
  readonly confirmations: Confirmations;
  /** "" when the call belongs to no session. */
  readonly session_id: string;
  /** "" when the call belongs to no turn. */
  readonly turn_id: string;
  /** Names for the record; "" when no model asked for the call. */
  readonly provider: string;
  readonly model: string;
  readonly client: string;
  /** Whether the client can answer a confirmation while the call waits. */
  readonly interactive: boolean;
}

/** What one turn needs beside its calls. */
export interface TurnContext extends CallContext {
  readonly modelProvider: Provider;
  readonly systemPrompt: string;
  readonly prompt: string;
  /** What the model saw before this turn, the prompt itself included. */
  readonly earlierMessages: readonly Message[];
  /** Filled as the turn goes on: what this turn adds to the session, so that nothing is lost when it throws. */
  readonly newMessages: Message[];
  /** Results cut for the model. */
  readonly results: SessionResults;
  readonly maxIterations: number;
  readonly onModelCall: PromptOptions["onModelCall"];
}
