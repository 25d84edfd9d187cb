// `agentd trust`: displays what a data directory decides, and uses it from then on although it was only found.
// Source: docs/reference.md, "The data directory".
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DATA_DIR } from "../../config/table.js";
import { findDataDir, refuseForeignFiles } from "../../data-dir/find.js";
import { forgetTrust, rememberTrusted, trustedDirectories, trustOf } from "../../data-dir/trust.js";
import { messageOf, StartError, usageError } from "../../domain/error.js";
import { defineCommand } from "../command.js";
import { askOnce, hasPerson } from "../terminal/ask.js";
import { isYes } from "../terminal/confirm.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { print, say } from "../terminal/output.js";
import { readGoverningFiles, summaryOf } from "./trust-summary.js";

/** The directory meant: the one named, the `.agentd` in a folder that is named, or the one found from here. */
function directoryOf(named: string | undefined): string {
  if (named === undefined) {
    const found = findDataDir(".", DATA_DIR.default);
    if (found !== undefined) return found;
    throw new StartError("there is no data directory here or above. Name one: agentd trust <dir>.");
  }
  const dir = resolve(named);
  const inside = join(dir, DATA_DIR.default);
  if (existsSync(inside)) return inside;
  if (!existsSync(dir)) throw new StartError(`there is no directory ${dir}.`);
  if (basename(dir) === DATA_DIR.default) return dir;
  throw new StartError(
    `there is no ${DATA_DIR.default} in ${dir}. A data directory of another name is never found; --data-dir names it, and needs no trust.`,
  );
}

/** A person at the terminal reads before agreeing; where there is none, --yes is the agreement. */
async function isAccepted(yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!hasPerson())
    throw usageError(
      "there is no terminal to ask at, so it is not trusted. Read what stands above, then give --yes to agentd trust.",
    );
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort());
  try {
    return isYes(await askOnce("Trust it? [y/N] ", stop.signal));
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  } finally {
    release();
  }
}

function printList(): void {
  const list = trustedDirectories();
  for (const { directory, made } of list) print(`${directory}${made ? " (made by agentd)" : ""}\n`);
  if (list.length === 0) say("No directory is trusted.");
}

/** Throws before anything is displayed when this account cannot remember it. */
function checkState(dir: string): void {
  try {
    trustOf(dir);
  } catch (error) {
    throw new StartError(`${dir} cannot be trusted: ${messageOf(error)}`, { cause: error });
  }
}

async function trust(dir: string, yes: boolean): Promise<number> {
  refuseForeignFiles(dir);
  checkState(dir);
  const contents = readGoverningFiles(dir);
  print(summaryOf(dir, contents));
  if (!(await isAccepted(yes))) {
    say("It is not trusted.");
    return 1;
  }
  await rememberTrusted(dir, contents);
  say(`agentd uses ${dir} from now on, as long as these files stay as they are.`);
  return 0;
}

export const trustCommand = defineCommand({
  positionals: "[dir]",
  positional: {
    dir: { type: "string", describe: "The data directory, or the folder it is in; the one found from here" },
  },
  options: {
    yes: { type: "boolean", describe: "Do not ask" },
    revoke: { type: "boolean", describe: "Trust it no longer" },
    list: { type: "boolean", describe: "Print the directories that are trusted" },
  },
  examples: [["agentd trust", "after git clone: look at what .agentd decides, then use it"]],
  async run(args) {
    const named = args.dir || args.dataDir || undefined;
    if (args.list) printList();
    else if (args.revoke) {
      const dir = directoryOf(named && String(named));
      say(forgetTrust(dir) ? `${dir} is not trusted any more.` : `${dir} was not trusted.`);
    } else return trust(directoryOf(named && String(named)), args.yes === true);
    return 0;
  },
});
