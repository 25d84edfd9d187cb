// The browser, unpacked from its package: once a machine, into a folder that is complete or not there at all. The package itself
// takes any file of that name for the whole program, also one that another process is still writing.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../src/lib/package.js";

const UNPACK = 'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();';

function packageVersion(): string {
  const require = createRequire(import.meta.url);
  const manifest = join(dirname(require.resolve("@sparticuz/chromium")), "..", "..", "package.json");
  return (require(manifest) as { version: string }).version;
}

/** The path of the browser's program. */
export async function chromiumProgram(): Promise<string> {
  const folder = join(process.env["DISK_FOLDER"] ?? tmpdir(), `agentd-chromium-${packageVersion()}`);
  const program = join(folder, "chromium");
  if (existsSync(program)) return program;
  const partial = await mkdtemp(`${folder}-`);
  // It unpacks into the folder for temporary files, which a process of its own may have elsewhere.
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
    cwd: packageRoot,
    env: { ...process.env, TMPDIR: partial },
  });
  // Another process that did the same was faster when this fails; its copy is whole.
  await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
  return program;
}
