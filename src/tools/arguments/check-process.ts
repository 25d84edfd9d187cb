// Checks that may take any time or memory, in processes of their own. A process and not a thread: one large allocation beyond a
// thread's limit makes V8 end the whole program. Started when first needed, kept for the next checks, never keeps the daemon alive.
import { type ChildProcess, fork } from "node:child_process";
import { serialize } from "node:v8";
import type { JsonObject } from "../../lib/json.js";
import { programOf } from "../../lib/package.js";
import type { CheckedArguments } from "./validate.js";

/** One check, as a process is asked for it. */
export interface CheckRequest {
  /** Which schema. */
  id: number;
  /** The schema, serialised; left out when the process knows the id. */
  schema?: Uint8Array | undefined;
  arguments: JsonObject;
  strict: boolean;
}

/** What a process answers: "fits" for arguments that are valid as they are, "late" when the check took longer than it may. */
export type CheckAnswer = CheckedArguments | "fits" | "late";

/** What a process sends when a check had less of the processor than its time, and begins anew. */
export const AGAIN = "again";

/** What a process sends first, when it is able to check. */
export const READY = "ready";

/** Milliseconds a check may take, the compiling of its schema included: ten times what the largest of good faith take. */
export const CHECK_MS = 2_000;
/** Milliseconds that a check may take by the clock when others have the processor meanwhile. */
export const MAX_CHECK_MS = 8_000;
/** Milliseconds after which a process is ended that does not even say that it is late: it is out of memory, or in a function that cannot be stopped. */
const SILENCE_MS = 1_000;
/** Milliseconds a process may take to start: it does in a fifth of a second, on a machine that has time. */
const START_MS = 20_000;
/** Milliseconds a check may wait for others before it. */
const MAX_WAIT_MS = 10_000;
/** What a process may take of memory: a check of good faith takes some 10 MB. */
const MAX_HEAP_MB = 256;
/** What a process may take of the stack: half of what systems give. A description of 2,000 properties takes more than V8 does by itself. */
const STACK_KB = 3_900;
/** Schemas that a process keeps compiled. */
const MOST_SCHEMAS = 32;
/** Milliseconds that an idle process is kept. */
const IDLE_MS = 60_000;

const PROGRAM = programOf("tools/arguments/validate-child");

/** The next message of a process; "late" when none arrives in time, undefined when the process ends. */
function nextMessage(child: ChildProcess, withinMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = (message?: unknown): void => {
      clearTimeout(timer);
      child.off("message", finish).off("exit", onEnd).off("error", onEnd);
      resolve(message);
    };
    const onEnd = (): void => finish();
    // Keeps a command alive that waits for nothing else.
    // A message that has arrived is read after the timers that are due: one turn later it is known that there is none.
    const timer = setTimeout(() => setImmediate(finish, "late"), withinMs);
    child.on("message", finish).on("exit", onEnd).on("error", onEnd);
  });
}

/** One process, with the schemas it knows. */
class CheckProcess {
  private readonly child: ChildProcess;
  private readonly ready: Promise<unknown>;
  private readonly known = new Set<number>();

  constructor() {
    this.child = fork(PROGRAM.file, [], {
      execArgv: [...PROGRAM.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`, `--stack-size=${STACK_KB}`],
      // No environment: it may hold keys, and the process needs none.
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // What it fails with is seen by the check it was making.
    this.child.on("error", () => {});
    this.ready = nextMessage(this.child, START_MS);
    this.child.unref();
    this.child.channel?.unref();
  }

  /** Whether it can take this schema without keeping too many. */
  hasRoomFor(id: number): boolean {
    return this.known.size < MOST_SCHEMAS || this.known.has(id);
  }

  /** The answer of the process; undefined when it has ended. */
  async ask(request: CheckRequest): Promise<CheckAnswer | undefined> {
    if ((await this.ready) !== READY || !this.child.connected) return undefined;
    const answer = nextMessage(this.child, CHECK_MS + SILENCE_MS);
    // A process that ends now is noticed by what waits for its answer.
    this.child.send(this.known.has(request.id) ? { ...request, schema: undefined } : request, () => {});
    this.known.add(request.id);
    const said = (await answer) as CheckAnswer | typeof AGAIN | undefined;
    if (said !== AGAIN) return said;
    return (await nextMessage(this.child, MAX_CHECK_MS + SILENCE_MS)) as CheckAnswer | undefined;
  }

  end(): void {
    this.child.kill("SIGKILL");
  }
}

/** A process and the checks that wait for it, one after the other. */
export class CheckQueue {
  private process: CheckProcess | undefined;
  private tail: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * Makes a check when its turn comes; "skipped" when that comes too late, or it is not to be made here any more. Undefined when it
   * could not be made, in its time and its memory. Never rejects.
   */
  check(
    request: CheckRequest,
    isToSkip: () => boolean = () => false,
  ): Promise<CheckedArguments | "skipped" | undefined> {
    const start = performance.now();
    const answer = this.tail
      .then(async () => (isToSkip() || performance.now() - start > MAX_WAIT_MS ? "skipped" : this.run(request)))
      // No memory for a process, or for what it is sent: the checks behind it are made all the same.
      .catch(() => undefined);
    this.tail = answer;
    return answer;
  }

  close(): void {
    this.isClosed = true;
    this.end();
  }

  private async run(request: CheckRequest): Promise<CheckedArguments | undefined> {
    clearTimeout(this.idle);
    const wasUsed = this.process !== undefined;
    let answer = await this.attempt(request);
    // It may have died of what earlier checks left in it.
    if (!answer && wasUsed) answer = await this.attempt(request);
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
    if (answer === "fits") return { kind: "valid", arguments: request.arguments };
    return answer === "late" ? undefined : answer;
  }

  private async attempt(request: CheckRequest): Promise<CheckAnswer | undefined> {
    if (this.isClosed) return undefined;
    if (!this.process?.hasRoomFor(request.id)) this.end();
    this.process ??= new CheckProcess();
    const answer = await this.process.ask(request);
    if (!answer || answer === "late") this.end();
    return answer;
  }

  private end(): void {
    clearTimeout(this.idle);
    this.process?.end();
    this.process = undefined;
  }
}

/** A schema in the form that a process is sent. */
export function serialized(schema: JsonObject): Uint8Array {
  return serialize(schema);
}
