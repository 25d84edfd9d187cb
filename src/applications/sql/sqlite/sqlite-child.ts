// A program: works on a SQLite file for its parent, one job at a time. A process and not a thread: a statement that does not end
// stops only with its process. Its argument is the id of its parent, with which it ends, however that ended.
import { Worker } from "node:worker_threads";
import { messageOf } from "../../../domain/error.js";
import { DatabaseFailure } from "../database.js";
import { runChange } from "./change.js";
import { openSqliteConnections, type SqliteConnections } from "./connection.js";
import { toSqliteFailure } from "./failure.js";
import { introspectSqlite } from "./introspect.js";
import type { GoOn, JobMessage, SqliteAnswer } from "./messages.js";
import { readRows } from "./read.js";

/** More memory than a statement of good faith takes; SQLite has no limit of its own here. In bytes. */
const MAX_RSS = 1024 * 1024 * 1024;
/** Ends a process whose main thread is inside of a statement: when its parent is gone, and when it takes too much memory. */
const GUARD = `const { workerData } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== workerData.parent || process.memoryUsage.rss() > workerData.most) process.kill(process.pid, "SIGKILL");
}, 100);`;
const parent = Number(process.argv[2]);
new Worker(GUARD, { eval: true, workerData: { parent, most: MAX_RSS }, execArgv: [] }).unref();

let connections: { file: string; open: SqliteConnections } | undefined;

function connectionsTo({ file, shown }: JobMessage): SqliteConnections {
  if (connections?.file !== file) {
    connections?.open.close();
    connections = { file, open: openSqliteConnections(file, shown) };
  }
  return connections.open;
}

let resume: ((message: GoOn) => void) | undefined;

const send = (answer: SqliteAnswer): void => void process.send?.(answer);

/** Sends an answer and waits for whether to go on. */
function ask(answer: SqliteAnswer): Promise<boolean> {
  return new Promise((resolve) => {
    resume = ({ isGoing }) => resolve(isGoing);
    send(answer);
  });
}

async function run(message: JobMessage): Promise<SqliteAnswer> {
  const { job, lockMs } = message;
  const open = connectionsTo(message);
  switch (job.kind) {
    case "introspect":
      return { kind: "catalogue", catalogue: introspectSqlite(open.reader(lockMs)) };
    case "rows":
      for (const batch of readRows(open.reader(lockMs), job)) if (!(await ask({ kind: "rows", ...batch }))) break;
      return { kind: "end" };
    case "change": {
      const outcome = await runChange(open.writer(lockMs), job, (evidence) => ask({ kind: "evidence", evidence }));
      return { kind: "changed", outcome };
    }
    default:
      return job satisfies never;
  }
}

const isFree = ({ job }: JobMessage): boolean => job.kind === "rows" && job.columns === undefined;

async function answer(message: JobMessage): Promise<void> {
  try {
    send(await run(message));
  } catch (error) {
    const failure = toSqliteFailure(error, message.shown, isFree(message));
    if (failure instanceof DatabaseFailure) {
      const { code, message: text, details } = failure;
      send({ kind: "failed", code, message: text, details });
    } else send({ kind: "failed", code: "database_error", message: messageOf(failure), details: {} });
  }
}

process.on("message", (message: JobMessage | GoOn) => {
  if ("isGoing" in message) resume?.(message);
  else void answer(message);
});
process.on("disconnect", () => process.exit());
// A terminal sends these to the whole group; the parent decides when this ends.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
