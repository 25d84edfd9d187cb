// What starts programs when a person signs in and starts them again when they fail: systemd or launchd, behind one interface.
// Types only. Source: docs/reference.md, "A service of the account".

/** What a service runs. Paths are absolute; no secret is among them. */
export interface ServiceDefinition {
  /** Of the service: `agentd`, or `agentd-NAME`. */
  name: string;
  node: string;
  /** The program's main file. */
  program: string;
  dataDir: string;
}

/** Whether a service is there, as its manager says. */
interface ServiceState {
  isEnabled: boolean;
  isActive: boolean;
  /** The manager's own word: "active", "failed" … */
  word: string;
}

/** The manager of one service. Its methods throw StartError with the sentence of the manager's program. */
export interface ServiceManager {
  /** What it is called: "systemd". */
  kind: string;
  /** The file that describes the service. */
  file: string;
  /** Where NAME=value lines for its environment stand; undefined where there is no such file. */
  environmentFile: string | undefined;
  text(definition: ServiceDefinition): string;
  /** Whether a text describes a service of this data directory. */
  isFor(text: string, dataDir: string): boolean;
  /** Whether it can be asked; not so in a container, or for an account that is not signed in. */
  isReachable(): boolean;
  /** Reads the file again, starts the service now and with every sign-in. */
  start(): void;
  /** Stops the service, now and for later. */
  stop(): void;
  /** After the file was removed. */
  forget(): void;
  state(): ServiceState;
  /** For a person, where it cannot be asked, and for later. */
  commands: { start: string; stop: string; log: string; afterSignOut?: string };
}
