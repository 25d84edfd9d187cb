// The rows in view and around them: pages of a source, loaded when a row of theirs is displayed, kept while the query is the same.
import type { JsonObject } from "../../../src/lib/json.js";
import { errorText } from "../../state/api.js";
import type { RowSource } from "../../state/row-source.js";
import type { Query } from "../../values/query.js";

const PAGE_ROWS = 200;
/** Pages that are kept; the ones used last. */
const MAX_PAGES = 40;

interface Page {
  rows: JsonObject[];
  indexes: number[];
}

/** A row with its position in the whole list. */
export interface PlacedRow {
  row: JsonObject;
  index: number;
}

/** The rows that match one query. */
export class RowWindow {
  /** How many rows match; undefined until it is known. */
  matching: number | undefined;
  error = "";
  readonly #pages = new Map<number, Page | undefined>();
  readonly #aborted = new AbortController();
  readonly #options: { source: RowSource; query: Query; onChange: () => void };

  constructor(options: { source: RowSource; query: Query; onChange: () => void }) {
    this.#options = options;
    this.#load(0);
  }

  /** The row at a place of what matches; undefined until its page is here, which is loaded now. */
  at(place: number): PlacedRow | undefined {
    const number = Math.floor(place / PAGE_ROWS);
    const page = this.#pages.get(number);
    if (page === undefined) {
      if (!this.#pages.has(number)) this.#load(number);
      return undefined;
    }
    const row = page.rows[place % PAGE_ROWS];
    return row === undefined ? undefined : { row, index: page.indexes[place % PAGE_ROWS] ?? place };
  }

  /** The rows of the first page. */
  get first(): readonly JsonObject[] {
    return this.#pages.get(0)?.rows ?? [];
  }

  /** Whether the first page is still on its way. */
  get isLoading(): boolean {
    return this.matching === undefined && this.error === "";
  }

  /** Stops what is loaded; nothing changes any more. */
  close(): void {
    this.#aborted.abort();
  }

  #load(number: number): void {
    const { source, query, onChange } = this.#options;
    const { signal } = this.#aborted;
    this.#pages.set(number, undefined);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) break;
      if (old !== 0 && Math.abs(old - number) > 2) this.#pages.delete(old);
    }
    source.page(query, { offset: number * PAGE_ROWS, limit: PAGE_ROWS, signal }).then(
      ({ rows, indexes, matching }) => {
        if (signal.aborted) return;
        this.#pages.set(number, { rows, indexes });
        this.matching = matching;
        onChange();
      },
      (failure: unknown) => {
        if (signal.aborted) return;
        this.error = errorText(failure);
        onChange();
      },
    );
  }
}
