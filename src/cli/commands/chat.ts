// `agentd chat`: turns, one after another, in one session. The first Ctrl-C cancels the running turn, a second leaves.
import type { Interface } from "node:readline";
import { messageOf, Stopped } from "../../domain/error.js";
import { visible } from "../../lib/invisible-characters.js";
import type { AgentClient } from "../client/client.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, runPrompt } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { PARTS, SAFETY, TOKEN } from "../options.js";
import { askOn, openTerminal } from "../terminal/ask.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { checkSession, confirmWith, terminalRenderer } from "./run.js";

const PROMPT = "> ";

/** Lines as they are typed, also while a turn runs; undefined when there are no more. */
function createLines(terminal: Interface): { next(): Promise<string | undefined> } {
  const waiting: string[] = [];
  let closed = false;
  let wake = (): void => {};
  terminal.on("line", (line) => {
    waiting.push(line);
    wake();
  });
  terminal.on("close", () => {
    closed = true;
    wake();
  });
  return {
    async next() {
      while (waiting.length === 0 && !closed) await new Promise<void>((resolve) => (wake = resolve));
      return waiting.shift();
    },
  };
}

interface Chat {
  client: AgentClient;
  session_id: string;
  confirm: Confirm | undefined;
}

/** Runs one turn; what goes wrong is printed, and the chat goes on. */
async function runTurn({ client, session_id, confirm }: Chat, message: string): Promise<void> {
  const stop = new AbortController();
  const release = onInterrupt(() => {
    say("\nstopping; Ctrl-C again leaves");
    stop.abort(new Stopped("cancelled"));
  });
  try {
    await runPrompt(client, { message, session_id }, { signal: stop.signal, render: terminalRenderer(), confirm });
  } catch (error) {
    say(`agentd: ${visible(messageOf(error))}`);
  } finally {
    release();
  }
}

export const chatCommand = defineCommand({
  options: {
    session: { type: "string", describe: "Continue this conversation" },
    yes: { type: "boolean", describe: "Say yes to every call that waits for one" },
    ...SAFETY,
    ...PARTS,
    ...TOKEN,
  },
  examples: [["agentd chat --confirm", "asks before anything is changed"]],
  async run(args) {
    const session_id = checkSession(args.session);
    const client = await connectAgent(args);
    const terminal = openTerminal();
    const lines = createLines(terminal);
    const confirm = confirmWith(args.yes === true, (question, signal) => askOn(terminal, question, signal));
    terminal.setPrompt(PROMPT);
    const leave = (): void => terminal.close();
    try {
      say(`session ${session_id}. Ctrl-D leaves, Ctrl-C stops a turn.`);
      for (;;) {
        if (process.stdin.isTTY) terminal.prompt();
        process.once("SIGINT", leave);
        const line = await lines.next();
        process.off("SIGINT", leave);
        if (line === undefined || line.trim() === "/exit") break;
        if (line.trim() !== "") await runTurn({ client, session_id, confirm }, line);
      }
      return 0;
    } finally {
      terminal.close();
      await client.close();
    }
  },
});
