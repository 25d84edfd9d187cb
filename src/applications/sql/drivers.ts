// The drivers of databases, each loaded when the first database of its dialect is opened.
import type { Database, DatabaseOptions } from "./database.js";
import { dialectOf } from "./location.js";

/** Opens a database; nothing is connected yet. Throws StartError for a location that no driver takes. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const dialect = dialectOf(options.location);
  switch (dialect) {
    case "sqlite":
      return (await import("./sqlite/database.js")).openSqliteDatabase(options);
    case "postgres":
      return (await import("./postgres/open.js")).openPostgres(options.location, {
        allowSuperuserQuery: options.allowsSuperuser,
      });
    case "mysql":
      return (await import("./mysql/open.js")).openMysql(options.location);
    default:
      return dialect satisfies never;
  }
}
