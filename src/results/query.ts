// One question to a list of rows, answered in one pass over them: which rows in which order, groups, sums and columns. What was put in
// order a moment ago is remembered, so that the next page costs no pass.
import type { ResultColumn, ResultGroup, ResultNumber, ResultQuery } from "../domain/result-query.js";
import { type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import type { Semaphore } from "../lib/semaphore.js";
import { createSlices } from "../lib/slices.js";
import { createGroups, createSums } from "./aggregate.js";
import { createNumberPlaces } from "./number-places.js";
import { createOrder } from "./order.js";
import { createProfile } from "./profile.js";
import { rowFilter } from "./row-filter.js";
import type { RowList } from "./rows-at.js";

/** Orders that are remembered, and their bytes. */
const MAX_ORDERS = 16;
const MAX_ORDER_BYTES = 32 * 1024 * 1024;

/** Passes over rows at once: each takes memory for its keys, and all of them together one thread. */
export const SCANS_AT_ONCE = 4;

/** Orders of rows by what they are of. */
export interface OrderCache {
  get(key: string): Uint32Array | undefined;
  keep(key: string, order: Uint32Array): void;
}

/** An empty one; the longest unused leave first. */
export function createOrderCache(): OrderCache {
  const orders = new Map<string, Uint32Array>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= orders.get(key)?.byteLength ?? 0;
    orders.delete(key);
  };
  return {
    get(key) {
      const order = orders.get(key);
      if (order) {
        orders.delete(key);
        orders.set(key, order);
      }
      return order;
    },
    keep(key, order) {
      drop(key);
      if (order.byteLength > MAX_ORDER_BYTES) return;
      orders.set(key, order);
      bytes += order.byteLength;
      for (const oldest of orders.keys()) {
        if (orders.size <= MAX_ORDERS && bytes <= MAX_ORDER_BYTES) break;
        drop(oldest);
      }
    },
  };
}

/** What a pass over the rows found. */
export interface QueriedRows {
  /** How many rows match. */
  matching: number;
  /** Positions of the rows that match, in order; undefined for all rows as they stand. */
  order: Uint32Array | undefined;
  groups?: { groups: ResultGroup[]; isCut: boolean };
  sums?: JsonObject;
  columns?: { columns: ResultColumn[]; isCut: boolean };
  numbers?: ResultNumber[];
}

/** What a pass is made with. */
interface QueryContext {
  orders: OrderCache;
  /** Names the list, so that an order is only used for the rows it is of. */
  listKey: string;
  scans: Semaphore;
  signal: AbortSignal;
  /** Get each row that matches, too. */
  visitors?: readonly { add(row: JsonValue, at: number): void }[];
}

/** Answers a question to a list. Throws AppError invalid_query when too many rows are to be put in order, and the signal's reason. */
export async function questionRows(
  list: RowList,
  query: ResultQuery,
  { orders, listKey, scans, signal, visitors: others = [] }: QueryContext,
): Promise<QueriedRows> {
  const { where, contains, filter, q, group, aggregate } = query;
  // The order of groups is not that of rows.
  const sort = group.length > 0 ? [] : query.sort;
  const matches = rowFilter(query);
  const key = `${listKey} ${toJson({ where, contains, filter, q, sort })}`;
  const isAsItStands = !matches && sort.length === 0;
  const known = isAsItStands ? undefined : orders.get(key);
  const order = isAsItStands || known ? undefined : createOrder(sort);
  const groups = group.length > 0 ? createGroups(group, aggregate) : undefined;
  const sums = aggregate.length > 0 ? createSums(aggregate) : undefined;
  const profile = query.columns ? createProfile() : undefined;
  const numbers = query.numbers ? createNumberPlaces(query.numbers) : undefined;
  const visitors = [groups, sums, profile, numbers, ...others].filter((one) => one !== undefined);
  const pass = async (): Promise<Uint32Array | undefined> => {
    const slices = createSlices(signal);
    let position = 0;
    for await (const batch of list.read(0)) {
      signal.throwIfAborted();
      for (const row of batch) {
        const at = position++;
        if (!matches || matches(row)) {
          order?.add(row, at);
          for (const visitor of visitors) visitor.add(row, at);
        }
        if (slices.isOver()) await slices.pause();
      }
    }
    return order?.finish(signal);
  };
  const ordered = order || visitors.length > 0 ? await scans.run(pass, signal) : undefined;
  const found = known ?? ordered;
  if (found && !known) orders.keep(key, found);
  const answer: QueriedRows = { matching: found?.length ?? list.count, order: found };
  if (groups) answer.groups = { groups: await groups.groups(query.sort, signal), isCut: groups.isCut };
  if (sums) answer.sums = sums.values();
  if (profile) answer.columns = { columns: profile.columns(), isCut: profile.isCut };
  if (numbers) answer.numbers = numbers.places();
  return answer;
}
