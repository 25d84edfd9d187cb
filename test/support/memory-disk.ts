// Puts the temporary files of tests into memory, where the machine has the room. Every record that is opened and every file that is
// replaced waits for the disk several times, and a run of the tests opens thousands. What a test shows is the same: a process that
// is killed loses nothing that it wrote, in memory as on a disk.
// Loaded by mocha before any test (.mocharc.json), and inherited by what the tests start; what is left over goes with the run.
// Bench and soak keep the disk.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Much more than a run has at one time. */
const ROOM_BYTES = 2 * 1024 ** 3;

function canBeUsed(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
    // Tests write programs and run them.
    return bavail * bsize >= ROOM_BYTES && /\brw\b/.test(mount ?? "") && !/\bnoexec\b/.test(mount ?? "");
  } catch {
    return false;
  }
}

// The workers of a run inherit both.
if (process.env["DISK_FOLDER"] === undefined) {
  /** For what outlives a run: test/browser/chromium.ts. */
  process.env["DISK_FOLDER"] = tmpdir();
  if (canBeUsed()) {
    const folder = mkdtempSync(join(IN_MEMORY, "agentd-tests-"));
    // As /tmp is: a PostgreSQL for tests does not run as root.
    chmodSync(folder, 0o1777);
    process.env["TMPDIR"] = folder;
    process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  }
}
