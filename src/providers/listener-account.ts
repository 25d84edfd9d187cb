// Which accounts listen on a local port, as Linux tells every process in /proc/net. Other systems tell only root.
import { readFileSync } from "node:fs";

/** The state of a listening socket. Source: Linux, include/net/tcp_states.h. */
const LISTEN = "0A";
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Accounts below are the system's, which only root can make programs run as. Source: login.defs(5), UID_MIN. */
const FIRST_PERSON = 1000;

/** The accounts in one table of sockets. Its columns are: number, local address, remote address, state, …, account as the eighth. */
function accountsIn(table: string, port: number): number[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , account] = line.trim().split(/\s+/);
    return state === LISTEN && local.endsWith(`:${wanted}`) ? [Number(account)] : [];
  });
}

/** The accounts that listen on a TCP port of this machine; undefined where the system does not tell. */
export function accountsListening(port: number): number[] | undefined {
  try {
    return TABLES.flatMap((table) => accountsIn(readFileSync(table, "utf8"), port));
  } catch {
    return undefined;
  }
}

/** Whether an account is this one, root or one of the system's: no other person's program runs as it. */
export function isOwnOrSystem(account: number): boolean {
  return account === process.geteuid?.() || account < FIRST_PERSON;
}
