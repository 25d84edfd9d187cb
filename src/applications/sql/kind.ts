// Databases: SQLite files, PostgreSQL, MySQL and MariaDB.
import type { ApplicationKind } from "../kind.js";
import { impliedByOperation } from "./implied.js";

export const sql: ApplicationKind = {
  kind: "sql",
  sources: { sql: async () => (await import("./source.js")).sqlSource },
  openTransport: async (context) => (await import("./transport.js")).createSqlTransport(context),
  implied: impliedByOperation,
};
