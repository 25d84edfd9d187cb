// Files of lines in this account's state, for its comfort: what cannot be read or written is left. Nothing is decided by them.
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { openStateFolder } from "./account-state.js";
import { writeAtomically } from "./atomic-file.js";
import { makeDirectories } from "./directory.js";

/** A longer file is not ours. */
const MAX_BYTES = 16 * 1024 * 1024;

const fileOf = (name: string): string => path.join(openStateFolder(), `${name}.txt`);

/** The lines of a file; none where there is none. Never throws. */
export function readLines(name: string): string[] {
  try {
    const file = fileOf(name);
    const stat = fs.lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return [];
    return fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** Writes the lines of a file that only this account may read. Never throws. */
export async function writeLines(name: string, lines: readonly string[]): Promise<void> {
  try {
    const file = fileOf(name);
    makeDirectories(path.dirname(file));
    const text = lines.map((line) => `${line}\n`).join("");
    await writeAtomically(file, (partial) => writeFile(partial, text), { replace: true });
  } catch {
    // A full disk, or no home: the prompts of this chat are still there.
  }
}
