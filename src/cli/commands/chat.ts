// `agentd chat`: turns, one after another, in one session. Ctrl-C empties the line, cancels the running turn, or leaves.
import { messageOf, Stopped } from "../../domain/error.js";
import { visible } from "../../lib/invisible-characters.js";
import { connectAgent } from "../client/connect.js";
import { type Confirm, readTurn } from "../client/run-prompt.js";
import { defineCommand } from "../command.js";
import { MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { openChatInput } from "../terminal/chat-input.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { openTurnRenderer } from "../terminal/render.js";
import { type Chat, completeLine, enterSession, isCommand, isLeaving, runChatCommand } from "./chat-commands.js";
import { checkSession, confirmWith, sayStopping } from "./run.js";

/** The exit code of a command that Ctrl-C ended. */
const INTERRUPTED_CODE = 130;

/** Runs one turn. */
async function runTurn(
  { client, session_id, choice, modes, given }: Chat,
  message: string,
  { confirm, verbose }: { confirm: Confirm | undefined; verbose: boolean },
): Promise<void> {
  const stop = new AbortController();
  const release = onInterrupt(() => {
    sayStopping();
    stop.abort(new Stopped("cancelled"));
  });
  try {
    const prompt = { message, session_id, interactive: confirm !== undefined, extended: true, modes, ...choice };
    const render = await openTurnRenderer({ usage: verbose, isDryRun: (given.dry_run ?? modes.dry_run) === true });
    await readTurn(client, client.prompt(prompt, stop.signal), { render, confirm });
  } finally {
    release();
  }
}

/** Runs what begins with a slash; Ctrl-C answers its question with a no. */
async function runSlash(chat: Chat, line: string): Promise<void> {
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort());
  try {
    await runChatCommand(chat, line, stop.signal);
  } finally {
    release();
  }
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
    const client = await connectAgent(args);
    const input = await openChatInput((draft) => completeLine(chat, draft));
    const chat: Chat = { client, session_id: checked, ask: input.ask, choice: {}, modes: {}, given: client.modes };
    const turn = { confirm: confirmWith(args.yes === true, input.ask), verbose: args.verbose === true };
    try {
      chat.choice = await client.requested();
      if (args.session === undefined) say(`session ${checked}`);
      else await enterSession(chat, checked);
      say("Ctrl-D leaves, Ctrl-C stops a turn, /help lists what else can be typed.");
      for (;;) {
        const typed = await input.read();
        if (typed.kind === "left") return typed.how === "interrupt" ? INTERRUPTED_CODE : 0;
        const { text } = typed;
        if (text.trim() === "") continue;
        if (isLeaving(text)) return 0;
        await input.remember(text);
        // What goes wrong is printed, and the chat goes on.
        await (isCommand(text) ? runSlash(chat, text) : runTurn(chat, text, turn)).catch((error: unknown) =>
          say(`agentd: ${visible(messageOf(error))}`),
        );
      }
    } finally {
      input.close();
      await client.close();
    }
  },
});
