// Fields that a query names and no row has: what asks for one gets an answer that looks like one to another question.
import type { ResultQuery } from "../domain/result-query.js";
import { isObject, type JsonValue } from "../lib/json.js";
import { entriesOf } from "./profile.js";
import { fieldReader } from "./row-filter.js";
import type { RowList } from "./rows-at.js";

/** Names that are remembered to choose the nearest from. */
const MAX_NAMES = 1_000;

/** The fields that no row has, and those that rows have. */
interface MissingFields {
  missing: string[];
  /** In the order in which they come up; of an object inside a row as `customer.name`. */
  names: string[];
}

/** The fields of a row that a query reads. */
export function fieldsOf({ filter = [], sort, fields = [], group, aggregate }: ResultQuery): Set<string> {
  const computed = aggregate.flatMap(({ field }) => (field === undefined ? [] : [field]));
  // Groups are ordered by what they have.
  const ordering = group.length > 0 ? [] : sort;
  return new Set([...[...filter, ...ordering, ...group].map(({ field }) => field), ...fields, ...computed]);
}

function addNames(names: Set<string>, row: JsonValue): void {
  for (const [name, value] of entriesOf(row)) {
    if (names.size >= MAX_NAMES) return;
    names.add(name);
    if (isObject(value)) for (const inner of Object.keys(value)) names.add(`${name}.${inner}`);
  }
}

/** Which of the fields no row has; of a list without rows nothing can be said. Reads no further than it must. */
export async function missingFields(list: RowList, wanted: Iterable<string>): Promise<MissingFields> {
  const open = new Map([...wanted].map((field) => [field, fieldReader(field)] as const));
  const names = new Set<string>();
  if (open.size === 0 || list.count === 0) return { missing: [], names: [] };
  for await (const rows of list.read(0))
    for (const row of rows) {
      addNames(names, row);
      for (const [field, read] of open) if (read(row) !== undefined) open.delete(field);
      if (open.size === 0) return { missing: [], names: [...names] };
    }
  return { missing: [...open.keys()], names: [...names] };
}
