// Where this process listens. A call that goes there would be one of the daemon to itself, in which a model could decide what is
// left to a person.
import { hostname, networkInterfaces } from "node:os";
import { isLoopback, plainHost } from "./loopback.js";

/** The names that each port is bound by; several only where a process has several servers. */
const bound = new Map<number, ReadonlySet<string>>();

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Notes a port that is listened on, and further names of this machine; returns what takes it back. */
export function claimAddress(port: number, names: readonly string[]): () => void {
  bound.set(port, new Set(names.map(plainHost)));
  return () => void bound.delete(port);
}

function isOfThisMachine(host: string): boolean {
  if (isLoopback(host) || WILDCARDS.has(host) || host === hostname().toLowerCase()) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address.toLowerCase() === host));
}

/** Whether an http or https address is one of this process. */
export function isOwnAddress({ protocol, hostname: name, port }: URL): boolean {
  const names = bound.get(port === "" ? (protocol === "https:" ? 443 : 80) : Number(port));
  if (names === undefined) return false;
  const host = plainHost(name);
  return names.has(host) || isOfThisMachine(host);
}
