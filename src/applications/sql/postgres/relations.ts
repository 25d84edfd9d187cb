// What a change has to know of the tables it touches, asked within its own transaction: columns with their types, the key, what refers
// to the table and what deleting does to it. Rows are held as the server's own texts, so that they go in again as they came out.
import { createHash } from "node:crypto";
import { type JsonObject, toJson } from "../../../lib/json.js";
import type { TableName } from "../catalogue.js";
import { DatabaseFailure } from "../database.js";
import type { RowTexts } from "../row-texts.js";
import type { PostgresSession } from "./session.js";
import { quoteName } from "./syntax.js";
import { shownName, USUAL_SCHEMA } from "./usual-schema.js";

/** A column as images need it. */
interface RelationColumn {
  name: string;
  /** For a cast; without a length. */
  type: string;
  type_oid: number;
  /** Whether the server computes it. */
  computed: boolean;
  /** Whether a row may be created without it. */
  has_default: boolean;
  /** Whether its values are times. */
  clock: boolean;
  readable: boolean;
}

/** A table with what images need. */
export interface Relation {
  oid: number;
  schema: string;
  name: string;
  columns: RelationColumn[];
  /** Empty for none. */
  key: string[];
  /** Whether the role may lock its rows. */
  lockable: boolean;
  readable: boolean;
  /** Of everything that a row's texts depend on. */
  shape: string;
}

/** A foreign key that refers to a table and does something when a row there is deleted. */
export interface Reference {
  child: number;
  child_columns: string[];
  parent_columns: string[];
  action: "c" | "n" | "d";
}

const RELATIONS = `SELECT row_to_json(r)::text FROM (
  SELECT c.oid::pg_catalog.int8, n.nspname AS schema, c.relname AS name,
    pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') AS lockable,
    pg_catalog.has_any_column_privilege(c.oid, 'SELECT') AS readable,
    (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', a.attname,
        'type', pg_catalog.format_type(a.atttypid, -1), 'type_oid', CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END::pg_catalog.int8,
        'computed', a.attgenerated <> '', 'has_default', a.atthasdef OR a.attidentity <> '', 'clock', t.typcategory = 'D',
        'readable', pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')) ORDER BY a.attnum)
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attgenerated,
        a.attidentity), ',' ORDER BY a.attnum)
      FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS shape,
    coalesce((SELECT k.columns FROM (SELECT i.indisprimary, pg_catalog.count(*) OVER () AS number,
          (SELECT pg_catalog.json_agg(a.attname ORDER BY u.at) FROM pg_catalog.unnest((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts - 1])
            WITH ORDINALITY u(num, at) JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num) AS columns
        FROM pg_catalog.pg_index i
        WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
            AND NOT a.attnotnull)) k
      WHERE k.indisprimary OR k.number = 1 ORDER BY k.indisprimary DESC LIMIT 1), '[]') AS key
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

const REFERENCES = `SELECT pg_catalog.row_to_json(r)::text FROM (
  SELECT o.conrelid::pg_catalog.int8 AS child, o.confdeltype AS action,
    (SELECT pg_catalog.json_agg(a.attname ORDER BY k.at) FROM pg_catalog.unnest(o.conkey) WITH ORDINALITY k(num, at)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = k.num) AS child_columns,
    (SELECT pg_catalog.json_agg(a.attname ORDER BY k.at) FROM pg_catalog.unnest(o.confkey) WITH ORDINALITY k(num, at)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = o.confrelid AND a.attnum = k.num) AS parent_columns
  FROM pg_catalog.pg_constraint o
  WHERE o.contype = 'f' AND o.confrelid = $1::pg_catalog.oid AND o.confdeltype IN ('c', 'n', 'd') AND o.conparentid = 0
  ORDER BY o.oid) r`;

async function relationsBy(session: PostgresSession, where: string, values: readonly string[]): Promise<Relation[]> {
  const { rows } = await session.run(`${RELATIONS} WHERE ${where}) r`, values);
  return rows.map(([text]) => JSON.parse(text ?? "null") as Relation);
}

/** A table by its name. Throws DatabaseFailure `schema_changed` when it is not there. */
export async function relationNamed(
  { schema = USUAL_SCHEMA, name }: TableName,
  session: PostgresSession,
): Promise<Relation> {
  const [found] = await relationsBy(session, "n.nspname = $1 AND c.relname = $2", [schema, name]);
  if (found) return found;
  throw new DatabaseFailure(
    "schema_changed",
    `there is no table ${schema}.${name} any more: the database has changed; run agentd sync sql again`,
    { details: { table: name } },
  );
}

/** A table by its OID. */
export async function relationOf(oid: number, session: PostgresSession): Promise<Relation> {
  const [found] = await relationsBy(session, "c.oid = $1::pg_catalog.oid", [String(oid)]);
  if (!found) throw new DatabaseFailure("schema_changed", "a table was dropped meanwhile; try again");
  return found;
}

/** What refers to a table and is changed when its rows are deleted. */
export async function referencesTo(oid: number, session: PostgresSession): Promise<Reference[]> {
  const { rows } = await session.run(REFERENCES, [String(oid)]);
  return rows.map(([text]) => JSON.parse(text ?? "null") as Reference);
}

/** A table in quotes, with its schema. */
export function quotedRelation({ schema, name }: Pick<Relation, "schema" | "name">): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Of the tables that images are of; another one means that their rows have other columns. */
export function shapeHash(relations: readonly Relation[]): string {
  const shapes = relations.map((one) => `${shownName(one)}(${one.shape}) ${one.key.join(",")}`).sort();
  return createHash("sha256")
    .update(toJson([...new Set(shapes)]))
    .digest("hex");
}

/** The columns of a row that may be read. */
export function readableColumns({ columns }: Relation): RelationColumn[] {
  return columns.filter(({ readable }) => readable);
}

/** The list of a SELECT or RETURNING that gives a row's texts. */
export function columnList(relation: Relation): string {
  return readableColumns(relation)
    .map(({ name }) => quoteName(name))
    .join(", ");
}

/** A row of `columnList` by its columns. */
export function toTexts(relation: Relation, row: readonly (string | null)[]): RowTexts {
  return Object.fromEntries(readableColumns(relation).map(({ name }, at) => [name, row[at] ?? null]));
}

/** The key of a row as one text. */
export function relationIdentity(relation: Relation, row: RowTexts | JsonObject): string {
  return toJson(relation.key.map((name) => row[name] ?? null));
}

/** Texts of one kind of column for all rows, as `unnest` takes them. */
export function typeOf(relation: Relation, column: string): string {
  const found = relation.columns.find(({ name }) => name === column);
  if (found) return found.type;
  throw new DatabaseFailure(
    "schema_changed",
    `${shownName(relation)} has no column ${column} any more; run agentd sync sql again`,
    {
      details: { table: relation.name, column },
    },
  );
}
