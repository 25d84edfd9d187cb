// Blocks of Markdown as lines of spans for a terminal. Pure. Nothing in the text acts on the terminal, also not by way of an entity.
import type { BlockContent, DefinitionContent, List, ListItem, RootContent, Table } from "mdast";
import { visible } from "../../../lib/invisible-characters.js";
import type { Look } from "../look.js";
import { lineWidth, type Mark, type Span, span, widthOf, wrapLine } from "../spans.js";
import { tableLines } from "../table-lines.js";
import { inlineLines } from "./inline.js";

type Block = RootContent | BlockContent | DefinitionContent;

/** Within lists and quotes inside one another a line keeps this much room. */
const LEAST_WIDTH = 12;
const CODE_INDENT = "  ";
const BULLETS = ["•", "◦", "▪"];
/** Blocks inside one another; what is deeper is laid out as if it were not. */
const MAX_DEPTH = 12;

const inner = (look: Look, taken: number): Look => ({ ...look, width: Math.max(LEAST_WIDTH, look.width - taken) });

const wrapped = (lines: readonly (readonly Span[])[], width: number): Span[][] =>
  lines.flatMap((line) => wrapLine(line, width));

const marked = (line: readonly Span[], mark: Mark): Span[] =>
  line.map(({ text, marks }) => ({ text, marks: [...marks, mark] }));

function headingLines(node: Extract<Block, { type: "heading" }>, look: Look): Span[][] {
  const level = node.depth <= 2 ? [] : [span(`${"#".repeat(node.depth)} `, "dim")];
  const [first = [], ...rest] = inlineLines(node.children, look);
  const lines = wrapped([[...level, ...first], ...rest], look.width).map((line) => marked(line, "bold"));
  const rule = node.depth === 1 ? "═" : "─";
  const longest = lines.reduce((most, line) => Math.max(most, lineWidth(line)), 0);
  return node.depth <= 2 ? [...lines, [span(rule.repeat(longest), "dim")]] : lines;
}

/** Code as it is: the terminal breaks long lines, so that they are copied whole. */
function codeLines({ lang, value }: { lang?: string | null; value: string }): Span[][] {
  const lines = visible(value)
    .replaceAll("\t", "    ")
    .split("\n")
    .map((line) => (line === "" ? [] : [span(CODE_INDENT + line, "code")]));
  return lang ? [[span(CODE_INDENT + visible(lang), "dim")], ...lines] : lines;
}

/** Lines behind a mark on the first of them, the others below its text. */
function hanging(mark: Span, lines: readonly Span[][]): Span[][] {
  const blank = span(" ".repeat(widthOf(mark.text)));
  const all = lines.length > 0 ? lines : [[]];
  return all.map((line, at) => (line.length === 0 && at > 0 ? [] : [at === 0 ? mark : blank, ...line]));
}

function itemMark({ ordered, start }: List, item: ListItem, { at, depth }: { at: number; depth: number }): Span {
  const bullet = ordered ? `${(start ?? 1) + at}.` : (BULLETS[depth % BULLETS.length] ?? "•");
  const box = item.checked === true ? " [x]" : item.checked === false ? " [ ]" : "";
  return span(`${bullet}${box} `);
}

function listLines(list: List, look: Look, depth: number): Span[][] {
  const isLoose = list.spread === true || list.children.some(({ spread }) => spread === true);
  const widest = list.children.reduce(
    (most, item, at) => Math.max(most, widthOf(itemMark(list, item, { at, depth }).text)),
    0,
  );
  return list.children.flatMap((item, at) => {
    const { text, marks } = itemMark(list, item, { at, depth });
    const mark = { text: text.padStart(list.ordered ? widest : 0), marks };
    const inside = blocksWithin(item.children, inner(look, widthOf(mark.text)), { depth: depth + 1, isLoose });
    return [...(isLoose && at > 0 ? [[]] : []), ...hanging(mark, inside)];
  });
}

function tableOf({ children, align }: Table, look: Look): Span[][] {
  const [head, ...body] = children.map(({ children: cells }) =>
    cells.map((cell) => inlineLines(cell.children, look).flatMap((line, at) => (at > 0 ? [span(" "), ...line] : line))),
  );
  const headings = (head ?? []).map((cell) => marked(cell, "bold"));
  return tableLines({ headings, rows: body, align: align ?? [], ruled: true }, look.width);
}

/** One block as lines. */
export function blockLines(node: Block, look: Look, depth = 0): Span[][] {
  const { width } = look;
  if (depth > MAX_DEPTH && "children" in node && node.type !== "paragraph") return [[span("…", "dim")]];
  switch (node.type) {
    case "paragraph":
      return wrapped(inlineLines(node.children, look), width);
    case "heading":
      return headingLines(node, look);
    case "code":
      return codeLines(node);
    case "blockquote":
      return blocksWithin(node.children, inner(look, 2), { depth: depth + 1, isLoose: true }).map((line) => [
        span("│ ", "dim"),
        ...line,
      ]);
    case "list":
      return listLines(node, look, depth);
    case "table":
      return tableOf(node, look);
    case "thematicBreak":
      return [[span("─".repeat(Math.min(width, 40)), "dim")]];
    case "html":
      return wrapped(
        visible(node.value)
          .split("\n")
          .map((line) => [span(line)]),
        width,
      );
    case "definition":
      return wrapped([[span(visible(`[${node.label ?? node.identifier}]: ${node.url}`), "dim")]], width);
    case "footnoteDefinition": {
      const mark = span(visible(`[^${node.label ?? node.identifier}] `), "dim");
      return hanging(
        mark,
        blocksWithin(node.children, inner(look, widthOf(mark.text)), { depth: depth + 1, isLoose: true }),
      );
    }
    default:
      return "children" in node ? wrapped(inlineLines([node as never], look), width) : [];
  }
}

function blocksWithin(
  nodes: readonly Block[],
  look: Look,
  { depth, isLoose }: { depth: number; isLoose: boolean },
): Span[][] {
  return nodes.flatMap((node, at) => [...(isLoose && at > 0 ? [[]] : []), ...blockLines(node, look, depth)]);
}
