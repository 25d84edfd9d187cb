// Calls that wait for a person as lines: one for each, or all of each. Source: docs/reference.md, "Confirmations".
import type { Confirmation } from "../../domain/record.js";
import { visible } from "../../lib/invisible-characters.js";
import { toJson } from "../../lib/json.js";
import { describeCall, MAX_NAME_CHARS, plainLabel } from "./confirm.js";
import { type ListColumn, listing } from "./listing.js";
import { columnsOf } from "./look.js";
import { wholeTimeFor } from "./short-time.js";
import { paint, span, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";

/** The beginning of an id that is shown and taken: as git does with its own. */
const SHORT_ID_CHARS = 8;
/** Columns of "  asked: ". */
const LABEL_WIDTH = 9;

/** The shortest beginning, of SHORT_ID_CHARS or more, that only this id has. */
export function shortId(id: string, all: readonly Confirmation[]): string {
  let length = SHORT_ID_CHARS;
  const isShared = (start: string): boolean => all.some((other) => other.id !== id && other.id.startsWith(start));
  while (length < id.length && isShared(id.slice(0, length))) length++;
  return id.slice(0, length);
}

/** How long it still waits, in words. */
export function timeLeft(expires_at: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(expires_at) - Date.now()) / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function askedBy({ client, asked_by, session_id, provider, model }: Confirmation): string {
  const label = (text: string): string => plainLabel(text, MAX_NAME_CHARS);
  const token = asked_by === "" ? "" : `, token ${label(asked_by)}`;
  const session = session_id === "" ? "" : `, session ${label(session_id)}`;
  const by = provider === "" ? "" : `, by ${label(provider)} (${label(model)})`;
  return `${label(client)}${token}${session}${by}`;
}

function headOf({ input, provider }: Confirmation): string {
  if (input) return "the application asks you";
  // Without a model a person asked, for an undo.
  return provider === "" ? "this call waits for a yes" : "the model asks for this call";
}

/** A text behind a label, on as many rows as a terminal needs. */
function fittedText(text: string): string {
  if (!process.stdout.isTTY) return text;
  const rows = wrapLine([span(text)], columnsOf(process.stdout) - LABEL_WIDTH);
  return rows.map((row) => paint(row, false)).join(`\n${" ".repeat(LABEL_WIDTH)}`);
}

/** What a compact list has of a call that waits. */
const COLUMNS: readonly (ListColumn & { cell(held: Confirmation, all: readonly Confirmation[]): string })[] = [
  { heading: "ID", rank: 1, cell: ({ id }, all) => shortId(id, all) },
  { heading: "TOOL", rank: 2, least: 16, cell: ({ tool }) => oneLine(tool) },
  { heading: "SAFETY", rank: 3, cell: ({ safety }) => safety },
  { heading: "LEFT", rank: 4, cell: ({ expires_at }) => timeLeft(expires_at) },
  {
    heading: "WHAT",
    rank: 5,
    least: 16,
    cell: ({ input, arguments: args }) => oneLine(input ? `asks: ${input.message}` : toJson(args)),
  },
];

/** A call that waits, what the model wrote of it first: the daemon's own rows stand last, as in the question of a turn. */
function rowsOf(held: Confirmation, all: readonly Confirmation[]): string[] {
  const id = shortId(held.id, all);
  const { written, own } = describeCall(held, { columns: process.stdout.columns, isWhole: true });
  return [
    `${id}: ${headOf(held)}`,
    ...written,
    ...own,
    `  asked: ${fittedText(askedBy(held))}`,
    `  until: ${fittedText(`${wholeTimeFor(process.stdout)(held.expires_at)}, ${timeLeft(held.expires_at)} left; then it is denied`)}`,
    `  yes:   agentd approvals approve ${id}${held.input?.fields ? " --arguments '{…}'" : ""}`,
    `  no:    agentd approvals deny ${id}`,
  ];
}

/** A line for each of some of all calls that wait. */
export function approvalList(held: readonly Confirmation[], all: readonly Confirmation[]): string {
  return listing(
    COLUMNS,
    held.map((one) => COLUMNS.map(({ cell }) => cell(one, all))),
  );
}

/** All of some of all calls that wait. */
export function approvalPages(held: readonly Confirmation[], all: readonly Confirmation[]): string {
  return visible(`${held.map((one) => rowsOf(one, all).join("\n")).join("\n\n")}\n`);
}
