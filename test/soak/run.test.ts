// The soak's own runner: whatever a fault does is a failure of its own, and the others go on.
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { typescript } from "../support/program.js";
import { start } from "../support/spawn.js";

const CHILD = fileURLToPath(new URL("children/faulty-faults.ts", import.meta.url));

describe("npm run soak", () => {
  it("reports a fault that throws, hangs or leaves a rejection as one that failed, goes on, and exits with 1 @all", async function () {
    this.timeout(60_000);
    const { code, stdout, stderr } = await start([...typescript(CHILD), "500"]).ended;
    expect(stderr).to.equal("");
    expect(code).to.equal(1);
    const results = [...stdout.matchAll(/^ {2}(\w+): (\w+), [\d.]+ s$/gm)].map(([, name, result]) => [name, result]);
    expect(results).to.deep.equal([
      ["throws", "FAILED"],
      ["rejects", "FAILED"],
      ["hangs", "FAILED"],
      ["sleeps", "FAILED"],
      ["loses", "FAILED"],
      ["tidies", "FAILED"],
      ["idles", "FAILED"],
      ["skips", "skipped"],
      ["works", "ok"],
    ]);
    expect(stdout.split("\n").filter((line) => line.includes("PROBLEM"))).to.deep.equal([
      "  PROBLEM thrown by the fault",
      "  PROBLEM nobody handled: awaited by nobody",
      "  PROBLEM nothing ended for 1 s; open: the daemon",
      "  PROBLEM nothing ended for 1 s; open: for ever",
      "  PROBLEM at the end: not tidied",
    ]);
    expect(stdout).to.match(/^ {2}3 × step, slowest \d+\.\d s$/m);
    expect(stdout).to.contain("not well: throws, rejects, hangs, sleeps, loses, tidies, idles\n");
  });

  it("ends what it has started when it is told to end @all", async function () {
    this.timeout(60_000);
    const soak = start([...typescript(CHILD), "50000"]);
    const pid = Number(await soak.prints(/waits for (\d+)/));
    const { code, stdout } = await soak.stop();
    expect(code).to.equal(1);
    expect(stdout).to.contain("PROBLEM interrupted").and.to.contain("not well: throws, rejects, hangs\n");
    expect(() => process.kill(pid, 0)).to.throw("ESRCH");
  });
});
