// While a daemon runs its configuration and secrets are read again, on SIGHUP (then documents, too) and when one of their files has
// changed, and put in force, all of it or nothing.
// Source: docs/reference.md, "Starting and stopping".
import { changesBetween } from "../../config/changes.js";
import { refuseUnsafeListener, type Settings } from "../../config/settings.js";
import { messageOf } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import type { Log } from "../../lib/log.js";
import { ReadFiles } from "../../lib/read-files.js";
import { keptRules, rulesSince } from "../../tools/permissions.js";

/** What a reload works on. */
interface ReloadContext {
  /** The settings the daemon was started with. */
  initial: Settings;
  log: Log;
  /** The files they were made from. */
  read: ReadFiles;
  /** Reads all sources again, and notes their files. Throws StartError. */
  load(files: ReadFiles): Promise<Settings>;
  /** Puts settings in force and gives the modes in force then. Throws StartError before anything is changed. */
  apply(settings: Settings): Promise<Policy>;
}

type Tokens = Settings["tokens"];

/** The tokens that were read; one that could only read, known by its name or its secret, goes on so. */
function tightTokens(now: Tokens, read: Tokens, log: Log): Tokens {
  const limited = Object.values(now).flatMap(({ token, readOnly }) => (readOnly ? [token] : []));
  const kept = Object.entries(read).flatMap(([name, { token, readOnly }]) =>
    !readOnly && (now[name]?.readOnly === true || limited.includes(token)) ? [name] : [],
  );
  if (kept.length === 0) return read;
  log.warn({ tokens: kept }, "a reload lets no read-only token change anything; restart agentd to do so");
  const tight = kept.flatMap((name) => (read[name] ? [[name, { ...read[name], readOnly: true }] as const] : []));
  return { ...read, ...Object.fromEntries(tight) };
}

/** What a reload may not take away or cannot change stays: the token, the last of the named ones, and the address. */
function allowedFrom(now: Settings, read: Settings, log: Log): Settings {
  const token = read.token ?? now.token;
  if (read.token === undefined && token !== undefined)
    log.warn({}, "a reload does not take the token away; restart agentd to do so");
  const isLast = token === undefined && Object.keys(read.tokens).length === 0 && Object.keys(now.tokens).length > 0;
  if (isLast) log.warn({}, "a reload does not take the last tokens away; restart agentd to do so");
  const { host, port, listen } = now;
  const { listen: _, ...rest } = read;
  const tokens = isLast ? now.tokens : tightTokens(now.tokens, read.tokens, log);
  const next: Settings = { ...rest, host, port, tokens, ...(listen !== undefined && { listen }) };
  return token === undefined ? next : { ...next, token };
}

/** The modes that are on although they are off in what was read. */
const keptModes = (inForce: Policy, read: Policy): string[] =>
  Object.entries(inForce).flatMap(([mode, on]) => (on && !read[mode as keyof Policy] ? [mode] : []));

/** Why the configuration is read again. */
type Cause = "signal" | "change";

/** What reloads. */
interface Reload {
  /** Calls wait for each other. Never rejects: what cannot be used is logged, and the old stays. */
  run(cause: Cause): Promise<void>;
  /** The files to be followed: those of the last attempt, and while that one cannot be used those in force, too. */
  files(): ReadFiles;
}

/** Reloads what `initial` was read from. */
export function createReload({ initial, log, read: readAtFirst, load, apply }: ReloadContext): Reload {
  let now = initial;
  let rules = rulesSince([], initial);
  let files = readAtFirst;
  /** Said once, however often what is wrong is written anew. */
  let said: string | undefined;
  let running = Promise.resolve();
  const reload = async (cause: Cause): Promise<void> => {
    const next = new ReadFiles();
    try {
      const read = await load(next);
      // Written meanwhile: of two files, one may be the old and one the new. The next look finds both.
      if (cause === "change" && (await next.now()) !== next.asRead()) return;
      await putInForce(read);
      said = undefined;
    } catch (error) {
      next.follow(files);
      const reason = messageOf(error);
      if (cause === "signal" || reason !== said)
        log.error({ cause: reason }, "the new configuration cannot be used; the old one stays in force");
      said = reason;
    }
    files = next;
  };
  const putInForce = async (read: Settings): Promise<void> => {
    const { waiting } = changesBetween(initial, read);
    if (waiting.length > 0) log.warn({ settings: waiting }, "changed settings that only a restart puts in force");
    const next = allowedFrom(now, read, log);
    const loud = refuseUnsafeListener(next);
    const policy = await apply(next);
    const modes = keptModes(policy, read.policy);
    if (modes.length > 0) log.warn({ modes }, "a reload turns no safety mode off; restart agentd to do so");
    const kept = keptRules(rules, next);
    if (kept.length > 0) log.warn({ rules: kept }, "a reload loosens no permission; restart agentd to do so");
    rules = rulesSince(rules, next);
    for (const warning of [...(loud ? [loud] : []), ...next.warnings]) log.warn({}, warning);
    const after = { ...next, policy };
    const isKept = (name: string): boolean => kept.some((rule) => rule.startsWith(`${name}.`));
    const reloaded = changesBetween(now, after).reloaded.filter((name) => !isKept(name));
    log.info({ settings: reloaded }, "configuration, secrets and documents reloaded");
    now = after;
  };
  return { run: (cause) => (running = running.then(() => reload(cause))), files: () => files };
}
