// The rows of the history as a list of any length: what is looked at is loaded, what is far away is forgotten. Without filters every
// place of the list is known, because ids follow each other; with filters rows are found one page after the other.
import { signal } from "@preact/signals";
import { UNNAMED } from "../../src/domain/application-name.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { errorText, requestList } from "./api.js";
import { type HistoryFilters, historyQuery, isFiltered } from "./history-filters.js";

/** Rows a request. */
const PAGE = 100;
/** Pages that are kept of a list without filters. */
const MAX_PAGES = 60;
/** Changes that come together are looked at together. */
const PAUSE_MS = 250;

interface Range {
  before?: number;
  after?: number;
  limit: number;
}

/** What both kinds of list share: they ask, tell that something is different, and look again at what changed. */
abstract class Rows {
  /** Counts up whenever something is different. */
  readonly version = signal(0);
  readonly loading = signal(true);
  readonly error = signal("");
  protected newest = 0;
  private readonly filters: HistoryFilters;
  private readonly abort = new AbortController();
  private readonly changed = new Set<number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(filters: HistoryFilters) {
    this.filters = filters;
  }

  /** How many places the list has. */
  abstract get length(): number;
  /** Whether more may come at its end. */
  abstract get hasMore(): boolean;
  /** The row at a place; undefined while it is not here. */
  abstract at(index: number): HistoryEntry | undefined;
  /** What tells a place from the others, whatever comes before it. */
  abstract keyAt(index: number): number;
  /** The place of a row; -1 when that is not known. */
  abstract indexOf(id: number): number;
  /** Loads what is between two places, as far as it is not here. */
  abstract need(first: number, last: number): void;
  /** Whether the row of a place is not there, although it was looked for. */
  abstract isGone(index: number): boolean;
  /** Loads the beginning. */
  abstract start(): Promise<void>;
  protected abstract add(newer: HistoryEntry[]): void;
  protected abstract replace(row: HistoryEntry): void;

  /** A row was written or became something else. */
  note(id: number): void {
    this.changed.add(id);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, PAUSE_MS);
  }

  /** Looks for newer rows, and again at those that changed. */
  async refresh(): Promise<void> {
    const known = [...this.changed].filter((id) => this.indexOf(id) >= 0 && this.at(this.indexOf(id)));
    this.changed.clear();
    await this.attempt(async () => {
      const newer = await this.fetch({ after: this.newest, limit: PAGE });
      const again = await Promise.all(known.map((id) => this.fetch({ before: id + 1, after: id - 1, limit: 1 })));
      for (const row of again.flat()) this.replace(row);
      this.add(newer);
      this.newest = Math.max(this.newest, newer[0]?.id ?? 0);
    });
  }

  close(): void {
    clearTimeout(this.timer);
    this.abort.abort();
  }

  /** Does work and tells of it; a failure becomes the error of the list. */
  protected async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      if (!this.abort.signal.aborted) this.error.value = "";
      return true;
    } catch (failure) {
      if (!this.abort.signal.aborted) this.error.value = errorText(failure);
      return false;
    } finally {
      if (!this.abort.signal.aborted) {
        this.loading.value = false;
        this.version.value++;
      }
    }
  }

  protected fetch(range: Range, onHeaders?: (headers: Headers) => void): Promise<HistoryEntry[]> {
    const query = historyQuery(this.filters, UNNAMED);
    query.set("results", "small");
    for (const [name, value] of Object.entries(range)) query.set(name, String(value));
    return requestList(`/history?${query}`, "history", { signal: this.abort.signal, ...(onHeaders && { onHeaders }) });
  }
}

/** All rows: every id between the oldest and the newest has its place. */
class AllRows extends Rows {
  private readonly rows = new Map<number, HistoryEntry>();
  private oldest = 1;
  /** Those that are here or on their way, the longest unused first. */
  private readonly pages = new Map<number, "loading" | "loaded">();

  get length(): number {
    return Math.max(0, this.newest - this.oldest + 1);
  }

  get hasMore(): boolean {
    return false;
  }

  at(index: number): HistoryEntry | undefined {
    return this.rows.get(this.newest - index);
  }

  keyAt(index: number): number {
    return this.newest - index;
  }

  indexOf(id: number): number {
    return id >= this.oldest && id <= this.newest ? this.newest - id : -1;
  }

  isGone(index: number): boolean {
    const id = this.newest - index;
    return this.pages.get(Math.floor(id / PAGE)) === "loaded" && !this.rows.has(id);
  }

  need(first: number, last: number): void {
    const from = Math.floor(Math.max(this.newest - last, this.oldest) / PAGE);
    const to = Math.floor((this.newest - first) / PAGE);
    for (let page = from; page <= to; page++) {
      const state = this.pages.get(page);
      if (state === undefined) void this.loadPage(page);
      else {
        this.pages.delete(page);
        this.pages.set(page, state);
      }
    }
    this.forget();
  }

  async start(): Promise<void> {
    this.pages.clear();
    await this.attempt(async () => {
      const [first, [oldest]] = await Promise.all([this.fetch({ limit: PAGE }), this.fetch({ after: 0, limit: 1 })]);
      this.newest = first[0]?.id ?? 0;
      this.oldest = oldest?.id ?? 1;
      this.add(first);
    });
  }

  protected add(newer: HistoryEntry[]): void {
    for (const row of newer) this.rows.set(row.id, row);
  }

  protected replace(row: HistoryEntry): void {
    if (this.rows.has(row.id)) this.rows.set(row.id, row);
  }

  private async loadPage(page: number): Promise<void> {
    this.pages.set(page, "loading");
    const after = page * PAGE - 1;
    const isLoaded = await this.attempt(async () =>
      this.add(await this.fetch({ before: after + PAGE + 1, limit: PAGE, ...(after > 0 && { after }) })),
    );
    if (isLoaded) this.pages.set(page, "loaded");
    else this.pages.delete(page);
    this.version.value++;
  }

  private forget(): void {
    for (const [page, state] of this.pages) {
      if (this.pages.size <= MAX_PAGES || state === "loading") return;
      this.pages.delete(page);
      for (let id = page * PAGE; id < (page + 1) * PAGE; id++) this.rows.delete(id);
    }
  }
}

/** The rows that fit filters, found one page after the other. */
class FoundRows extends Rows {
  private rows: HistoryEntry[] = [];
  /** Where to go on; undefined when there is no more. */
  private cursor: number | undefined;

  get length(): number {
    return this.rows.length;
  }

  get hasMore(): boolean {
    return this.cursor !== undefined;
  }

  at(index: number): HistoryEntry | undefined {
    return this.rows[index];
  }

  keyAt(index: number): number {
    return this.rows[index]?.id ?? -index;
  }

  indexOf(id: number): number {
    return this.rows.findIndex((row) => row.id === id);
  }

  isGone(): boolean {
    return false;
  }

  need(_first: number, last: number): void {
    if (last >= this.rows.length - PAGE / 4 && this.hasMore && !this.loading.peek() && this.error.peek() === "")
      void this.loadOlder();
  }

  start(): Promise<void> {
    this.rows = [];
    this.cursor = Number.MAX_SAFE_INTEGER;
    return this.loadOlder();
  }

  protected add(newer: HistoryEntry[]): void {
    const known = this.rows[0]?.id ?? 0;
    this.rows = [...newer.filter(({ id }) => id > known), ...this.rows];
  }

  protected replace(row: HistoryEntry): void {
    this.rows = this.rows.map((one) => (one.id === row.id ? row : one));
  }

  private async loadOlder(): Promise<void> {
    this.loading.value = true;
    await this.attempt(async () => {
      const before = this.cursor ?? 1;
      let left: string | null = null;
      const range = before === Number.MAX_SAFE_INTEGER ? { limit: PAGE } : { limit: PAGE, before };
      const older = await this.fetch(range, (headers) => {
        left = headers.get("x-search-before");
      });
      this.rows = [...this.rows, ...older];
      this.newest = this.rows[0]?.id ?? this.newest;
      this.cursor = left !== null ? Number(left) : older.length === PAGE ? older.at(-1)?.id : undefined;
    });
  }
}

/** The rows that fit filters, newest first; loading begins at once. */
export function createHistoryRows(filters: HistoryFilters): Rows {
  const rows = isFiltered(filters) ? new FoundRows(filters) : new AllRows(filters);
  void rows.start();
  return rows;
}

/** The rows of the history page. */
export type HistoryRows = Rows;
