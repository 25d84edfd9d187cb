#!/usr/bin/env node
// argv in, exit code out.
import { runCli } from "./cli/cli.js";
import { surviveClosedOutput } from "./lib/log.js";

surviveClosedOutput();
process.exitCode = await runCli(process.argv.slice(2));
