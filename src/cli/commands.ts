// Every command by name. Only the one in use is loaded, so that none waits for the others.
import type { Command } from "./command.js";

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

/** The commands in the order --help lists them. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: { summary: "Run the daemon", load: async () => (await import("./commands/serve.js")).serveCommand },
  chat: { summary: "Talk to the application", load: async () => (await import("./commands/chat.js")).chatCommand },
  run: { summary: "Run one prompt", load: async () => (await import("./commands/run.js")).runCommand },
  sync: {
    summary: "Make tools from a description",
    load: async () => (await import("./commands/sync.js")).syncCommand,
  },
  tools: { summary: "List or search the tools", load: async () => (await import("./commands/tools.js")).toolsCommand },
  history: {
    summary: "Show, export or verify recorded calls",
    load: async () => (await import("./commands/history.js")).historyCommand,
  },
  backup: { summary: "Copy the record", load: async () => (await import("./commands/backup.js")).backupCommand },
  sessions: {
    summary: "List conversations",
    load: async () => (await import("./commands/sessions.js")).sessionsCommand,
  },
  doctor: {
    summary: "Check the installation (later version)",
    load: async () => (await import("./commands/announced.js")).later("doctor"),
  },
  config: {
    summary: "Show the settings in force",
    load: async () => (await import("./commands/config.js")).configCommand,
  },
  trust: {
    summary: "Use a data directory that was only found",
    load: async () => (await import("./commands/trust.js")).trustCommand,
  },
  mcp: {
    summary: "Offer the tools over MCP (later version)",
    load: async () => (await import("./commands/announced.js")).later("mcp"),
  },
};
