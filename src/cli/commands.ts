// Every command by name. Only the one in use is loaded: nobody waits for the others.
import type { Command } from "./command.js";

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

/** The commands in the order --help lists them. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: { summary: "Run the daemon", load: async () => (await import("./commands/serve.js")).serve },
  chat: { summary: "Talk to the application", load: async () => (await import("./commands/chat.js")).chat },
  run: { summary: "Run one prompt", load: async () => (await import("./commands/run.js")).run },
  sync: { summary: "Make tools from a description", load: async () => (await import("./commands/sync.js")).sync },
  tools: { summary: "List or search the tools", load: async () => (await import("./commands/tools.js")).tools },
  history: {
    summary: "Show, export or verify recorded calls",
    load: async () => (await import("./commands/history.js")).history,
  },
  backup: { summary: "Copy the record", load: async () => (await import("./commands/backup.js")).backup },
  sessions: { summary: "List conversations", load: async () => (await import("./commands/sessions.js")).sessions },
  doctor: {
    summary: "Check the installation (later version)",
    load: async () => (await import("./commands/announced.js")).later("doctor"),
  },
  config: { summary: "Show the settings in force", load: async () => (await import("./commands/config.js")).config },
  mcp: {
    summary: "Offer the tools over MCP (later version)",
    load: async () => (await import("./commands/announced.js")).later("mcp"),
  },
};
