// `serve --demo`: the sample applications, a shop and its warehouse, started and synced as any others would be, in a data directory
// of their own.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openapiSource } from "../../applications/http/openapi/source.js";
import { sqlSource } from "../../applications/sql/source.js";
import { writeDocument } from "../../applications/write-document.js";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import { applicationFiles } from "../../data-dir/application-files.js";
import { prepareDirectory } from "../../data-dir/directory.js";
import { startSampleApplication } from "../../demo/sample.js";
import { createWarehouse } from "../../demo/warehouse.js";
import type { DataDir } from "../client/data-dir.js";

/** A running sample application and how to serve it. */
interface Demo extends DataDir {
  /** The settings with the sample as the target: no address or credential of a real one is used. */
  adapt(settings: Settings): Settings;
  close(): Promise<void>;
}

const WAREHOUSE = "warehouse";

/** The warehouse as an application beside the shop; a real one of that name is used instead. */
async function openWarehouse(dir: string): Promise<(settings: Settings) => Partial<Settings>> {
  if (existsSync(applicationFiles(dir, WAREHOUSE).document)) return () => ({});
  const location = join(dir, "demo-warehouse.sqlite");
  const file = join(dir, "demo-warehouse.json");
  createWarehouse(location);
  const { document } = await sqlSource.read({ location });
  await writeDocument(file, document);
  return (settings) => {
    const own = { ...applicationSettings(settings, WAREHOUSE), location };
    return {
      applications: new Map([...settings.applications, [WAREHOUSE, own]]),
      documents: new Map([[WAREHOUSE, file]]),
    };
  };
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
  const warehouse = await openWarehouse(dir);
  return {
    dir,
    trust: undefined,
    origin: "named",
    adapt(settings) {
      const { baseUrl: _, ...rest } = settings.target;
      const target = { ...rest, headers: {}, credentials: {}, arguments: {} };
      return { ...settings, ...warehouse(settings), schemaFile, schemaGiven: true, target };
    },
    async close() {
      await sample.close();
      if (given === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}
