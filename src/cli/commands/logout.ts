// `agentd logout`: forgets what `agentd login` kept. The next call of the application needs another sign-in, also in a running daemon.
// Source: docs/reference.md, "Signing in to an application".
import { loadSettings } from "../../config/settings.js";
import { changeLogins, readLogins } from "../../data-dir/logins.js";
import { UNNAMED } from "../../domain/application-name.js";
import { StartError } from "../../domain/error.js";
import { existingDataDir } from "../client/data-dir.js";
import { applicationOf } from "../client/sign-in.js";
import { defineCommand } from "../command.js";
import { say } from "../terminal/output.js";

export const logoutCommand = defineCommand({
  positionals: "[application]",
  positional: {
    application: { type: "string", describe: "Its name; - is the one without a name" },
  },
  options: {},
  examples: [["agentd logout shop", ""]],
  async run(args) {
    const { dir: dataDir, trust } = await existingDataDir(args);
    const settings = await loadSettings({ dataDir, trust, flags: args, env: process.env, lenient: true });
    const application = applicationOf(String(args.application ?? ""), settings);
    const shown = application || UNNAMED;
    if (Object.keys(readLogins(dataDir, application)).length === 0)
      throw new StartError(`nobody is signed in to ${shown}.`);
    await changeLogins(dataDir, application, ({ save }) => save({}));
    say(`The sign-in to ${shown} is forgotten here. What its server still lets in, its own account page ends.`);
    return 0;
  },
});
