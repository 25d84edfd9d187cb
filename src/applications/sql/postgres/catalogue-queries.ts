// The queries that read the catalogue, each of the whole database at once; every row is one JSON object. They run with an empty
// search_path, so that types and expressions come out with their schemas. Knows nothing of what is made of the rows.

const USER_SCHEMA = "n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'";

const isOfExtension = (catalogue: string, oid: string): string =>
  `EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalogue}'::regclass AND d.objid = ${oid} AND d.deptype = 'e')`;

/** A table or view. */
export interface RelationRow {
  oid: number;
  schema: string;
  name: string;
  kind: "r" | "p" | "v" | "m" | "f";
  comment: string | null;
  of_extension: boolean;
  usage: boolean;
  select: boolean;
  insert: boolean;
  update: boolean;
  delete: boolean;
  instead: boolean;
}

export const RELATIONS_QUERY = `SELECT c.oid::int8, n.nspname AS schema, c.relname AS name, c.relkind AS kind,
    obj_description(c.oid, 'pg_class') AS comment, ${isOfExtension("pg_class", "c.oid")} AS of_extension,
    has_schema_privilege(n.oid, 'USAGE') AS usage, has_any_column_privilege(c.oid, 'SELECT') AS select,
    has_any_column_privilege(c.oid, 'INSERT') AS insert, has_any_column_privilege(c.oid, 'UPDATE') AS update,
    has_table_privilege(c.oid, 'DELETE') AS delete,
    EXISTS (SELECT FROM pg_rewrite w WHERE w.ev_class = c.oid AND w.is_instead AND w.ev_type <> '1') AS instead
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${USER_SCHEMA} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
  ORDER BY n.nspname, c.relname`;

/** A column; its type is what a domain is of, the name the domain's own where there is one. */
export interface ColumnRow {
  relation: number;
  name: string;
  type: string;
  type_oid: number;
  type_kind: string;
  category: string;
  has_order: boolean;
  typmod: number;
  domain: number | null;
  not_null: boolean;
  has_default: boolean;
  generated: boolean;
  comment: string | null;
  select: boolean;
}

/** Each domain with the type at its bottom; a type that is no domain stands for itself. */
const DOMAINS = `WITH RECURSIVE base(domain, oid, typmod, not_null) AS (
    SELECT t.oid, t.typbasetype, t.typtypmod, t.typnotnull FROM pg_type t WHERE t.typtype = 'd'
    UNION ALL SELECT b.domain, t.typbasetype, CASE WHEN b.typmod >= 0 THEN b.typmod ELSE t.typtypmod END, b.not_null OR t.typnotnull
      FROM base b JOIN pg_type t ON t.oid = b.oid WHERE t.typtype = 'd'
  ), bottom AS (SELECT b.* FROM base b JOIN pg_type t ON t.oid = b.oid WHERE t.typtype <> 'd')`;

/** Types that rows can be put in order by: they, or what they are without a conversion, have an operator class for it. */
const ORDERED = `sortable AS MATERIALIZED (
    SELECT k.opcintype AS oid FROM pg_opclass k JOIN pg_am m ON m.oid = k.opcmethod WHERE m.amname = 'btree' AND k.opcdefault
  ), ordered AS MATERIALIZED (
    SELECT s.oid FROM sortable s UNION SELECT g.castsource FROM pg_cast g JOIN sortable s ON s.oid = g.casttarget WHERE g.castmethod = 'b' AND g.castcontext = 'i'
  )`;

export const COLUMNS_QUERY = `${DOMAINS}, ${ORDERED}
  SELECT a.attrelid::int8 AS relation, a.attname AS name, format_type(t.oid, -1) AS type, t.oid::int8 AS type_oid,
    t.typtype AS type_kind, t.typcategory AS category,
    t.typtype IN ('c', 'e', 'r', 'm') OR t.oid IN (SELECT oid FROM ordered) AS has_order,
    CASE WHEN b.oid IS NULL THEN a.atttypmod ELSE b.typmod END AS typmod,
    b.domain::int8 AS domain, (a.attnotnull OR coalesce(b.not_null, false)) AS not_null,
    (a.atthasdef OR a.attidentity <> '' OR coalesce(o.typdefault, '') <> '') AS has_default,
    (a.attgenerated <> '' OR a.attidentity = 'a') AS generated, col_description(a.attrelid, a.attnum) AS comment,
    has_column_privilege(a.attrelid, a.attnum, 'SELECT') AS select
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN bottom b ON b.domain = a.atttypid JOIN pg_type t ON t.oid = coalesce(b.oid, a.atttypid)
    JOIN pg_type o ON o.oid = a.atttypid
  WHERE ${USER_SCHEMA} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
    AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attrelid, a.attnum`;

const names = (relation: string, numbers: string): string =>
  `(SELECT coalesce(json_agg(a.attname ORDER BY k.at), '[]') FROM unnest(${numbers}) WITH ORDINALITY k(num, at)
      JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.num)`;

/** A CHECK of a table or domain, or a foreign key. */
export interface ConstraintRow {
  relation: number;
  domain: number;
  kind: "c" | "f";
  expression: string | null;
  columns: string[];
  target_schema: string | null;
  target: string | null;
  target_columns: string[];
  on_delete: "a" | "r" | "c" | "n" | "d" | " ";
}

export const CONSTRAINTS_QUERY = `SELECT o.conrelid::int8 AS relation, o.contypid::int8 AS domain, o.contype AS kind,
    pg_get_expr(o.conbin, o.conrelid) AS expression, ${names("o.conrelid", "o.conkey")} AS columns,
    tn.nspname AS target_schema, tc.relname AS target, ${names("o.confrelid", "o.confkey")} AS target_columns,
    o.confdeltype AS on_delete
  FROM pg_constraint o JOIN pg_namespace n ON n.oid = o.connamespace
    LEFT JOIN pg_class tc ON tc.oid = o.confrelid LEFT JOIN pg_namespace tn ON tn.oid = tc.relnamespace
  WHERE (${USER_SCHEMA} OR o.contypid <> 0) AND o.contype IN ('c', 'f') ORDER BY o.conrelid, o.conname`;

/** A unique index over columns, without a condition. */
export interface UniqueRow {
  relation: number;
  primary: boolean;
  columns: string[];
}

export const UNIQUES_QUERY = `SELECT i.indrelid::int8 AS relation, i.indisprimary AS primary,
    ${names("i.indrelid", "(i.indkey::int2[])[0:i.indnkeyatts - 1]")} AS columns
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${USER_SCHEMA} AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indimmediate
  ORDER BY i.indrelid, i.indexrelid`;

/** An enum type. */
export interface EnumRow {
  type: number;
  labels: string[];
}

export const ENUMS_QUERY = `SELECT enumtypid::int8 AS type, json_agg(enumlabel ORDER BY enumsortorder) AS labels
  FROM pg_enum GROUP BY enumtypid`;

/** A function or procedure; its arguments in order, those given back left out. */
export interface RoutineRow {
  schema: string;
  name: string;
  kind: "f" | "p" | "a" | "w";
  volatility: "i" | "s" | "v";
  returns_set: boolean;
  comment: string | null;
  executable: boolean;
  variadic: boolean;
  defaults: number;
  arguments: { name: string | null; type: string; type_oid: number; type_kind: string; category: string }[];
}

export const ROUTINES_QUERY = `${DOMAINS}
  SELECT n.nspname AS schema, p.proname AS name, p.prokind AS kind, p.provolatile AS volatility, p.proretset AS returns_set,
    obj_description(p.oid, 'pg_proc') AS comment, p.provariadic <> 0 AS variadic, p.pronargdefaults AS defaults,
    has_function_privilege(p.oid, 'EXECUTE') AND has_schema_privilege(n.oid, 'USAGE') AS executable,
    (SELECT coalesce(json_agg(json_build_object('name', nullif(p.proargnames[k.at], ''), 'type', format_type(t.oid, -1),
        'type_oid', t.oid::int8, 'type_kind', t.typtype, 'category', t.typcategory) ORDER BY k.at), '[]')
      FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY k(type, at)
        LEFT JOIN bottom b ON b.domain = k.type JOIN pg_type t ON t.oid = coalesce(b.oid, k.type)
      WHERE coalesce(p.proargmodes[k.at], 'i') IN ('i', 'b', 'v')) AS arguments
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE ${USER_SCHEMA} AND NOT ${isOfExtension("pg_proc", "p.oid")}
    AND p.prorettype NOT IN ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype, 'pg_catalog.internal'::regtype)
  ORDER BY n.nspname, p.proname, p.oid`;
