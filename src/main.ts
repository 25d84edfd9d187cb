#!/usr/bin/env node
// The version of Node first, in a syntax that old ones read: this file imports nothing before it has looked.

const OLDEST_MAJOR = 20;
const OLDEST_MINOR = 19;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) import("./cli/start.js");
else {
  console.error(
    `agentd: this is Node ${process.versions.node}, and agentd needs ${OLDEST_MAJOR}.${OLDEST_MINOR} or later. Install a newer one from https://nodejs.org and start agentd again.`,
  );
  process.exitCode = 1;
}
