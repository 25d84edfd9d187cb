// Triggers whose work no ROLLBACK takes back: in a language that reaches files and networks, or by a connection of their own. A change
// that would fire one is not run in advance.
import type { HeldRow } from "./held-rows.js";
import type { Relation } from "./relations.js";
import type { PostgresSession } from "./session.js";

/** The server's own languages are not trusted either, but what is written in them comes with it or with an extension. */
const QUERY = `SELECT DISTINCT c.relname::text, CASE WHEN l.lanpltrusted OR l.lanname IN ('internal', 'c') THEN 'dblink' ELSE l.lanname::text END
  FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE t.tgrelid = ANY ($1::pg_catalog.oid[]) AND NOT t.tgisinternal AND t.tgenabled <> 'D'
    AND (NOT (l.lanpltrusted OR l.lanname IN ('internal', 'c')) OR p.prosrc ~* '\\mdblink')
  ORDER BY 1, 2`;

/** Why a change of these rows cannot be run in advance; undefined when it can. */
export async function outsideReason(
  relation: Relation,
  rows: readonly HeldRow[],
  session: PostgresSession,
): Promise<string | undefined> {
  const oids = new Set([relation.oid, ...rows.map((row) => row.relation.oid)]);
  const { rows: found } = await session.run(QUERY, [`{${[...oids].join(",")}}`]);
  if (found.length === 0) return undefined;
  const named = found.map(([table, language]) => `${table} (${language})`).join(", ");
  return `it was not run in advance, because what triggers of ${named} do cannot be rolled back: what they change is not shown`;
}
