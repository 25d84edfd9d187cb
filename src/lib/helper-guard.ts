// The program beside a helper: starts it, in the folder that is its own first argument, and waits for it. When the process that wants
// the helper's output is gone, however it died, standard input ends here, and with it the helper and all it started: the group of
// processes is theirs alone.
import { spawn } from "node:child_process";

/** As shells say it of a command that cannot be started. */
const NOT_STARTED = 127;

const [cwd, program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = NOT_STARTED;
  process.stdin.destroy();
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
process.stdin.on("end", () => process.kill(-process.pid, "SIGKILL")).resume();
