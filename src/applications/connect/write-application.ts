// Puts an application into a data directory: its document, and where its description was, both as a daemon and later commands trust
// them. Source: docs/reference.md, "Several applications".
import { dirname } from "node:path";
import {
  applicationsFile,
  type KeptLocation,
  readKeptLocations,
  withApplicationsLock,
  writeKeptLocations,
} from "../../data-dir/applications-file.js";
import { makeDirectories } from "../../data-dir/directory.js";
import { rememberFile } from "../../data-dir/trust.js";
import { messageOf } from "../../domain/error.js";
import type { TrustCheck } from "../../domain/trust.js";
import type { JsonObject } from "../../lib/json.js";
import { writeDocument } from "../write-document.js";

/** Where an application is put. */
interface ApplicationPlace {
  dir: string;
  trust: TrustCheck | undefined;
  warn(sentence: string): void;
}

/** Writes both, `kept` where the location is kept for the next sync. Throws StartError naming the file. */
export async function writeApplication(
  { dir, trust, warn }: ApplicationPlace,
  document: { file: string; content: JsonObject },
  kept: { name: string; location: KeptLocation } | undefined,
): Promise<void> {
  const remember = (file: string, text: string): Promise<void> =>
    rememberFile(dir, file, text).catch((error: unknown) => warn(messageOf(error)));
  await withApplicationsLock(dir, async () => {
    const locations = readKeptLocations(dir, trust);
    if (kept?.name) makeDirectories(dirname(document.file));
    await remember(document.file, await writeDocument(document.file, document.content));
    if (!kept) return;
    await remember(applicationsFile(dir), await writeKeptLocations(dir, locations.set(kept.name, kept.location)));
  });
}
