// Folders for tests. One that is made during a case, or before each, is gone after the case; any other with the last case of its file.
// mocha loads the hooks (.mocharc.json); other programs that use this file remove at their exit.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ofFile: string[] = [];
let ofCase: string[] | undefined;

function removeAll(folders: string[]): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** A new folder, whose name says what it is for. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `agentd-${name}-`));
  (ofCase ?? ofFile).push(folder);
  return folder;
}

function endCase(): void {
  removeAll(ofCase ?? []);
  ofCase = undefined;
}

function endFile(): void {
  endCase();
  removeAll(ofFile);
}

process.on("exit", endFile);

/** Around everything that a test file does itself. */
export const mochaHooks = {
  beforeEach(): void {
    ofCase = [];
  },
  afterEach: endCase,
  afterAll: endFile,
};
