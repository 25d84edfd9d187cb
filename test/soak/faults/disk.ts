// Disks that are full, read-only or damaged: no call without its row, a refusal that names the file, and work that goes
// on once the disk is usable again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvent } from "../../../src/domain/event.js";
import { json } from "../../support/target.js";
import { until } from "../../support/until.js";
import { historyOf } from "../audit.js";
import { ask, make, type Subject } from "../client.js";
import type { Fault, SoakOptions, Tally } from "../fault.js";
import { type Lab, openLab, SOON_MS, startRefused } from "../lab.js";

/** Large enough for a new record and its write-ahead log, small enough to fill at once. */
const DISK_MIB = 24;

/** A small disk until the end of the fault; undefined where this account may not mount one. */
function mountDisk(tally: Tally): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), "agentd-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", dir]).status === 0;
  if (!mounted) {
    rmSync(dir, { recursive: true });
    return undefined;
  }
  tally.atEnd(() => {
    spawnSync("umount", [dir]);
    rmSync(dir, { recursive: true });
  });
  return dir;
}

/** Takes all free space. */
function fill(dir: string): void {
  for (const size of [1024 * 1024, 4096, 1])
    try {
      for (let n = 0; n < 100_000; n++) writeFileSync(join(dir, "ballast"), Buffer.alloc(size), { flag: "a" });
    } catch {
      // Full.
    }
}

const clear = (dir: string): void => rmSync(join(dir, "ballast"), { force: true });

const unrecorded = (events: readonly AgentEvent[]): boolean => JSON.stringify(events).includes("audit_unavailable");

/** Prompts until the record refuses: the space the log already has is used up first. */
async function untilRefused(daemon: Subject, what: string): Promise<void> {
  for (let n = 0; n < 500; n++) {
    const { status, events } = await ask(daemon, `make ${what}-${n} 1 ${"x".repeat(20_000)}`);
    if (status === 503 || unrecorded(events)) return;
    assert(status === 200, `a full disk was answered with ${status}`);
  }
  throw new Error("the disk is full, and the daemon goes on making calls");
}

/** The disk fills up while a call is at the target: its result is returned all the same, and recorded later. */
async function fillDuringCall(lab: Lab, daemon: Subject, what: string): Promise<void> {
  lab.target.answer(() => {
    fill(lab.dir);
    return json({ id: 1, filler: "y".repeat(200_000) });
  });
  await ask(daemon, `make ${what} 1`);
  lab.target.answer(() => json({ id: 1 }));
  clear(lab.dir);
  const isRecorded = async (): Promise<boolean> =>
    (await historyOf(daemon)).some((row) => row.arguments["name"] === `${what}.0` && row.status === "ok");
  await until(isRecorded, SOON_MS, "the result was not recorded after there was space again");
}

/** Tries until it works; throws what was wrong when it still does not after `ms`. */
async function eventually(work: () => Promise<void>, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(200);
    }
}

async function fillUp(lab: Lab, { short }: SoakOptions): Promise<void> {
  const { tally, dir } = lab;
  const daemon = await lab.start();
  await tally.attempt("an empty disk", () => make(daemon, "first"));
  for (let round = 0; round < (short ? 1 : 10); round++) {
    await tally.attempt(`full ${round}`, async () => {
      fill(dir);
      await untilRefused(daemon, `full${round}`);
      assert((await historyOf(daemon)).length > 0, "the history cannot be read");
    });
    await tally.attempt(`space again ${round}`, async () => {
      clear(dir);
      await sleep(50);
      await make(daemon, `again${round}`);
    });
    await tally.attempt(`full during a call ${round}`, () => fillDuringCall(lab, daemon, `during${round}`));
  }
  await tally.attempt("the record at the end", async () => {
    await lab.audit(daemon);
    // Turns that could not be saved at their end are tried again every few seconds.
    await eventually(() => lab.auditTranscripts(daemon), SOON_MS);
    lab.noteMemory(daemon);
    assert((await daemon.stop()).code === 0, "it did not exit with 0");
    await lab.auditFile();
  });
}

/** Without a disk to fill: files that may not grow. That cannot be undone, so only the refusal is tried. */
async function limitFiles(lab: Lab): Promise<void> {
  const { tally } = lab;
  const daemon = await lab.start({ wrap: ["sh", "-c", 'ulimit -f 600; exec "$@"', "sh"] });
  tally.note = "with ulimit -f, because this account may not mount a disk";
  await tally.attempt("files that may not grow", async () => {
    await untilRefused(daemon, "limited");
    await lab.audit(daemon);
  });
}

export const full: Fault = {
  name: "full",
  about: "a full disk, before and during a call",
  async run(tally, options) {
    const dir = mountDisk(tally);
    const lab = await openLab(tally, dir === undefined ? {} : { dir });
    await (dir === undefined ? limitFiles(lab) : fillUp(lab, options));
  },
};

/** The account without rights, `nobody` on every Unix. */
const NOBODY_UID = 65_534;

export const readOnly: Fault = {
  name: "read-only",
  about: "a data directory that cannot be written",
  async run(tally) {
    const dir = mountDisk(tally);
    if (dir === undefined) {
      tally.skipped = "this account may not mount a disk";
      return;
    }
    const lab = await openLab(tally, { dir });
    const first = await lab.start();
    await make(first, "first");
    await first.stop();
    spawnSync("mount", ["-o", "remount,ro", dir]);
    const options = process.getuid?.() === 0 ? [{}, { uid: NOBODY_UID }] : [{}];
    for (const account of options)
      await tally.attempt("refused at start", async () => {
        const { code, stderr } = await startRefused(dir, account);
        assert(code === 1, `it ended with ${code}`);
        assert(stderr.includes(dir), `the refusal does not name the directory: ${stderr.slice(-300)}`);
      });
  },
};

export const corrupt: Fault = {
  name: "corrupt",
  about: "a corrupted database",
  async run(tally) {
    const lab = await openLab(tally);
    const { dir } = lab;
    const daemon = await lab.start();
    for (let n = 0; n < 40; n++) await make(daemon, `row${n}`, { pets: 3, session_id: `session-${n % 4}` });
    await daemon.stop();
    const file = join(dir, "history.db");
    const intact = readFileSync(file);
    const damages: Record<string, (bytes: Buffer) => Buffer> = {
      "noise for a header": (bytes) => bytes.fill(0xa5, 0, 100),
      "noise in the pages": (bytes) => bytes.fill(0xa5, 20 * 4096),
      "half of it": (bytes) => bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096),
      "another file's text": () => Buffer.from("Dear diary,\n".repeat(2_000)),
    };
    for (const [what, damage] of Object.entries(damages))
      await tally.attempt(what, async () => {
        const broken = damage(Buffer.from(intact));
        writeFileSync(file, broken);
        const { code, stderr } = await startRefused(dir);
        assert(code === 1, `it ended with ${code}`);
        assert(stderr.includes(file), `the refusal does not name the file: ${stderr.slice(-300)}`);
        assert(readFileSync(file).equals(broken), "the file was changed");
      });
    await tally.attempt("the intact file again", async () => {
      writeFileSync(file, intact);
      const again = await lab.start();
      await make(again, "again");
      await lab.audit(again);
      lab.noteMemory(again);
      await again.stop();
      await lab.auditFile();
    });
  },
};
