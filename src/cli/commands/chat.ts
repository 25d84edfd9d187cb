// `agentd chat`: turns, one after another, in one session. Ctrl-C empties the line, cancels the running turn, or leaves.
import { messageOf, Stopped } from "../../domain/error.js";
import { visible } from "../../lib/invisible-characters.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, readTurn } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { openChatInput } from "../terminal/chat-input.js";
import { onInterrupt, SIGNAL_CODES } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { openTurnRenderer } from "../terminal/render.js";
import { type Chat, completeLine, enterSession, isCommand, isLeaving, runChatCommand } from "./chat-commands.js";
import { checkSession, confirmWith, sayStopping } from "./run.js";

/** How the turns of a chat are asked about and shown. */
interface Turns {
  confirm: Confirm | undefined;
  verbose: boolean;
}

/** Runs one turn. Returns whether it ended without an error. */
async function runTurn(
  { client, session_id, choice, modes, given }: Chat,
  message: string,
  { confirm, verbose, signal }: Turns & { signal: AbortSignal },
): Promise<boolean> {
  const prompt = { message, session_id, interactive: confirm !== undefined, extended: true, modes, ...choice };
  const shown = await openTurnRenderer({ usage: verbose, isDryRun: (given.dry_run ?? modes.dry_run) === true });
  return readTurn(client, client.prompt(prompt, signal), { ...shown, confirm });
}

/**
 * Runs a line, which a signal stops. What goes wrong is printed, and the chat goes on: only a turn that was refused or ended in an
 * error is not well. `code` is the exit code of a signal that ends the chat, which is any but that of Ctrl-C.
 */
async function runLine(chat: Chat, text: string, turns: Turns): Promise<{ isWell: boolean; code: number | undefined }> {
  const stop = new AbortController();
  const isSlash = isCommand(text);
  let code: number | undefined;
  let isWell = true;
  const release = onInterrupt((signal) => {
    if (signal !== "SIGINT") code = SIGNAL_CODES[signal];
    // Ctrl-C answers the question of a command with a no.
    if (signal !== "SIGINT" || !isSlash) sayStopping(signal);
    stop.abort(new Stopped("cancelled"));
  });
  try {
    if (isSlash) await runChatCommand(chat, text, stop.signal);
    else isWell = await runTurn(chat, text, { ...turns, signal: stop.signal });
  } catch (error) {
    say(`agentd: ${visible(messageOf(error))}`);
    isWell = isSlash;
  } finally {
    release();
  }
  return { isWell, code };
}

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
    const checked = checkSession(args.session);
    const client = await connectAgent(args, "chat");
    const input = await openChatInput((draft) => completeLine(chat, draft));
    const chat: Chat = { client, session_id: checked, ask: input.ask, choice: {}, modes: {}, given: client.modes };
    const turns = { confirm: confirmWith(args.yes === true, input.ask), verbose: args.verbose === true };
    // A person has read what went wrong.
    let hasFailed = false;
    const codeAtEnd = (): number => (hasFailed && !process.stdin.isTTY ? 1 : 0);
    try {
      // A daemon that would refuse every prompt refuses here.
      await client.providers();
      chat.choice = await client.requested();
      if (args.session === undefined) say(`session ${checked}`);
      else await enterSession(chat, checked);
      say("Ctrl-D leaves, Ctrl-C stops a turn, /help lists what else can be typed.");
      for (;;) {
        const typed = await input.read();
        if (typed.kind === "left") return typed.how === "interrupt" ? SIGNAL_CODES.SIGINT : codeAtEnd();
        const { text } = typed;
        if (text.trim() === "") continue;
        if (isLeaving(text)) return codeAtEnd();
        await input.remember(text);
        const { isWell, code } = await runLine(chat, text, turns);
        if (code !== undefined) return code;
        hasFailed ||= !isWell;
      }
    } finally {
      input.close();
      await client.close();
    }
  },
});
