// How many rows of each table a change inserts, updates and deletes, counted from the rows themselves.
import type { TableCounts } from "../../domain/effect.js";

/** The counts of tables, in the order in which they were first named. */
export class RowCounts {
  readonly #byTable = new Map<string, TableCounts>();

  /** Counts a row; `updates` is how often it is updated, if it is there before and after. */
  add(table: string, { before, after, updates = 1 }: { before: unknown; after: unknown; updates?: number }): void {
    const count = this.#byTable.get(table) ?? { name: table, inserted: 0, updated: 0, deleted: 0 };
    this.#byTable.set(table, count);
    if (!before) count.inserted++;
    else if (!after) count.deleted++;
    else count.updated += updates;
  }

  has(table: string): boolean {
    return this.#byTable.has(table);
  }

  get all(): TableCounts[] {
    return [...this.#byTable.values()];
  }
}
