// Conversations as lines for a person.
import type { SessionSummary, TranscriptTurn } from "../../domain/record.js";
import { type ListColumn, listing } from "./listing.js";
import { timesFor } from "./short-time.js";
import { cellFor, oneLine } from "./table.js";
import { costText, tokensText } from "./usage.js";

const MAX_TITLE_CHARS = 60;
/** Of the answer that a conversation goes on after, and characters of a line of it. */
const MAX_LAST_LINES = 3;
const MAX_LAST_CHARS = 200;
/** A shorter title names no conversation. */
const LEAST_TITLE = 20;

/** Where a list goes, and what of it. */
interface Listed {
  output: NodeJS.WriteStream;
  /** Only what names a conversation and how long it is. */
  isBrief: boolean;
}

interface SessionColumn extends ListColumn {
  cell(session: SessionSummary): string;
}

/** The columns as they stand on a terminal, most important first; a pipe has the title at the end. */
function sessionColumns(list: readonly SessionSummary[], { output, isBrief }: Listed): SessionColumn[] {
  const hasCost = list.some(({ usage }) => usage?.cost !== undefined);
  const timeOf = timesFor(output);
  const title: SessionColumn = {
    heading: "TITLE",
    rank: 2,
    least: LEAST_TITLE,
    cell: (one) => cellFor(output)(one.title, MAX_TITLE_CHARS),
  };
  const cost: SessionColumn = { heading: "COST", rank: 7, cell: ({ usage }) => (usage && costText(usage)) || "-" };
  const more: SessionColumn[] = [
    { heading: "STATUS", rank: 5, cell: (one) => one.status },
    { heading: "MODEL", rank: 6, least: 8, cell: (one) => oneLine(one.model) },
    { heading: "TOKENS", rank: 8, cell: ({ usage }) => (usage ? tokensText(usage) : "-") },
    ...(hasCost ? [cost] : []),
  ];
  return [
    { heading: "SESSION", rank: 1, cell: (one) => oneLine(one.session_id) },
    { heading: "LAST USED", rank: 3, cell: (one) => timeOf(one.updated_at) },
    ...(output.isTTY ? [title] : []),
    { heading: "TURNS", rank: 4, cell: (one) => String(one.turns) },
    ...(isBrief ? [] : more),
    ...(output.isTTY ? [] : [title]),
  ];
}

/** The end of a conversation: its last prompt, and how its answer begins. */
export function lastLines(turns: readonly Pick<TranscriptTurn, "prompt" | "messages">[]): string[] {
  const last = turns.at(-1);
  if (!last) return [];
  const texts = last.messages.flatMap((message) =>
    message.role === "assistant" && message.text !== "" ? [message.text] : [],
  );
  const answer = (texts.at(-1) ?? "").split("\n").filter((line) => line.trim() !== "");
  const more = answer.length > MAX_LAST_LINES ? ["  …"] : [];
  const shown = answer.slice(0, MAX_LAST_LINES).map((line) => `  ${oneLine(line, MAX_LAST_CHARS)}`);
  return [`> ${oneLine(last.prompt, MAX_LAST_CHARS)}`, ...shown, ...more];
}

/** Conversations as a list for an output. */
export function sessionList(
  list: readonly SessionSummary[],
  { output = process.stdout, isBrief = false }: Partial<Listed> = {},
): string {
  const columns = sessionColumns(list, { output, isBrief });
  return listing(
    columns,
    list.map((one) => columns.map(({ cell }) => cell(one))),
    output,
  );
}
