// Where a chat's prompts and answers come from: the line of a terminal, or lines that are piped in.
import { openTerminal } from "./ask.js";
import type { Ask } from "./confirm.js";
import type { Completion, Typed } from "./line/editor.js";
import { canRedraw } from "./look.js";
import { say } from "./output.js";

/** Prompts, and answers to questions. */
interface ChatInput {
  read(): Promise<Typed>;
  ask: Ask;
  /** Keeps a prompt for the chats to come. */
  remember(prompt: string): Promise<void>;
  close(): void;
}

type Complete = (draft: { text: string; at: number }) => Promise<Completion | undefined>;

async function openLine(complete: Complete): Promise<ChatInput> {
  const [{ openLineEditor }, { openPromptHistory }, { askOnce }] = await Promise.all([
    import("./line/editor.js"),
    import("./line/prompt-history.js"),
    import("./ask.js"),
  ]);
  const history = openPromptHistory();
  const editor = openLineEditor({ history, complete });
  return {
    read: () => editor.read(),
    ask: (question, signal) =>
      editor.without((isDropped) => {
        if (isDropped) say("What was typed before this question is dropped.");
        return askOnce(question, signal);
      }),
    remember: (prompt) => history.add(prompt),
    close: () => editor.close(),
  };
}

function openPiped(): ChatInput {
  const terminal = openTerminal();
  let how: "interrupt" | "end-of-input" = "end-of-input";
  const interrupt = (): void => {
    how = "interrupt";
    terminal.close();
  };
  return {
    async read() {
      if (process.stdin.isTTY) terminal.prompt();
      process.once("SIGINT", interrupt);
      const line = await terminal.nextLine();
      process.off("SIGINT", interrupt);
      return line === undefined ? { kind: "left", how } : { kind: "prompt", text: line };
    },
    ask: terminal.ask,
    remember: async () => {},
    close: () => terminal.close(),
  };
}

/** Opens the input of this process. */
export async function openChatInput(complete: Complete): Promise<ChatInput> {
  return process.stdin.isTTY && canRedraw(process.stderr) ? openLine(complete) : openPiped();
}
