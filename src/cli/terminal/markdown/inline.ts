// The text within a block of Markdown as lines of spans: emphasis, code, links with their addresses. What is HTML is displayed as it was
// written. Pure.
import type { PhrasingContent } from "mdast";
import { visiblePart } from "../../../lib/invisible-characters.js";
import type { Mark, Span } from "../spans.js";

/** How inline text is made. */
interface InlineLook {
  /** Whether marks will be painted; without them code keeps its backticks. */
  styled: boolean;
}

const TAB = "    ";

/** Text that may hold line breaks as lines of one span each. */
function linesOf(text: string, marks: readonly Mark[]): Span[][] {
  return visiblePart(text)
    .replaceAll("\t", TAB)
    .split("\n")
    .map((line) => (line === "" ? [] : [{ text: line, marks }]));
}

/** Puts lines behind lines: the first of the new ones goes on in the last of the old ones. */
function append(lines: Span[][], more: readonly Span[][]): void {
  const [first = [], ...rest] = more;
  const last = lines.at(-1);
  if (last) last.push(...first);
  else lines.push([...first]);
  lines.push(...rest.map((line) => [...line]));
}

/** A link as its words and where it leads; an address that stands for itself is not repeated. */
function linkLines(words: Span[][], url: string, marks: readonly Mark[]): Span[][] {
  const said = words.map((line) => line.map(({ text }) => text).join("")).join(" ");
  const bare = url.replace(/^mailto:/, "");
  if (said !== url && said !== bare) append(words, linesOf(` (${url.replaceAll(/\s/g, "%20")})`, [...marks, "dim"]));
  return words;
}

function nodeLines(node: PhrasingContent, look: InlineLook, marks: readonly Mark[]): Span[][] {
  const inside = (children: readonly PhrasingContent[], ...more: Mark[]): Span[][] =>
    inlineLines(children, look, [...marks, ...more]);
  switch (node.type) {
    case "text":
      // A line break in the source is a space in the paragraph.
      return linesOf(node.value.replaceAll("\n", " "), marks);
    case "strong":
      return inside(node.children, "bold");
    case "emphasis":
      return inside(node.children, "italic");
    case "delete":
      return look.styled ? inside(node.children, "strike") : surround(inside(node.children), "~~");
    case "inlineCode":
      return linesOf(look.styled ? node.value : `\`${node.value}\``, [...marks, "code"]);
    case "break":
      return [[], []];
    case "html":
      return /^<br\s*\/?>$/i.test(node.value) ? [[], []] : linesOf(node.value.replaceAll("\n", " "), marks);
    case "link":
      return linkLines(inside(node.children, "underline"), node.url, marks);
    case "image":
      return linkLines(linesOf(`[image${node.alt ? `: ${node.alt}` : ""}]`, marks), node.url, marks);
    case "footnoteReference":
      return linesOf(`[^${node.label ?? node.identifier}]`, marks);
    case "linkReference": {
      // Its address stands where the label is defined, which may be far below: what names the label stays with the words.
      const words = inside(node.children, "underline");
      const label = linesOf(` [${node.label ?? node.identifier}]`, [...marks, "dim"]);
      if (node.referenceType === "full") append(words, label);
      return words;
    }
    case "imageReference":
      return linesOf(`[image: ${node.alt ?? node.identifier}]`, marks);
    default:
      return [];
  }
}

function surround(lines: Span[][], with_: string): Span[][] {
  const mark: Span = { text: with_, marks: [] };
  lines[0]?.unshift(mark);
  lines.at(-1)?.push(mark);
  return lines;
}

/** Phrasing content as lines: one, and one more for each hard break. */
export function inlineLines(
  nodes: readonly PhrasingContent[],
  look: InlineLook,
  marks: readonly Mark[] = [],
): Span[][] {
  const lines: Span[][] = [[]];
  for (const node of nodes) append(lines, nodeLines(node, look, marks));
  return lines;
}
