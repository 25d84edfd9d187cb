// Signing in where there is no browser: a code is displayed, which a person enters anywhere else. Source: RFC 8628.
import { setTimeout as sleep } from "node:timers/promises";
import type { Login } from "../../../data-dir/logins.js";
import { messageOf, StartError } from "../../../domain/error.js";
import { Deadline } from "../http-client.js";
import { exchange, type SignIn, type SignInContext, startParameters, tokenClientOf } from "./sign-in.js";
import { postForm, TokenError } from "./token-endpoint.js";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const REQUEST_MS = 30_000;
/** What a server that says nothing of it wants. Source: RFC 8628, sections 3.2 and 3.5. */
const INTERVAL_S = 5;
const SLOWER_S = 5;
/** A server that gives no end gets this one. */
const EXPIRES_S = 900;

interface DeviceCode {
  code: string;
  intervalS: number;
  /** Of `performance.now()`. */
  ends: number;
}

const isPage = (address: unknown): address is string =>
  typeof address === "string" && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

const seconds = (given: unknown, otherwise: number): number => {
  const value = Number(given ?? otherwise);
  return Number.isFinite(value) && value > 0 ? value : otherwise;
};

/** Asks for a code and displays it. */
async function begin(signIn: SignIn, context: SignInContext): Promise<DeviceCode> {
  const deadline = new Deadline(REQUEST_MS);
  try {
    const parameters = { ...startParameters(signIn), client_id: signIn.client.clientId };
    const request = { endpoint: signIn.startUrl, client: tokenClientOf(signIn), parameters, deadline };
    const answer = await postForm(request, context);
    const { device_code: code, user_code: shown, verification_uri: page, verification_uri_complete: whole } = answer;
    if (typeof code !== "string" || typeof shown !== "string" || !isPage(page))
      throw new TokenError(`${signIn.startUrl} gave no code and no page to enter it`);
    context.redact.learn(code, { passing: true });
    context.say(`Open ${page} anywhere, and enter the code\n\n  ${shown}\n`);
    await context.open(isPage(whole) ? whole : page);
    const intervalS = seconds(answer["interval"], INTERVAL_S);
    return { code, intervalS, ends: performance.now() + seconds(answer["expires_in"], EXPIRES_S) * 1000 };
  } finally {
    deadline.stop();
  }
}

/** Asks once whether the person has agreed; undefined while not. Throws TokenError when there is no use in asking again. */
async function poll(signIn: SignIn, device: DeviceCode, context: SignInContext): Promise<Login | undefined> {
  const deadline = new Deadline(REQUEST_MS);
  try {
    return await exchange(signIn, { grant: GRANT, parameters: { device_code: device.code }, deadline }, context);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    switch (error.code) {
      case "authorization_pending":
        return undefined;
      case "slow_down":
        device.intervalS += SLOWER_S;
        return undefined;
      case "":
        // Out of reach, or an error page of something in between: it may pass. Source: RFC 8628, section 3.5.
        context.say(`${messageOf(error)}; asking again`);
        device.intervalS *= 2;
        return undefined;
      default:
        throw error;
    }
  } finally {
    deadline.stop();
  }
}

/** Signs a person in. Throws StartError and TokenError. */
export async function signInWithCode(signIn: SignIn, context: SignInContext): Promise<Login> {
  const device = await begin(signIn, context);
  while (performance.now() + device.intervalS * 1000 < device.ends) {
    try {
      await sleep(device.intervalS * 1000, undefined, { signal: context.signal });
    } catch {
      throw new StartError("stopped; nobody was signed in.");
    }
    const login = await poll(signIn, device, context);
    if (login) return login;
  }
  throw new StartError("nobody entered the code before it expired. Try again.");
}
