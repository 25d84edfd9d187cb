// The data directory: its mode, and paths where none can be made.
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { prepareDirectory } from "../../src/data-dir/directory.js";
import { StartError } from "../../src/domain/error.js";
import { PROGRAM } from "../support/program.js";
import { type Ended, start, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Data directory", () => {
  afterEach(stopAll);
  const serve = (dir: string): Promise<Ended> =>
    start([...PROGRAM, "serve", "--port", "0", "--data-dir", dir], { input: "" }).ended;

  it("K7 ends with 1 where none can be made although the account may write, and names the place", async function () {
    if (!fs.existsSync("/proc/self")) this.skip();
    const dir = "/proc/agentd-none/below";
    const { code, stderr } = await serve(dir);
    expect(stderr).to.include(`cannot use the data directory ${dir}: no directory can be made in /proc: `);
    expect(stderr).to.include("--data-dir");
    expect(code).to.equal(1);
  });

  it("K8 is refused below a file", () => {
    const file = path.join(temporaryFolder("data"), "file");
    fs.writeFileSync(file, "");
    expect(() => prepareDirectory(path.join(file, "below"), () => {})).to.throw(StartError, file);
  });

  it("K10 is made with all the directories above it that are missing, for its owner only", () => {
    const dir = path.join(temporaryFolder("data"), "a", "b", "c");
    prepareDirectory(dir, () => {});
    for (const made of [dir, path.dirname(dir), path.dirname(path.dirname(dir))])
      expect(fs.statSync(made).mode & 0o777).to.equal(0o700);
  });
});
