// What `npm pack` makes is what people install: packed here, installed into an empty folder, run from there.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { petShop } from "../support/daemon.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

describe("The package", function () {
  this.timeout(120_000);
  let folder: string;
  let daemon: ChildProcess | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentd-pack-"));
    // npm test has just built dist; packing without scripts keeps this test from building it again under everyone's feet.
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    });
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    await run("npm", ["install", ...quiet, join(folder, packed?.filename ?? "")], { cwd: folder });
    // SQLite's addon takes a minute to compile; the one compiled for this checkout is of the same version.
    const addon = join("better-sqlite3", "build", "Release");
    const from = dirname(createRequire(import.meta.url).resolve("better-sqlite3/package.json"));
    await mkdir(join(folder, "node_modules", addon), { recursive: true });
    await cp(
      join(from, "build", "Release", "better_sqlite3.node"),
      join(folder, "node_modules", addon, "better_sqlite3.node"),
    );
  });
  after(async () => {
    daemon?.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });

  it("holds what runs and what explains it, and no tests", async () => {
    const { stdout } = await run("npm", ["ls", "--all", "--json"], { cwd: folder, maxBuffer: 2 ** 26 }).catch(
      (error: { stdout: string }) => error,
    );
    expect(Object.keys((JSON.parse(stdout) as { dependencies: object }).dependencies)).to.deep.equal(["agentd"]);
    const installed = join(folder, "node_modules", "agentd");
    for (const file of [
      "README.md",
      "CHANGELOG.md",
      "LICENSE",
      "dist/main.js",
      "dist/static/index.html",
      "migrations/meta/_journal.json",
    ])
      expect(await readFile(join(installed, file), "utf8"), file).to.have.length.above(0);
    expect(await readFile(join(installed, "test"), "utf8").catch(() => "absent")).to.equal("absent");
  });

  it("runs as npx agentd --help", async () => {
    const { stdout } = await run("npx", ["--offline", "agentd", "--help"], { cwd: folder });
    expect(stdout).to.contain("agentd serve").and.contain("agentd sync");
  });

  it("serves: migrations are found, the API answers, the UI loads", async () => {
    await writeFile(join(folder, "shop.json"), JSON.stringify(petShop("http://127.0.0.1:9")));
    const bin = join(folder, "node_modules", ".bin", "agentd");
    daemon = spawn(bin, ["serve", "--port", "0", "--provider", "offline", "--schema", "shop.json"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: daemon.stdout ?? process.stdin });
    const line = await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      daemon?.once("exit", (code) => reject(new Error(`ended with ${code}`)));
    });
    const url = /http:\/\/\S+/.exec(line)?.[0] ?? "";
    expect(await (await fetch(`${url}/history`)).json()).to.deep.equal([]);
    const page = await (await fetch(url)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1];
    const asset = await fetch(`${url}${script}`);
    expect(asset.headers.get("content-type")).to.contain("javascript");
    expect(asset.headers.get("cache-control")).to.contain("immutable");
  });
});
