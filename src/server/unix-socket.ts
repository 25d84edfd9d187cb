// Listening on a unix socket: only this account can connect, what a dead daemon left is replaced, and what lives is left alone.
// Source: docs/reference.md, "Unix socket".
import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import { dirname } from "node:path";
import { StartError } from "../domain/error.js";

/** The code that connecting fails with; undefined when somebody listens. */
function connectFailure(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (code: string | undefined): void => {
      socket.destroy();
      resolve(code);
    };
    socket.once("connect", () => settle(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => settle(error.code ?? "unknown"));
  });
}

/** Takes a socket away that nobody listens on any more. Throws StartError for what must stay. */
async function clearPath(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    if (existsSync(dirname(path))) return;
    throw new StartError(
      `There is no folder ${dirname(path)} for the socket. Make it, or choose another path with --listen.`,
    );
  }
  if (!found.isSocket())
    throw new StartError(`${path} is there and is no socket. Choose another path with --listen, or take it away.`);
  const code = await connectFailure(path);
  if (code === undefined)
    throw new StartError(`${path} is in use: a program listens there. Stop it, or choose another path with --listen.`);
  // Nobody listens, or it has just gone.
  if (code !== "ECONNREFUSED" && code !== "ENOENT")
    throw new StartError(`${path} is there and cannot be replaced (${code}). Choose another path with --listen.`);
  rmSync(path, { force: true });
}

/** Starts to listen on a socket of mode 0600. It goes when the server closes. Throws StartError. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  await clearPath(path);
  // The socket is made within the call: at no time can another account connect.
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path }, () => {
        server.off("error", reject);
        resolve();
      });
      process.umask(before);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = code === "EACCES" ? "this account may not write there" : message;
    throw new StartError(`Cannot listen on ${path}: ${hint}. Choose another path with --listen.`, { cause: error });
  } finally {
    process.umask(before);
  }
}
