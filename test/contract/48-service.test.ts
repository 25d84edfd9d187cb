// `agentd service`: what it writes, what it asks of the service manager, and what it leaves alone. The manager is a script that
// records what it is asked: a test makes no service of this machine. Source: docs/reference.md, "A service of the account".
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createLaunchd } from "../../src/cli/service/launchd.js";
import { createSystemd } from "../../src/cli/service/systemd.js";
import { packageRoot } from "../../src/lib/package.js";
import { agentd, type Ended, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const MAIN = join(packageRoot, "dist", "main.js");
const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const DIFFICULT = '/srv/a b/100%/$HOME/"q"/it\'s <&>/--';

describe("A service of the account", function () {
  this.timeout(60_000);
  let home: string;
  let dir: string;
  let bin: string;
  let unit: string;
  let asked: string;

  /** A systemctl that is reachable or not; `restart` runs what the unit says. */
  const systemctl = (isReachable: boolean): void => {
    writeFileSync(
      join(bin, "systemctl"),
      `#!/bin/sh
echo "$*" >> "${asked}"
${isReachable ? "" : "exit 1"}
case "$2" in
  restart) sh -c "exec $(sed -n 's/^ExecStart=//p' "${unit}")" >/dev/null 2>&1 </dev/null & ;;
  is-active) echo active ;;
esac
`,
    );
    chmodSync(join(bin, "systemctl"), 0o755);
  };

  beforeEach(function () {
    if (process.platform !== "linux" || !existsSync(MAIN)) return this.skip();
    home = temporaryFolder("service");
    [dir, bin] = [join(home, "data dir"), join(home, "bin")];
    unit = join(home, ".config", "systemd", "user", "agentd.service");
    asked = join(home, "asked");
    for (const folder of [dir, bin]) mkdirSync(folder);
    writeFileSync(join(dir, "config.json"), JSON.stringify({ port: 0, default_provider: "offline" }));
    writeFileSync(asked, "");
    systemctl(false);
  });
  afterEach(stopAll);

  const service = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
    agentd(["service", ...args, "--data-dir", dir], {
      env: { HOME: home, XDG_CONFIG_HOME: "", PATH: `${bin}:${process.env["PATH"]}`, ...env },
    });

  it("prints the unit, with absolute paths and no secret, and writes nothing", async () => {
    const { code, stdout } = await service(["install", "--print"], { OPENAI_API_KEY: "sk-canary-4711" });
    expect(code).to.equal(0);
    expect(stdout).to.include(`\nExecStart="${process.execPath}" "${MAIN}" "serve" "--data-dir" "${dir}"\n`);
    for (const line of ["Restart=on-failure", "NoNewPrivileges=yes", "WantedBy=default.target"])
      expect(stdout.split("\n")).to.include(line);
    expect(stdout).to.not.include("canary");
    expect([existsSync(unit), readFileSync(asked, "utf8")]).to.deep.equal([false, ""]);
  });

  it("writes it, and says what to run where systemd cannot be asked @all", async () => {
    const { code, stdout, stderr } = await service(["install"], { OPENAI_API_KEY: "sk-canary-4711" });
    expect([code, stdout], stderr).to.deep.equal([0, `${unit}\n`]);
    expect(stderr).to.include("systemctl --user enable --now agentd.service").and.include("loginctl enable-linger");
    expect(stderr)
      .to.match(/^OPENAI_API_KEY: set here, and not in the service\./m)
      .and.not.include("canary");
    expect(readFileSync(unit, "utf8")).to.equal((await service(["install", "--print"])).stdout);
    expect((await service(["status"])).code).to.equal(3);
    const removed = await service(["uninstall"]);
    expect([removed.code, removed.stdout]).to.deep.equal([0, `removed ${unit}\n`]);
    expect(existsSync(unit)).to.equal(false);
    expect((await service(["status"])).code).to.equal(4);
  });

  it("enables, starts and waits until the daemon listens; stops and disables it again", async () => {
    systemctl(true);
    const installed = await service(["install"]);
    expect(installed.code, installed.stderr).to.equal(0);
    expect(installed.stderr).to.include("agentd is started.");
    expect((await agentd(["status", "--data-dir", dir])).code).to.equal(0);
    const shown = await service(["status", "--json"]);
    expect(JSON.parse(shown.stdout)).to.deep.include({ installed: true, enabled: true, active: true, file: unit });
    expect((await agentd(["stop", "--data-dir", dir])).code).to.equal(0);
    expect((await service(["uninstall"])).code).to.equal(0);
    const orders = readFileSync(asked, "utf8").split("\n");
    const changes = orders.filter((line) => /daemon-reload|enable |restart|disable/.test(line));
    expect(changes).to.deep.equal([
      "--user daemon-reload",
      "--user enable agentd.service",
      "--user restart agentd.service",
      "--user disable --now agentd.service",
      "--user daemon-reload",
    ]);
  });

  it("touches no unit that it did not make, and none of another data directory @all", async () => {
    await service(["install"]);
    const other = mkdtempSync(join(home, "other-"));
    const refused = await agentd(["service", "install", "--data-dir", other], {
      env: { HOME: home, XDG_CONFIG_HOME: "", PATH: `${bin}:${process.env["PATH"]}` },
    });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include("is for another data directory").and.include("--name");
    writeFileSync(unit, "[Service]\nExecStart=/bin/true\n");
    for (const action of ["install", "uninstall", "status"]) {
      const { code, stderr } = await service([action]);
      expect(code, action).to.equal(1);
      expect(stderr).to.include("was not made by agentd service install");
    }
    expect(readFileSync(unit, "utf8")).to.include("/bin/true");
  });

  const wrong: [args: string[], message: string][] = [
    [["instal"], "Did you mean install?"],
    [["install", "--name", "A/B"], "--name takes"],
  ];
  for (const [args, message] of wrong)
    it(`refuses "service ${args.join(" ")}" with exit code 2 @all`, async () => {
      const { code, stderr } = await service(args);
      expect(code).to.equal(2);
      expect(stderr).to.include(message);
    });

  const definition = { name: "agentd", node: process.execPath, program: MAIN, dataDir: DIFFICULT };

  if (isThere("systemd-analyze"))
    it("writes a unit that systemd-analyze verify takes, whatever the path", () => {
      const file = join(home, "agentd.service");
      writeFileSync(file, createSystemd("agentd", { XDG_CONFIG_HOME: "/srv/100%" }).text(definition));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
      expect([status, stderr]).to.deep.equal([0, ""]);
    });
  else it("writes a unit that systemd-analyze verify takes (systemd-analyze is not installed here)");

  if (isThere("python3"))
    it("writes a property list that a parser of property lists takes, whatever the path", () => {
      const script = "import plistlib, json, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
      const input = createLaunchd("agentd-shop").text(definition);
      const { status, stdout, stderr } = spawnSync("python3", ["-c", script], { encoding: "utf8", input });
      expect(status, stderr).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.include({
        Label: "local.agentd-shop",
        ProgramArguments: [process.execPath, MAIN, "serve", "--data-dir", DIFFICULT],
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
        Umask: 0o077,
      });
    });
  else it("writes a property list that a parser takes (python3 is not installed here)");

  it("refuses a path with a line break, which could add lines to a unit", () => {
    const evil = { ...definition, dataDir: "/srv/x\nExecStartPre=/bin/evil" };
    expect(() => createSystemd("agentd", {}).text(evil)).to.throw("control character");
    expect(() => createLaunchd("agentd").text(evil)).to.throw("control character");
  });
});
