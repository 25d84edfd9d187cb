// Records counted in groups: "issues per project", "the number of students by class".

import type { JsonObject } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { groupingIn, plainGroupingIn } from "../prompt/grouping.js";
import type { PromptText } from "../prompt/prompt.js";
import { numericFields } from "./amounts.js";
import { brief, markdownTable } from "./markdown.js";
import { fieldNamesOf } from "./narrowed.js";

/** A table of how many records have each value of the field that a prompt groups them by; the words of that where there is none. */
export function groupsIn(
  rows: readonly JsonObject[],
  prompt: PromptText,
): { field: string; table: string } | { unknown: string } | undefined {
  const said = groupingIn(prompt);
  const grouping = said ?? plainGroupingIn(prompt);
  if (!grouping) return undefined;
  const { text, one, next } = grouping;
  const termsOf = (name: string): string =>
    words(name)
      .filter((word) => word !== "id")
      .map(stem)
      .join(" ");
  const named = (name: string): string | undefined => fieldNamesOf(rows).find((key) => termsOf(key) === termsOf(name));
  const field = named(`${one} ${next}`) ?? named(one);
  if (field === undefined) return said && { unknown: text };
  // "machines by hourly rate" are rather to be in that order.
  if (!said && numericFields(rows).includes(field)) return undefined;
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(brief(row[field]), (counts.get(brief(row[field])) ?? 0) + 1);
  const groups = [...counts].map(([value, count]): JsonObject => ({ [field]: value, count }));
  return { field, table: markdownTable(groups) };
}
