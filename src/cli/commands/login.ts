// `agentd login`: a person signs in to an application, once; what is kept lets the daemon and commands call it from then on.
// Source: docs/reference.md, "Signing in to an application".
import { signInWithBrowser } from "../../applications/http/oauth/authorization-code.js";
import { signInWithCode } from "../../applications/http/oauth/device-code.js";
import { TokenError } from "../../applications/http/oauth/token-endpoint.js";
import { CallError } from "../../applications/transport.js";
import { HelperError } from "../../config/command-secret.js";
import { loadSettings } from "../../config/settings.js";
import { changeLogins } from "../../data-dir/logins.js";
import { UNNAMED } from "../../domain/application-name.js";
import { StartError } from "../../domain/error.js";
import { existingDataDir } from "../client/data-dir.js";
import { applicationOf, choose, openContext, signInFor } from "../client/sign-in.js";
import { defineCommand } from "../command.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { oneLine } from "../terminal/table.js";

export const loginCommand = defineCommand({
  positionals: "[application]",
  positional: {
    application: { type: "string", describe: "Its name; - is the one without a name" },
  },
  options: {
    scheme: { type: "string", describe: "Which security scheme, where several have a client" },
    device: { type: "boolean", describe: "Display a code to be entered elsewhere; no browser is needed here" },
  },
  examples: [
    ["agentd login shop", "sign in with a browser of this machine"],
    ["agentd login shop --device", "sign in from a machine without one"],
  ],
  async run(args) {
    const { dir: dataDir, trust } = await existingDataDir(args);
    const settings = await loadSettings({ dataDir, trust, flags: args, env: process.env, lenient: true });
    const choice = choose(settings, applicationOf(String(args.application ?? ""), settings), args.scheme);
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    const context = openContext(settings, stop.signal);
    try {
      const byCode = args.device === true || choice.client.grant === "device_code";
      const signIn = await signInFor(settings, choice, { byCode, context });
      const login = await (byCode ? signInWithCode(signIn, context) : signInWithBrowser(signIn, context));
      const { application, scheme } = choice;
      await changeLogins(dataDir, application, ({ now, save }) => save({ ...now, [scheme]: login }));
      const until =
        login.refresh_token === undefined ? ", until the token expires: the server gives no other by itself" : "";
      say(`Signed in to ${application || UNNAMED} (${oneLine(scheme)})${until}.`);
      return 0;
    } catch (error) {
      if (!(error instanceof TokenError || error instanceof CallError || error instanceof HelperError)) throw error;
      throw new StartError(`${context.redact.text(error.message)}.`, { cause: error });
    } finally {
      release();
      await context.close();
    }
  },
});
