// `npm run soak`: what can go wrong around a daemon, tried on a real one. Prints what each fault did, and a table; exits with 1 when
// a fault failed: a request was lost or sent twice, or a daemon did not survive. Takes six to nine minutes; `-- --short` for a few
// seconds a fault, `-- --only NAME` for one.
import type { Fault } from "./fault.js";
import { FAULTS } from "./faults.js";
import { soak } from "./run.js";

function usage(message: string): never {
  console.error(
    `${message}\nusage: npm run soak [-- --short] [-- --only NAME]\nfaults: ${FAULTS.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

function parseArguments(argv: readonly string[]): { faults: readonly Fault[]; short: boolean } {
  let short = false;
  const names: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === "--short") short = true;
    else if (argv[i] === "--only") names.push(argv[++i] ?? "");
    else usage(`unknown argument ${argv[i]}`);
  }
  for (const name of names) if (!FAULTS.some((fault) => fault.name === name)) usage(`unknown fault ${name}`);
  return { short, faults: names.length === 0 ? FAULTS : FAULTS.filter(({ name }) => names.includes(name)) };
}

const { faults, short } = parseArguments(process.argv.slice(2));
const isWell = await soak(faults, { short });
// Not left to the event loop: what a hanging fault still waits for would keep it.
process.exit(isWell ? 0 : 1);
