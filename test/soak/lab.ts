// What a fault needs around its daemons: a model, a target that counts, and a data directory that daemons are started on.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { petShop } from "../support/daemon.js";
import { memoryOf } from "../support/process-usage.js";
import { type Ended, type Served, type ServeOptions, serve, startServe } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor, type Vendor } from "../support/vendor.js";
import { auditFile, auditRecord, auditTranscripts } from "./audit.js";
import { createHeard, type Heard, type Subject } from "./client.js";
import type { Tally } from "./fault.js";
import { createModel } from "./model.js";

/** How long something may take that has to come soon: only what never comes takes so long, on however slow a machine. */
export const SOON_MS = 60_000;

/** A laboratory; it is closed at the end of its fault. */
export interface Lab {
  /** The data directory. */
  dir: string;
  vendor: Vendor;
  target: RecordingTarget;
  tally: Tally;
  heard: Heard;
  /** Starts a daemon whose memory counts for the tally. That it ends before it is told to is a problem. */
  start(options?: ServeOptions): Promise<Subject>;
  /** Puts other members in config.json; for the next daemon. */
  configure(config: Record<string, unknown>): void;
  /** Notes how much memory a daemon takes; call it before its end. */
  noteMemory(daemon: Served): void;
  /** Counts requests without a row, and names with more than one of either; rows are as clients were told. While no turn runs. */
  audit(daemon: Subject): Promise<void>;
  /** Every session ends in finished turns and coherent messages, and has every turn whose end was told. */
  auditTranscripts(daemon: Subject): Promise<void>;
  /** The hash chain and the file, after the daemon has ended. */
  auditFile(): Promise<void>;
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

/** The configuration of a model at the fake vendor. */
export const vendorModel = (vendor: Vendor): Record<string, unknown> => ({
  type: "openai-compatible",
  base_url: vendor.url,
  model: "soak",
});

/** A daemon that ends although nobody ended it, or not well, is a problem. */
function watchEnd(daemon: Served, tally: Tally): void {
  void daemon.ended.then(({ code, signal, stderr }) => {
    const isWell = daemon.child.killed && (code === 0 || signal === "SIGKILL");
    if (!isWell) tally.problems.push(`a daemon ended with ${code ?? signal}: ${stderr.slice(-500)}`);
  });
}

function openVendorModel(vendor: Vendor, tally: Tally): void {
  const model = createModel((problem) => {
    if (tally.problems.length < 20) tally.problems.push(problem);
  });
  vendor.script((request) => {
    // Not kept: a soak sends gigabytes.
    vendor.requests.length = 0;
    return model(request);
  });
}

/** Opens a laboratory for the attempts of one tally. */
export async function openLab(tally: Tally, options: LabOptions = {}): Promise<Lab> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "agentd-soak-"));
  tally.atEnd(() => {
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  });
  const vendor = await startVendor();
  tally.atEnd(() => vendor.close());
  openVendorModel(vendor, tally);
  const target = await startTarget(() => json({ id: 1 }));
  tally.atEnd(() => target.close());
  const basis = {
    default_provider: "soak",
    providers: { soak: { ...vendorModel(vendor), ...options.provider } },
    ...options.config,
  };
  const configure = (config: Record<string, unknown>): void =>
    writeFileSync(join(dir, "config.json"), JSON.stringify({ ...basis, ...config }));
  mkdirSync(dir, { recursive: true });
  configure({});
  writeFileSync(join(dir, "schema.json"), JSON.stringify((options.schema ?? petShop)(target.url)));
  const heard = createHeard();
  const noteMemory = (daemon: Served): void => {
    tally.peakMiB = Math.max(tally.peakMiB, memoryOf(daemon.pid).peak);
  };
  return {
    dir,
    vendor,
    target,
    tally,
    heard,
    configure,
    noteMemory,
    async start(serveOptions) {
      const daemon = await serve(["--data-dir", dir], serveOptions);
      watchEnd(daemon, tally);
      tally.atEnd(async () => {
        if (!daemon.isAlive()) return;
        noteMemory(daemon);
        await daemon.kill();
      });
      return { ...daemon, heard };
    },
    audit: (daemon) => auditRecord(daemon, target.requests, tally),
    auditTranscripts,
    auditFile: () => auditFile(dir),
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
