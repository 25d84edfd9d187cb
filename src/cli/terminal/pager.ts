// What is longer than the screen goes through a pager, as git does it: AGENTD_PAGER, else PAGER, else less; as it is where there is none.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { canRedraw, columnsOf, rowsOfScreen } from "./look.js";
import { printPainted } from "./output.js";
import { widthOf } from "./spans.js";

/** Ends at once when the text fits, keeps styles, and leaves the text on the screen. */
const USUAL_PAGER = "less -FRX";
/** The shell's exit code for a program that is not there. */
const NOT_FOUND = 127;

/** The flag of commands that may have much to show. */
export const PAGER = {
  pager: { type: "boolean", describe: "Show what is longer than the screen in a pager; --no-pager prints it" },
} as const;

function isLong(text: string): boolean {
  const columns = columnsOf(process.stdout);
  const most = rowsOfScreen(process.stdout) - 1;
  let rows = 0;
  for (const line of text.split("\n")) {
    rows += Math.max(1, Math.ceil(widthOf(line) / columns));
    if (rows > most + 1) return true;
  }
  return false;
}

/** Prints a painted text, through a pager where it is longer than the screen. A pager that is left early is no error. */
export async function showText(text: string, { pager: wanted = true }: { pager?: boolean | undefined }): Promise<void> {
  const { AGENTD_PAGER: own, PAGER: general, ...env } = process.env;
  const pager = (own ?? general ?? USUAL_PAGER).trim();
  if (!wanted || pager === "" || pager === "cat" || !canRedraw(process.stdout) || !isLong(text))
    return printPainted(text);
  const child = spawn(pager, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } });
  // Ctrl-C is the pager's.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  child.stdin.on("error", ignore);
  child.stdin.end(text);
  const [code] = (await once(child, "close").catch(() => [NOT_FOUND])) as [number | null];
  process.off("SIGINT", ignore);
  if (code === NOT_FOUND) printPainted(text);
}
