// Files of the configuration that change under a running daemon, without a signal: replaced, swapped by a link as Kubernetes does,
// half written, broken. Source: docs/reference.md, "Starting and stopping".
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { getJson, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const TURNS = [
  { prompt: "list", replies: [{ calls: [{ name: "list_pets", arguments: {} }] }, { text: "Two pets." }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Done." }] },
];
const OLD = "old-secret-4711";
const NEW = "new-secret-0815";
const TOKENS = ["first-token-first-token", "second-token-second-token"] as const;
const RELOADED = "configuration, secrets and documents reloaded";
const REFUSED = "the new configuration cannot be used; the old one stays in force";
const PLAYED = { providers: { played: { type: "scripted", file: "turns.json", model: "played-1" } } };
const KEYED = { ...PLAYED, target: { headers: { "X-Key": "file:keys/key", "X-Other": "file:keys/other" } } };

describe("Starting and stopping: files that change", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;
  let daemon: Served;

  beforeEach(async () => {
    // What it repeats of the request shows what is redacted.
    target = await startTarget((request) => json([{ id: 1, name: `saw ${request.header("X-Key")} and ${OLD}` }]));
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const path = (name: string): string => join(home.dir, name);
  const configure = (config: object): void => writeFileSync(path("config.json"), JSON.stringify(config));
  const lines = (text: string): number => daemon.stderr().split(text).length - 1;
  /** Makes a change and waits until the log has one more line of this text. */
  const expecting = async (text: string, change: () => void): Promise<void> => {
    const before = lines(text);
    change();
    await until(() => lines(text) > before, 20_000, `no line "${text}"`);
  };
  const run = (message: string, token?: string): Promise<Response> => {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return postJson(`${daemon.url}/run`, { message }, { headers });
  };
  /** A folder of two keys as Kubernetes mounts it: every name is a link through one that is swapped. */
  const mount = (version: string, key: string): void => {
    mkdirSync(path(`keys/..${version}`), { recursive: true });
    for (const name of ["key", "other"]) writeFileSync(path(`keys/..${version}/${name}`), `${key}\n`);
    symlinkSync(`..${version}`, path("keys/..data-new"));
    renameSync(path("keys/..data-new"), path("keys/..data"));
  };

  it("L12 N14 follows a secret whose link is swapped, both files at once, and redacts the old value and the new @all", async () => {
    mount("1", OLD);
    for (const name of ["key", "other"]) symlinkSync(`..data/${name}`, path(`keys/${name}`));
    configure(KEYED);
    daemon = await serve(["--data-dir", home.dir]);
    await run("list");
    await expecting(RELOADED, () => mount("2", NEW));
    const answer = await (await run("list")).text();
    const sent = target.requests.map((request) => [request.header("X-Key"), request.header("X-Other")]);
    expect(sent).to.deep.equal([
      [OLD, OLD],
      [NEW, NEW],
    ]);
    const history = JSON.stringify(await getJson(`${daemon.url}/history`));
    const { stderr } = await daemon.stop();
    for (const text of [answer, history, stderr]) expect(text).to.not.include(OLD).and.not.include(NEW);
    expect(answer).to.include("saw [redacted] and [redacted]");
  });

  it("L12 reads config.json again when it is replaced, and turns no mode off @all", async () => {
    configure({ ...PLAYED, safety: { read_only: true } });
    daemon = await serve(["--data-dir", home.dir]);
    await expecting(RELOADED, () => {
      writeFileSync(path("new.json"), JSON.stringify({ ...PLAYED, max_iterations: 3 }));
      renameSync(path("new.json"), path("config.json"));
    });
    const config = await getJson<Record<string, unknown>>(`${daemon.url}/config/public`);
    expect(config).to.include({ max_iterations: 3, read_only: true });
    await run("create");
    expect(target.requests).to.deep.equal([]);
    expect(daemon.stderr()).to.include("a reload turns no safety mode off");
  });

  it("L12 keeps the old one while a file is half written, empty or gone, says so once, and takes the whole one @all", async () => {
    mkdirSync(path("keys"));
    for (const name of ["keys/key", "keys/other"]) writeFileSync(path(name), OLD);
    configure(KEYED);
    daemon = await serve(["--data-dir", home.dir]);
    const whole = JSON.stringify({ ...KEYED, max_iterations: 4 });
    await expecting(REFUSED, () => writeFileSync(path("config.json"), whole.slice(0, 60)));
    const before = lines(REFUSED);
    // Another half of it is the same trouble: nothing is said of it. What comes next is.
    writeFileSync(path("config.json"), whole.slice(0, 60));
    await expecting("which is empty", () => {
      writeFileSync(path("keys/key"), "");
      writeFileSync(path("config.json"), whole);
    });
    expect(lines(REFUSED)).to.equal(before + 1);
    await expecting("cannot be read", () => rmSync(path("keys/key")));
    await run("list");
    expect(target.requests[0]?.header("X-Key")).to.equal(OLD);
    await expecting(RELOADED, () => writeFileSync(path("keys/key"), NEW));
    await run("list");
    expect(target.requests[1]?.header("X-Key")).to.equal(NEW);
    expect(await getJson<Record<string, unknown>>(`${daemon.url}/config/public`)).to.include({ max_iterations: 4 });
    expect(lines(RELOADED)).to.equal(1);
  });

  it("A19 L12 puts the token of a replaced --token-file in force and closes what was opened with the old one @all", async () => {
    const file = path("token");
    writeFileSync(file, TOKENS[0]);
    daemon = await serve(["--data-dir", home.dir, "--token-file", file]);
    const socket = await openChat(`${daemon.url}/chat`, { Authorization: `Bearer ${TOKENS[0]}` });
    writeFileSync(path("token-new"), TOKENS[1]);
    renameSync(path("token-new"), file);
    expect((await socket.closed).code).to.equal(1008);
    expect((await run("list", TOKENS[0])).status).to.equal(401);
    expect((await run("list", TOKENS[1])).status).to.equal(200);
    const { stderr } = await daemon.stop();
    for (const token of TOKENS) expect(stderr).to.not.include(token);
  });
});
