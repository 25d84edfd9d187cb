// Somebody is told when a call waits for confirmation, by a webhook and by a command; neither ever holds up a turn.
// Source: docs/reference.md, "Being told of confirmations".
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { loadSettings } from "../../src/config/settings.js";
import type { Confirmation } from "../../src/domain/record.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, getJson } from "../support/entry-points.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const SECRET_NAME = "Rex-who-is-never-told";
const TURNS = [
  {
    prompt: "create",
    replies: [{ calls: [{ name: "create_pet", arguments: { name: SECRET_NAME } }] }, { text: "Done." }],
  },
];

describe("Being told of confirmations", function () {
  this.timeout(30_000);
  let hook: Server;
  let url: string;
  let received: { headers: IncomingMessage["headers"]; body: string }[];
  let answer: (res: ServerResponse) => void;
  let daemon: Daemon;
  let folder: string;

  beforeEach(async () => {
    received = [];
    answer = (res) => void res.writeHead(204).end();
    hook = createServer(async (req, res) => {
      let body = "";
      for await (const chunk of req) body += String(chunk);
      received.push({ headers: req.headers, body });
      answer(res);
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
    folder = temporaryFolder("notify");
  });
  afterEach(async () => {
    await daemon.close();
    hook.closeAllConnections();
    await new Promise((resolve) => hook.close(resolve));
  });

  const start = async (notify: object): Promise<void> => {
    daemon = await startDaemon({ turns: TURNS, config: { safety: { confirm: true }, notify } });
  };
  /** A command of a few lines of shell. */
  const script = (text: string): string => {
    const file = join(folder, "told.sh");
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const held = async (): Promise<Confirmation> => {
    const [one] = await getJson<Confirmation[]>(`${daemon.url}/-/confirmations`);
    if (!one) throw new Error("nothing is held");
    return one;
  };
  const messageOf = ({ id, session_id, expires_at }: Confirmation) => ({
    event: "confirmation_required",
    id,
    method: "POST",
    tool: "create_pet",
    application: "",
    session_id,
    expires_at,
  });
  const warnings = () => daemon.log.filter(({ message }) => message.includes("nobody could be told"));

  it("posts what waits, with the headers, and never its arguments", async () => {
    await start({ url, headers: { "X-Hook": "from-agentd" } });
    await ask(daemon.url, { message: "create" });
    await until(() => received.length === 1, 10_000, "no webhook");
    expect(JSON.parse(received[0]?.body ?? "")).to.deep.equal(messageOf(await held()));
    expect(received[0]?.headers["x-hook"]).to.equal("from-agentd");
    expect(received[0]?.body).to.not.include(SECRET_NAME);
  });

  it("runs the command without a shell and without secrets, with what waits on its standard input", async () => {
    const out = join(folder, "out");
    process.env["NOTIFY_TEST_SECRET"] = "not-for-children";
    try {
      await start({ command: [script(`cat > "$1.tmp"; env >> "$1.tmp"; mv "$1.tmp" "$1"`), `${out} $(id)`] });
      await ask(daemon.url, { message: "create" });
      const file = `${out} $(id)`;
      await until(() => existsSync(file), 10_000, "no command");
      const [message = "", ...env] = readFileSync(file, "utf8").split("\n");
      expect(JSON.parse(message)).to.deep.equal(messageOf(await held()));
      expect(env.join("\n")).to.include("PATH=").and.not.include("not-for-children");
    } finally {
      delete process.env["NOTIFY_TEST_SECRET"];
    }
  });

  it("tries once more, and logs a failure once until one is told again @all", async () => {
    answer = (res) => void res.writeHead(received.length === 1 ? 500 : 204).end();
    await start({ url });
    await ask(daemon.url, { message: "create" });
    await until(() => received.length === 2, 10_000, "no second attempt");
    expect(received[0]?.body).to.equal(received[1]?.body);
    expect(warnings()).to.deep.equal([]);
    answer = (res) => void res.writeHead(302, { Location: url }).end();
    for (const count of [4, 6]) {
      await ask(daemon.url, { message: "create" });
      await until(() => received.length === count, 10_000, "no attempts");
    }
    await until(() => warnings().length === 1, 10_000, "no warning");
    expect(warnings()[0]?.fields).to.deep.equal({ what: "notify.url", cause: "it answered 302" });
  });

  it("logs a command that is not there, and one that fails @all", async () => {
    await start({ command: [join(folder, "missing")] });
    await ask(daemon.url, { message: "create" });
    await until(() => warnings().length === 1, 10_000, "no warning");
    await daemon.close();
    await start({ command: [script("exit 3")] });
    await ask(daemon.url, { message: "create" });
    await until(() => warnings().length === 1, 10_000, "no warning");
    expect(warnings()[0]?.message).to.match(/^notify\.command: /);
    expect(warnings()[0]?.fields).to.deep.equal({ what: "notify.command", cause: "it ended with code 3" });
  });

  it("is not waited for, and leaves no process behind when the daemon stops", async () => {
    answer = () => undefined;
    const pids = join(folder, "pids");
    await start({ url, command: [script(`sleep 600 & echo $! $$ > ${pids}.tmp; mv ${pids}.tmp ${pids}; wait`)] });
    const events = await ask(daemon.url, { message: "create" });
    expect(events.at(-1)?.kind).to.equal("done");
    await until(() => received.length === 1 && existsSync(pids), 10_000, "nothing hangs");
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    const isAlive = (pid: number): boolean => {
      try {
        // A process that ended and was not yet waited for by its parent is no longer running anything.
        return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      } catch {
        return false;
      }
    };
    expect(started.map(isAlive)).to.deep.equal([true, true]);
    await daemon.close();
    await until(() => !started.some(isAlive), 10_000, "a process is left");
    expect(warnings()).to.deep.equal([]);
  });

  it("takes an address beyond this machine with TLS only, and shows no more than its origin", async () => {
    await start({ url });
    const load = (address: string) => {
      writeFileSync(join(folder, "config.json"), JSON.stringify({ notify: { url: address } }));
      return loadSettings({ dataDir: folder, flags: {}, env: { HOOK: "https://hooks.example/T0/secret-path" } });
    };
    for (const bad of ["http://hooks.example/x", "ftp://127.0.0.1/", "hook", "https://user:pass@hooks.example/"]) {
      const error = await load(bad).catch((thrown: Error) => thrown);
      expect(error, bad).to.be.instanceOf(Error).with.property("message").that.includes("notify.url");
    }
    const settings = await load("env:HOOK");
    expect(settings.notify.url).to.equal("https://hooks.example/T0/secret-path");
    expect(settings.secrets).to.include("https://hooks.example/T0/secret-path");
  });
});
