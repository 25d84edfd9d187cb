// kill -9 at any instant, under load, over and over: no request that reached the target is missing from the record or there
// twice, and every session goes on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileDelay } from "../../bench/slow-disk.js";
import { openChat } from "../../support/raw.js";
import type { Served } from "../../support/spawn.js";
import { createTally, type Fault, type Report, type SoakOptions, skipped } from "../fault.js";
import { ask, openLab } from "../lab.js";

const WORKERS = 8;
/** The longest time from the beginning of the load to the kill. */
const MAX_LOAD_MS = 250;
const SLOW_SYNC_MS = 15;

async function overChat(daemon: Served, message: string, session: string): Promise<void> {
  const chat = await openChat(`${daemon.url}/chat?session_id=${session}`);
  chat.send(message);
  await chat.turns();
  chat.close();
}

/** Sends prompts one after another until the daemon is gone; a broken connection is expected. */
async function work(daemon: Served, worker: number, run: number): Promise<void> {
  const session = `session-${worker}`;
  for (let n = 0; daemon.isAlive(); n++) {
    const message = `make kill${run}-${worker}-${n} 2`;
    try {
      if (n % 4 === 3) await overChat(daemon, message, session);
      else await ask(daemon, message, session);
    } catch {
      return;
    }
  }
}

/** Kills `kills` daemons started with these variables, and audits what they leave. */
async function killUnderLoad(kills: number, env: Record<string, string>, log: SoakOptions["log"]): Promise<Report> {
  const lab = await openLab(createTally());
  const { tally, target } = lab;
  for (let run = 0; run < kills; run++)
    await tally.attempt(`kill ${run}`, async () => {
      const daemon = await lab.start({ env });
      const before = target.requests.length;
      const load = Array.from({ length: WORKERS }, (_, worker) => work(daemon, worker, run));
      const begun = performance.now();
      while (target.requests.length < before + WORKERS && performance.now() - begun < 5_000)
        await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_LOAD_MS));
      lab.noteMemory(daemon);
      await daemon.kill();
      await Promise.all(load);
      if (run % 20 === 19) {
        // Checked after a restart now and then; every request is checked again at the end.
        const next = await lab.start();
        await lab.audit(next);
        await lab.auditTranscripts(next);
        await next.kill();
        log(`${run + 1} kills, ${target.requests.length} requests, ${tally.lost} lost`);
      }
    });
  await tally.attempt("the record at the end", async () => {
    const daemon = await lab.start();
    await lab.audit(daemon);
    await lab.auditTranscripts(daemon);
    lab.noteMemory(daemon);
    await daemon.stop();
    await lab.auditFile();
  });
  tally.note = `${target.requests.length} requests`;
  return lab.close();
}

export const kill: Fault = {
  name: "kill",
  about: `kill -9 under load at concurrency ${WORKERS}`,
  run: ({ short, log }) => killUnderLoad(short ? 4 : 200, {}, log),
};

export const slowKill: Fault = {
  name: "slow-kill",
  about: `the same on a disk whose syncs take ${SLOW_SYNC_MS} ms`,
  async run({ short, log }) {
    const folder = mkdtempSync(join(tmpdir(), "agentd-slow-"));
    try {
      const library = compileDelay(folder);
      if (!library) return skipped("there is no C compiler");
      const env = { LD_PRELOAD: library, SYNC_MS: String(SLOW_SYNC_MS) };
      return await killUnderLoad(short ? 2 : 40, env, log);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
