// Large inputs made on the spot: a schema of a thousand operations, a history of a million rows.
import { join } from "node:path";
import { SqliteDatabase } from "../../src/lib/sqlite.js";

/** A document of 1,000 operations over 100 resources, with parameters of a believable size. */
export function thousandOperations(target: string): object {
  const string = (description: string): object => ({ type: "string", description });
  const resources = Array.from({ length: 100 }, (_, r) => ({
    name: `resource${r}`,
    actions: Array.from({ length: 10 }, (_, a) => ({
      name: `resource${r}_action${a}`,
      description: `Action ${a} on resource ${r}: changes or reads what the application keeps under this name.`,
      safety: a < 5 ? "read_only" : "mutating",
      provenance: "declared",
      parameters: {
        type: "object",
        properties: {
          id: { type: "integer" },
          name: string("The name."),
          state: { enum: ["open", "closed"] },
          note: string("Free text."),
        },
        required: ["id"],
      },
      transport: { kind: "http", method: a < 5 ? "GET" : "POST", path: `/resource${r}/{id}/action${a}` },
    })),
  }));
  return { version: 1, source: "openapi", base_url: target, resources };
}

/** Fills a stopped daemon's history up to this many rows with copies of its newest one. */
export function seedHistory(dir: string, rows: number): void {
  const db = new SqliteDatabase(join(dir, "history.db"));
  const columns = (db.pragma("table_info(history)") as { name: string }[]).map(({ name }) => name);
  const copied = columns.filter((name) => name !== "id");
  // Each copy gets its own place in the order of completion.
  const values = copied.map((name) => (name === "seq" ? "h.seq + n.i" : `h."${name}"`));
  const names = copied.map((name) => `"${name}"`).join(", ");
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO history (${names}) SELECT ${values.join(", ")} FROM n, (SELECT * FROM history ORDER BY id DESC LIMIT 1) h`);
  db.close();
}
