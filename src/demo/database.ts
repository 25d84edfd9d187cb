// The sample application's database: SQLite in memory, the same rows at every start. Money is kept in cents.
import type { Database } from "better-sqlite3";
import { SqliteDatabase } from "../lib/sqlite.js";
import { CUSTOMERS, orders, PRODUCTS } from "./rows.js";

export type Db = Database;

const TABLES = `
  CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents >= 0), stock INTEGER NOT NULL CHECK (stock >= 0), description TEXT NOT NULL
  ) STRICT;
  CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE COLLATE NOCASE, city TEXT NOT NULL,
    country TEXT NOT NULL, tier TEXT NOT NULL, created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL REFERENCES customers (id), status TEXT NOT NULL,
    note TEXT NOT NULL, tracking_number TEXT, created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE order_lines (
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE, product_id INTEGER NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0), cents INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lines_by_order ON order_lines (order_id);
  CREATE INDEX lines_by_product ON order_lines (product_id);
  CREATE INDEX orders_by_customer ON orders (customer_id);
`;

function fill(db: Db): void {
  const product = db.prepare(
    "INSERT INTO products (sku, name, category, cents, stock, description) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const row of PRODUCTS) product.run(...row);
  const customer = db.prepare(
    "INSERT INTO customers (name, email, city, country, tier, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const row of CUSTOMERS) customer.run(...row);
  const order = db.prepare(
    "INSERT INTO orders (customer_id, status, note, tracking_number, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const line = db.prepare(
    "INSERT INTO order_lines (order_id, product_id, quantity, cents) SELECT ?, id, ?, cents FROM products WHERE id = ?",
  );
  for (const one of orders()) {
    const { lastInsertRowid } = order.run(one.customer, one.status, one.note, one.tracking, one.date);
    for (const [id, quantity] of one.lines) line.run(lastInsertRowid, quantity, id);
  }
}

/** A fresh database with the sample rows. */
export function openShopDatabase(): Db {
  const db = new SqliteDatabase(":memory:");
  db.pragma("foreign_keys = ON");
  db.exec(TABLES);
  db.transaction(fill)(db);
  return db;
}

/** One page of a query: `where` pieces are joined by AND; columns come from code, values are always bound. */
interface PageQuery {
  select: string;
  from: string;
  where: (string | undefined)[];
  values: Record<string, unknown>;
  /** A sort field out of `columns`, a leading "-" reverses the order. */
  sort: string;
  columns: Readonly<Record<string, string>>;
  limit: number;
  offset: number;
}

/** Runs a page query; gives the envelope every list answers with. */
export function queryPage<Row>(db: Db, query: PageQuery, present: (row: Row) => unknown): Record<string, unknown> {
  const pieces = query.where.filter((piece) => piece !== undefined);
  const where = pieces.length > 0 ? `WHERE ${pieces.join(" AND ")}` : "";
  const column = query.columns[query.sort.replace(/^-/, "")] ?? "id";
  const order = `${column} ${query.sort.startsWith("-") ? "DESC" : "ASC"}, id ASC`;
  const { limit, offset, values } = query;
  const total = db
    .prepare(`SELECT count(*) FROM (SELECT ${query.select} FROM ${query.from} ${where})`)
    .pluck()
    .get(values);
  const rows = db
    .prepare(
      `SELECT * FROM (SELECT ${query.select} FROM ${query.from} ${where}) ORDER BY ${order} LIMIT @limit OFFSET @offset`,
    )
    .all({ ...values, limit, offset }) as Row[];
  return { items: rows.map(present), total, limit, offset };
}
