// The prompts typed before, also in earlier chats: the newest thousand, in a file of this account's state that only it may read.
// Source: docs/reference.md, "Chat".
import { readLines, writeLines } from "../../../data-dir/account-lines.js";

const MAX_PROMPTS = 1000;
/** A longer one is not worth typing again, and not worth keeping. */
const MAX_PROMPT_CHARS = 10_000;

/** The prompts typed before, oldest first. */
export interface PromptHistory {
  list(): readonly string[];
  /** Keeps a prompt, but none that begins with a space, nor the one just before again. Never throws. */
  add(prompt: string): Promise<void>;
}

function parsed(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    // Written by half, or by something else.
    return [];
  }
}

/** Opens the prompts of this account; where its state cannot be used, they last as long as the process. */
export function openPromptHistory(): PromptHistory {
  let prompts = readLines("prompts").flatMap(parsed);
  return {
    list: () => prompts,
    async add(prompt) {
      if (prompt.startsWith(" ") || prompt.length > MAX_PROMPT_CHARS || prompt === prompts.at(-1)) return;
      // Another chat may have added some.
      const kept = readLines("prompts").flatMap(parsed);
      prompts = [...(kept.length > 0 ? kept : prompts), prompt].slice(-MAX_PROMPTS);
      await writeLines(
        "prompts",
        prompts.map((one) => JSON.stringify(one)),
      );
    },
  };
}
