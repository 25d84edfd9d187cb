// SQLite's driver, in the line of it that this Node can run: 12 crashes on Node 24.19 and later as soon as a statement is
// collected, and 13 crashes on Node 20. Everything that opens a database takes it from here.
import type Database from "better-sqlite3";
import { missingAddon } from "./missing-addon.js";

const FIRST_NODE_OF_13 = 22;

const isNewNode = Number.parseInt(process.versions.node, 10) >= FIRST_NODE_OF_13;

/** In place of a driver that cannot be loaded: what opens no database does without it. */
function failing(failure: unknown): unknown {
  return class {
    static readonly SqliteError = class extends Error {};
    constructor() {
      throw failure;
    }
  };
}

const driver = await (isNewNode ? import("better-sqlite3-13") : import("better-sqlite3")).then(
  (module) => module.default,
  (failure: unknown) => failing(failure) as typeof Database,
);

/**
 * Opens a database file. Both lines have the interface that `@types/better-sqlite3` describes. The addon is loaded with the first
 * one; throws MissingAddon when it cannot be.
 */
export const SqliteDatabase = new Proxy(driver, {
  construct(database, args) {
    try {
      return Reflect.construct(database, args);
    } catch (error) {
      throw missingAddon(error) ?? error;
    }
  },
});

/** The application_id of the record of a daemon, which tells it from the files of other programs: "agtd". */
export const RECORD_ID = 0x61677464;
