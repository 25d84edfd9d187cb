// What to do while a daemon has no application: said in the log, on the terminal, in the web UI and in the answer to a prompt.

/** The ways to a first application, a sentence each. Source: docs/reference.md, "Several applications". */
export const FIRST_STEPS: readonly string[] = [
  "Connect your own application: `agentd sync openapi ADDRESS`, with its address, that of its API documentation, or a file.",
  "Look around with a sample application: `agentd serve --demo`.",
  "If you have connected one before, start agentd in that folder, or name its data directory: `agentd serve --data-dir DIR`.",
];

/** The answer to a prompt, in Markdown. */
export const NO_APPLICATION = `No application is connected yet, so there is nothing I could do. Three ways lead to a first one:\n\n${FIRST_STEPS.map((step, i) => `${i + 1}. ${step}`).join("\n")}`;
