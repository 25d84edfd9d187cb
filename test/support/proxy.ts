// An HTTP proxy that records what it is asked for: plain HTTP in absolute form, TLS by CONNECT. It alone knows where the names it is
// given lead, so that what reaches them has come through it. It may want a user and password.
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A running proxy. */
export interface RecordingProxy {
  port: number;
  /** Its address with the user and password, if it wants some. */
  url: string;
  /** `GET http://shop.test/items` or `CONNECT shop.test:443`, oldest first; refused ones too. */
  seen: string[];
  close(): Promise<void>;
}

/** How a proxy is started. */
interface ProxyOptions {
  /** Ports of 127.0.0.1 by the `name:port` that they are asked for with. */
  hosts: Readonly<Record<string, number>>;
  /** `user:password`. */
  login?: string;
  /** Answers every CONNECT with this status. */
  status?: number;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startProxy({ hosts, login, status }: ProxyOptions): Promise<RecordingProxy> {
  const seen: string[] = [];
  const isAdmitted = (headers: IncomingHttpHeaders): boolean =>
    login === undefined || headers["proxy-authorization"] === `Basic ${Buffer.from(login).toString("base64")}`;
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    if (!isAdmitted(req.headers)) return void res.writeHead(407, { "Proxy-Authenticate": "Basic" }).end("who are you?");
    const url = new URL(req.url ?? "");
    const port = hosts[`${url.hostname}:${url.port || 80}`];
    if (port === undefined) return void res.writeHead(502).end();
    const { "proxy-authorization": _, ...headers } = req.headers;
    const onward = request({ host: "127.0.0.1", port, method: req.method, path: url.pathname + url.search, headers });
    onward.on("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  });
  server.on("connect", (req, socket, head) => {
    seen.push(`CONNECT ${req.url}`);
    socket.on("error", () => {});
    const port = hosts[req.url ?? ""];
    const refusal = isAdmitted(req.headers) ? (status ?? (port === undefined ? 502 : undefined)) : 407;
    if (refusal !== undefined || port === undefined)
      return void socket.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`);
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${login === undefined ? "" : `${login}@`}127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
