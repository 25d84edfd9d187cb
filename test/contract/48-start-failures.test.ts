// What keeps the program from starting, made for real: an old Node, an addon that was not built or is damaged. One sentence each,
// with the way out. Source: docs/reference.md, "Starting and stopping".
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { networkTypeIn } from "../../src/data-dir/network-disk.js";
import { missingAddon } from "../../src/lib/missing-addon.js";
import { packageRoot } from "../../src/lib/package.js";
import { isNewerThan, PROGRAM } from "../support/program.js";
import { agentd, start } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const [NODE = process.execPath, ...MAIN] = PROGRAM;
const isOldLine = Number.parseInt(process.versions.node, 10) < 22;
const ADDON = isOldLine ? "better-sqlite3" : "better-sqlite3-13";

describe("Failures at start", function () {
  this.timeout(60_000);
  let dir: string;
  beforeEach(() => {
    dir = temporaryFolder("start");
  });

  describe("an old Node", () => {
    const asNode = (version: string) => {
      const preload = join(dir, "old.mjs");
      writeFileSync(
        preload,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
      );
      return start([NODE, "--import", preload, ...MAIN, "--version"]).ended;
    };

    it("K16 is named, with the version that is needed", async () => {
      for (const version of ["12.22.12", "18.20.8", "20.18.3"]) {
        const { code, stdout, stderr } = await asNode(version);
        expect([code, stdout]).to.deep.equal([1, ""]);
        expect(stderr).to.equal(
          `agentd: this is Node ${version}, and agentd needs 20.19 or later. Install a newer one from https://nodejs.org and start agentd again.\n`,
        );
      }
    });

    it("is one older than package.json says, and no other", async () => {
      const { engines } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
        engines: { node: string };
      };
      expect(engines.node).to.equal(">=20.19");
      for (const version of ["20.19.0", "21.0.0", "24.1.0"]) expect((await asNode(version)).code).to.equal(0);
    });

    it("reads the first file: it imports nothing before it has looked, and waits for nothing", () => {
      const text = readFileSync(join(packageRoot, "src/main.ts"), "utf8").replace(/^\/\/.*$/gm, "");
      expect(text).not.to.match(/^\s*(import|export)\b(?!\()/m);
      expect(text).not.to.match(/\bawait\b|\?\.|\?\?|=>|[^.]\.\.\./);
    });
  });

  describe("SQLite's addon", () => {
    /** The built program in a folder of its own; `change` does something to the addon's package. */
    const installed = (change: (folder: string) => void): string => {
      for (const name of ["dist", "package.json"])
        cpSync(join(packageRoot, name), join(dir, name), { recursive: true });
      symlinkSync(join(packageRoot, "migrations"), join(dir, "migrations"));
      mkdirSync(join(dir, "node_modules"));
      for (const name of ["better-sqlite3", "better-sqlite3-13", "bindings", "file-uri-to-path"])
        cpSync(join(packageRoot, "node_modules", name), join(dir, "node_modules", name), {
          recursive: true,
          filter: (path) => !/\/(deps|src|obj|obj\.target)$/.test(path),
        });
      change(join(dir, "node_modules", ADDON));
      return join(dir, "dist/main.js");
    };
    const addonsIn = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".node"))
        .map((name) => join(folder, name));
    const run = (main: string, ...args: string[]) =>
      start([NODE, main, ...args, "--data-dir", join(dir, "data")], { env: { HOME: dir } }).ended;

    const cases: [what: string, change: (folder: string) => void, sentence: string][] = [
      [
        "that was not built",
        (folder) => addonsIn(folder).forEach((file) => void rmSync(file)),
        "not built or not installed",
      ],
      ["that is not installed", (folder) => rmSync(folder, { recursive: true }), "not built or not installed"],
      [
        "that is damaged",
        (folder) => addonsIn(folder).forEach((file) => void writeFileSync(file, "no library")),
        "built for another machine or is damaged",
      ],
    ];
    for (const [what, change, sentence] of cases)
      it(`K16 ${what} is named in one sentence, by every command that needs it @all`, async function () {
        if (!isNewerThan(join(packageRoot, "dist/main.js"), ["src"])) return this.skip();
        const main = installed(change);
        for (const command of [
          ["serve", "--port", "0", "--provider", "offline"],
          ["run", "hi", "--provider", "offline"],
        ]) {
          const { code, stderr } = await run(main, ...command);
          expect(code).to.equal(1);
          expect(stderr.trim().split("\n").at(-1)).to.match(
            new RegExp(
              `^agentd: SQLite's addon cannot be loaded: it (was|is|was )*${sentence}\\. Install agentd again .*"npm rebuild"`,
            ),
          );
          expect(stderr).not.to.include("This should not happen");
        }
        expect((await run(main, "serve", "--help")).code, "what opens no database").to.equal(0);
      });

    it("that was built for another version of Node is named in Node's own words for it", () => {
      const error = Object.assign(
        new Error(
          "The module 'x.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 108. This version of Node.js requires NODE_MODULE_VERSION 115.",
        ),
        { code: "ERR_DLOPEN_FAILED" },
      );
      expect(missingAddon(error)?.message).to.include("built for another version of Node");
      expect(missingAddon(new Error("database is locked"))).to.equal(undefined);
    });
  });

  it("a schema document that cannot be used is named in one sentence", async () => {
    writeFileSync(join(dir, "schema.json"), '{"resources":{}}');
    for (const command of [["serve", "--port", "0"], ["tools"]]) {
      const { code, stdout, stderr } = await agentd([...command, "--data-dir", dir]);
      expect([code, stdout], command[0]).to.deep.equal([1, ""]);
      expect(stderr, command[0]).to.equal(
        `agentd: ${join(dir, "schema.json")} cannot be used: resources: must be an array, not a JSON object\n`,
      );
    }
  });

  describe("a network disk", () => {
    const TABLE = [
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
      "30 22 0:40 / /mnt/nas rw,relatime - nfs4 nas:/export rw,vers=4.2",
      "31 30 8:2 / /mnt/nas/local rw,relatime - xfs /dev/sdb1 rw",
      "32 22 0:41 / /mnt/my\\040share rw shared:2 master:1 - cifs //nas/share rw",
      "33 22 0:42 / /home/me/far rw - fuse.sshfs me@far:/ rw",
      "34 22 0:43 / /media/stick rw - fuse.ntfs-3g /dev/sdc1 rw",
      "35 22 0:44 / /over rw - nfs nas:/a rw",
      "36 22 0:45 / /over rw - tmpfs tmpfs rw",
    ].join("\n");
    const places: [path: string, type: string | undefined][] = [
      ["/var/agentd", undefined],
      ["/mnt/nas", "nfs4"],
      ["/mnt/nas/agentd", "nfs4"],
      ["/mnt/nasty", undefined],
      ["/mnt/nas/local/agentd", undefined],
      ["/mnt/my share/.agentd", "cifs"],
      ["/home/me/far/.agentd", "fuse.sshfs"],
      ["/media/stick/.agentd", undefined],
      ["/over/here", undefined],
    ];
    for (const [path, type] of places)
      it(`K15 ${path} is ${type ?? "none"}`, () => expect(networkTypeIn(TABLE, path)).to.equal(type));
  });
});
