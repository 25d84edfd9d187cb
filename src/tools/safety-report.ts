// How many tools of a document are of which safety class, and which of them a person should look at. Pure.
// Source: docs/reference.md, "Safety by words".
import type { Action, Safety, SchemaDocument } from "../domain/schema-document.js";
import { createOverrideLookup, requestLineOf } from "./override-keys.js";
import { type OverrideLine, overrideLines } from "./override-lines.js";
import type { Overrides } from "./overrides.js";

/** What a person should know of the safety classes. */
export interface SafetyReport {
  /** Tools of each class, with the overrides in force; hidden ones do not count. */
  counts: Record<Safety, number>;
  /** Reads by their method that are taken to act, by their words; those the overrides judge are left out. */
  acting: Action[];
  /** Changes by their method whose words only read; those the overrides judge are left out. */
  reading: Action[];
  /** Lines of overrides.json that would make those read only. */
  lines: OverrideLine[];
  /** Changes that a pattern of the overrides makes read only, though their words do not say that they read. */
  relaxed: Action[];
}

const READS = /^(GET|HEAD|OPTIONS) /;

/** The report on a document; `readsByWords` are the names of the changes whose words only read. */
export function reportSafety(
  document: SchemaDocument,
  overrides: Overrides,
  readsByWords: readonly string[],
): SafetyReport {
  const saidOf = createOverrideLookup(overrides);
  const readers = new Set(readsByWords);
  const hasOwnLine = (action: Action): boolean =>
    Object.hasOwn(overrides, action.name) || Object.hasOwn(overrides, requestLineOf(action) ?? action.name);
  const report: SafetyReport = {
    counts: { read_only: 0, mutating: 0, destructive: 0 },
    acting: [],
    reading: [],
    lines: [],
    relaxed: [],
  };
  const others: Action[] = [];
  for (const action of document.actions) {
    const said = saidOf(action);
    if (said.hidden === true) continue;
    const { safety = action.safety } = said;
    report.counts[safety]++;
    if (action.safety === "read_only") continue;
    if (said.safety === "read_only" && !readers.has(action.name) && !hasOwnLine(action)) report.relaxed.push(action);
    if (said.safety !== undefined) continue;
    if (readers.has(action.name)) report.reading.push(action);
    else others.push(action);
    if (action.provenance === "inferred" && READS.test(requestLineOf(action) ?? "")) report.acting.push(action);
  }
  report.lines = overrideLines(report.reading, others);
  return report;
}
