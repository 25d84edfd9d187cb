// What the rooms behind the front desk share: the parts an agent is made of and the state they keep together.

import type { Target, Transport } from "../applications/transport.js";
import type { Policy } from "../domain/policy.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";
import type { Provider } from "../providers/provider.js";
import type { Store } from "../store/store.js";
import type { SchemaFile } from "../tools/schema-file.js";
import type { Confirmations } from "./held-calls.js";
import type { Sessions } from "./sessions.js";
import type { Lanes } from "./turn-queue.js";
import type { Unsaved } from "./unsaved-turns.js";

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
  transport(kind: string): Promise<Transport | undefined>;
  version: string;
  maxIterations: number;
  /** Wall clock of one turn, milliseconds; time spent waiting for a person counts too. */
  turnTimeoutMs: number;
  maxTurns: number;
  maxQueue: number;
  confirmationTtlMs: number;
  /** Ends what the parts hold open (connections, the lock). */
  onClose(): Promise<void>;
}

/** What the rooms of an agent share. */
export interface Desk extends AgentParts {
  lanes: Lanes;
  sessions: Sessions;
  confirmations: Confirmations;
  unsaved: Unsaved;
}

/** An address without the user and password it may carry. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = "";
  url.password = "";
  return url.href;
}
