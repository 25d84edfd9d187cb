// A check of good faith on a machine that has no time for it: the limit is of the check's own time, not of the clock's.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { programOf } from "../../../src/lib/package.js";
import { CheckQueue, serialized } from "../../../src/tools/arguments/check-process.js";

/** Texts that are compared with one another: as many steps as their number squared. */
const schema: JsonObject = { type: "object", properties: { x: { type: "array", uniqueItems: true } } };
/** Takes half a second. */
const COUNT = 6_000;
const distinct = (count: number): JsonObject => ({ x: Array.from({ length: count }, (_, i) => ({ i })) });
const request = (count: number) => ({
  id: 1,
  schema: serialized(schema),
  arguments: distinct(count),
  strict: false,
});

/** Everything that a process says. */
function heard(child: ChildProcess): unknown[] {
  const all: unknown[] = [];
  child.on("message", (message) => all.push(message));
  return all;
}

describe("A check on a busy machine", function () {
  this.timeout(30_000);

  it("goes on when others had the processor in its time @all", async function () {
    if (process.platform === "win32") this.skip();
    const program = programOf("tools/arguments/validate-child");
    const child = fork(program.file, [], { execArgv: [...program.execArgv], serialization: "advanced" });
    try {
      await once(child, "message");
      const all = heard(child);
      child.send(request(COUNT));
      await wait(150);
      expect(all, "the check is under way").to.deep.equal([]);
      child.kill("SIGSTOP");
      await wait(2_500);
      child.kill("SIGCONT");
      while (!all.includes("fits") && !all.includes("late")) await once(child, "message");
      expect(all).to.deep.equal(["again", "fits"]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("is not late because its answer waited to be read @all", async () => {
    const queue = new CheckQueue();
    try {
      await queue.check(request(1));
      const checked = queue.check({ ...request(1), schema: undefined });
      // What follows in the loop are its timers, and only then what has arrived.
      await new Promise(setImmediate);
      const start = performance.now();
      while (performance.now() - start < 6_500);
      expect(await checked).to.have.property("kind", "valid");
    } finally {
      queue.close();
    }
  });
});
