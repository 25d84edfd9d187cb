// The names in a query of a result, checked before it is answered: a mistyped one would be answered with nothing.
import { usageError } from "../../domain/error.js";
import type { ResultQuery } from "../../domain/result-query.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { fieldsOf, missingFields } from "../../results/missing-fields.js";
import type { RowsOrValue } from "../../results/rows-at.js";

/** Names in a message; a row may have any number. */
const MAX_NAMES = 30;

/** `--sort` of groups, by what they have. Throws StartError. */
function checkOrderOfGroups({ sort, group, aggregate }: ResultQuery): void {
  if (group.length === 0) return;
  const computed = aggregate.length > 0 ? aggregate.map(({ name }) => name) : ["count"];
  const known = [...group.map(({ field }) => field), ...computed];
  for (const { field } of sort)
    if (!known.includes(field))
      throw usageError(
        `the groups have no ${field} to sort by.${didYouMean(field, known)} They have: ${known.join(", ")}.`,
      );
}

/** Refuses a query that names a field which no row has, or that asks rows of a result that has none. Throws StartError. */
export async function checkFields(found: RowsOrValue, query: ResultQuery): Promise<void> {
  checkOrderOfGroups(query);
  const wanted = fieldsOf(query);
  if (!("list" in found)) {
    const asked = wanted.size > 0 || query.aggregate.length > 0;
    if (asked)
      throw usageError(
        "this result is no list of rows: it is shown whole, without --filter, --sort, --fields, --group or --aggregate. --path leads to a list inside of it.",
      );
    return;
  }
  const { missing, names } = await missingFields(found.list, wanted);
  const [first] = missing;
  if (first === undefined) return;
  const others = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  const said = missing.map((field) => `no row has a field ${field}.${didYouMean(field, names)}`).join(" ");
  throw usageError(`${said} Fields: ${names.slice(0, MAX_NAMES).join(", ")}${others}.`);
}
