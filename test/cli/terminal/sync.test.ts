// What `agentd sync` shows while it reads: a line on a terminal with what it does and for how long, and nothing of it elsewhere.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { petShop } from "../../support/daemon.js";
import { PROGRAM } from "../../support/program.js";
import { dataDir, start, stopAll } from "../../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { itOnTerminal, onTerminal, typedTerminal } from "../../support/terminal.js";
import { until } from "../../support/until.js";

const DESCRIPTION = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: { "/pets": { get: {} } } };
const SIZE = { rows: 20, columns: 60 };

describe("Progress of agentd sync", () => {
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;
  let answerNow: (() => void)[];

  beforeEach(async () => {
    answerNow = [];
    target = await startTarget(() => (socket) => answerNow.push(() => socket.write(json(DESCRIPTION))));
    home = dataDir({ target: target.url, schema: petShop(target.url) });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const sync = (): string[] => ["sync", "openapi", `${target.url}/openapi.json`, "--force", "--data-dir", home.dir];

  itOnTerminal("stands in one line after a second, is gone at the end, and leaves the report behind", async () => {
    const running = start(onTerminal(sync(), SIZE), { env: { NO_COLOR: "" } });
    const terminal = typedTerminal(running, SIZE);
    await terminal.shows(/^. fetching the description [1-9]\d* s$/m);
    expect(running.stdout()).to.include("\u001b[2m");
    for (const answer of answerNow) answer();
    expect((await terminal.ended).code, running.stdout()).to.equal(0);
    const lines = terminal.lines();
    expect(lines.join("\n")).to.not.match(/fetching|making tools/);
    expect(lines[0]).to.match(/^1 of 1 operations are tools now/);
    expect(lines.join("\n")).to.include("Safety: 1 read only, 0 mutating, 0 destructive.");
  });

  itOnTerminal("has no colour where none is wanted @all", async () => {
    const running = start(onTerminal(sync(), SIZE));
    const terminal = typedTerminal(running, SIZE);
    await terminal.shows(/fetching the description [1-9]\d* s/);
    expect(running.stdout()).to.not.match(/\u001b\[\d*m/);
  });

  itOnTerminal("leaves a report that is broken between words @all", async () => {
    const names = Array.from({ length: 9 }, (_, at) => `list_some_longer_name_${at}`);
    const paths = Object.fromEntries(
      names.map((operationId, at) => [`/x${at}`, { get: { operationId, responses: {} } }]),
    );
    writeFileSync(join(home.dir, "names.json"), JSON.stringify({ ...DESCRIPTION, paths }));
    const args = ["sync", "openapi", join(home.dir, "names.json"), "--force", "--data-dir", home.dir];
    const terminal = typedTerminal(start(onTerminal(args, SIZE)), SIZE);
    expect((await terminal.ended).code).to.equal(0);
    for (const name of names)
      expect(
        terminal.lines().some((line) => line.includes(name)),
        `${name} in ${terminal.lines().join("\n")}`,
      ).to.equal(true);
  });

  it("is not there in a pipe @all", async () => {
    const running = start([...PROGRAM, ...sync()]);
    await until(() => answerNow.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    for (const answer of answerNow) answer();
    const { code, stdout, stderr } = await running.ended;
    expect(code).to.equal(0);
    expect(stdout + stderr).to.not.match(/fetching|\u001b/);
  });

  itOnTerminal("goes on while a large description becomes tools @all", async () => {
    const operation = (at: number): object => ({
      get: { operationId: `get_thing_${at}`, responses: {} },
      put: { operationId: `set_thing_${at}`, responses: {} },
    });
    const paths = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`/things/${at}/of`, operation(at)]));
    writeFileSync(join(home.dir, "large.json"), JSON.stringify({ ...DESCRIPTION, paths }));
    const args = ["sync", "openapi", join(home.dir, "large.json"), "--force", "--data-dir", home.dir];
    const running = start(onTerminal(args, SIZE));
    await running.prints(/making tools \d+ s/);
  });
});
