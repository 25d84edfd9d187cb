// `agentd chat`: turns, one after another, in one session. The first Ctrl-C cancels the running turn, a second leaves.
import { messageOf, Stopped } from "../../domain/error.js";
import { visible } from "../../lib/invisible-characters.js";
import type { AgentClient } from "../client/client.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, runPrompt } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { PARTS, SAFETY, TOKEN } from "../options.js";
import { openTerminal } from "../terminal/ask.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { checkSession, confirmWith, terminalRenderer } from "./run.js";

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
    const confirm = confirmWith(args.yes === true, terminal.ask);
    const leave = (): void => terminal.close();
    try {
      say(`session ${session_id}. Ctrl-D leaves, Ctrl-C stops a turn.`);
      for (;;) {
        if (process.stdin.isTTY) terminal.prompt();
        process.once("SIGINT", leave);
        const line = await terminal.nextLine();
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
