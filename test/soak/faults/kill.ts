// kill -9 at any instant, under load, over and over: no request that reached the target is missing from the record or there
// twice, and every session goes on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvent } from "../../../src/domain/event.js";
import { openChat } from "../../support/raw.js";
import { compileDelay } from "../../support/slow-disk.js";
import { until } from "../../support/until.js";
import { askWell, hear, make, type Subject } from "../client.js";
import type { Fault, SoakOptions, Tally } from "../fault.js";
import { type Lab, openLab, SOON_MS } from "../lab.js";

const WORKERS = 8;
/** The longest time from the beginning of the load to the kill. */
const MAX_LOAD_MS = 250;
const SLOW_SYNC_MS = 15;

async function overChat(daemon: Subject, message: string, session: string): Promise<void> {
  const chat = await openChat(`${daemon.url}/chat?session_id=${session}`);
  chat.send(message);
  // What arrived before a kill was told, too.
  await chat.turns().finally(() => hear(daemon, session, chat.frames as unknown as AgentEvent[]));
  chat.close();
}

/** Sends prompts one after another until the daemon is killed, which breaks a connection; nothing else may. */
async function work(daemon: Subject, isKilled: () => boolean, name: { run: number; worker: number }): Promise<void> {
  const session_id = `session-${name.worker}`;
  for (let n = 0; !isKilled(); n++) {
    const message = `make kill${name.run}-${name.worker}-${n} 2`;
    try {
      if (n % 4 === 3) await overChat(daemon, message, session_id);
      else await askWell(daemon, message, { session_id });
    } catch (error) {
      if (!isKilled()) throw error;
    }
  }
}

/** Kills a daemon while it works. */
async function killOnce(lab: Lab, run: number, env: Record<string, string>): Promise<void> {
  const { target } = lab;
  const daemon = await lab.start({ env });
  const before = target.requests.length;
  let isKilled = false;
  const load = Array.from({ length: WORKERS }, (_, worker) => work(daemon, () => isKilled, { run, worker }));
  const killing = (async () => {
    try {
      await until(() => target.requests.length >= before + WORKERS, SOON_MS, "there was no load to be killed under");
      await sleep(Math.random() * MAX_LOAD_MS);
      lab.noteMemory(daemon);
    } finally {
      isKilled = true;
      await daemon.kill();
    }
  })();
  await Promise.all([killing, ...load]);
}

/** Kills so many daemons started with these variables, and audits what they leave. */
async function killUnderLoad(
  tally: Tally,
  { log }: SoakOptions,
  { kills, env = {} }: { kills: number; env?: Record<string, string> },
): Promise<void> {
  const lab = await openLab(tally);
  const { target } = lab;
  for (let run = 0; run < kills; run++)
    await tally.attempt(`kill ${run}`, async () => {
      await killOnce(lab, run, env);
      if (run % 20 !== 19) return;
      // Checked after a restart now and then; every request is checked again at the end.
      const next = await lab.start();
      await lab.audit(next);
      await lab.auditTranscripts(next);
      await next.kill();
      log(`${run + 1} kills, ${target.requests.length} requests, ${tally.lost} lost`);
    });
  await tally.attempt("the record at the end", async () => {
    const daemon = await lab.start();
    for (let worker = 0; worker < WORKERS; worker++)
      await make(daemon, `end-${worker}`, { session_id: `session-${worker}` });
    await lab.audit(daemon);
    await lab.auditTranscripts(daemon);
    lab.noteMemory(daemon);
    await daemon.stop();
    await lab.auditFile();
  });
  tally.note = `${target.requests.length} requests, ${lab.heard.results.size} results told`;
}

export const kill: Fault = {
  name: "kill",
  about: `kill -9 under load at concurrency ${WORKERS}`,
  run: (tally, options) => killUnderLoad(tally, options, { kills: options.short ? 4 : 200 }),
};

export const slowKill: Fault = {
  name: "slow-kill",
  about: `the same on a disk whose syncs take ${SLOW_SYNC_MS} ms`,
  async run(tally, options) {
    const folder = mkdtempSync(join(tmpdir(), "agentd-slow-"));
    tally.atEnd(() => rmSync(folder, { recursive: true }));
    const library = compileDelay(folder);
    if (library === undefined) {
      tally.skipped = "there is no C compiler";
      return;
    }
    const env = { LD_PRELOAD: library, SYNC_MS: String(SLOW_SYNC_MS) };
    await killUnderLoad(tally, options, { kills: options.short ? 2 : 40, env });
  },
};
