import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readRegularFile } from "../../src/lib/regular-file.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("A regular file", () => {
  let dir: string;
  beforeEach(() => {
    dir = temporaryFolder("file");
  });

  it("is read, also through a link", () => {
    writeFileSync(join(dir, "a"), "text");
    symlinkSync(join(dir, "a"), join(dir, "b"));
    expect(readRegularFile(join(dir, "b")).toString()).to.equal("text");
  });

  it("is no pipe, which nobody waits for, and no folder", () => {
    execFileSync("mkfifo", [join(dir, "pipe")]);
    for (const file of [join(dir, "pipe"), dir]) expect(() => readRegularFile(file)).to.throw("not a regular file");
  });

  it("is no file that is longer than it may be", () => {
    writeFileSync(join(dir, "a"), "text");
    expect(readRegularFile(join(dir, "a"), 4).toString()).to.equal("text");
    expect(() => readRegularFile(join(dir, "a"), 3)).to.throw("more than 3 bytes");
  });

  it("keeps the code of the system when it is missing", () => {
    expect(() => readRegularFile(join(dir, "none")))
      .to.throw()
      .with.property("code", "ENOENT");
  });
});
