// Access tokens of a person's sign-in: read from what `agentd login` keeps, renewed before they expire and when the application
// refuses one. A new refresh token is on disk before anything uses what came with it; a failure on the way loses none.
// Source: RFC 6749, section 6; RFC 9700, section 4.14.
import type { OAuthClient } from "../../../config/application-auth.js";
import type { CommandSecret } from "../../../config/command-secret.js";
import { changeLogins, type Login, readLogins } from "../../../data-dir/logins.js";
import { UNNAMED } from "../../../domain/application-name.js";
import { messageOf } from "../../../domain/error.js";
import { Deadline } from "../http-client.js";
import { requestToken, type TokenContext, TokenError } from "./token-endpoint.js";

/** A token is renewed in its last half minute, as long as the server is there. */
const EARLY_MS = 30_000;
/** One that has less left is not used: the call would arrive after it expired. */
const LEAST_MS = 5_000;
/** One renewal. A time of its own: a call that ran out of time must not leave a renewed token behind that nobody wrote down. */
const RENEWAL_MS = 30_000;

/** The sign-in that a call needs. */
export interface LoginUse {
  application: string;
  scheme: string;
  client: OAuthClient;
  /** Where its tokens come from, as far as configuration and document say it. */
  tokenUrl: string | undefined;
}

/** Tokens of sign-ins. */
export interface LoginTokens {
  /** A valid token. Throws TokenError saying what to do. */
  get(use: LoginUse): Promise<string>;
  /** A token other than the one that was refused. Throws as above. */
  renew(use: LoginUse, refused: string): Promise<string>;
}

interface LoginContext extends TokenContext {
  dataDir: string;
  /** The value of a secret. */
  secret(secret: string | CommandSecret): Promise<string>;
}

const leftMs = ({ expires_at: at }: Login): number => (at === undefined ? Number.POSITIVE_INFINITY : at - Date.now());

const commandFor = ({ application }: LoginUse): string => `run "agentd login ${application || UNNAMED}"`;

/** The sign-in, if it is one of the client and the server that are configured now: no other server gets its tokens. */
function matching({ scheme, client, tokenUrl }: LoginUse, logins: Readonly<Record<string, Login>>): Login | undefined {
  const login = Object.hasOwn(logins, scheme) ? logins[scheme] : undefined;
  if (login?.client_id !== client.clientId) return undefined;
  return tokenUrl === undefined
    ? login.issuer === client.issuer
      ? login
      : undefined
    : login.token_url === tokenUrl
      ? login
      : undefined;
}

/** The same with a new token. */
async function renewed(use: LoginUse, login: Login, context: LoginContext): Promise<Login> {
  const { clientId, clientSecret, clientAuth, parameters } = use.client;
  const secret = clientSecret === undefined ? undefined : await context.secret(clientSecret);
  const { resource, audience } = parameters;
  const deadline = new Deadline(RENEWAL_MS);
  try {
    const answer = await requestToken(
      {
        endpoint: login.token_url,
        client: { clientId, clientAuth, clientSecret: secret },
        grant: "refresh_token",
        parameters: {
          refresh_token: login.refresh_token ?? "",
          ...(resource !== undefined && { resource }),
          ...(audience !== undefined && { audience }),
        },
        deadline,
      },
      context,
    );
    return toLogin(answer, login);
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`${login.token_url} gave no new token: ${messageOf(error)}`, { cause: error });
  } finally {
    deadline.stop();
  }
}

/** A sign-in with the tokens of an answer; a refresh token that the answer leaves out is still good. */
export function toLogin(
  { accessToken, expiresIn, refreshToken }: Awaited<ReturnType<typeof requestToken>>,
  { client_id, token_url, issuer, refresh_token }: Pick<Login, "client_id" | "token_url" | "issuer" | "refresh_token">,
): Login {
  return {
    client_id,
    token_url,
    issuer,
    access_token: accessToken,
    expires_at: expiresIn === undefined ? undefined : Date.now() + expiresIn * 1000,
    refresh_token: refreshToken ?? refresh_token,
  };
}

/** Tokens of the sign-ins in a data directory. */
export function createLogins(context: LoginContext): LoginTokens {
  const { dataDir, redact } = context;
  const learn = (login: Login): void => {
    for (const token of [login.access_token, login.refresh_token ?? ""]) redact.learn(token, { passing: true });
  };
  const find = (use: LoginUse, logins: Readonly<Record<string, Login>>): Login => {
    const login = matching(use, logins);
    if (!login) throw new TokenError(`nobody is signed in to it: ${commandFor(use)}`);
    learn(login);
    return login;
  };
  const renew = (use: LoginUse, stale: string): Promise<string> =>
    changeLogins(dataDir, use.application, async ({ now, save }) => {
      const login = find(use, now);
      // Another process, or another call, was faster.
      if (login.access_token !== stale && leftMs(login) > LEAST_MS) return login.access_token;
      if (login.refresh_token === undefined)
        throw new TokenError(`the sign-in has ended and cannot be renewed: ${commandFor(use)}`);
      try {
        const next = await renewed(use, login, context);
        await save({ ...now, [use.scheme]: next });
        return next.access_token;
      } catch (error) {
        if (!(error instanceof TokenError && error.code === "invalid_grant")) throw error;
        const { refresh_token: _, ...ended } = login;
        await save({ ...now, [use.scheme]: ended });
        throw new TokenError(`${error.message}: the sign-in has ended; ${commandFor(use)}`, { code: error.code });
      }
    });
  return {
    async get(use) {
      const login = find(use, readLogins(dataDir, use.application));
      const left = leftMs(login);
      if (left > EARLY_MS) return login.access_token;
      try {
        return await renew(use, login.access_token);
      } catch (error) {
        // What still holds is used; the server may be back before it ends.
        if (left > LEAST_MS) return login.access_token;
        throw error;
      }
    },
    renew,
  };
}
