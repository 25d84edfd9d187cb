// A program that speaks MCP of the older era badly, in the way that its first argument names. Its tool is called `act`; every call of
// it adds a dot to the file of the third argument.

import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , way, file, calls] = process.argv;
const say = (message) => process.stdout.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
const answer = (id, result) => say({ jsonrpc: "2.0", id, result });
const tool = { name: "act", description: "Does something", inputSchema: { type: "object", properties: {} } };
const content = [{ type: "text", text: "done" }];

if (way === "noise") for (let i = 0; i < 50; i++) say(`starting ${i}`);
if (way === "stubborn") process.on("SIGTERM", () => {});
if (way === "family") {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  if (file) writeFileSync(file, `${process.pid} ${child.pid}`);
}
if (way === "exit") {
  console.error("no configuration found");
  process.exit(3);
}

const acts = {
  dies: () => {
    // As Node warns of what will change; it says nothing of the end.
    process.stderr.write("(node:4711) [DEP0190] DeprecationWarning: something is deprecated\n");
    process.stderr.write("(Use `node --trace-deprecation ...` to show where the warning was created)\n", () =>
      process.exit(7),
    );
  },
  endless: () => setInterval(() => process.stdout.write("x".repeat(65_536)), 1),
  huge: (id) => answer(id, { content: [{ type: "text", text: "x".repeat(9 * 1024 * 1024) }] }),
  flood: () =>
    setInterval(
      () =>
        say({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(500_000) } }),
      1,
    ),
  babble: () => setInterval(() => say("this is no JSON ".repeat(500)), 1),
  "wrong-id": () => answer(4711, { content }),
  batch: (id) => say([{ jsonrpc: "2.0", id, result: { content } }]),
  digits: (id) =>
    say(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"{\\"id\\":12345678901234567890}"}],"structuredContent":{"id":12345678901234567890}}}`,
    ),
  deep: (id) =>
    say(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${"[".repeat(600)}${"]".repeat(600)}}}`,
    ),
  hangs: () => {},
  // All at once, and then the answer.
  changes: (id) => {
    for (let i = 0; i < 2_000; i++) say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    answer(id, { content });
  },
  // Small messages that each want an answer, which is never read; answers to nothing between them.
  pings: () => {
    process.stdin.pause();
    let sent = 0;
    const burst = () => {
      let lines = "";
      for (let i = 0; i < 1_000; i++) lines += `{"jsonrpc":"2.0","id":${++sent},"method":"ping"}\n`;
      lines += '{"jsonrpc":"2.0","id":"nobody","result":{}}\n';
      process.stdout.write(lines, () => setImmediate(burst));
    };
    burst();
  },
  // Answers to what nobody asked, in the form of such as cannot be read.
  lies: () => {
    const burst = () =>
      process.stdout.write('{"jsonrpc":"2.0","id":4711,"result":{},}\n'.repeat(1_000), () => setImmediate(burst));
    burst();
  },
};
let lists = 0;

let pages = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize")
    answer(id, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: way === "impostor" ? "agentd" : "hostile", version: "1" },
    });
  else if (method === "tools/list") {
    if (file && way === "changes") writeFileSync(file, String(++lists));
    answer(
      id,
      way === "pages"
        ? { tools: [{ ...tool, name: `act_${pages}` }], nextCursor: String(pages++ % 3) }
        : { tools: [tool] },
    );
  } else if (method === "tools/call") {
    if (calls) appendFileSync(calls, ".");
    (acts[way] ?? ((one) => answer(one, { content })))(id);
  } else if (id !== undefined) say({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
});
