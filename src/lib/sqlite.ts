// SQLite's driver, in the line of it that this Node can run: 12 crashes on Node 24.19 and later as soon as a statement is
// collected, and 13 crashes on Node 20. Everything that opens a database takes it from here.
import { missingAddon } from "./missing-addon.js";

const FIRST_NODE_OF_13 = 22;

const isNewNode = Number.parseInt(process.versions.node, 10) >= FIRST_NODE_OF_13;

const driver = await (isNewNode ? import("better-sqlite3-13") : import("better-sqlite3")).catch((error: unknown) => {
  throw missingAddon(error) ?? error;
});

/**
 * Opens a database file. Both lines have the interface that `@types/better-sqlite3` describes. The addon is loaded with the first
 * one; throws MissingAddon when it cannot be.
 */
export const SqliteDatabase = new Proxy(driver.default, {
  construct(database, args) {
    try {
      return Reflect.construct(database, args);
    } catch (error) {
      throw missingAddon(error) ?? error;
    }
  },
});
