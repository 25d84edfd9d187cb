// `agentd config`: the settings in force and where each came from, without a secret among them.

import { describeSettings } from "../../config/describe.js";
import { configJsonSchema } from "../../config/schema.js";
import { loadSettings } from "../../config/settings.js";
import { toJson } from "../../lib/json.js";
import { chooseDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { LISTENER, MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { print, printJson, say } from "../terminal/output.js";
import { formatTable, oneLine } from "../terminal/table.js";

export const configCommand = defineCommand({
  options: {
    json: { type: "boolean", describe: "Print them as a JSON array" },
    "json-schema": { type: "boolean", describe: "Print the JSON Schema of config.json, for editors" },
    ...LISTENER,
    ...SAFETY,
    ...MODEL_FLAGS,
    ...PARTS,
    ...TOKEN,
  },
  examples: [["agentd config --read-only", "what serve --read-only would use"]],
  async run(args) {
    if (args.jsonSchema) {
      printJson(configJsonSchema(), 2);
      return 0;
    }
    const { dir, trust } = await chooseDataDir(args);
    const settings = await loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: true });
    const lines = describeSettings(settings);
    if (args.json) printJson(lines);
    else
      print(
        formatTable(
          ["SETTING", "VALUE", "FROM"],
          lines.map(({ name, value, from }) => [
            name,
            value === null ? "-" : oneLine(typeof value === "string" ? value : toJson(value)),
            from,
          ]),
        ),
      );
    for (const warning of settings.warnings) say(`warning: ${oneLine(warning)}`);
    return 0;
  },
});
