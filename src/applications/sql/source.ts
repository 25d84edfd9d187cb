// Databases to schema documents: the database is asked what it has, once. Knows nothing of data directories or of calls.
// Source: docs/databases.md, "Connecting a database".
import { StartError, usageError } from "../../domain/error.js";
import type { Imported, Source, SourceInput } from "../source.js";
import { DatabaseFailure } from "./database.js";
import { toDocument } from "./document.js";
import { openDatabase } from "./drivers.js";
import { refuseSecret, resolveLocation, shownLocation, variableOf } from "./location.js";

/** SQLite files, PostgreSQL, MySQL and MariaDB. */
export const sqlSource: Source = {
  kind: "sql",
  async read({ location: given, baseUrl, allowsSuperuser = false, onStep }: SourceInput): Promise<Imported> {
    if (given === "-") throw usageError("a database cannot be read from standard input; give its file or address.");
    if (baseUrl !== undefined) throw usageError("a database has no --base-url: its location says where it is.");
    if (variableOf(given) === undefined) refuseSecret(given, "the location");
    const location = resolveLocation(given, process.env);
    const address = shownLocation(location);
    onStep?.("opening the database");
    const database = await openDatabase({ location, allowsSuperuser });
    try {
      onStep?.("reading its tables");
      const catalogue = await database.introspect();
      onStep?.("making tools");
      const { document, report } = toDocument(catalogue, address);
      return { document, isNamed: true, report };
    } catch (error) {
      if (!(error instanceof DatabaseFailure)) throw error;
      throw new StartError(`${address} cannot be read: ${error.message}`, { cause: error });
    } finally {
      await database.close();
    }
  },
};
