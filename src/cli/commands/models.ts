// `agentd models`: the providers and models that a prompt may choose, of the daemon that runs or of the configuration.
// Source: docs/reference.md, "Choosing a model".
import { connectProviders } from "../client/connect.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { TOKEN } from "../options.js";
import { modelTable } from "../terminal/models.js";
import { print, printJson } from "../terminal/output.js";

export const modelsCommand = defineCommand({
  options: {
    json: { type: "boolean", describe: "Print the providers as a JSON array" },
    ...TOKEN,
  },
  examples: [["agentd models", "what run --model and /model of a chat take"]],
  async run(args) {
    const offers = await connectProviders(args, await existingDataDir(args));
    if (args.json) printJson(offers);
    else print(modelTable(offers));
    return 0;
  },
});
