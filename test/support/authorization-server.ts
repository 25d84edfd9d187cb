// An authorization server: metadata, the page a browser is sent to (which agrees at once), device codes, and tokens. Refresh tokens are
// good for one use, as RFC 9700 wants it: a second use ends the sign-in. It keeps what it was asked.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the token or device endpoint. */
interface TokenRequest {
  path: string;
  /** Milliseconds since the epoch. */
  at: number;
  authorization: string | undefined;
  form: Record<string, string>;
}

export interface AuthorizationServer {
  url: string;
  requests: TokenRequest[];
  /** The parameters of the last visit to the page. */
  visited: URLSearchParams;
  /** Access tokens that are good. */
  valid: Set<string>;
  /** Seconds that access tokens last. */
  lifetimeS: number;
  /** Whether sign-ins can be ended here. */
  revokes: boolean;
  /** Changes what the page answers a browser with. */
  onAuthorize: (answer: URLSearchParams) => void;
  /** Answers of the token endpoint that come before any other. */
  next: { status: number; body: string; headers?: Record<string, string> }[];
  /** Called with the answer of the token endpoint before it is sent. */
  onToken: () => Promise<void>;
  /** Agrees to the device code that waits. */
  agree(): void;
  close(): Promise<void>;
  /** Opens the same address again. */
  reopen(): Promise<void>;
}

async function formOf(req: IncomingMessage): Promise<Record<string, string>> {
  let text = "";
  for await (const chunk of req) text += String(chunk);
  return Object.fromEntries(new URLSearchParams(text));
}

const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

/** Starts one at a free port of this machine. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  /** Challenge and address by code. */
  const codes = new Map<string, { challenge: string; redirect: string }>();
  /** Whether each refresh token can still be used. */
  const refresh = new Map<string, boolean>();
  let device = { code: "", isAgreed: false };

  const json = (res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void => {
    res.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const tokens = (withRefresh: boolean): object => {
    const access_token = `access-${randomUUID()}`;
    self.valid.add(access_token);
    const refresh_token = `refresh-${randomUUID()}`;
    if (withRefresh) refresh.set(refresh_token, true);
    return { access_token, token_type: "Bearer", expires_in: self.lifetimeS, ...(withRefresh && { refresh_token }) };
  };
  const grant = (form: Record<string, string>): object | string => {
    switch (form["grant_type"]) {
      case "client_credentials":
        return tokens(false);
      case "authorization_code": {
        const held = codes.get(form["code"] ?? "");
        codes.delete(form["code"] ?? "");
        const isProven = held?.challenge === challengeOf(form["code_verifier"] ?? "");
        return isProven && held?.redirect === form["redirect_uri"] ? tokens(true) : "invalid_grant";
      }
      case "refresh_token": {
        const given = form["refresh_token"] ?? "";
        if (refresh.get(given) === true) {
          refresh.set(given, false);
          return tokens(true);
        }
        // Used twice: whoever has the newer one loses it, too.
        refresh.clear();
        return "invalid_grant";
      }
      case "urn:ietf:params:oauth:grant-type:device_code":
        if (form["device_code"] !== device.code) return "expired_token";
        return device.isAgreed ? tokens(true) : "authorization_pending";
      default:
        return "unsupported_grant_type";
    }
  };
  const onRequest = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? "/", self.url);
    if (url.pathname === "/.well-known/openid-configuration")
      return json(res, 200, {
        issuer: self.url,
        authorization_endpoint: `${self.url}/authorize`,
        token_endpoint: `${self.url}/token`,
        device_authorization_endpoint: `${self.url}/device`,
        ...(self.revokes && { revocation_endpoint: `${self.url}/revoke` }),
        authorization_response_iss_parameter_supported: true,
      });
    if (url.pathname === "/authorize") {
      self.visited = url.searchParams;
      const code = randomUUID();
      const redirect = self.visited.get("redirect_uri") ?? "";
      codes.set(code, { challenge: self.visited.get("code_challenge") ?? "", redirect });
      const answer = new URLSearchParams({ code, state: self.visited.get("state") ?? "", iss: self.url });
      self.onAuthorize(answer);
      return void res.writeHead(302, { Location: `${redirect}?${answer}` }).end();
    }
    const form = await formOf(req);
    self.requests.push({ path: url.pathname, at: Date.now(), authorization: req.headers.authorization, form });
    if (url.pathname === "/device") {
      device = { code: randomUUID(), isAgreed: false };
      const page = { user_code: "WDJB-MJHT", verification_uri: `${self.url}/enter`, expires_in: 600, interval: 1 };
      return json(res, 200, { device_code: device.code, ...page });
    }
    const planned = self.next.shift();
    if (planned) return void res.writeHead(planned.status, planned.headers).end(planned.body);
    if (url.pathname === "/revoke") {
      refresh.delete(form["token"] ?? "");
      return void res.writeHead(200).end();
    }
    const given = grant(form);
    await self.onToken();
    if (typeof given === "string") json(res, 400, { error: given });
    else json(res, 200, given);
  };
  const server = createServer((req, res) => void onRequest(req, res));
  const open = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen({ host: "127.0.0.1", port }, resolve);
    });
  await open(0);
  const { port } = server.address() as AddressInfo;
  const self: AuthorizationServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    visited: new URLSearchParams(),
    valid: new Set(),
    lifetimeS: 3600,
    revokes: false,
    onAuthorize: () => {},
    next: [],
    onToken: async () => {},
    agree() {
      device.isAgreed = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reopen: () => open(port),
  };
  return self;
}
