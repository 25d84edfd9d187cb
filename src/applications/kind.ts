// What a kind of application brings along. One folder holds what describes such an application and what calls it, because both
// share a format; src/applications/kinds.ts lists them.
import type { Implied, TransportDescription } from "../domain/schema-document.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";
import type { Source } from "./source.js";
import type { Transport } from "./transport.js";

/** What a transport may use of the process it runs in. */
export interface TransportContext {
  /** Learns secrets that come up while calling, and cleans what is quoted. */
  redact: Redactor;
  /** Where the rows of long answers are set aside. */
  spoolFolder: string;
  /** Where the sign-ins of a person are. */
  dataDir: string;
  /** Gets what the commands that give secrets complain about. */
  log: Log;
}

/** A way to describe and call applications. Sources and transports are loaded when they are used: a start must not pay for them. */
export interface ApplicationKind {
  /** `transport.kind` of its actions. */
  readonly kind: string;
  /** What `agentd sync` reads, by the name of the description. */
  readonly sources: Readonly<Record<string, () => Promise<Source>>>;
  readonly openTransport: (context: TransportContext) => Promise<Transport>;
  /** Safety and verb of an action whose document names none. */
  readonly implied: (transport: TransportDescription) => Implied;
}
