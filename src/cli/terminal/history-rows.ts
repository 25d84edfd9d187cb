// Recorded calls as lines for a person.
import { UNNAMED } from "../../domain/application-name.js";
import type { HistoryEntry } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { oneLine } from "./table.js";

const MAX_ARGUMENT_CHARS = 60;

/** One column of a list of calls. */
interface HistoryColumn {
  heading: string;
  /** What it takes where the list has no end, and so no widest cell; the last one takes what is left. */
  width?: number;
  cell(entry: HistoryEntry): string;
}

const APPLICATION: HistoryColumn = {
  heading: "APPLICATION",
  width: 12,
  cell: ({ application }) => oneLine(application || UNNAMED),
};

/** For changes that were made; empty for one that cannot be undone, which most cannot. */
const UNDO: HistoryColumn = { heading: "UNDO", cell: ({ undo = "impossible" }) => (undo === "impossible" ? "" : undo) };

/** The arguments of a call; of a question that its application asked, the question. */
function argumentsOf({ arguments: args, request }: HistoryEntry): string {
  const asks = request?.["asks"];
  return typeof asks === "string" ? `asks: ${asks}` : toJson(args);
}

/** The columns of a list of calls, with that of the application where there are several, and of undo where any can be undone. */
export function historyColumns(isOfSeveral: boolean, hasUndo = false): HistoryColumn[] {
  return [
    { heading: "ID", width: 6, cell: ({ id }) => String(id) },
    { heading: "TIME", width: 24, cell: ({ ts }) => oneLine(ts) },
    { heading: "STATUS", width: 11, cell: ({ status }) => status },
    ...(hasUndo ? [UNDO] : []),
    ...(isOfSeveral ? [APPLICATION] : []),
    { heading: "TOOL", width: 24, cell: ({ tool }) => oneLine(tool) },
    {
      heading: "TOOK",
      width: 8,
      cell: ({ duration_ms: took }) => (took === null ? "" : `${Math.round(took)} ms`),
    },
    { heading: "ARGUMENTS", cell: (entry) => oneLine(argumentsOf(entry), MAX_ARGUMENT_CHARS) },
  ];
}
