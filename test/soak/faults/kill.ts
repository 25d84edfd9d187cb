// kill -9 at any instant, under load, over and over: nothing the target saw is missing from the record, nothing is there
// twice, and every conversation goes on.
import { openChat } from "../../support/raw.js";
import { createTally, type Fault } from "../fault.js";
import { ask, openLab } from "../lab.js";
import type { Daemon } from "../process.js";

const WORKERS = 8;
/** A kill comes at most this long after the load has begun. */
const LONGEST_MS = 250;

async function overChat(daemon: Daemon, message: string, session: string): Promise<void> {
  const chat = await openChat(`${daemon.url}/chat?session_id=${session}`);
  chat.send(message);
  await chat.turns();
  chat.close();
}

/** Prompts one after another until the daemon is gone; a broken connection is what is expected. */
async function work(daemon: Daemon, worker: string, run: number): Promise<void> {
  const session = `session-${worker}`;
  for (let n = 0; daemon.alive(); n++) {
    const message = `make kill${run}-${worker}-${n} 2`;
    try {
      if (n % 4 === 3) await overChat(daemon, message, session);
      else await ask(daemon, message, session);
    } catch {
      return;
    }
  }
}

export const kill: Fault = {
  name: "kill",
  about: `kill -9 under load at concurrency ${WORKERS}`,
  async run({ short, say }) {
    const kills = short ? 4 : 200;
    const lab = await openLab(createTally());
    const { tally, target } = lab;
    for (let run = 0; run < kills; run++)
      await tally.attempt(`kill ${run}`, async () => {
        const daemon = await lab.start();
        const before = target.requests.length;
        const load = Array.from({ length: WORKERS }, (_, worker) => work(daemon, String(worker), run));
        const begun = performance.now();
        while (target.requests.length < before + WORKERS && performance.now() - begun < 5_000)
          await new Promise((resolve) => setTimeout(resolve, 2));
        await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_MS));
        lab.weigh(daemon);
        await daemon.kill();
        await Promise.all(load);
        if (run % 20 === 19) {
          // Looked at after a restart now and then; every request is looked at again at the end.
          const next = await lab.start();
          await lab.audit(next);
          await lab.auditTranscripts(next);
          await next.kill();
          say(`${run + 1} kills, ${target.requests.length} requests, ${tally.lost} lost`);
        }
      });
    await tally.attempt("the books at the end", async () => {
      const daemon = await lab.start();
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
      lab.weigh(daemon);
      await daemon.stop();
      await lab.auditFile();
    });
    tally.note = `${target.requests.length} requests`;
    return lab.close();
  },
};
