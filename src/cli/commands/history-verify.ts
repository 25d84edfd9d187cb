// `agentd history verify`: recomputes the chain of hashes over all completed rows.
import { openReader } from "../../open.js";
import { print, printJson } from "../terminal/output.js";

/** Prints how many rows are as they were written, or the first one that is not. Exit code 1 then. */
export async function verifyHistory(dir: string, json: boolean): Promise<number> {
  const reader = await openReader(dir);
  try {
    const { ok, rows, firstBad, reason } = await reader.verify();
    if (json) printJson({ ok, rows, first_bad: firstBad, reason });
    else if (ok) print(`${rows} completed rows checked: ok\n`);
    else print(`NOT OK: ${reason}. ${rows} completed rows before that are as they were written.\n`);
    return ok ? 0 : 1;
  } finally {
    await reader.close();
  }
}
