// What the tests of the record share: temporary data directories, a call to record, and child processes to kill.

import { type ChildProcess, spawn } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Database } from "better-sqlite3";
import type { HeldCall } from "../../../src/domain/event.js";
import type { CallIntent } from "../../../src/domain/record.js";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import type { RecordReader, Verification } from "../../../src/store/reader.js";
import { retentionOf } from "../../../src/store/rules.js";
import { openSqliteReader } from "../../../src/store/sqlite/open-reader.js";
import { agedRows, pruneHistory } from "../../../src/store/sqlite/prune.js";
import { openSqliteStore } from "../../../src/store/sqlite/store.js";
import type { CallCompletion, Store, TurnStart } from "../../../src/store/store.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { until } from "../../support/until.js";

/** A child process on a busy machine may take ten seconds to start. */
export const START_MS = 30_000;

const stores: Store[] = [];
const children: ChildProcess[] = [];

/** A new data directory. */
export const tempDir = (): string => temporaryFolder("store");

/** Opens a store that is closed after the test. */
export async function open(
  dir: string,
  options: Omit<Parameters<typeof openSqliteStore>[0], "dir"> = {},
): Promise<Store> {
  const store = await openSqliteStore({ dir, ...options });
  stores.push(store);
  return store;
}

/** Reads the record beside a store that may be open. */
async function withReader<T>(dir: string, read: (reader: RecordReader) => Promise<T>): Promise<T> {
  const reader = openSqliteReader(dir);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

/** Recomputes the hash chain, as `history verify` does. */
export function verify(dir: string): Promise<Verification> {
  return withReader(dir, (reader) => reader.verify());
}

/** Copies the record, as `backup` does. */
export function backup(dir: string, file: string): Promise<void> {
  return withReader(dir, (reader) => reader.backup(file));
}

/** Deletes old rows now, beside a store that may be open; returns how many. */
export async function prune(dir: string, days: number): Promise<number> {
  const retention = retentionOf(days);
  const inOneCommit = <T>(work: (db: Database) => T): T =>
    peek(dir, (db) => db.transaction(() => work(db)).immediate());
  let total = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const { through, next } = peek(dir, (db) => agedRows(db, from, retention));
    for (let deleted = 1; deleted > 0; total += deleted) deleted = inOneCommit((db) => pruneHistory(db, through));
    after = next;
  }
  return total;
}

/** For `afterEach`: closes and kills what the test made. */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const store of stores.splice(0)) await store.close();
}

/** The database of a data directory, as the sqlite3 shell sees it. */
export function peek<T>(dir: string, look: (db: Database) => T): T {
  const db = new SqliteDatabase(path.join(dir, "history.db"));
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** A call as the agent would record it. */
export function intent(over: Partial<CallIntent> = {}): CallIntent {
  return {
    session_id: "session",
    turn_id: "turn",
    call_id: "call_1",
    application: "",
    tool: "create_pet",
    arguments: { name: "Rex" },
    safety: "mutating",
    policy: { read_only: false, dry_run: false, strict: false, confirm: false },
    request: { method: "POST", url: "http://127.0.0.1:8000/pets" },
    provider: "scripted",
    model: "fixture",
    client: "test",
    asked_by: "",
    ...over,
  };
}

/** A call to hold. */
export const HELD = {
  session_id: "session",
  turn_id: "turn",
  call_id: "call_1",
  application: "",
  tool: "create_pet",
  safety: "mutating",
  arguments: {},
  request: {},
  expires_at: "2999-01-01T00:00:00.000Z",
} as const;

/** Holds a call that expires in `ms`, with arguments the history only has in redacted form. */
export async function hold(store: Store, id: string, ms = 60_000, over: Partial<CallIntent> = {}) {
  const { session_id, turn_id, call_id, application, tool, safety } = intent(over);
  const expires_at = new Date(Date.now() + ms).toISOString();
  const call: Omit<HeldCall, "created_at"> = {
    id,
    session_id,
    turn_id,
    call_id,
    application,
    tool,
    safety,
    expires_at,
    arguments: { password: "hunter22", n: 2n ** 60n },
    request: { method: "POST", url: "http://127.0.0.1/pets" },
  };
  return await store.hold(intent({ ...over, arguments: { password: "[redacted]" } }), call);
}

/** A turn as the agent would open it. */
export function turn(over: Partial<TurnStart> = {}): TurnStart {
  return {
    session_id: "session",
    turn_id: "turn",
    prompt: "add a pet",
    provider: "scripted",
    model: "fixture",
    client: "test",
    asked_by: "",
    ...over,
  };
}

export const OK: CallCompletion = { status: "ok", result: { id: 1 }, duration_ms: 1.5 };

/** The error a promise is rejected with; fails when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("the promise was not rejected");
}

/** A target that remembers the call id of every request it read; `onRequest` runs before it answers. */
export async function countingTarget(onRequest: () => void = () => {}): Promise<{
  port: number;
  seen: Set<string>;
  close: () => void;
}> {
  const seen = new Set<string>();
  const server = http.createServer((request, response) => {
    seen.add((request.url ?? "").slice(1));
    onRequest();
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, seen, close };
}

export const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** node's arguments to run the worker. */
export const WORKER_ARGUMENTS = ["--expose-gc", "--import=tsx", WORKER];

/** Another process that works with a record: see worker.ts for the modes. */
export function worker(
  mode: string,
  dir: string,
  options: { port?: number; uid?: number; wrap?: string[] } = {},
): {
  child: ChildProcess;
  line: (start: string) => Promise<string>;
  exit: Promise<number | null>;
  errors: () => string;
} {
  const command = [
    ...(options.wrap ?? []),
    process.execPath,
    ...WORKER_ARGUMENTS,
    mode,
    dir,
    String(options.port ?? 0),
  ];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (text) => lines.push(text));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const line = async (start: string): Promise<string> => {
    let found: string | undefined;
    await until(() => {
      found = lines.find((text) => text.startsWith(start));
      if (found === undefined && child.exitCode !== null) throw new Error(`the worker ended early: ${errors}`);
      return found !== undefined;
    }, START_MS);
    return found ?? "";
  };
  return { child, line, exit, errors: () => errors };
}
