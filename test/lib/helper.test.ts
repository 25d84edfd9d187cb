// A helper that the system does not start: an answer like any other, and the process that wanted it goes on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporary-folder.js";

const MODULES = pathToFileURL(`${process.cwd()}/src/`).href;
/** Uses up the process's files: nothing can be started any more. */
const WITHOUT_FILES =
  'import { openSync } from "node:fs"; const take = () => { try { for (;;) openSync("/dev/null"); } catch {} };';
const RUN_HELPER = `
  const { runHelper } = await import("${MODULES}lib/helper.ts");
  const run = () => runHelper({ command: ["true"], cwd: "/", env: process.env, timeoutMs: 10_000 });`;
const TELL = `
  const { createNotifier } = await import("${MODULES}agent/state/notify.ts");
  const notifier = createNotifier({ warn: (fields) => console.log(fields.cause) });
  notifier.use({ headers: {}, command: ["true"] });
  const tell = () => notifier.tell({ request: {} });`;

/** What a process of its own group prints, and how it ends. */
async function outcomeOf(program: string): Promise<{ printed: string; ended: unknown[] }> {
  const folder = temporaryFolder("helper");
  // A file: what is evaluated from the command line would be passed on to what the helper starts, and start itself again.
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  const node = [process.execPath, "--import", "tsx/esm", file];
  const child = spawn("sh", ["-c", 'ulimit -n 64 && exec "$@"', "sh", ...node], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [printed, ended] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { printed, ended };
}

describe("A helper that cannot be started", () => {
  it("is a failure where Node itself has been replaced, and ends nothing else", async () => {
    const { printed, ended } = await outcomeOf(
      `${RUN_HELPER} process.execPath = "/nowhere/node"; console.log((await run()).failure);`,
    );
    expect(ended).to.deep.equal([0, null]);
    expect(printed).to.contain("ENOENT");
  });

  it("is a failure where the process has no file left", async () => {
    const { printed, ended } = await outcomeOf(
      `${WITHOUT_FILES} ${RUN_HELPER} take(); console.log((await run()).failure);`,
    );
    expect(ended).to.deep.equal([0, null]);
    expect(printed).to.contain("EMFILE");
  });

  it("is said of a command that is to tell of confirmations, too @all", async () => {
    const { printed, ended } = await outcomeOf(`${WITHOUT_FILES} ${TELL} take(); tell();`);
    expect(ended).to.deep.equal([0, null]);
    expect(printed).to.contain("EMFILE");
  });
});
