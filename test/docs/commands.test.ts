// The commands of the pages do what the pages say, one after another in an empty folder.
import { spawnSync } from "node:child_process";
import { createReader, type Step, stepsOf } from "../support/doc-shell.js";
import { read } from "../support/docs.js";
import { freePort } from "../support/free-port.js";
import { stopAll } from "../support/spawn.js";

/** Pages whose commands are all run, but those marked `elsewhere`; each begins where the one before it ended. */
const PAGES = ["docs/tutorial.md", "docs/deploy.md", "docs/upgrade.md"];
/** Ports that the pages use. */
const USUAL_PORTS = ["8000", "4242"];
/** Programs that a machine may not have, by what needs them. */
const NEEDED = { curl: /^curl /, openssl: /openssl|--token-file/ };
const MISSING = Object.entries(NEEDED).filter(([program]) => spawnSync(program, ["version"]).error !== undefined);

/** Why a step is not taken; "" when it is. */
function obstacleTo({ info, command }: Step): string {
  if (info === "sh elsewhere") return " … is not run: it needs what a test does not have";
  const [program] = MISSING.find(([, needs]) => needs.test(command)) ?? [];
  return program === undefined ? "" : ` … is not run: there is no ${program}`;
}

describe("Commands of the pages", function () {
  this.timeout(60_000);
  let reader: ReturnType<typeof createReader>;
  let hasFailed = false;

  before(async () => {
    const ports = await Promise.all(USUAL_PORTS.map(async (usual) => [usual, await freePort()] as const));
    reader = createReader(PAGES.map(read).join("\n"), Object.fromEntries(ports));
  });
  after(async () => {
    await reader.close();
    await stopAll();
  });

  for (const page of PAGES)
    for (const step of stepsOf(read(page))) {
      const obstacle = obstacleTo(step);
      it(`${page}: ${step.command.replaceAll("\n", "; ")}${obstacle}`, async function () {
        // A step needs those before it.
        if (hasFailed || obstacle !== "") return this.skip();
        hasFailed = true;
        await reader.take(step);
        hasFailed = false;
      });
    }
});
