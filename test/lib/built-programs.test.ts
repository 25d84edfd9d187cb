// The programs that a daemon starts beside itself, as they are built: bundled with the command line, they must run nothing of it.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { packageRoot } from "../../src/lib/package.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { isNewerThan } from "../support/program.js";
import { cellsOf } from "../support/sheet.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const built = (name: string): string => join(packageRoot, "dist", `${name}.js`);

describe("Programs beside the command line, built", () => {
  let folder: string;
  let file: string;

  before(function () {
    // A build is made by npm test, not for a single file of it.
    if (!isNewerThan(built("main"), ["src"])) this.skip();
    folder = temporaryFolder("programs");
    file = join(folder, "record.db");
    const db = new SqliteDatabase(file);
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE t (a)");
    db.close();
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const run = (name: string, args: readonly string[]): object => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [built(name), ...args], {
      input: "",
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  it("print what they found, and nothing else", () => {
    expect(run("check-child", [file])).to.deep.equal({ status: 0, stdout: "", stderr: "" });
    expect(run("validate-child", [])).to.deep.equal({ status: 0, stdout: "", stderr: "" });
  });

  it("copy the log and print nothing", async () => {
    const thread = new Worker(built("checkpoint-thread"), { workerData: file, stdout: true, execArgv: [] });
    let printed = "";
    thread.stdout.on("data", (chunk) => (printed += chunk));
    thread.postMessage("");
    expect((await once(thread, "message"))[0]).to.include({ busy: 0 });
    await thread.terminate();
    expect(printed).to.equal("");
  });

  it("write a spreadsheet and print nothing", async () => {
    const workerData = { columns: ["constructor"], formats: [null] };
    const thread = new Worker(built("sheet-thread"), { workerData, stdout: true, execArgv: [] });
    let printed = "";
    thread.stdout.on("data", (chunk) => (printed += chunk));
    thread.postMessage([["toString"], [1.5]]);
    thread.postMessage(null);
    const [bytes] = (await once(thread, "message")) as [Uint8Array];
    await thread.terminate();
    expect(cellsOf(bytes)).to.deep.equal([["constructor"], ["toString"], [1.5]]);
    expect(printed).to.equal("");
  });
});
