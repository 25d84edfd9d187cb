// Recorded calls as lines for a person.
import stringWidth from "string-width";
import { UNNAMED } from "../../domain/application-name.js";
import type { HistoryEntry } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { fitByRank } from "./fit-columns.js";
import { type ListColumn, listing } from "./listing.js";
import { lookOf } from "./look.js";
import { timesFor } from "./short-time.js";
import { cutToWidth } from "./spans.js";
import { alignedLine, cellFor, oneLine } from "./table.js";

const MAX_ARGUMENT_CHARS = 60;
/** A time of today; a list that begins with older calls widens the column. */
const SHORT_TIME = 8;

/** One column of a list of calls. */
interface HistoryColumn extends ListColumn {
  /** What it takes where the list has no end, and so no widest cell; the last one takes what is left. */
  width?: number;
  /** The same on a terminal, where that differs. */
  terminalWidth?: number;
  cell(entry: HistoryEntry): string;
}

const APPLICATION: HistoryColumn = {
  heading: "APPLICATION",
  rank: 7,
  least: 8,
  width: 12,
  cell: ({ application }) => oneLine(application || UNNAMED),
};

/** For changes that were made; empty for one that cannot be undone, which most cannot. */
const UNDO: HistoryColumn = {
  heading: "UNDO",
  rank: 6,
  cell: ({ undo = "impossible" }) => (undo === "impossible" ? "" : undo),
};

/** The arguments of a call; of a question that its application asked, the question. */
function argumentsOf({ arguments: args, request }: HistoryEntry): string {
  const asks = request?.["asks"];
  return typeof asks === "string" ? `asks: ${asks}` : toJson(args);
}

/**
 * The columns of a list of calls for an output, with that of the application where there are several, and of undo where any can be
 * undone.
 */
export function historyColumns(
  isOfSeveral: boolean,
  { hasUndo = false, output = process.stdout }: { hasUndo?: boolean; output?: { isTTY?: boolean } } = {},
): HistoryColumn[] {
  const timeOf = timesFor(output);
  const cut = cellFor(output);
  return [
    { heading: "ID", rank: 1, width: 6, cell: ({ id }) => String(id) },
    { heading: "TIME", rank: 2, width: 24, terminalWidth: SHORT_TIME, cell: ({ ts }) => timeOf(ts) },
    { heading: "STATUS", rank: 4, width: 11, cell: ({ status }) => status },
    ...(hasUndo ? [UNDO] : []),
    ...(isOfSeveral ? [APPLICATION] : []),
    { heading: "TOOL", rank: 3, least: 16, width: 24, cell: ({ tool }) => oneLine(tool) },
    {
      heading: "TOOK",
      rank: 8,
      width: 8,
      cell: ({ duration_ms: took }) => (took === null ? "" : `${Math.round(took)} ms`),
    },
    { heading: "ARGUMENTS", rank: 5, least: 9, cell: (entry) => cut(argumentsOf(entry), MAX_ARGUMENT_CHARS) },
  ];
}

/** Calls as a list for an output. */
export function historyList(
  entries: readonly HistoryEntry[],
  isOfSeveral: boolean,
  output: NodeJS.WriteStream = process.stdout,
): string {
  const hasUndo = entries.some(({ undo = "impossible" }) => undo !== "impossible");
  const columns = historyColumns(isOfSeveral, { hasUndo, output });
  const rows = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
  return listing(columns, rows, output);
}

/**
 * Lines of a list that has no end, for an output: rows in columns of fixed widths. On a terminal they are fitted to it as it is when
 * they are written; only an id or the like that is wider than any before it widens its column.
 */
export function endlessLines(
  isOfSeveral: boolean,
  output: NodeJS.WriteStream = process.stdout,
): { headings(): string; rows(entries: readonly HistoryEntry[]): string } {
  const columns = historyColumns(isOfSeveral, { output });
  if (!output.isTTY) {
    const widths = columns.map(({ width = 0 }) => width);
    const line = (cells: readonly string[]): string => alignedLine(cells, widths);
    return {
      headings: () => line(columns.map(({ heading }) => heading)),
      rows: (entries) => entries.map((entry) => line(columns.map(({ cell }) => cell(entry)))).join(""),
    };
  }
  const natural = columns.map(({ width = MAX_ARGUMENT_CHARS, terminalWidth = width }) => terminalWidth);
  const lines = (rows: readonly (readonly string[])[]): string => {
    const fitted = fitByRank(
      columns.map(({ rank, least = Number.POSITIVE_INFINITY }, at) => ({ rank, least, natural: natural[at] ?? 0 })),
      lookOf(output).width,
    );
    const widths = fitted.map(({ width }) => width);
    const cut = (row: readonly string[]): string[] => fitted.map(({ at, width }) => cutToWidth(row[at] ?? "", width));
    return rows.map((row) => alignedLine(cut(row), widths)).join("");
  };
  const measure = (rows: readonly (readonly string[])[]): void => {
    for (const row of rows)
      for (const [at, { least }] of columns.entries())
        if (least === undefined) natural[at] = Math.max(natural[at] ?? 0, stringWidth(row[at] ?? ""));
  };
  return {
    headings: () => lines([columns.map(({ heading }) => heading)]),
    rows(entries) {
      const cells = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
      measure(cells);
      return lines(cells);
    },
  };
}
