// Signing in with a browser: authorization code with PKCE, whose answer comes to a port of this machine that is open meanwhile.
// Source: RFC 6749, section 4.1; RFC 7636; RFC 8252, section 7.3; RFC 9207.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Login } from "../../../data-dir/logins.js";
import { StartError } from "../../../domain/error.js";
import { Deadline } from "../http-client.js";
import { exchange, type SignIn, type SignInContext, startParameters } from "./sign-in.js";
import { TokenError } from "./token-endpoint.js";

/** Time for a person to sign in, second factor included. */
const WAIT_MS = 10 * 60_000;
const EXCHANGE_MS = 30_000;
const PATH = "/callback";

const HEADERS = {
  "Content-Type": "text/plain; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  Connection: "close",
};

/** The page a browser ends at. Never holds anything of the request. */
function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, HEADERS).end(`${text}\n`);
}

/** The answer to this sign-in, and what tells the browser how it went. */
interface Redirected {
  parameters: URLSearchParams;
  finish(text: string): void;
}

/** Waits for the browser at a port of this machine. */
class Loopback {
  readonly #server = createServer((req, res) => this.#onRequest(req, res));
  readonly #state: string;
  readonly #say: (text: string) => void;
  #deliver: (redirected: Redirected) => void = () => {};
  readonly redirected: Promise<Redirected>;

  constructor(state: string, say: (text: string) => void) {
    this.#state = state;
    this.#say = say;
    this.redirected = new Promise((resolve) => {
      this.#deliver = resolve;
    });
  }

  /** Opens the port; gives the address to come back to. Throws StartError. */
  async open(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error) =>
        reject(new StartError(`port ${port} of 127.0.0.1 cannot be opened for the browser: ${error.message}.`)),
      );
      this.#server.listen({ host: "127.0.0.1", port }, resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PATH}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  #onRequest(req: IncomingMessage, res: ServerResponse): void {
    const url = new URL(req.url ?? "/", "http://127.0.0.1");
    if (req.method !== "GET" || url.pathname !== PATH) {
      answer(res, 404, "There is nothing here.");
      return;
    }
    const { searchParams: parameters } = url;
    const states = parameters.getAll("state");
    if (states.length !== 1 || states[0] !== this.#state) {
      // Any page can send a browser here: it must not end the sign-in, much less finish it with an account of its choice.
      this.#say("An answer came that does not belong to this sign-in; still waiting for the right one.");
      answer(res, 400, "This is not the answer to the sign-in that is waiting.");
      return;
    }
    this.#deliver({ parameters, finish: (text) => answer(res, 200, text) });
  }
}

function timeLimit(signal: AbortSignal): { over: Promise<never>; stop(): void } {
  let stop = (): void => {};
  const over = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new StartError("nobody signed in within ten minutes. Try again.")), WAIT_MS);
    const onAbort = (): void => reject(new StartError("stopped; nobody was signed in."));
    signal.addEventListener("abort", onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  });
  over.catch(() => {});
  return { over, stop };
}

/** Signs a person in. Throws StartError and TokenError. */
export async function signInWithBrowser(signIn: SignIn, context: SignInContext): Promise<Login> {
  const oauth = await import("oauth4webapi");
  const { client, startUrl, issuer, namesItself } = signIn;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const loopback = new Loopback(state, context.say);
  const limit = timeLimit(context.signal);
  try {
    const redirectUri = await loopback.open(client.redirectPort ?? 0);
    const address = new URL(startUrl);
    const asked = {
      ...startParameters(signIn),
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
    context.say(`Sign in at\n\n  ${address.href}\n`);
    await context.open(address.href);
    const { parameters, finish } = await Promise.race([loopback.redirected, limit.over]);
    const deadline = new Deadline(EXCHANGE_MS);
    try {
      const server = {
        issuer: issuer ?? new URL(startUrl).origin,
        authorization_response_iss_parameter_supported: namesItself,
      };
      // Without metadata there is no name to compare with.
      if (issuer === undefined) parameters.delete("iss");
      const valid = oauth.validateAuthResponse(server, { client_id: client.clientId }, parameters, state);
      const login = await exchange(
        signIn,
        {
          grant: "authorization_code",
          parameters: { code: valid.get("code") ?? "", redirect_uri: redirectUri, code_verifier: verifier },
          deadline,
        },
        context,
      );
      finish("You are signed in. This page can be closed.");
      return login;
    } catch (error) {
      finish("The sign-in failed; the terminal says why. This page can be closed.");
      if (error instanceof TokenError) throw error;
      const code = context.redact.text(parameters.get("error") ?? "").slice(0, 80);
      throw new TokenError(
        code === ""
          ? `the answer of ${new URL(startUrl).origin} cannot be used`
          : `${new URL(startUrl).origin} answered ${code} instead of a code`,
        { code, cause: error },
      );
    } finally {
      deadline.stop();
    }
  } finally {
    limit.stop();
    loopback.close();
  }
}
