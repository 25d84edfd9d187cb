// A terminal for a command: a real pseudo-terminal made by script(1), or by Python where that is not installed.
import { spawnSync } from "node:child_process";
import { PROGRAM } from "./program.js";
import { createScreen } from "./screen.js";
import type { Ended, Running } from "./spawn.js";
import { until } from "./until.js";

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

const PYTHON = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/** Gives a command line a terminal; undefined where nothing on this machine can. */
const wrap: ((argv: readonly string[]) => string[]) | undefined = isThere("script")
  ? (argv) => ["script", "--quiet", "--return", "--command", argv.map((word) => `'${word}'`).join(" "), "/dev/null"]
  : isThere("python3")
    ? (argv) => ["python3", "-c", PYTHON, ...argv]
    : undefined;

/** A test that needs a terminal; pending, with the reason, where there is none to be had. */
export function itOnTerminal(title: string, run: () => Promise<void>): void {
  if (wrap) it(title, run);
  else it(`${title} (neither script nor python3 is installed here)`);
}

/** As onTerminal, for any command line. */
export function onTerminalOf(argv: readonly string[], size?: { rows: number; columns: number }): string[] {
  const sized = ["sh", "-c", `stty rows ${size?.rows} cols ${size?.columns} && exec "$@"`, "sh", ...argv];
  return wrap?.(size ? sized : argv) ?? [...argv];
}

/** A command line that gives the program a terminal of its own, `rows` high and `columns` wide where these are given. */
export function onTerminal(args: readonly string[], size?: { rows: number; columns: number }): string[] {
  return onTerminalOf([...PROGRAM, ...args], size);
}

/** Types an answer until the command has taken it: what is typed too soon after a question is dropped. */
export async function answer(running: Running, typed: string): Promise<Ended> {
  const timer = setInterval(() => running.child.stdin?.write(`${typed}\r`), 300);
  try {
    return await running.ended;
  } finally {
    clearInterval(timer);
  }
}

/** A terminal that is typed at and looked at. */
export interface TypedTerminal {
  type(keys: string): void;
  /** Resolves once the screen shows the text. Rejects with the screen when the command ends without it, or in time. */
  shows(wanted: string | RegExp): Promise<void>;
  /** Answers a question with a line: typed again until it is echoed, because what is typed too soon after a question is dropped. */
  reply(question: string | RegExp, line: string): Promise<void>;
  lines(): string[];
  ended: Promise<Ended>;
}

/** What a command shows on a terminal of its own, started by `onTerminal` with this size. */
export function typedTerminal(running: Running, size: { rows: number; columns: number }): TypedTerminal {
  const screen = createScreen(size);
  let seen = 0;
  const look = (): string => {
    const text = running.stdout();
    screen.write(text.slice(seen));
    seen = text.length;
    return screen.lines().join("\n");
  };
  const type = (keys: string): unknown => running.child.stdin?.write(keys);
  const shows = async (wanted: string | RegExp): Promise<void> => {
    const isThere = (): boolean => (typeof wanted === "string" ? look().includes(wanted) : wanted.test(look()));
    await until(() => isThere() || !running.isAlive()).catch(() => {});
    if (!isThere()) throw new Error(`did not show ${wanted}:\n${look()}`);
  };
  return {
    type,
    shows,
    async reply(question, line) {
      await shows(question);
      // A long line is broken by the screen.
      const isEchoed = (): boolean => look().replaceAll("\n", "").endsWith(line);
      await until(async () => {
        type(line);
        await until(() => isEchoed() || !running.isAlive(), 400).catch(() => {});
        return isEchoed() || !running.isAlive();
      });
      type("\r");
      await until(() => !isEchoed() || !running.isAlive());
    },
    lines: () => look().split("\n"),
    ended: running.ended,
  };
}
