// Files of the record that are taken away under a daemon at work: from then on nothing is sent, a second daemon is refused by name,
// and what reached the target before is on record.
import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTally, type Fault } from "../fault.js";
import { ask, askWell, openLab, startRefused } from "../lab.js";

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

export const taken: Fault = {
  name: "taken",
  about: "the lock taken away under a daemon at work",
  async run() {
    const lab = await openLab(createTally());
    const { tally, dir, target } = lab;
    for (const [what, harm] of Object.entries(HARM))
      await tally.attempt(what, async () => {
        const daemon = await lab.start();
        await askWell(daemon, `make before-${what.length} 1`);
        let isHarmed = false;
        const load = Array.from({ length: WORKERS }, async (_, worker) => {
          for (let n = 0; !isHarmed; n++)
            await ask(daemon, `make taken${what.length}-${worker}-${n} 2`, `session-${worker}`);
        });
        await new Promise((resolve) => setTimeout(resolve, 200));
        harm(dir);
        isHarmed = true;
        await Promise.all(load);
        const before = target.requests.length;
        const { status } = await ask(daemon, `make after-${what.length} 1`);
        assert(status === 503, `a prompt was answered with ${status}`);
        assert(target.requests.length === before, "a call was sent");
        assert((await fetch(`${daemon.url}/-/readyz`)).status === 503, "it is ready");
        const { code, stderr } = await startRefused(dir);
        assert(code === 1, `a second daemon ended with ${code}`);
        assert(stderr.includes(`pid ${daemon.pid}`), `the refusal names no pid: ${stderr.slice(-300)}`);
        await daemon.kill();
        const next = await lab.start();
        await lab.audit(next);
        await lab.auditTranscripts(next);
        await next.stop();
      });
    await lab.auditFile();
    return lab.close();
  },
};
