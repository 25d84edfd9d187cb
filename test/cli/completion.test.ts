// The scripts of `agentd completion` in the shells themselves, on a data directory whose names have what a shell would act on.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { COMMANDS } from "../../src/cli/commands.js";
import { bashScript } from "../../src/cli/completion/bash.js";
import { fishScript } from "../../src/cli/completion/fish.js";
import { commandWords } from "../../src/cli/completion/words.js";
import { zshScript } from "../../src/cli/completion/zsh.js";
import { RECORD_FILE } from "../../src/data-dir/directory.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const HOSTILE = ["a$(touch pwned)", "a`touch pwned`", "a; touch pwned", "a'b\"c", "a\u001b[2J"];

const PROVIDERS = { house: { model: "qwen3:8b", models: ["qwen3:8b", "qwen3:70b", "gpt-oss"] }, "a b": {} };

const BASH = `source ./agentd.bash; COMP_WORDS=(agentd "$@"); COMP_CWORD=$#; _agentd agentd
for word in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' $word"; done`;
/** What completes in zsh is stood in for: what the script gives it is printed. */
const ZSH = `compdef() { }; _files() { }; compset() { PREFIX=\${PREFIX#*=} }
compadd() { print -rl -- \${(M)found:#\${(b)PREFIX}*} }
_agentd_typed() { words=(agentd "$@"); CURRENT=$#words; PREFIX=\${words[CURRENT]}; _agentd }
source ./agentd.zsh; _agentd_typed "$@"`;
const FISH = `source ./agentd.fish; complete -C "agentd $argv" | string replace -r '\\t.*' ''`;

const isThere = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

describe("agentd completion", () => {
  let folder = "";
  before(async () => {
    folder = temporaryFolder("completion");
    const words = await commandWords(COMMANDS);
    writeFileSync(join(folder, "agentd.bash"), bashScript(words));
    writeFileSync(join(folder, "agentd.zsh"), zshScript(words));
    writeFileSync(join(folder, "agentd.fish"), fishScript(words));
    const program = PROGRAM.map((word) => `'${word}'`).join(" ");
    writeFileSync(join(folder, "agentd"), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
    mkdirSync(join(folder, "data"));
    const actions = ["list_pets", "add_pet", ...HOSTILE].map((name) => ({ name }));
    writeFileSync(join(folder, "data", "schema.json"), JSON.stringify({ resources: [{ actions }] }));
    writeFileSync(join(folder, "data", "config.json"), JSON.stringify({ providers: PROVIDERS }));
  });

  /** What a shell proposes behind these words, the last of which is being typed. */
  function proposed(argv: readonly string[], words: readonly string[]): string[] {
    const [shell = "", ...options] = argv;
    const { stdout, stderr } = spawnSync(shell, [...options, ...words], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    });
    expect(stderr).to.equal("");
    return stdout.split("\n").filter((line) => line !== "");
  }
  const bash = (...words: string[]): string[] => proposed(["bash", "--norc", "--noprofile", "-c", BASH, "bash"], words);

  const known = Object.keys(COMMANDS);
  const statuses = ["ok", "error", "blocked", "denied", "dry_run", "held", "pending", "interrupted"];

  it("completes commands, flags and choices in bash @all", () => {
    expect(bash("")).to.deep.equal(known);
    expect(bash("--data-dir", "data", "hist")).to.deep.equal(["history"]);
    expect(bash("history", "--st")).to.deep.equal(["--status"]);
    expect(bash("history", "--status", "")).to.deep.equal(statuses);
    expect(bash("history", "--status", "=", "e")).to.deep.equal(["error"]);
    expect(bash("history", "--status", "=")).to.deep.equal(statuses);
    expect(bash("approvals", "--reason", "approve", "d")).to.deep.equal(["deny"]);
    expect(bash("completion", "")).to.deep.equal(["bash", "zsh", "fish"]);
    expect(bash("run", "--", "--js")).to.deep.equal([]);
    expect(bash("__")).to.deep.equal([]);
  });

  it("completes words that are separated by commas, each once, in bash", () => {
    const typed = (word: string) => bash("history", "--safety", word);
    expect(typed("")).to.deep.equal(["read_only", "mutating", "destructive"]);
    expect(typed("m")).to.deep.equal(["mutating"]);
    expect(typed("mutating,")).to.deep.equal(["mutating,read_only", "mutating,destructive"]);
    expect(typed("destructive,read_only,m")).to.deep.equal(["destructive,read_only,mutating"]);
    expect(bash("history", "--safety", "=", "mutating,d")).to.deep.equal(["mutating,destructive"]);
  });

  it("completes models behind a provider, through the colons that bash takes for ends of words @all", () => {
    const typed = ["--data-dir", "data", "run", "-m"];
    expect(bash(...typed, "")).to.deep.equal(["house/qwen3:8b", "house/qwen3:70b", "house/gpt-oss"]);
    expect(bash(...typed, "house/g")).to.deep.equal(["house/gpt-oss"]);
    expect(bash(...typed, "house/qwen3", ":")).to.deep.equal(["8b", "70b"]);
    expect(bash(...typed, "house/qwen3", ":", "7")).to.deep.equal(["70b"]);
    expect(bash("--data-dir", "data", "chat", "--model", "=", "house/qwen3", ":", "8")).to.deep.equal(["8b"]);
  });

  it("completes names of the data directory in bash, and runs nothing that they have in them", () => {
    const typed = ["--data-dir", "data", "history", "--tool"];
    expect(bash(...typed, "list")).to.deep.equal(["list_pets"]);
    // What is inserted is evaluated here, as it would be with the next Enter: every name comes out as it is.
    expect(bash(...typed, "a")).to.deep.equal(["add_pet", ...HOSTILE.slice(0, -1)]);
    expect(bash("run", "--data-dir", "data", "--provider", "a")).to.deep.equal(["a b"]);
    expect(existsSync(join(folder, "pwned"))).to.equal(false);
  });

  it("names conversations and applications, and makes and says nothing where there are none @all", async () => {
    const { dir: data } = dataDir();
    await agentd(["run", "--data-dir", data, "--session", "monday", "hello\tthere \u001b"]);
    const files = readdirSync(data);
    const record = readFileSync(join(data, RECORD_FILE));
    const names = (kind: string, dir: string) => agentd(["__complete", kind, "--data-dir", dir], { cwd: folder });
    expect(await names("sessions", data)).to.include({ code: 0, stdout: "monday\thello there \\u{1b}\n", stderr: "" });
    expect(bash("run", "--data-dir", data, "--session", "")).to.deep.equal(["monday"]);
    expect(readdirSync(data)).to.deep.equal(files);
    expect(readFileSync(join(data, RECORD_FILE)).equals(record)).to.equal(true);
    expect(await names("applications", join(folder, "data"))).to.include({ code: 0, stdout: "-\n", stderr: "" });
    expect(await names("tools", join(folder, "none"))).to.include({ code: 0, stdout: "", stderr: "" });
    expect(await names("secrets", data)).to.include({ code: 1, stdout: "", stderr: "" });
    expect(existsSync(join(folder, "none"))).to.equal(false);
  });

  it("names calls, changes that can be undone, calls that wait and turns, where their ids belong @all", async () => {
    const create = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
    const { dir: data } = dataDir({ turns: [{ prompt: "create", replies: [create, { text: "ok" }] }] });
    const started = await agentd(["run", "create", "--confirm", "--json", "--events", "extended", "--data-dir", data]);
    const [, turn_id] = /"turn_id":"([^"]+)"/.exec(started.stdout) ?? [];
    const [, id = "none"] = /"confirmation_id":"([^"]+)"/.exec(started.stdout) ?? [];
    const typed = (...words: string[]): string[] => bash("--data-dir", data, ...words);
    expect(typed("history", "")).to.deep.equal(["list", "export", "verify", "1"]);
    expect(typed("result", "")).to.deep.equal(["1"]);
    expect(typed("undo", "")).to.deep.equal([]);
    for (const action of ["approve", "deny", "extend"])
      expect(typed("approvals", action, ""), started.stdout).to.deep.equal([id]);
    expect(typed("approvals", id.slice(0, 4))).to.deep.equal([id]);
    expect(typed("run", "--follow", "")).to.deep.equal([turn_id]);
    expect(typed("help", "hist")).to.deep.equal(["history"]);
    const { stdout } = await agentd(["__complete", "calls", "--data-dir", data]);
    expect(stdout).to.equal('1\tcreate_pet held {"name":"Rex"}\n');
  });

  const itIn = (shell: string, title: string, check: () => void): void => {
    if (isThere(shell)) it(title, check);
    else it(`${title} (${shell} is not installed here)`);
  };

  itIn("zsh", "completes in zsh", () => {
    const zsh = (...words: string[]): string[] => proposed(["zsh", "-f", "-c", ZSH, "zsh"], words);
    expect(zsh("")).to.deep.equal(known);
    expect(zsh("history", "--status=e")).to.deep.equal(["error"]);
    expect(zsh("history", "--status", "o")).to.deep.equal(["ok"]);
    expect(zsh("history", "--safety", "mutating,r")).to.deep.equal(["mutating,read_only"]);
    expect(zsh("history", "--safety=mutating,r")).to.deep.equal(["mutating,read_only"]);
    expect(zsh("--data-dir", "data", "run", "-m", "house/q")).to.deep.equal(["house/qwen3:8b", "house/qwen3:70b"]);
    expect(zsh("--data-dir", "data", "history", "--tool", "a")).to.deep.equal(["add_pet", ...HOSTILE.slice(0, -1)]);
    expect(existsSync(join(folder, "pwned"))).to.equal(false);
  });

  itIn("fish", "completes in fish", () => {
    const fish = (...words: string[]): string[] => proposed(["fish", "-N", "-c", FISH, "--"], [words.join(" ")]);
    expect(fish("")).to.have.members(known);
    expect(fish("history", "--status", "o")).to.deep.equal(["ok"]);
    expect(fish("history", "--safety", "m")).to.deep.equal(["mutating"]);
    expect(fish("history", "--safety", "mutating,r")).to.deep.equal(["mutating,read_only"]);
    expect(fish("history", "--safety=mutating,r")).to.deep.equal(["--safety=mutating,read_only"]);
    expect(fish("--data-dir", "data", "hist")).to.deep.equal(["history"]);
    expect(fish("--data-dir", "data", "run", "-m", "house/g")).to.deep.equal(["house/gpt-oss"]);
    expect(fish("--data-dir", "data", "history", "--tool", "list")).to.deep.equal(["list_pets"]);
    expect(fish("--data-dir", "data", "history", "--tool", "a")).to.include("add_pet");
    expect(existsSync(join(folder, "pwned"))).to.equal(false);
  });
});
