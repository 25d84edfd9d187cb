// Which functions of a database can be called by a tool: those whose arguments have types that a value can be given for. Pure.
import type { DatabaseCatalogue, Routine } from "../catalogue.js";
import type { RoutineRow } from "./catalogue-queries.js";
import { columnKindOf } from "./columns.js";
import { shownName, toName } from "./usual-schema.js";

/** Why a routine is left out; undefined when it is not. */
function reasonOf(row: RoutineRow, count: number): string | undefined {
  if (row.kind === "a" || row.kind === "w") return "it is an aggregate or window function: use it in a query";
  if (row.kind === "p") return "it is a procedure, which may end its own transactions";
  if (!row.executable) return "the role may not call it";
  if (count > 1) return "several functions have this name";
  if (row.variadic) return "it takes any number of arguments";
  const pseudo = row.arguments.find(({ type_kind }) => type_kind === "p");
  return pseudo ? `no value can be given for its argument of type ${pseudo.type}` : undefined;
}

function toRoutine(row: RoutineRow): Routine {
  const first = row.arguments.length - row.defaults;
  const routine: Routine = {
    name: toName(row.schema, row.name),
    isVolatile: row.volatility === "v",
    parameters: row.arguments.map((one, at) => ({
      // By its position, where it has no name; see routine-call.ts.
      name: one.name ?? `$${at + 1}`,
      type: one.type,
      kind: columnKindOf(one),
      hasDefault: at >= first,
    })),
    returnsRows: row.returns_set,
  };
  if (row.comment) routine.comment = row.comment;
  return routine;
}

/** The functions that can be called, and the others with their reasons. */
export function toRoutines(rows: readonly RoutineRow[]): {
  routines: Routine[];
  skipped: DatabaseCatalogue["skipped"];
} {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(shownName(row), (counts.get(shownName(row)) ?? 0) + 1);
  const routines: Routine[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const row of rows) {
    const name = shownName(row);
    const reason = reasonOf(row, counts.get(name) ?? 1);
    if (!reason) routines.push(toRoutine(row));
    else if (!skipped.some((one) => one.name === name && one.reason === reason)) skipped.push({ name, reason });
  }
  return { routines, skipped };
}
