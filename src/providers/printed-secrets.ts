// Keys and header values that commands print. A wire is made with a stand-in for each, which is replaced when a request is sent:
// the vendors' packages take a key once and for all.
import { randomUUID } from "node:crypto";
import type { CommandSecret } from "../config/command-secret.js";
import { NOT_IN_HEADERS, passingParts } from "../config/secret.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";

type Headers = Record<string, string>;

/** Headers that can be sent. */
interface FilledHeaders {
  headers: Headers;
  /** What was printed, by the stand-ins. */
  printed: ReadonlyMap<string, string>;
}

/** What hears of the secrets, and of what their commands complain about. */
export interface SecretsContext {
  redactor: Pick<Redactor, "learn">;
  log: Pick<Log, "warn">;
}

/** The secrets of one provider. */
export interface PrintedSecrets {
  /** What a wire is given for a value. */
  standIn(value: string | CommandSecret): string;
  /** Headers with the secrets in them. Throws HelperError, and the signal's reason. */
  fill(headers: Headers, signal: AbortSignal): Promise<FilledHeaders>;
  /** The same after these were refused; undefined where no command prints anything else. Throws as above. */
  renew(headers: Headers, refused: FilledHeaders, signal: AbortSignal): Promise<FilledHeaders | undefined>;
}

/** What a promise becomes, until the signal: then its reason is thrown. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Without a context the secrets are known to the wire alone. */
export function createPrintedSecrets(context?: SecretsContext): PrintedSecrets {
  const commands = new Map<string, CommandSecret>();
  const learn = context ? passingParts(context.redactor) : () => {};
  const listener = { learn, log: context?.log ?? { warn() {} } };

  async function print([standIn, command]: [string, CommandSecret]): Promise<[string, string]> {
    const text = await command.text(listener);
    if (NOT_IN_HEADERS.test(text)) throw command.fault("it printed a character that no HTTP header can carry");
    return [standIn, text];
  }

  async function fill(headers: Headers, signal: AbortSignal): Promise<FilledHeaders> {
    if (commands.size === 0) return { headers, printed: new Map() };
    const printed = await untilAborted(Promise.all([...commands].map(print)), signal);
    const filled = (value: string): string =>
      printed.reduce((text, [standIn, secret]) => text.replace(standIn, () => secret), value);
    const entries = Object.entries(headers).map(([name, value]) => [name, filled(value)]);
    return { headers: Object.fromEntries(entries), printed: new Map(printed) };
  }

  return {
    standIn(value) {
      if (typeof value === "string") return value;
      const text = `printed-${randomUUID()}`;
      commands.set(text, value);
      return text;
    },
    fill,
    async renew(headers, refused, signal) {
      for (const [standIn, text] of refused.printed) commands.get(standIn)?.drop(text);
      if (refused.printed.size === 0) return undefined;
      const again = await fill(headers, signal);
      return [...again.printed].some(([standIn, text]) => refused.printed.get(standIn) !== text) ? again : undefined;
    },
  };
}
