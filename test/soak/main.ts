// `npm run soak`: what can go wrong around a daemon, tried on a real one. Prints a table; exits 1 when a request
// was lost or sent twice, or a daemon did not survive. Takes six to nine minutes; `-- --short` for a few seconds a fault,
// `-- --only NAME` for one.
import { type Fault, isGood, type Report, type SoakOptions } from "./fault.js";
import { FAULTS } from "./faults.js";

/** Problems of one fault that are printed; they are much alike. */
const MAX_PRINTED = 10;

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

function print(rows: readonly { fault: Fault; report: Report; seconds: number }[]): void {
  console.log(
    "\n| fault | tried | survived | lost | duplicates | peak RSS | seconds | |\n|---|---|---|---|---|---|---|---|",
  );
  for (const { fault, report, seconds } of rows) {
    const { tried, survived, lost, duplicates, peakMiB, note, skipped } = report;
    const remark = skipped === undefined ? note : `skipped: ${skipped}`;
    const memory = peakMiB > 0 ? `${Math.round(peakMiB)} MiB` : "";
    console.log(
      `| ${fault.about} | ${tried} | ${survived} | ${lost} | ${duplicates} | ${memory} | ${seconds.toFixed(0)} | ${remark} |`,
    );
  }
}

const { faults, short } = parseArguments(process.argv.slice(2));
const rows: { fault: Fault; report: Report; seconds: number }[] = [];
for (const fault of faults) {
  console.log(`${fault.name}: ${fault.about}`);
  const options: SoakOptions = { short, log: (line) => console.log(`  ${line}`) };
  const begun = performance.now();
  const report = await fault.run(options);
  rows.push({ fault, report, seconds: (performance.now() - begun) / 1000 });
  for (const problem of report.problems.slice(0, MAX_PRINTED)) console.log(`  PROBLEM ${problem}`);
  const more = report.problems.length - MAX_PRINTED;
  if (more > 0) console.log(`  and ${more} more`);
}
print(rows);
const bad = rows.filter(({ report }) => !isGood(report));
console.log(
  bad.length === 0 ? "\nall survived, nothing lost" : `\nnot well: ${bad.map(({ fault }) => fault.name).join(", ")}`,
);
process.exitCode = bad.length === 0 ? 0 : 1;
