// The README's examples do what it says, against a daemon with the sample application in a process of its own. Each line is run
// by the program it names; where that is not installed, the request is read from the line and made here, as the title states.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { WebSocket } from "ws";
import { blocks, read } from "../support/docs.js";
import { type Served, serve, stopAll } from "../support/spawn.js";

interface Event {
  kind: string;
  name?: string;
  arguments?: unknown;
  status?: string;
  text?: string;
  result?: { confirmation_id?: string };
}

const README = read("README.md");
const [, marked = ""] = /<!-- examples -->([\s\S]*?)<!-- \/examples -->/.exec(README) ?? [];
const LINES = blocks(marked).map(({ text }) => text.trim());
/** The line that approves what the drawn prompt asked for. */
const YES =
  blocks(README)
    .find(({ text }) => text.includes("/-/confirmations/"))
    ?.text.trim() ?? "";
/** The address the README uses. */
const USUAL = /127\.0\.0\.1:4242|(?<= ):4242/g;
/** A client that does not end by itself is stopped after this. */
const CLIENT_MS = 15_000;

/** What a program prints about itself; "" when it is not installed. */
function outputOf(program: string, ...args: string[]): string {
  const { stdout, error } = spawnSync(program, args, { encoding: "utf8" });
  return error ? "" : stdout;
}

const curl = outputOf("curl", "--version").startsWith("curl ") ? outputOf("curl", "--help", "all") : "";
const httpie = /^\d+\.\d+/.test(outputOf("http", "--version"));
const websocat = outputOf("websocat", "--version").startsWith("websocat");

/** Words of a command line without variables or substitutions. */
function words(line: string): string[] {
  const found = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const unquote = (_: string, double?: string, single?: string): string => double ?? single ?? "";
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, unquote));
}

/** Runs a line in a shell until it ends or has printed `end`; resolves with what it printed. */
async function shell(line: string, end?: string): Promise<string> {
  const child = spawn("sh", ["-c", line], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const stop = (): boolean => process.kill(-(child.pid ?? 0), "SIGKILL");
  const timer = setTimeout(stop, CLIENT_MS);
  let printed = "";
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (end !== undefined && printed.includes(end)) stop();
  });
  await once(child, "close");
  clearTimeout(timer);
  expect(printed, `${line}\n${complaint}`).to.not.equal("");
  return printed;
}

/** The request that an HTTPie line describes, made here. */
async function likeHttpie(line: string): Promise<string> {
  const [, ...rest] = words(line).filter((word) => !word.startsWith("--"));
  const [method = "", address = "", ...items] = rest;
  const fields = items.map((item): [string, unknown] => {
    const [, name = "", colon, value = ""] = /^([^:=]+)(:?)=(.*)$/.exec(item) ?? [];
    return [name, colon === ":" ? JSON.parse(value) : value];
  });
  const answer = await fetch(address.replace(/^(?=:)/, "http://127.0.0.1").replace(/^(?!http)/, "http://"), {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(fields)),
  });
  return answer.text();
}

/** What `echo … | websocat URL` does, done here: one frame out, frames in until the turn is over. */
async function likeWebsocat(line: string): Promise<string> {
  const [message, , , , url = ""] = words(line.replace(/^echo /, ""));
  const socket = new WebSocket(url);
  const frames: string[] = [];
  const over = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) => {
      frames.push(String(data));
      if (frames.at(-1) === '{"kind":"done"}') resolve();
    });
  });
  await once(socket, "open");
  socket.send(message ?? "");
  await over;
  socket.close();
  return frames.join("\n");
}

/** How a line is run here; without `run` when it cannot be. */
function runner(line: string): { how: string; run?: (line: string) => Promise<string> } {
  if (line.includes("websocat"))
    return websocat
      ? { how: "runs", run: (real) => shell(real, '"kind":"done"') }
      : { how: "is read and done over ws, for want of websocat", run: likeWebsocat };
  if (line.startsWith("http "))
    return httpie
      ? { how: "runs", run: (real) => shell(real) }
      : { how: "is read and requested by fetch, for want of HTTPie", run: likeHttpie };
  if (curl === "") return { how: "is not run: there is no curl" };
  if (curl.includes("--json") || !line.includes("--json")) return { how: "runs", run: (real) => shell(real) };
  const older = (real: string): string => real.replace("--json", "-H 'Content-Type: application/json' -d");
  return { how: "runs with -H and -d, for want of --json in this curl", run: (real) => shell(older(real)) };
}

/** The events in an answer, whichever form it has. */
function eventsIn(answer: string): Event[] {
  if (/^(id|data): /.test(answer) || answer.includes('\n{"kind"'))
    return answer
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("id: "))
      .map((line) => JSON.parse(line.replace(/^data: /, "")) as Event);
  return (JSON.parse(answer) as { events: Event[] }).events;
}

describe("Examples of the README", function () {
  this.timeout(60_000);
  let daemon: Served;
  let confirmationId: string | undefined;

  before(async () => {
    daemon = await serve(["--demo", "--provider", "offline"]);
  });
  after(async () => {
    await daemon.stop();
    await stopAll();
  });

  it("has some of curl, HTTPie and websocat", () => {
    expect(
      LINES.map((line) => /\b(curl|http|websocat)\b/.exec(line.replace(/^echo .*?\| /, ""))?.[1]),
    ).to.include.members(["curl", "http", "websocat"]);
  });

  for (const line of LINES) {
    const { how, run } = runner(line);
    it(`${line} … ${how}`, async function () {
      if (!run) return this.skip();
      expect(line).to.match(USUAL);
      const host = new URL(daemon.url).host;
      const answer = await run(line.replaceAll(USUAL, host));
      if (line.includes("/history")) {
        const rows = JSON.parse(answer) as { tool: string; status: string }[];
        expect(rows.map(({ tool, status }) => `${tool} ${status}`)).to.deep.equal(Array(3).fill("listProducts ok"));
        return;
      }
      const events = eventsIn(answer);
      expect(events.map(({ kind }) => kind)).to.deep.equal([
        "user_prompt",
        "tool_call",
        "tool_result",
        "assistant_message",
        "done",
      ]);
      expect(events[0]?.text).to.equal("list products");
      expect(events[1]?.name).to.equal("listProducts");
      expect(events[2]?.status).to.equal("ok");
      expect(events[3]?.text).to.match(/products/);
    });
  }

  it("shows what the demonstration prints", async () => {
    const printed = blocks(README).find(({ text }) => text.startsWith("agentd listening"))?.text ?? "";
    const [, body = ""] = /--json '(.*)'$/m.exec(printed) ?? [];
    const answer = await fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { result, events } = (await answer.json()) as { result: string; events: Event[] };
    const call = events.find(({ kind }) => kind === "tool_call");
    expect(printed).to.contain(`  tool call    ${call?.name} ${JSON.stringify(call?.arguments)}\n`);
    const [, beginning = ""] = /tool result .*\n\n([\s\S]*)\n…/.exec(printed) ?? [];
    expect(beginning).to.have.length.above(0);
    expect(result.startsWith(beginning)).to.equal(true);
  });

  it("draws the events of a prompt with a tool as they come", async () => {
    const drawn = blocks(README).findLast(({ text }) => text.startsWith("user_prompt"))?.text ?? "";
    const steps = [...drawn.matchAll(/^(?:├─ )?([a-z_]+)(?: +(.*))?$/gm)].map(([, kind = "", rest = ""]) => ({
      kind,
      rest,
    }));
    const message = JSON.parse(steps[0]?.rest ?? "") as string;
    const answer = await fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message }),
    });
    const { events } = (await answer.json()) as { events: Event[] };
    expect(events.map(({ kind }) => kind)).to.deep.equal(steps.map(({ kind }) => kind));
    const call = events.find(({ kind }) => kind === "tool_call");
    expect(`${call?.name} ${JSON.stringify(call?.arguments)}`).to.equal(steps[1]?.rest);
    const result = events.find(({ kind }) => kind === "tool_result");
    const [, status, beginning = ""] = /^(\w+), [\d.]+ ms, \{(.*?":".*?)-…/.exec(steps[2]?.rest ?? "") ?? [];
    expect(result?.status).to.equal(status);
    const shape = (text: string): string => text.replace(/[0-9a-f]{8}$/, "");
    expect(JSON.stringify(result?.result).slice(1)).to.satisfy((text: string) => text.startsWith(shape(beginning)));
    const text = JSON.parse(steps[3]?.rest ?? '""') as string;
    expect(text).to.match(/…$/);
    expect(events.at(-2)?.text?.startsWith(text.slice(0, -1))).to.equal(true);
    confirmationId = result?.result?.confirmation_id;
  });

  it(`${YES} … ${runner(YES).how}, and the request is sent`, async function () {
    const { run } = runner(YES);
    if (!run) return this.skip();
    expect(YES).to.match(USUAL);
    expect(confirmationId).to.be.a("string");
    const line = YES.replaceAll(USUAL, new URL(daemon.url).host).replace("/ID", `/${confirmationId}`);
    const { status, outcome } = JSON.parse(await run(line)) as { status: string; outcome: { status: string } };
    expect([status, outcome.status]).to.deep.equal(["approved", "ok"]);
  });
});
