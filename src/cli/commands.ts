// Every command by name. Only the one in use is loaded, so that none waits for the others.
import type { CommandEntry } from "./command.js";

/** The commands in the order --help lists them. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: "Connect a first application, question by question",
    load: async () => (await import("./commands/init.js")).initCommand,
  },
  serve: { summary: "Run the daemon", load: async () => (await import("./commands/serve.js")).serveCommand },
  status: {
    summary: "Say whether a daemon runs, and how it is doing",
    load: async () => (await import("./commands/status.js")).statusCommand,
  },
  stop: { summary: "Stop the daemon", load: async () => (await import("./commands/stop.js")).stopCommand },
  service: {
    summary: "Run the daemon as a service of this account",
    load: async () => (await import("./commands/service.js")).serviceCommand,
  },
  chat: { summary: "Talk to the application", load: async () => (await import("./commands/chat.js")).chatCommand },
  run: { summary: "Run one prompt", load: async () => (await import("./commands/run.js")).runCommand },
  mcp: {
    summary: "Serve the tools to an MCP client over standard input and output",
    load: async () => (await import("./commands/mcp.js")).mcpCommand,
  },
  sync: {
    summary: "Make tools from a description",
    load: async () => (await import("./commands/sync.js")).syncCommand,
  },
  applications: {
    summary: "List the applications, or remove one",
    load: async () => (await import("./commands/applications.js")).applicationsCommand,
  },
  models: {
    summary: "List the models that a prompt may choose",
    load: async () => (await import("./commands/models.js")).modelsCommand,
  },
  login: {
    summary: "Sign in to an application",
    load: async () => (await import("./commands/login.js")).loginCommand,
  },
  logout: {
    summary: "Forget a sign-in",
    load: async () => (await import("./commands/logout.js")).logoutCommand,
  },
  tools: { summary: "List or search the tools", load: async () => (await import("./commands/tools.js")).toolsCommand },
  history: {
    summary: "Show, export or verify recorded calls",
    load: async () => (await import("./commands/history.js")).historyCommand,
  },
  approvals: {
    summary: "Show and decide the calls that wait for a person",
    load: async () => (await import("./commands/approvals.js")).approvalsCommand,
  },
  result: {
    summary: "Show the whole result of a recorded call, or write it to a file",
    load: async () => (await import("./commands/result.js")).resultCommand,
  },
  undo: { summary: "Take recorded changes back", load: async () => (await import("./commands/undo.js")).undoCommand },
  backup: { summary: "Copy the record", load: async () => (await import("./commands/backup.js")).backupCommand },
  restore: {
    summary: "Put a backup in place",
    load: async () => (await import("./commands/restore.js")).restoreCommand,
  },
  vacuum: {
    summary: "Give the space of deleted rows back",
    load: async () => (await import("./commands/vacuum.js")).vacuumCommand,
  },
  sessions: {
    summary: "List conversations",
    load: async () => (await import("./commands/sessions.js")).sessionsCommand,
  },
  doctor: {
    summary: "Find what is not well, and what to do about it",
    load: async () => (await import("./commands/doctor.js")).doctorCommand,
  },
  config: {
    summary: "Show the settings in force",
    load: async () => (await import("./commands/config.js")).configCommand,
  },
  trust: {
    summary: "Use a data directory that was only found",
    load: async () => (await import("./commands/trust.js")).trustCommand,
  },
  completion: {
    summary: "Print a script that completes commands and names in a shell",
    load: async () => (await import("./commands/completion.js")).completionCommand(COMMANDS),
  },
};

/** Commands that only the program's own scripts call. */
export const HIDDEN: Readonly<Record<string, CommandEntry>> = {
  __complete: {
    summary: "Print names for a completion script",
    load: async () => (await import("./commands/complete.js")).completeCommand,
  },
};
