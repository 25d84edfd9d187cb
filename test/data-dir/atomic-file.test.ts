// Files that appear under their name only when they are complete.
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { writeAtomically, writeNewFile } from "../../src/data-dir/atomic-file.js";
import { StartError } from "../../src/domain/error.js";
import { rejection } from "../store/sqlite/fixture.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Atomic file", () => {
  const fill = (text: string) => async (partial: string) => fs.writeFileSync(partial, text);
  const failing = async (partial: string): Promise<void> => {
    fs.writeFileSync(partial, "half");
    throw new Error("no space");
  };

  it("is readable by its owner only and replaces an old one", async () => {
    const dir = temporaryFolder("data");
    const file = path.join(dir, "file");
    for (const text of ["old", "new"]) await writeAtomically(file, fill(text), { replace: true });
    expect(fs.readFileSync(file, "utf8")).to.equal("new");
    expect(fs.statSync(file).mode & 0o777).to.equal(0o600);
    expect(fs.readdirSync(dir)).to.deep.equal(["file"]);
  });

  it("stays as it was when writing fails, and nothing else is left", async () => {
    const dir = temporaryFolder("data");
    const file = path.join(dir, "file");
    fs.writeFileSync(file, "old");
    for (const replace of [true, false])
      expect((await rejection(writeAtomically(file, failing, { replace }))).message).to.equal("no space");
    expect(fs.readFileSync(file, "utf8")).to.equal("old");
    expect(fs.readdirSync(dir)).to.deep.equal(["file"]);
  });

  it("is not replaced by a new file, also when it appears while that is written", async () => {
    const dir = temporaryFolder("data");
    const file = path.join(dir, "file");
    const late = async (partial: string): Promise<void> => {
      fs.writeFileSync(partial, "new");
      fs.writeFileSync(file, "old");
    };
    for (const write of [late, fill("new")])
      expect(await rejection(writeNewFile(file, write, { what: "the copy" }))).to.have.property("code", "conflict");
    expect(fs.readFileSync(file, "utf8")).to.equal("old");
    expect(fs.readdirSync(dir)).to.deep.equal(["file"]);
  });

  it("is named in the error when it cannot be written or was stopped", async () => {
    const file = path.join(temporaryFolder("data"), "none", "file");
    const error = await rejection(writeNewFile(file, fill(""), { what: "the copy" }));
    expect(error).to.have.property("code", "bad_request");
    expect(error.message).to.contain(file).and.contain("there is no folder");
    const stopped = path.join(temporaryFolder("data"), "file");
    const signal = AbortSignal.abort();
    expect(await rejection(writeNewFile(stopped, failing, { what: "the copy", signal }))).to.be.instanceOf(StartError);
    expect(fs.existsSync(stopped)).to.equal(false);
  });
});
