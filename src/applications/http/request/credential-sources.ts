// Credentials that are found when a call is sent: tokens of OAuth clients and sign-ins, and what commands print. Each is learned by
// the redactor before it is used, kept as long as it is good, and asked for anew when the target refuses it.
import { CommandSecret, HelperError } from "../../../config/command-secret.js";
import { passingParts } from "../../../config/secret.js";
import { StartError } from "../../../domain/error.js";
import type { Log } from "../../../lib/log.js";
import type { Deadline, HttpClient } from "../http-client.js";
import { createLogins, type LoginTokens } from "../oauth/logins.js";
import { type Secrets, TokenError } from "../oauth/token-endpoint.js";
import { createTokens } from "../oauth/tokens.js";
import type { Credential } from "./auth.js";

/** A credential that can be sent. */
export type ResolvedCredential = Omit<Credential, "secret"> & { secret: string };

/** Where credentials come from. */
export interface CredentialSources {
  /** Every credential with its secret. Throws TokenError when one cannot be had, and the network's errors. */
  resolve(credentials: readonly Credential[], deadline: Deadline): Promise<ResolvedCredential[]>;
  /** Whether one of them may be another when it is asked for anew. */
  canRenew(credentials: readonly Credential[]): boolean;
  /** Asks anew for those that were refused; whether one is another now. Throws as above. */
  renew(credentials: readonly Credential[], used: readonly ResolvedCredential[], deadline: Deadline): Promise<boolean>;
}

interface SourcesContext {
  client: HttpClient;
  redact: Secrets;
  /** Undefined: nobody can be signed in. */
  dataDir: string | undefined;
  log: Pick<Log, "warn">;
}

const NOBODY: LoginTokens = {
  get: () => Promise.reject(new TokenError("sign-ins are kept in a data directory, and there is none")),
  renew: () => Promise.reject(new TokenError("sign-ins are kept in a data directory, and there is none")),
};

/** What a person has to put right is a failure of the credential, not of the network. */
function credentialFailure(error: unknown): unknown {
  return error instanceof HelperError || error instanceof StartError
    ? new TokenError(error.message, { cause: error })
    : error;
}

/** The sources of one transport. */
export function createCredentialSources({ client, redact, dataDir, log }: SourcesContext): CredentialSources {
  const learn = passingParts(redact);
  const print = (command: CommandSecret): Promise<string> => command.text({ learn, log });
  const secret = async (given: string | CommandSecret): Promise<string> =>
    given instanceof CommandSecret ? print(given) : given;
  const tokens = createTokens({ client, redact, secret });
  const logins = dataDir === undefined ? NOBODY : createLogins({ client, redact, secret, dataDir });

  const one = async (credential: Credential, deadline: Deadline): Promise<ResolvedCredential> => {
    const { secret: given, ...rest } = credential;
    if (typeof given === "string") return { ...rest, secret: given };
    if ("client" in given) return { ...rest, secret: await logins.get(given) };
    if (!("command" in given)) return { ...rest, secret: await tokens.get(given, deadline) };
    const read = given.read(await print(given.command));
    if (!read) throw new TokenError("a command printed what is no credential");
    return one(read, deadline);
  };
  const drop = async ({ secret: given }: Credential, used: ResolvedCredential): Promise<void> => {
    if (typeof given === "string") return;
    if ("client" in given) return void (await logins.renew(given, used.secret));
    if (!("command" in given)) return tokens.drop(given, used.secret);
    const held = await print(given.command);
    const read = given.read(held);
    if (read && typeof read.secret !== "string") return drop(read, used);
    // Another call may have asked for another one by now.
    if (read?.secret === used.secret) given.command.drop(held);
  };
  const resolve: CredentialSources["resolve"] = async (credentials, deadline) => {
    const resolved: ResolvedCredential[] = [];
    try {
      for (const credential of credentials) resolved.push(await one(credential, deadline));
    } catch (error) {
      throw credentialFailure(error);
    }
    if (deadline.aborted) throw new TokenError("the credential was not there in time");
    return resolved;
  };
  return {
    resolve,
    canRenew: (credentials) => credentials.some((credential) => typeof credential.secret !== "string"),
    async renew(credentials, used, deadline) {
      try {
        for (const [i, credential] of credentials.entries()) {
          const before = used[i];
          if (before) await drop(credential, before);
        }
      } catch (error) {
        throw credentialFailure(error);
      }
      const now = await resolve(credentials, deadline);
      return now.some(({ secret: text }, i) => text !== used[i]?.secret);
    },
  };
}
