// `agentd logout`: forgets what `agentd login` kept, and ends it at the server where that says how. The next call of the application
// needs another sign-in, also in a running daemon.
// Source: docs/reference.md, "Signing in to an application".
import { revoke } from "../../applications/http/oauth/revoke.js";
import type { OAuthClient } from "../../config/application-auth.js";
import { loadSettings, type Settings } from "../../config/settings.js";
import { changeLogins, type Login, readLogins } from "../../data-dir/logins.js";
import { UNNAMED } from "../../domain/application-name.js";
import { messageOf, StartError } from "../../domain/error.js";
import { existingDataDir } from "../client/data-dir.js";
import { applicationOf, clientSecretOf, clientsOf, openContext } from "../client/sign-in.js";
import { defineCommand } from "../command.js";
import { say } from "../terminal/output.js";

/** Ends a sign-in at its server. Returns what has become of it there, as a sentence; never throws. */
async function end(login: Login, configured: OAuthClient | undefined, settings: Settings): Promise<string> {
  const context = openContext(settings, new AbortController().signal);
  const client = configured?.clientId === login.client_id ? configured : undefined;
  try {
    const clientSecret = client && (await clientSecretOf(client, context));
    const clientAuth = client?.clientAuth ?? "body";
    const isEnded = await revoke(login, { clientId: login.client_id, clientAuth, clientSecret }, context);
    return isEnded ? `${login.issuer} has ended it, too.` : "What its server still lets in, its own account page ends.";
  } catch (error) {
    const why = context.redact.text(messageOf(error));
    return `Its server has not ended it (${why}): its own account page does.`;
  } finally {
    await context.close();
  }
}

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
    // First here: a server that does not answer keeps nothing.
    const kept = await changeLogins(dataDir, application, async ({ now, save }) => {
      await save({});
      return now;
    });
    const clients = clientsOf(settings, application);
    for (const [scheme, login] of Object.entries(kept))
      say(`The sign-in to ${shown} is forgotten here. ${await end(login, clients.get(scheme), settings)}`);
    return 0;
  },
});
