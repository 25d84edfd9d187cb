// Files of the record that are taken away under a daemon at work: from then on nothing is sent, a second daemon is refused by name,
// and what reached the target before is on record.
import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { json } from "../../support/target.js";
import { ask, make, type Subject } from "../client.js";
import type { Fault } from "../fault.js";
import { type Lab, openLab, startRefused } from "../lab.js";

const WORKERS = 8;

/** By name: what is done to the data directory. None of it takes rows away that were written. */
const HARM: Readonly<Record<string, (dir: string) => void>> = {
  "the lock is deleted": (dir) => rmSync(join(dir, "lock.db")),
  "the lock and its holder are deleted": (dir) => {
    rmSync(join(dir, "lock.db"));
    rmSync(join(dir, "daemon.json"));
  },
  "the lock is replaced": (dir) => {
    copyFileSync(join(dir, "lock.db"), join(dir, "copy"));
    renameSync(join(dir, "copy"), join(dir, "lock.db"));
  },
};

/** The request during which the harm is done: each of the workers has called by then. */
const HARMED_REQUEST = 20;
/** How long the target takes from then on, so that calls are on their way when the harm is noticed. */
const LATE_MS = 200;

/** Does the harm while the target works on requests of all workers; resolves once every prompt is answered. */
async function harmUnderLoad({ dir, target }: Lab, daemon: Subject, what: string): Promise<void> {
  let isHarmed = false;
  let requests = 0;
  target.answer(() => {
    if (++requests < HARMED_REQUEST) return json({ id: 1 });
    if (!isHarmed) HARM[what]?.(dir);
    isHarmed = true;
    return (socket) => void setTimeout(() => socket.write(json({ id: 1 })), LATE_MS);
  });
  const load = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let n = 0; !isHarmed; n++) {
      const message = `make taken${what.length}-${worker}-${n} 2`;
      const { status } = await ask(daemon, message, { session_id: `session-${worker}` });
      assert(status === 200 || isHarmed, `a prompt was answered with ${status} while nothing was wrong`);
    }
  });
  await Promise.all(load);
  target.answer(() => json({ id: 1 }));
}

/** A daemon whose files were taken away: it sends nothing more, and a second one is refused. */
async function checkHarmed({ dir, target }: Lab, daemon: Subject, what: string): Promise<void> {
  const before = target.requests.length;
  const { status } = await ask(daemon, `make after-${what.length} 1`);
  assert(status === 503, `a prompt was answered with ${status}`);
  assert(target.requests.length === before, "a call was sent");
  assert((await fetch(`${daemon.url}/-/readyz`)).status === 503, "it is ready");
  const { code, stderr } = await startRefused(dir);
  assert(code === 1, `a second daemon ended with ${code}`);
  assert(stderr.includes(`pid ${daemon.pid}`), `the refusal names no pid: ${stderr.slice(-300)}`);
}

/** Works with a daemon and kills it; the next attempt needs its directory. */
async function withDaemon(lab: Lab, work: (daemon: Subject) => Promise<void>): Promise<void> {
  const daemon = await lab.start();
  try {
    await work(daemon);
  } finally {
    await daemon.kill();
  }
}

export const taken: Fault = {
  name: "taken",
  about: "the lock taken away under a daemon at work",
  async run(tally) {
    const lab = await openLab(tally);
    for (const what of Object.keys(HARM))
      await tally.attempt(what, async () => {
        await withDaemon(lab, async (daemon) => {
          await make(daemon, `before-${what.length}`);
          await harmUnderLoad(lab, daemon, what);
          await checkHarmed(lab, daemon, what);
        });
        await withDaemon(lab, async (next) => {
          await lab.audit(next);
          await lab.auditTranscripts(next);
        });
      });
    await tally.attempt("the file at the end", () => lab.auditFile());
  },
};
