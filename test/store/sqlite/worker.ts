// A process of its own that works with a record until it is killed: `node worker.ts MODE DIR PORT`. Prints what it does.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readLock } from "../../../src/data-dir/lock.js";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { rewriteRecord } from "../../../src/store/sqlite/compact.js";
import { openDatabaseFile } from "../../../src/store/sqlite/open.js";
import { createSessionErasure } from "../../../src/store/sqlite/queries/erase-sessions.js";
import { openSqliteStore } from "../../../src/store/sqlite/store.js";
import { intent, OK, turn } from "./fixture.js";

const [mode = "", dir = "", port = "0"] = process.argv.slice(2);
const print = (text: string): void => void fs.writeSync(1, `${text}\n`);

/** The target hears the call's id as the path. */
function send(id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port: Number(port), path: `/${id}` }, (response) => {
      response.resume().on("end", resolve);
    });
    request.on("error", reject);
  });
}

async function load(): Promise<void> {
  const store = await openSqliteStore({ dir });
  let next = 0;
  const caller = async (): Promise<void> => {
    for (;;) {
      const call_id = `${process.pid}-${next++}`;
      const id = await store.beginCall(intent({ call_id }));
      await send(call_id);
      await store.completeCall(id, OK);
    }
  };
  print("started");
  await Promise.all(Array.from({ length: 8 }, caller));
}

async function one(): Promise<void> {
  const store = await openSqliteStore({ dir });
  await store.beginTurn(turn());
  print("begin");
  const id = await store.beginCall(intent());
  await send("call_1");
  await store.completeCall(id, OK);
  print(`completed ${process.pid}`);
  setTimeout(() => {}, 60_000);
}

async function fail(): Promise<void> {
  const store = await openSqliteStore({ dir });
  await store.beginTurn(turn());
  await store.beginCall(intent());
  throw new Error("an error without a handler");
}

async function reopen(): Promise<void> {
  print("started");
  for (let i = 0; ; i++) await (await openSqliteStore({ dir: path.join(dir, String(i)) })).close();
}

async function fill(): Promise<void> {
  const store = await openSqliteStore({ dir });
  for (let sent = 0; ; sent++) {
    const call_id = `call_${sent}`;
    try {
      await store.beginCall(intent({ call_id, arguments: { filler: "x".repeat(20_000) } }));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : String(error);
      print(`refused ${JSON.stringify({ code, sent, rows: (await store.history({ limit: 10_000 })).length })}`);
      return;
    }
    await send(call_id);
  }
}

/** Calls of many at once; prints how long they took, and how long the event loop stood still. */
async function many(): Promise<void> {
  const store = await openSqliteStore({ dir });
  const caller = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await store.completeCall(await store.beginCall(intent()), OK);
  };
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const begun = performance.now();
  await Promise.all(Array.from({ length: 32 }, caller));
  const tookMs = performance.now() - begun;
  const rows = (await store.history({ limit: 1_000 })).filter(({ status }) => status === "ok").length;
  print(JSON.stringify({ rows, tookMs, longestMs: lag.max / 1e6 }));
}

/** Calls without a pause until what the log held is in the record; prints why any was refused. */
async function checkpoint(): Promise<void> {
  const warnings: string[] = [];
  const store = await openSqliteStore({ dir, onWarning: (message) => warnings.push(message) });
  const other = new SqliteDatabase(path.join(dir, "history.db"));
  const frames = (): number => (other.pragma("wal_checkpoint(NOOP)") as [{ log: number }])[0].log;
  const refused: string[] = [];
  const call = () => store.recordCall(intent(), { ...OK, result: "x".repeat(64 * 1024) });
  // The log is written over from its beginning once it was copied whole, which is the end of a checkpoint.
  for (let before = 0; frames() >= before; await call().catch((error: Error) => refused.push(error.message)))
    before = frames();
  print(JSON.stringify({ refused, warnings }));
}

/** A call before the disk's syncs fail, and two after; the caller makes them fail once `ready` is printed. */
async function unsynced(): Promise<void> {
  const warnings: string[] = [];
  const store = await openSqliteStore({ dir, onWarning: (message) => warnings.push(message) });
  await store.completeCall(await store.beginCall(intent()), OK);
  print("ready");
  while (!fs.existsSync(path.join(dir, "broken"))) await new Promise((resolve) => setTimeout(resolve, 10));
  const refused: string[] = [];
  for (let i = 0; i < 2; i++) await store.beginCall(intent()).catch((error: Error) => refused.push(error.message));
  print(JSON.stringify({ refused, warnings }));
}

async function recordOne(): Promise<void> {
  const store = await openSqliteStore({ dir });
  await store.beginCall(intent());
}

async function hold(): Promise<void> {
  await recordOne();
  // Nothing refers to the store any more: its lock must hold all the same.
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
  print("holding");
  setTimeout(() => {}, 60_000);
}

/** Takes the session "long" out of sight and erases one batch of it. */
async function erase(): Promise<void> {
  const { db } = openDatabaseFile(dir, () => {});
  const erasure = createSessionErasure(db);
  db.transaction(() => erasure.hide("long")).immediate();
  db.transaction(() => erasure.erase()).immediate();
  print("hidden");
  process.kill(process.pid, "SIGKILL");
}

/** Deletes what is old, and gives its space back, until it is killed. */
async function prune(): Promise<void> {
  await openSqliteStore({ dir, historyKeepDays: 30 });
  print("started");
  setTimeout(() => {}, 60_000);
}

async function rewrite(): Promise<void> {
  print("started");
  rewriteRecord(dir, () => {});
  setTimeout(() => {}, 60_000);
}

const modes: Record<string, () => Promise<void>> = {
  load,
  one,
  fail,
  reopen,
  fill,
  many,
  checkpoint,
  unsynced,
  hold,
  erase,
  prune,
  rewrite,
  nothing: async () => {},
  look: async () => print(JSON.stringify(readLock(dir) ?? null)),
  open: async () => (await openSqliteStore({ dir })).close(),
};
await modes[mode]?.();
