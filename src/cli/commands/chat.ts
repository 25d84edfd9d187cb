// `agentd chat`: turns, one after another, in one session. The first Ctrl-C cancels the running turn, a second leaves.
import { messageOf, Stopped } from "../../domain/error.js";
import { chooseModel, type ModelRequest, parseModelName } from "../../domain/model-choice.js";
import { visible } from "../../lib/invisible-characters.js";
import type { AgentClient } from "../client/client.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, readTurn } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { openTerminal } from "../terminal/ask.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { choiceText, modelLines } from "../terminal/models.js";
import { say } from "../terminal/output.js";
import { checkSession, confirmWith, sayStopping, terminalRenderer } from "./run.js";

interface Chat {
  client: AgentClient;
  session_id: string;
  confirm: Confirm | undefined;
  /** What was asked for here; the session goes on with what it had where that is nothing. */
  choice: ModelRequest;
  verbose: boolean;
}

/** What can be typed beside a prompt. */
const HELP =
  "/model lists the models, /model NAME takes one, /exit or Ctrl-D leaves, Ctrl-C stops a turn. A space before the slash makes it a prompt.";
/** A line that is no prompt. */
const MODEL_COMMAND = /^\/model(?:\s+(\S+))?$/;

/** Runs one turn; what goes wrong is printed, and the chat goes on. */
async function runTurn({ client, session_id, confirm, choice, verbose }: Chat, message: string): Promise<void> {
  const stop = new AbortController();
  const release = onInterrupt(() => {
    sayStopping();
    stop.abort(new Stopped("cancelled"));
  });
  try {
    const prompt = { message, session_id, interactive: confirm !== undefined, extended: true, ...choice };
    await readTurn(client, client.prompt(prompt, stop.signal), { render: terminalRenderer(verbose), confirm });
  } catch (error) {
    say(`agentd: ${visible(messageOf(error))}`);
  } finally {
    release();
  }
}

/** Lists the models, or takes another for what is typed from now on. */
async function handleModel(chat: Chat, name: string | undefined): Promise<void> {
  try {
    const offers = await chat.client.providers();
    if (name === undefined) say(modelLines(offers, chat.choice).join("\n"));
    else {
      const choice = chooseModel(offers, parseModelName(name, offers)) ?? {};
      chat.choice = choice;
      say(`from now on ${choiceText(choice)}`);
    }
  } catch (error) {
    say(`agentd: ${visible(messageOf(error))}`);
  }
}

const helpFor = (line: string): string =>
  line === "/help" ? "agentd:" : `agentd: there is no command ${visible(line)}.`;

export const chatCommand = defineCommand({
  options: {
    session: { type: "string", describe: "Continue this conversation" },
    yes: { type: "boolean", describe: "Say yes to every call that waits for one" },
    ...SAFETY,
    ...MODEL_FLAGS,
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
      const choice = await client.requested();
      const chat: Chat = { client, session_id, confirm, choice, verbose: args.verbose === true };
      say(`session ${session_id}. Ctrl-D leaves, Ctrl-C stops a turn, /model lists the models, /model NAME takes one.`);
      for (;;) {
        if (process.stdin.isTTY) terminal.prompt();
        process.once("SIGINT", leave);
        const line = await terminal.nextLine();
        process.off("SIGINT", leave);
        if (line === undefined || line.trim() === "/exit") break;
        const command = MODEL_COMMAND.exec(line.trim());
        if (command) await handleModel(chat, command[1]);
        else if (/^\/[a-z]/i.test(line)) say(`${helpFor(line.trim())} ${HELP}`);
        else if (line.trim() !== "") await runTurn(chat, line);
      }
      return 0;
    } finally {
      terminal.close();
      await client.close();
    }
  },
});
