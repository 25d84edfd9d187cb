// SIGHUP while a daemon runs: configuration, secrets and documents are read again and put in force, all of it or nothing.
// Source: docs/reference.md, "Starting and stopping".
import { changesBetween } from "../../config/changes.js";
import { refuseUnsafeListener, type Settings } from "../../config/settings.js";
import { messageOf } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import type { Log } from "../../lib/log.js";

/** What a reload works on. */
interface ReloadContext {
  /** The settings the daemon was started with. */
  initial: Settings;
  log: Log;
  /** Reads all sources again. Throws StartError. */
  load(): Promise<Settings>;
  /** Puts settings in force and gives the modes in force then. Throws StartError before anything is changed. */
  apply(settings: Settings): Promise<Policy>;
}

/** What a reload may not take away or cannot change stays: the token, and the address. */
function allowedFrom(now: Settings, read: Settings, log: Log): Settings {
  const token = read.token ?? now.token;
  if (read.token === undefined && token !== undefined)
    log.warn({}, "a reload does not take the token away; restart agentd to do so");
  const { host, port } = now;
  const next = { ...read, host, port };
  return token === undefined ? next : { ...next, token };
}

/** The modes that are on although they are off in what was read. */
const keptModes = (inForce: Policy, read: Policy): string[] =>
  Object.entries(inForce).flatMap(([mode, on]) => (on && !read[mode as keyof Policy] ? [mode] : []));

/** A function that reloads; calls wait for each other. Never rejects: what cannot be used is logged, and the old stays. */
export function createReload({ initial, log, load, apply }: ReloadContext): () => Promise<void> {
  let now = initial;
  let running = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      const read = await load();
      const { waiting } = changesBetween(initial, read);
      if (waiting.length > 0) log.warn({ settings: waiting }, "changed settings that only a restart puts in force");
      const next = allowedFrom(now, read, log);
      const loud = refuseUnsafeListener(next);
      const policy = await apply(next);
      const modes = keptModes(policy, read.policy);
      if (modes.length > 0) log.warn({ modes }, "a reload turns no safety mode off; restart agentd to do so");
      for (const warning of [...(loud ? [loud] : []), ...next.warnings]) log.warn({}, warning);
      const after = { ...next, policy };
      log.info({ settings: changesBetween(now, after).reloaded }, "configuration, secrets and documents reloaded");
      now = after;
    } catch (error) {
      log.error({ cause: messageOf(error) }, "the new configuration cannot be used; the old one stays in force");
    }
  };
  return () => (running = running.then(reload));
}
