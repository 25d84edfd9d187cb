// How long a request waits that needs nothing, while the server does something else. In a process of its own: the clients that make
// the load would hold it up, too.
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 10;
/** Not counted: the first ones find the probe itself cold. */
const WARM_UP = 20;

/** Asks `url` until the standard input ends; prints the milliseconds of each request as a JSON list. */
export async function probe(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const once = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      get(url, { agent }, (response) => response.resume().on("end", () => resolve(performance.now() - begun))).on(
        "error",
        reject,
      );
    });
  let isOver = false;
  process.stdin.resume().on("end", () => {
    isOver = true;
  });
  const times: number[] = [];
  for (let asked = 0; !isOver; asked++) {
    const took = await once();
    if (asked >= WARM_UP) times.push(took);
    await sleep(EVERY_MS);
  }
  process.stdout.write(JSON.stringify(times), () => process.exit());
}
