// What `npm run package` makes is what people install: made here, installed into an empty folder, run from there. All of it needs
// an installed copy, which takes as long as many tests: only `npm run test:all` has it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { EXTERNAL } from "../../vite.server.config.js";
import { petShop } from "../support/daemon.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAX_PACKAGES = 80;
/** SQLite's driver is there in two lines, one of them with binaries for eight platforms. */
const MAX_BYTES = 60 * 2 ** 20;
const run = promisify(execFile);

async function readJson<T>(...path: string[]): Promise<T> {
  return JSON.parse(await readFile(join(...path), "utf8")) as T;
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe("The package @all", function () {
  this.timeout(120_000);
  let folder: string;
  let installed: string;
  let daemon: ChildProcess | undefined;

  before(async () => {
    folder = temporaryFolder("pack");
    installed = join(folder, "node_modules", "agentd");
    // npm test has just built dist; only the second half of `npm run package` runs here.
    const { stdout } = await run("npx", ["--no-install", "tsx", "build/package.ts", folder], { cwd: ROOT });
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    await run("npm", ["install", ...quiet, stdout.trim()], { cwd: folder });
    // SQLite's addon takes a minute to compile; the one compiled for this checkout is of the same version.
    const addon = join("better-sqlite3", "build", "Release");
    const from = dirname(createRequire(import.meta.url).resolve("better-sqlite3/package.json"));
    await mkdir(join(folder, "node_modules", addon), { recursive: true });
    await cp(
      join(from, "build", "Release", "better_sqlite3.node"),
      join(folder, "node_modules", addon, "better_sqlite3.node"),
    );
  });
  after(() => {
    daemon?.kill("SIGTERM");
  });

  it("holds what runs and what explains it, and no tests", async () => {
    const { stdout } = await run("npm", ["ls", "--all", "--json"], { cwd: folder, maxBuffer: 2 ** 26 }).catch(
      (error: { stdout: string }) => error,
    );
    expect(Object.keys((JSON.parse(stdout) as { dependencies: object }).dependencies)).to.deep.equal(["agentd"]);
    for (const file of [
      "README.md",
      "CHANGELOG.md",
      "SECURITY.md",
      "LICENSE",
      "THIRD-PARTY-LICENSES",
      "docs/reference.md",
      "dist/main.js",
      "dist/static/index.html",
      "migrations/meta/_journal.json",
    ])
      expect(await readFile(join(installed, file), "utf8"), file).to.have.length.above(0);
    for (const absent of ["test", "src", "dist/bundled"])
      expect(await readFile(join(installed, absent), "utf8").catch(({ code }) => code), absent).to.equal("ENOENT");
  });

  it("depends only on what it loads at run time", async () => {
    const { dependencies, devDependencies, scripts } = await readJson<Record<string, object>>(
      installed,
      "package.json",
    );
    expect(Object.keys(dependencies ?? {})).to.have.members(EXTERNAL);
    expect([devDependencies, scripts]).to.deep.equal([undefined, undefined]);
  });

  it("carries the licence of every package that is bundled", async () => {
    const licences = await readFile(join(installed, "THIRD-PARTY-LICENSES"), "utf8");
    const builds = readdirSync(join(ROOT, "dist", "bundled"));
    expect(builds).to.include.members(["server.json", "ui.json"]);
    for (const build of builds) {
      const { bundled } = await readJson<{ bundled: string[] }>(ROOT, "dist", "bundled", build);
      for (const path of bundled) {
        const { name, version } = await readJson<{ name: string; version: string }>(ROOT, path, "package.json");
        expect(licences).to.contain(`\n${name} ${version} (`);
      }
    }
    const { dependencies = {} } = await readJson<{ dependencies?: object }>(ROOT, "package.json");
    for (const name of Object.keys(dependencies).filter((one) => !EXTERNAL.includes(one)))
      expect(licences).to.contain(`\n${name} `);
  });

  it("is built by configurations that each write down what they bundle", async () => {
    const configurations = readdirSync(ROOT).filter((name) => /^vite.*\.config\.ts$/.test(name));
    for (const name of configurations)
      expect(await readFile(join(ROOT, name), "utf8"), name).to.match(/\bbundledPackages\("/);
  });

  it(`brings under ${MAX_PACKAGES} packages and 50 MB`, async () => {
    const { packages } = await readJson<{ packages: object }>(folder, "node_modules", ".package-lock.json");
    expect(Object.keys(packages)).to.have.length.below(MAX_PACKAGES);
    expect(sizeOf(join(folder, "node_modules"))).to.be.below(MAX_BYTES);
  });

  it("is not made by npm pack in the checkout, which says what makes it", async () => {
    const refusal = await run("npm", ["pack", "--dry-run"], { cwd: ROOT }).catch((error: Error) => error);
    expect(String(refusal)).to.contain("npm run package");
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
    // The bundle knows the media types of these files and few others.
    const ui = join(installed, "dist", "static");
    for (const entry of readdirSync(ui, { withFileTypes: true, recursive: true })) {
      const path = relative(ui, join(entry.parentPath, entry.name)).split(sep).join("/");
      if (!entry.isFile() || /\.(br|gz)$/.test(path)) continue;
      const { headers } = await fetch(`${url}/${path}`, { method: "HEAD" });
      expect(headers.get("content-type"), path).not.to.match(/octet-stream/);
    }
  });
});
