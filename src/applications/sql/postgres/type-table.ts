// What the driver has to know of the types of a database to read their texts: asked when a type is first seen, then kept.
import type { PostgresSession } from "./session.js";
import type { TypeTable } from "./values.js";

/** Types below are the server's own, but arrays among them have to be asked for just the same. */
const ARRAYS_QUERY = `SELECT t.oid::text, CASE e.typtype WHEN 'd' THEN e.typbasetype ELSE e.oid END::text, e.typdelim::text
  FROM pg_catalog.pg_type t JOIN pg_catalog.pg_type e ON e.oid = t.typelem
  WHERE t.typcategory = 'A' AND t.oid = ANY ($1::oid[])`;

/** A table that grows with the answers. */
export class GrowingTypeTable implements TypeTable {
  readonly #known = new Map<number, { oid: number; delimiter: string } | undefined>();

  elementOf(oid: number): { oid: number; delimiter: string } | undefined {
    return this.#known.get(oid);
  }

  /** Asks for the types of these that are not known yet, in the session's transaction. */
  async learn(oids: readonly number[], session: PostgresSession): Promise<void> {
    const unknown = [...new Set(oids)].filter((oid) => !this.#known.has(oid));
    if (unknown.length === 0) return;
    const { rows } = await session.run(ARRAYS_QUERY, [`{${unknown.join(",")}}`]);
    for (const oid of unknown) this.#known.set(oid, undefined);
    for (const [oid, element, delimiter] of rows)
      this.#known.set(Number(oid), { oid: Number(element), delimiter: delimiter ?? "," });
  }
}
