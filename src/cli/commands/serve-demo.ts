// `serve --demo`: the sample application, started and synced as any other would be, in a data directory of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openapiSource } from "../../applications/http/openapi/source.js";
import { writeDocument } from "../../applications/write-document.js";
import type { Settings } from "../../config/settings.js";
import { prepareDirectory } from "../../data-dir/directory.js";
import { startSampleApplication } from "../../demo/sample.js";

/** A running sample application and how to serve it. */
export interface Demo {
  dataDir: string;
  /** The settings with the sample as the target: no address or credential of a real one is used. */
  adapt(settings: Settings): Settings;
  close(): Promise<void>;
}

/** Starts it. Without a directory it gets a temporary one, which goes with it. */
export async function openDemo(given: string | undefined): Promise<Demo> {
  const sample = await startSampleApplication();
  const dataDir = given === undefined ? await mkdtemp(join(tmpdir(), "agentd-demo-")) : resolve(given);
  prepareDirectory(dataDir, () => {});
  // Beside schema.json, never instead of it: the directory may belong to a real application.
  const schemaFile = join(dataDir, "demo-schema.json");
  const { document } = await openapiSource.read({ location: `${sample.url}/openapi.json`, baseUrl: sample.url });
  await writeDocument(schemaFile, document);
  return {
    dataDir,
    adapt(settings) {
      const { baseUrl: _, ...rest } = settings;
      const target = { ...settings.target, headers: {}, credentials: {}, arguments: {} };
      return { ...rest, schemaFile, schemaGiven: true, target };
    },
    async close() {
      await sample.close();
      if (given === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
