// The documentation as data: its files, tables, code blocks and links. Knows Markdown as far as our own pages use it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";

/** A table under a heading; cells are trimmed Markdown. */
export interface Table {
  heading: string;
  header: string[];
  rows: string[][];
}

/** A fenced block: what stands behind the fence, and its text. */
export interface Block {
  info: string;
  text: string;
}

/** Every page by its path in the repository. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...readdirSync(join(packageRoot, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** The text of a file of the repository. */
export function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}

const FENCE = /^( *)```(.*)\n([\s\S]*?)^ *```$/gm;

/** The fenced blocks of a page, in order. */
export function blocks(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(([, , info = "", text = ""]) => ({ info: info.trim(), text }));
}

/** A page without its fenced blocks. */
export function prose(page: string): string {
  return page.replaceAll(FENCE, "");
}

const cells = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** The tables of a page with the heading each stands under. */
export function tables(page: string): Table[] {
  const found: Table[] = [];
  let heading = "";
  let open: Table | undefined;
  for (const line of prose(page).split("\n")) {
    if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
    if (!line.startsWith("|")) open = undefined;
    else if (open === undefined) found.push((open = { heading, header: cells(line), rows: [] }));
    else if (!/^\|[-|: ]+$/.test(line)) open.rows.push(cells(line));
  }
  return found;
}

/** What stands in backticks. */
export function ticked(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, inner = ""]) => inner);
}

/** The headings of a page, in order. */
export function headings(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
}

/** The anchors a page offers, as GitHub makes them. */
export function anchors(page: string): string[] {
  return headings(page).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The tables of a page whose first column has this title, under one heading or anywhere. */
export function tablesOf(page: string, title: string, heading?: string): Table[] {
  return tables(page).filter(
    (table) => table.header[0] === title && (heading === undefined || table.heading === heading),
  );
}

/** The names in backticks in one column of these tables. */
export function namesIn(from: readonly Table[], column = 0): string[] {
  return from.flatMap((table) => table.rows.flatMap((row) => ticked(row[column] ?? "")));
}

/** A copy in order. */
export function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}
