// What a fault needs around its daemons: a model, a target that counts, a data directory, and the audit: the requests that reached
// the target against the rows of the record.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AgentEvent } from "../../src/domain/event.js";
import type { HistoryEntry, SessionSummary, TranscriptTurn } from "../../src/domain/record.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { openRecoveredReader } from "../../src/open.js";
import { petShop } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { memoryOf } from "../support/process-usage.js";
import { type Ended, type Served, type ServeOptions, serve, startServe } from "../support/spawn.js";
import { json, type RecordedRequest, type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor, type Vendor } from "../support/vendor.js";
import type { Report, Tally } from "./fault.js";
import { createModel } from "./model.js";

/** The response to a prompt. */
export interface Answer {
  status: number;
  events: AgentEvent[];
}

/** A laboratory; close it. */
export interface Lab {
  /** The data directory. */
  dir: string;
  vendor: Vendor;
  target: RecordingTarget;
  tally: Tally;
  /** Starts a daemon whose memory counts for the tally. */
  start(options?: ServeOptions): Promise<Served>;
  /** Notes how much memory a daemon takes; call it before its end. */
  noteMemory(daemon: Served): void;
  /** Counts requests without a row, and names with more than one of either. For a daemon with no turn running. */
  audit(daemon: Served): Promise<void>;
  /** Every session ends in finished turns and coherent messages. */
  auditTranscripts(daemon: Served): Promise<void>;
  /** The hash chain and the file, after the daemon has ended. */
  auditFile(): Promise<void>;
  close(): Promise<Report>;
}

/** Asks for a path as it is: a fuzz opens sessions named "..", which `fetch` would resolve. */
async function getJson<T>(daemon: Served, path: string): Promise<T> {
  const asked = get({ host: "127.0.0.1", port: daemon.port, path });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const body = await text(answer);
  assert(answer.statusCode === 200, `GET ${path} gave ${answer.statusCode}: ${body.slice(0, 200)}`);
  return JSON.parse(body) as T;
}

/** Every row of the history, newest first, page by page. */
export async function historyOf(daemon: Served): Promise<HistoryEntry[]> {
  const rows: HistoryEntry[] = [];
  for (;;) {
    const before = rows.at(-1)?.id;
    const page = await getJson<HistoryEntry[]>(
      daemon,
      `/history?limit=2000${before === undefined ? "" : `&before=${before}`}`,
    );
    rows.push(...page);
    if (page.length < 2000) return rows;
  }
}

/** Sends a prompt through POST /run. Throws when the connection breaks. */
export async function ask(daemon: Served, message: string, session_id?: string): Promise<Answer> {
  const answer = await postJson(`${daemon.url}/run`, { message, session_id });
  const body = (await answer.json()) as { events?: AgentEvent[] };
  return { status: answer.status, events: body.events ?? [] };
}

/** A prompt that must be answered, with `done` at the end. */
export async function askWell(daemon: Served, message: string, session_id?: string): Promise<AgentEvent[]> {
  const { status, events } = await ask(daemon, message, session_id);
  assert(status === 200, `"${message}" was answered ${status}`);
  assert(events.at(-1)?.kind === "done", `"${message}" ended without done`);
  return events;
}

/** The name in the body of a request: what identifies it on both sides. */
export function nameOf({ body }: RecordedRequest): string {
  return String((JSON.parse(body.toString("utf8")) as { name?: string }).name);
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const surplus = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count - 1, 0);

function compare(seen: readonly string[], rows: readonly HistoryEntry[], tally: Tally): void {
  const atTarget = counted(seen);
  // Calls of the daemon's own tools, and those that were refused for their arguments, have no name and reach no target.
  const recorded = counted(
    rows.flatMap(({ arguments: args }) => (args["name"] === undefined ? [] : [String(args["name"])])),
  );
  const lost = [...atTarget.keys()].filter((name) => !recorded.has(name));
  tally.lost = lost.length;
  if (lost.length > 0) tally.problems.push(`without a row: ${lost.slice(0, 5).join(", ")}`);
  tally.duplicates = surplus(atTarget) + surplus(recorded);
  const open = rows.filter((row) => row.status === "pending");
  assert(open.length === 0, `${open.length} rows are pending though nothing runs (${open[0]?.id})`);
}

async function checkTranscripts(daemon: Served): Promise<void> {
  let before = "";
  for (;;) {
    const page = await getJson<SessionSummary[]>(
      daemon,
      `/-/sessions?limit=200${before && `&before=${encodeURIComponent(before)}`}`,
    );
    for (const { session_id } of page) {
      const path = `/-/sessions/${encodeURIComponent(session_id)}`;
      const { turns } = await getJson<{ turns: TranscriptTurn[] }>(daemon, path);
      for (const turn of turns) {
        assert(turn.status !== "running", `a turn of ${session_id} reads running though nothing runs`);
        assert(turn.messages[0]?.role === "user", `a turn of ${session_id} does not begin with its prompt`);
      }
    }
    const last = page.at(-1);
    if (page.length < 200 || !last) return;
    before = last.session_id;
  }
}

/** Settings of a laboratory's data directory, over those every one has. */
export interface LabOptions {
  config?: Record<string, unknown>;
  provider?: Record<string, unknown>;
  /** The schema document for a target; the pet shop by default. */
  schema?: (target: string) => object;
  /** Somewhere special for the data directory. */
  dir?: string;
}

function writeDirectory(dir: string, vendor: Vendor, target: RecordingTarget, options: LabOptions): void {
  mkdirSync(dir, { recursive: true });
  const model = { type: "openai-compatible", base_url: vendor.url, model: "soak", ...options.provider };
  const config = { default_provider: "soak", providers: { soak: model }, ...options.config };
  writeFileSync(join(dir, "config.json"), JSON.stringify(config));
  writeFileSync(join(dir, "schema.json"), JSON.stringify((options.schema ?? petShop)(target.url)));
}

/** Opens a laboratory for the attempts of one tally. */
export async function openLab(tally: Tally, options: LabOptions = {}): Promise<Lab> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "agentd-soak-"));
  const daemons: Served[] = [];
  const vendor = await startVendor();
  const model = createModel((problem) => {
    if (tally.problems.length < 20) tally.problems.push(problem);
  });
  vendor.script((request) => {
    // Not kept: a soak sends gigabytes.
    vendor.requests.length = 0;
    return model(request);
  });
  const target = await startTarget(() => json({ id: 1 }));
  writeDirectory(dir, vendor, target, options);
  const noteMemory = (daemon: Served): void => {
    tally.peakMiB = Math.max(tally.peakMiB, memoryOf(daemon.pid).peak);
  };
  return {
    dir,
    vendor,
    target,
    tally,
    noteMemory,
    async start(serveOptions) {
      const daemon = await serve(["--data-dir", dir], serveOptions);
      daemons.push(daemon);
      return daemon;
    },
    async audit(daemon) {
      const rows = await historyOf(daemon);
      compare(
        target.requests.map(nameOf),
        rows.filter((row) => row.arguments["name"] !== undefined),
        tally,
      );
    },
    auditTranscripts: checkTranscripts,
    async auditFile() {
      const reader = await openRecoveredReader(dir, () => {});
      const verdict = await reader.verify();
      await reader.close();
      assert(verdict.ok, `the hash chain is broken: ${verdict.reason}`);
      const db = new SqliteDatabase(join(dir, "history.db"), { readonly: true });
      const found = String(db.pragma("integrity_check", { simple: true }));
      db.close();
      assert(found === "ok", `integrity_check: ${found}`);
    },
    async close() {
      for (const daemon of daemons) {
        if (!daemon.isAlive()) continue;
        noteMemory(daemon);
        await daemon.kill();
      }
      await vendor.close();
      await target.close();
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
      return tally;
    },
  };
}

/** Starts a daemon that must refuse; how it ended. Throws when it listens. */
export async function startRefused(dir: string, options: ServeOptions = {}): Promise<Ended> {
  const refused = startServe(["--data-dir", dir], options);
  refused.prints(/agentd listening on/).then(
    () => refused.kill(),
    () => {},
  );
  const ended = await refused.ended;
  assert(ended.signal === null, "the daemon started, and should not have");
  return ended;
}
