// A proxy that breaks as networks do: it ends every connection, or keeps them and lets nothing through.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What becomes of the bytes. */
type LinkState = "open" | "cut" | "silent";

/** A link to a server of this machine. */
export interface TcpProxy {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** `cut` ends every connection and refuses new ones; `silent` keeps them all and moves no byte, until it is `open` again. */
  set(state: LinkState): void;
  /** New connections go to this port. */
  aim(port: number): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. */
export async function startTcpProxy(firstPort: number): Promise<TcpProxy> {
  let port = firstPort;
  let state: LinkState = "open";
  const sockets = new Set<Socket>();
  const add = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    add(client);
    if (state === "cut") {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    add(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (bytes) => to.write(bytes));
      from.on("close", () => to.destroy());
    }
    if (state === "silent") for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (state === "cut") socket.resetAndDestroy();
        else if (state === "silent") socket.pause();
        else socket.resume();
      }
    },
    aim(next) {
      port = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
