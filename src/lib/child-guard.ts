// The program beside a child that talks over its standard streams: starts it in the folder that is its own first argument, hands it
// its own streams, and waits for it. A further stream is held open by the process that wants the child: when that is gone, however it
// died, the child and all it started end with it, for the group of processes is theirs alone.
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { constants } from "node:os";

/** As shells say it of a command that cannot be started. */
const NOT_STARTED = 127;
/** And of one that a signal has ended, which is added. */
const BY_SIGNAL = 128;
/** Where the stream is that is held open. */
const LIFELINE = 3;

const [cwd, program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { cwd, stdio: "inherit" });
child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(NOT_STARTED);
});
child.on("exit", (code, signal) => process.exit(code ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0)));
// They go to the whole group; the child decides what it does about them.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
const end = (): boolean => process.kill(-process.pid, "SIGKILL");
new Socket({ fd: LIFELINE }).on("end", end).on("close", end).on("error", end).resume();
