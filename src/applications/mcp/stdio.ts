// The transport over the standard streams of a program: one child in a process group of its own, with no other environment than it
// is given, ended when this process ends however it ends. What it prints is taken within bounds; what it complains about is logged.
import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport as Wire } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { messageOf } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { programOf } from "../../lib/package.js";
import { killGroup } from "../../lib/process-group.js";
import type { ServerProgram } from "../transport.js";
import { ServerFailure } from "./failures.js";
import { FLOOD, FloodGate } from "./flood.js";
import { createLines } from "./lines.js";
import { answeredBy, isAnswer, lostAnswer, MAX_MESSAGE_BYTES, membersOf, parseMessage } from "./message.js";

/** Milliseconds that a child gets to end by itself, and again when it was asked to. */
const END_MS = 1_000;
/** Milliseconds for what a child printed before its end. */
const LAST_WORDS_MS = 500;
/** Bytes of lines that are no messages: a server that prints more speaks another language. */
const MAX_NOISE_BYTES = 256 * 1024;
/** Bytes that a child has been sent and has not read. */
const MAX_UNREAD_BYTES = 2 * MAX_MESSAGE_BYTES;
/** Characters of one line of the log, and lines in a minute. */
const MAX_LOGGED = 1_000;
const MAX_LOGGED_LINES = 100;
const MINUTE_MS = 60_000;
/** Characters of what a child complained about last, to say why it ended. */
const MAX_COMPLAINT = 400;
/** A warning of Node, in which many servers are written, and its second line: neither says why one ended. */
const NODE_WARNING = /^\(node:\d+\) |^\(Use `node --trace-/;

interface StdioOptions {
  program: ServerProgram;
  /** Gets what the program prints beside its messages. */
  log: Pick<Log, "info" | "warn">;
  /** Name of the application, for the log. */
  application: string;
}

/** What a child writes to its stderr, line by line into the log, so many lines a minute. */
function createComplaints({ log, application }: Omit<StdioOptions, "program">): (line: string) => void {
  let since = 0;
  let count = 0;
  return (line) => {
    const now = performance.now();
    if (now - since > MINUTE_MS) [since, count] = [now, 0];
    count++;
    if (count <= MAX_LOGGED_LINES) log.info({ application, stderr: line.slice(0, MAX_LOGGED) }, "an MCP server says");
    else if (count === MAX_LOGGED_LINES + 1)
      log.warn({ application }, "an MCP server says more than is logged; the rest of this minute is left out");
  };
}

/** A program that speaks MCP. What is wrong with it is `fault` once it is over. */
export class StdioWire implements Wire {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Wire["onmessage"];
  /** Why it ended, and whether it was asked to. */
  fault: string | undefined;
  readonly stderr = null;
  readonly #options: StdioOptions;
  #child: ChildProcess | undefined;
  #isOver = false;
  #lastComplaint = "";
  #noise = 0;
  readonly #gate = new FloodGate();
  /** Requests without an answer, by their ids as texts. */
  readonly #open = new Set<string>();

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** Of the process group; null while there is none. With `stderr` it tells the SDK what kind of transport this is. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, folder, environment } = this.#options.program;
    const guard = programOf("lib/child-guard");
    const child = spawn(process.execPath, [...guard.execArgv, guard.file, folder, ...command], {
      env: { ...getDefaultEnvironment(), ...environment },
      // A group of its own, so that it ends with all it started.
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.#listen(child);
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", (error) => reject(new ServerFailure("connection_failed", error.message, { cause: error })));
    });
  }

  #listen(child: ChildProcess): void {
    const complain = createComplaints(this.#options);
    const onTooLong = (): void => this.#fail(`it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    const onLine = (line: string): void => this.#take(line);
    child.stdin?.on("error", () => {});
    child.stdio[3]?.on("error", () => {});
    child.stdout?.on("data", createLines({ maxBytes: MAX_MESSAGE_BYTES, onLine, onTooLong }));
    const onComplaint = (line: string): void => {
      if (line.trim() !== "" && !NODE_WARNING.test(line)) this.#lastComplaint = line.trim().slice(0, MAX_COMPLAINT);
      complain(line);
    };
    // What is longer than a line of the log is no line.
    const stderr = createLines({ maxBytes: MAX_NOISE_BYTES, onLine: onComplaint, onTooLong: () => {} });
    child.stderr?.on("data", stderr);
    child.once("exit", (code) => {
      // What it left running goes with it, and may hold its output open.
      killGroup(child);
      this.fault ??= code === null ? "the server was ended" : `the server ended with ${code}`;
      const over = (): void => {
        if (this.#lastComplaint !== "" && !this.#isOver) this.fault += ` (${this.#lastComplaint})`;
        setImmediate(() => this.#over());
      };
      // What it printed last is still on its way; what left its group may hold the stream open.
      const timer = setTimeout(over, LAST_WORDS_MS);
      child.once("close", () => {
        clearTimeout(timer);
        over();
      });
    });
  }

  #take(line: string): void {
    if (this.#isOver || line.trim() === "") return;
    if (this.#gate.bytes(line.length)) {
      this.#fail(FLOOD);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseMessage(line);
    } catch (error) {
      const id = answeredBy(line);
      this.#noise += line.length;
      // The call must not wait for what has come.
      if (id !== undefined && this.#open.delete(String(id)))
        this.onmessage?.(lostAnswer(id, `the server's answer cannot be read (${messageOf(error)})`));
      else if (this.#noise > MAX_NOISE_BYTES) this.#fail("it prints what is no MCP message");
      else this.onerror?.(error as Error);
      return;
    }
    // What answers nothing was not asked for either.
    if (isAnswer(message) && this.#open.delete(String(membersOf(message)["id"]))) {
      this.#noise = 0;
      this.#gate.answered();
    } else if (this.#gate.message()) {
      this.#fail(FLOOD);
      return;
    }
    // An answer comes behind what was said before it, which the SDK takes a moment later.
    if (isAnswer(message)) setImmediate(() => this.onmessage?.(message));
    else this.onmessage?.(message);
  }

  /** Ends a child that does not keep to the protocol. */
  #fail(reason: string): void {
    if (this.#isOver) return;
    this.fault = `${reason}, and was ended`;
    if (this.#child) killGroup(this.#child);
    this.#over();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#isOver || !stdin?.writable)
      return Promise.reject(new ServerFailure("connection_closed", this.fault ?? "the server is not running"));
    const { id, method } = membersOf(message);
    if (id !== undefined && method !== undefined) this.#open.add(String(id));
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      this.#fail("it does not read what it is sent");
      return Promise.reject(new ServerFailure("connection_closed", this.fault ?? "", { mayBeDone: true }));
    }
    // The end of a child is noticed by its exit.
    stdin.write(`${toJson(message)}\n`, () => {});
    return Promise.resolve();
  }

  /** Closes its input, then asks it to end, then ends it. */
  async close(): Promise<void> {
    const child = this.#child;
    this.fault ??= "the connection was closed";
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return this.#over();
    const exit = new Promise<boolean>((resolve) => child.once("exit", () => resolve(true)));
    const within = (ms: number): Promise<boolean> =>
      Promise.race([exit, new Promise<boolean>((resolve) => setTimeout(resolve, ms, false).unref())]);
    child.stdin?.end();
    this.#over();
    if (await within(END_MS)) return;
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // Gone meanwhile.
    }
    if (await within(END_MS)) return;
    killGroup(child);
  }
}
