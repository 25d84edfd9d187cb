// Secrets that a helper prints when they are needed, such as `vault` or a cloud's own tool: kept until they expire or are refused.
// Source: docs/configuration.md, "Secrets from a command". Smaller than kubectl's exec credentials and AWS's credential_process, which
// answer in an envelope of their own; their fields can be picked by `jq`.

import { runHelper } from "../lib/helper.js";
import { isObject, type JsonObject } from "../lib/json.js";
import type { Log } from "../lib/log.js";

/** A secret is not used in its last seconds: the call would arrive after it expired. */
const EARLY_MS = 10_000;

/** The helper gave no secret; the message holds nothing of what it printed. */
export class HelperError extends Error {
  /** What it complained of; not redacted. */
  stderr = "";
}

/** What hears of a secret before anything else does, and of what a helper complains about. */
interface SecretListener {
  learn(secret: string): void;
  log: Pick<Log, "warn">;
}

interface HeldSecret {
  text: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** Of what a helper printed that failed, what is kept out of its complaints. */
const MAX_LEARNED_CHARS = 4_096;
const FOREVER = Number.POSITIVE_INFINITY;

function expiryOf({ expires_at: at, expires_in: seconds }: JsonObject, now: number): number {
  if (at === undefined && seconds === undefined) return FOREVER;
  const expires =
    at === undefined ? now + Number(seconds) * 1000 : typeof at === "number" ? at * 1000 : Date.parse(String(at));
  if (Number.isNaN(expires)) throw new HelperError("its expires_at or expires_in is no time");
  return expires - EARLY_MS;
}

/** What a helper printed: the secret itself, or an object with it and its expiry. Throws HelperError. */
function parseOutput(output: string, now: number): HeldSecret {
  const text = output.trim();
  if (text === "") throw new HelperError("it printed nothing");
  if (!text.startsWith("{")) return { text, expires: FOREVER };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new HelperError("it printed an object that is not JSON");
  }
  const secret = isObject(parsed) ? (parsed["token"] ?? parsed["value"]) : undefined;
  if (!isObject(parsed) || typeof secret !== "string" || secret.trim() === "")
    throw new HelperError('it printed an object without "token" or "value"');
  return { text: secret.trim(), expires: expiryOf(parsed, now) };
}

/** The environment of a helper: ours without what is agentd's own, its token above all. */
const helperEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTD_")));

/** One secret and the helper behind it. */
export class CommandSecret {
  /** Compared when the configuration is read again. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly #place: string;
  readonly #cwd: string;
  #held: HeldSecret | undefined;
  #running: Promise<HeldSecret> | undefined;

  /** `place` is where it stands, for messages; the helper runs in the folder `cwd`. */
  constructor(
    place: string,
    { command, timeoutMs, cwd }: { command: readonly string[]; timeoutMs: number; cwd: string },
  ) {
    this.command = command;
    this.timeoutMs = timeoutMs;
    this.#place = place;
    this.#cwd = cwd;
  }

  /** The secret, from the helper when none is held or it has expired; callers at once share one run. Throws HelperError. */
  async text(listener: SecretListener): Promise<string> {
    if (this.#held && this.#held.expires > Date.now()) return this.#held.text;
    this.#running ??= this.#run(listener).finally(() => {
      this.#running = undefined;
    });
    this.#held = await this.#running;
    return this.#held.text;
  }

  /** Forgets a secret that was refused, unless another one is held by now. */
  drop(text: string): void {
    if (this.#held?.text === text) this.#held = undefined;
  }

  /** Why the helper's secret cannot be used, as an error that names it. */
  fault(reason: string, stderr = ""): HelperError {
    const error = new HelperError(`the command of ${this.#place} (${this.command[0]}) gave no secret: ${reason}`);
    error.stderr = stderr;
    return error;
  }

  async #run({ learn, log }: SecretListener): Promise<HeldSecret> {
    const { command, timeoutMs } = this;
    const { stdout, stderr, failure } = await runHelper({ command, timeoutMs, cwd: this.#cwd, env: helperEnv() });
    try {
      if (failure !== undefined) {
        // It may complain of the secret itself.
        learn(stdout.slice(0, MAX_LEARNED_CHARS));
        throw new HelperError(failure);
      }
      const held = parseOutput(stdout, Date.now());
      learn(held.text);
      return held;
    } catch (error) {
      throw error instanceof HelperError ? this.fault(error.message, stderr) : error;
    } finally {
      if (stderr !== "") log.warn({ setting: this.#place, stderr }, "a command that gives a secret complained");
    }
  }
}
