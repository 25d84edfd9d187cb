// The files of each application in a data directory: its schema document and the operator's corrections. Which applications
// with a name there are is what the folder of documents says. Source: docs/reference.md, "Several applications".
import fs from "node:fs";
import path from "node:path";
import { APPLICATION_NAME } from "../domain/application-name.js";
import type { TrustCheck } from "../domain/trust.js";

/** The folders of the applications with a name, in a data directory. */
export const DOCUMENTS_FOLDER = "schemas";
export const OVERRIDES_FOLDER = "overrides";
const SUFFIX = ".json";

/** Where the files of an application are. */
interface ApplicationFiles {
  document: string;
  overrides: string;
}

/** The files of an application, "" for the one without a name, whose document the settings may place elsewhere. */
export function applicationFiles(dataDir: string, name: string): ApplicationFiles {
  if (name === "")
    return { document: path.join(dataDir, "schema.json"), overrides: path.join(dataDir, "overrides.json") };
  return {
    document: path.join(dataDir, DOCUMENTS_FOLDER, name + SUFFIX),
    overrides: path.join(dataDir, OVERRIDES_FOLDER, name + SUFFIX),
  };
}

function filesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** What the folder of documents holds. */
interface NamedApplications {
  /** In alphabetical order. Also those whose document was trusted and is gone, so that its absence is noticed. */
  names: string[];
  /** Files that look like documents and are called like no application: nothing uses them. */
  misnamed: string[];
}

/** The applications with a name. Throws what the file system throws where there is a folder and it cannot be read. */
export function namedApplications(dataDir: string, trust: TrustCheck | undefined): NamedApplications {
  const folder = path.join(dataDir, DOCUMENTS_FOLDER);
  const trusted = trust?.files().filter((file) => path.dirname(file) === folder) ?? [];
  const files = [...new Set([...filesOf(folder), ...trusted])].filter((file) => file.endsWith(SUFFIX));
  const names = files.map((file) => path.basename(file, SUFFIX));
  return {
    names: names.filter((name) => APPLICATION_NAME.test(name)).sort(),
    misnamed: files.filter((file) => !APPLICATION_NAME.test(path.basename(file, SUFFIX))).sort(),
  };
}
