// argv in, exit code out; on a Node that is new enough.
import { setFlagsFromString } from "node:v8";
import { runCli } from "./cli.js";
import { surviveLostOutput } from "./terminal/output.js";

// The heap grows in small steps instead of to twice what is in use: a daemon mostly waits, and 7 MB less stay taken.
setFlagsFromString("--optimize-for-size");
surviveLostOutput();
process.exitCode = await runCli(process.argv.slice(2));
