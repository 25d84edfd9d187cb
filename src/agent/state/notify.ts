// Tells a person's own webhook or command that a call waits for confirmation: what and where, never its arguments. Beside the turn:
// nothing waits for it, and a failure is a line in the log. Source: docs/reference.md, "Being told of confirmations".

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../domain/error.js";
import type { Confirmation } from "../../domain/record.js";
import { openConnections } from "../../lib/connections.js";
import { dispatch } from "../../lib/http-exchange.js";
import { stringOf } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { killGroup } from "../../lib/process-group.js";

/** Who is told. */
interface NotifySettings {
  url?: string | undefined;
  /** Of requests to `url`. */
  headers: Record<string, string>;
  /** The program and its arguments; none when it is empty. */
  command: readonly string[];
}

/** Tells of held calls. */
export interface Notifier {
  /** Returns at once; never throws. */
  tell(held: Confirmation): void;
  /** Puts other settings in force, for what is held from now on. */
  use(settings: NotifySettings): void;
  /** Ends what is under way, with the processes that were started. */
  close(): void;
}

/** Of one attempt; a webhook answers in a second. */
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 1_000;
/** Notices under way at once; more wait. */
const MAX_AT_ONCE = 8;
/** Notices that wait; more are dropped: nobody reads so many, and `GET /-/confirmations` has them all. */
const MAX_WAITING = 256;

/** What a command may know of this process: where programs and the desktop are, and no secret. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TERM|DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SystemRoot)$/;

function messageFor({ id, request, tool, application, session_id, expires_at }: Confirmation): string {
  const method = stringOf(request["method"]);
  return JSON.stringify({ event: "confirmation_required", id, method, tool, application, session_id, expires_at });
}

async function post(url: string, headers: Record<string, string>, sent: { body: string; signal: AbortSignal }) {
  const { origin, pathname, search } = new URL(url);
  const { body, signal } = sent;
  // Notices are rare: the connection is closed once one has been told.
  const connections = await openConnections({});
  try {
    const exchange = dispatch(await connections.wayTo(origin), {
      origin,
      path: pathname + search,
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    const abort = (): void => exchange.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const { status, body: answer } = await exchange.answer.finally(() => signal.removeEventListener("abort", abort));
    answer.destroy();
    if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
  } finally {
    await connections.destroy();
  }
}

async function run(command: readonly string[], { body, signal }: { body: string; signal: AbortSignal }): Promise<void> {
  signal.throwIfAborted();
  const [program = "", ...args] = command;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  // A process group of its own, so that all of it can be ended.
  const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "ignore"], detached: true });
  // Not started: there are no streams.
  if (child.pid === undefined) throw (await once(child, "error"))[0];
  const end = (): void => killGroup(child);
  signal.addEventListener("abort", end, { once: true });
  try {
    // One that does not read it is not at fault.
    child.stdin.on("error", () => {}).end(`${body}\n`);
    const [code, killedBy] = (await once(child, "exit")) as [number | null, string | null];
    signal.throwIfAborted();
    if (code !== 0) throw new Error(killedBy === null ? `it ended with code ${code}` : `it was ended by ${killedBy}`);
  } finally {
    signal.removeEventListener("abort", end);
    // Also what it left in the background: only so is nothing left when the daemon stops.
    end();
  }
}

/** A notifier without settings tells nobody. */
export function createNotifier(log: Log): Notifier {
  return new QueuedNotifier(log);
}

type Notice = (signal: AbortSignal) => Promise<void>;

class QueuedNotifier implements Notifier {
  private readonly log: Log;
  private readonly closing = new AbortController();
  private readonly waiting: Notice[] = [];
  /** Those whose last notice failed: said once, until one arrives again. */
  private readonly failing = new Set<string>();
  private settings: NotifySettings = { headers: {}, command: [] };
  private running = 0;

  constructor(log: Log) {
    this.log = log;
  }

  use(settings: NotifySettings): void {
    this.settings = settings;
    this.failing.clear();
  }

  tell(held: Confirmation): void {
    const { url, headers, command } = this.settings;
    const body = messageFor(held);
    if (url !== undefined) this.add("notify.url", (signal) => post(url, headers, { body, signal }));
    if (command.length > 0) this.add("notify.command", (signal) => run(command, { body, signal }));
  }

  close(): void {
    this.waiting.length = 0;
    this.closing.abort();
  }

  private add(what: string, send: Notice): void {
    if (this.waiting.length >= MAX_WAITING) {
      this.fail(what, "too many notices wait; this one is dropped");
      return;
    }
    this.waiting.push(async () => {
      try {
        await this.twice(send);
        this.failing.delete(what);
      } catch (error) {
        this.fail(what, messageOf(error));
      }
    });
    this.next();
  }

  /** One attempt, and a second one when it fails. */
  private async twice(send: Notice): Promise<void> {
    const { signal } = this.closing;
    const attempt = (): Promise<void> => send(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    try {
      await attempt();
    } catch {
      await pause(RETRY_AFTER_MS, undefined, { signal });
      await attempt();
    }
  }

  private next(): void {
    while (this.running < MAX_AT_ONCE) {
      const notice = this.waiting.shift();
      if (!notice) return;
      this.running++;
      void notice(this.closing.signal).finally(() => {
        this.running--;
        this.next();
      });
    }
  }

  private fail(what: string, cause: string): void {
    if (this.closing.signal.aborted || this.failing.has(what)) return;
    this.failing.add(what);
    this.log.warn(
      { what, cause },
      `${what}: nobody could be told of a call that waits for confirmation; this is said once`,
    );
  }
}
