// How many rows a transaction has inserted, updated and deleted so far, per table, by the server's own statistics: cascades and triggers
// are in them. TableCounts that the connection has not handed on yet are in them too, so that the ones at the begin are subtracted.
import type { TableCounts } from "../../../domain/effect.js";
import type { PostgresSession } from "./session.js";
import { shownName } from "./usual-schema.js";

/** Partitions count for their table. The functions and not the view, which joins the indexes of all tables for other numbers. */
const QUERY = `SELECT n.nspname, r.relname, pg_catalog.sum(s.inserted)::text, pg_catalog.sum(s.updated)::text, pg_catalog.sum(s.deleted)::text
  FROM (SELECT c.oid, pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) AS inserted,
          pg_catalog.pg_stat_get_xact_tuples_updated(c.oid) AS updated, pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) AS deleted
        FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'f')) s
    JOIN pg_catalog.pg_class r ON r.oid = coalesce(pg_catalog.pg_partition_root(s.oid), s.oid)
    JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
  WHERE s.inserted + s.updated + s.deleted > 0 AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
  GROUP BY n.nspname, r.relname ORDER BY n.nspname, r.relname`;

/** TRUNCATE counts no rows: it gives a table another file. */
const FILES = `SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat(c.oid, ' ', c.relfilenode), ',' ORDER BY c.oid))
  FROM pg_catalog.pg_class c WHERE c.relkind = 'r'`;

/** The counts of a transaction. */
export interface TransactionCounts {
  /** By the shown name of the table. */
  tables: ReadonlyMap<string, TableCounts>;
  /** Of the files of all tables; another one means that one was emptied or rebuilt. */
  files: string;
}

/** The counts so far. */
export async function countsNow(session: PostgresSession): Promise<TransactionCounts> {
  const { rows } = await session.run(QUERY);
  const files = (await session.run(FILES)).rows[0]?.[0] ?? "";
  const tables = new Map(
    rows.map(([schema, relation, inserted, updated, deleted]) => {
      const name = shownName({ schema: schema ?? "", name: relation ?? "" });
      return [name, { name, inserted: Number(inserted), updated: Number(updated), deleted: Number(deleted) }];
    }),
  );
  return { tables, files };
}

/** Whether the server counts at all. */
export async function isCounting(session: PostgresSession): Promise<boolean> {
  const { rows } = await session.run("SELECT pg_catalog.current_setting('track_counts')");
  return rows[0]?.[0] === "on";
}

/** What was counted between two moments. */
export function countsBetween(before: TransactionCounts, after: TransactionCounts): TableCounts[] {
  return [...after.tables.values()]
    .map((now) => {
      const then = before.tables.get(now.name);
      return {
        name: now.name,
        inserted: now.inserted - (then?.inserted ?? 0),
        updated: now.updated - (then?.updated ?? 0),
        deleted: now.deleted - (then?.deleted ?? 0),
      };
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
}
