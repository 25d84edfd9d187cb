// The sample application's warehouse: a SQLite file of its own, with the shop's products by their SKU. The daemon reaches it as any
// other database; it knows nothing of the daemon.
import { rmSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { SqliteDatabase } from "../lib/sqlite.js";
import { PRODUCTS } from "./rows.js";

const TABLES = `
  CREATE TABLE shelves (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, room TEXT NOT NULL CHECK (room IN ('dry', 'cool', 'vault'))
  ) STRICT;
  CREATE TABLE stock (
    id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, product TEXT NOT NULL, quantity INTEGER NOT NULL CHECK (quantity >= 0),
    reorder_at INTEGER NOT NULL DEFAULT 10, shelf_id INTEGER NOT NULL REFERENCES shelves (id)
  ) STRICT;
  CREATE TABLE movements (
    id INTEGER PRIMARY KEY, stock_id INTEGER NOT NULL REFERENCES stock (id) ON DELETE CASCADE, change INTEGER NOT NULL,
    note TEXT NOT NULL DEFAULT '', moved_on TEXT NOT NULL
  ) STRICT;
  CREATE INDEX stock_by_shelf ON stock (shelf_id);
  CREATE INDEX movements_by_stock ON movements (stock_id);
`;

const SHELVES: readonly [name: string, room: string][] = [
  ["A1", "dry"],
  ["A2", "dry"],
  ["B1", "cool"],
  ["V1", "vault"],
];

/** Which shelf, by the category of a product. */
const SHELF_OF: Readonly<Record<string, number>> = { coffee: 1, tea: 3, equipment: 2, accessories: 2, gifts: 4 };

/** Pieces in the warehouse, beside those in the shop: the third and every fifth after it are nearly gone. */
const quantityOf = (at: number): number => (at % 5 === 2 ? at : 12 + ((at * 7) % 60));

function fill(db: Database): void {
  const shelf = db.prepare("INSERT INTO shelves (name, room) VALUES (?, ?)");
  for (const row of SHELVES) shelf.run(...row);
  const stock = db.prepare("INSERT INTO stock (sku, product, quantity, shelf_id) VALUES (?, ?, ?, ?)");
  const movement = db.prepare("INSERT INTO movements (stock_id, change, note, moved_on) VALUES (?, ?, ?, ?)");
  for (const [at, [sku, name, category]] of PRODUCTS.entries()) {
    const quantity = quantityOf(at);
    const { lastInsertRowid } = stock.run(sku, name, quantity, SHELF_OF[category] ?? 1);
    movement.run(lastInsertRowid, quantity + 20, "delivered", "2026-03-02");
    movement.run(lastInsertRowid, -20, "to the shop", "2026-03-09");
  }
}

/** Makes the file anew: the same rows at every start. */
export function createWarehouse(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  const db = new SqliteDatabase(file);
  try {
    db.exec(TABLES);
    db.transaction(fill)(db);
  } finally {
    db.close();
  }
}
