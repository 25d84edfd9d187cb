// A file that appears under its name only when it is whole, and never in the place of another: for copies people rely on.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { AppError, messageOf, StartError } from "../domain/error.js";

function refusal(target: string, what: string): AppError {
  return new AppError("conflict", `${target} exists; ${what} overwrites nothing. Give another file name.`);
}

/** A hard link fails where the name was taken meanwhile; renaming would replace it, so it is left to disks without links. */
function publish(partial: string, target: string): void {
  try {
    fs.linkSync(partial, target);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    if (fs.existsSync(target)) throw error;
    fs.renameSync(partial, target);
  }
}

/**
 * Makes `target`, readable by its owner only, from what `fill` writes into a file beside it. Throws AppError conflict when
 * it exists, StartError when `signal` stopped it or `fill` threw one, bad_request otherwise; nothing is left behind then.
 */
export async function writeWhole(
  target: string,
  what: string,
  fill: (partial: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  if (fs.existsSync(target)) throw refusal(target, what);
  const folder = path.dirname(target);
  const partial = `${target}.partial-${randomUUID().slice(0, 8)}`;
  try {
    if (!fs.existsSync(folder)) throw new Error(`there is no folder ${folder}`);
    fs.closeSync(fs.openSync(partial, "wx", 0o600));
    await fill(partial);
    publish(partial, target);
  } catch (error) {
    if (signal?.aborted) throw new StartError(`stopped; ${target} was not written.`, { cause: error });
    // Reading what was to be copied failed, and says so itself.
    if (error instanceof StartError) throw error;
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw refusal(target, what);
    throw new AppError("bad_request", `cannot write ${what} ${target}: ${messageOf(error)}`, { cause: error });
  } finally {
    fs.rmSync(partial, { force: true });
  }
}
