// `serve --demo`: the sample application, started and synced as any other would be, in a data directory of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openapiSource } from "../../applications/http/openapi/source.js";
import { writeDocument } from "../../applications/write-document.js";
import type { Settings } from "../../config/settings.js";
import { prepareDirectory } from "../../data-dir/directory.js";
import { startSampleApplication } from "../../demo/sample.js";
import type { DataDir } from "../client/data-dir.js";

/** A running sample application and how to serve it. */
interface Demo extends DataDir {
  /** The settings with the sample as the target: no address or credential of a real one is used. */
  adapt(settings: Settings): Settings;
  close(): Promise<void>;
}

/** Starts it. Without an (absolute) directory it gets a temporary one, which goes with it. */
export async function openDemo(given: string | undefined): Promise<Demo> {
  const sample = await startSampleApplication();
  const dir = given ?? (await mkdtemp(join(tmpdir(), "agentd-demo-")));
  prepareDirectory(dir, () => {});
  // In a directory that may belong to a real application beside its schema.json, never instead of it.
  const schemaFile = join(dir, given === undefined ? "schema.json" : "demo-schema.json");
  const { document } = await openapiSource.read({ location: `${sample.url}/openapi.json`, baseUrl: sample.url });
  await writeDocument(schemaFile, document);
  return {
    dir,
    trust: undefined,
    origin: "named",
    adapt(settings) {
      const { baseUrl: _, ...rest } = settings.target;
      const target = { ...rest, headers: {}, credentials: {}, arguments: {} };
      return { ...settings, schemaFile, schemaGiven: true, target };
    },
    async close() {
      await sample.close();
      if (given === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}
