// A reverse proxy as people put before a daemon: it passes what is below one path on, with its own name in X-Forwarded-Host, and
// answers everything else itself. It takes the path off first when it is told to.
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A running reverse proxy. */
export interface ReverseProxy {
  url: string;
  close(): Promise<void>;
}

/** What it passes on, and where to: a port of 127.0.0.1 or a unix socket. */
interface Passed {
  path: string;
  to: { port: number } | { socketPath: string };
  strips?: boolean;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startReverseProxy({ path, to, strips = false }: Passed): Promise<ReverseProxy> {
  const onward = (req: IncomingMessage) => {
    const url = req.url ?? "";
    const headers = { ...req.headers, host: "localhost", "x-forwarded-host": req.headers.host ?? "" };
    const target = strips ? url.slice(path.length) : url;
    return request({ ...to, host: "127.0.0.1", method: req.method, path: target, headers });
  };
  const isPassed = ({ url = "" }: IncomingMessage): boolean => url === path || url.startsWith(`${path}/`);
  const server = createServer((req, res) => {
    if (!isPassed(req)) return void res.writeHead(418).end("another application");
    const passed = onward(req).on("error", () => res.destroy());
    passed.on("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(passed);
  });
  server.on("upgrade", (req, socket) => {
    socket.on("error", () => {});
    const passed = onward(req).on("error", () => socket.destroy());
    passed.on("upgrade", (answer, other) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
      other.on("error", () => socket.destroy());
      other.pipe(socket).pipe(other);
    });
    passed.on("response", (answer) => socket.end(`HTTP/1.1 ${answer.statusCode} Refused\r\n\r\n`));
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
