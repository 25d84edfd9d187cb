// Which names and addresses can only mean this machine: one rule for what is listened on and for what a Host header may name.
import { isIPv4 } from "node:net";

/** A name or address as it is compared: in lower case, without brackets and the dot of the root. */
export const plainHost = (name: string): string => name.toLowerCase().replace(/^\[(.*)\]$|\.$/, "$1");

/**
 * Whether this name or address, without a port, is loopback. Names under `.localhost` are not: RFC 6761 section 6.3 only asks
 * resolvers to keep them here, and not all of them do.
 */
export function isLoopback(name: string): boolean {
  const host = plainHost(name);
  if (host === "localhost" || host === "::1") return true;
  const v4 = host.replace(/^::ffff:/, "");
  return isIPv4(v4) && v4.startsWith("127.");
}
