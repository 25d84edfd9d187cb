// The elements of an answer's HTML, from an allow-list and nothing else. Raw HTML stays text. Links go to http(s) and mailto only and
// open only when clicked; an image becomes a link to it and is never loaded, because its address could carry what the model has
// read to another server.
import { type ComponentChildren, createElement, type VNode } from "preact";
import { Scroll } from "../scroll.js";
import { CodeBlock } from "./code.js";

const PLAIN = new Set("p em strong del code pre ul ol li blockquote hr br table thead tbody tr th td sup".split(" "));
const HEADING = /^h[1-6]$/;
const LANGUAGE = /^language-(\S+)/;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address if it is absolute and of a harmless scheme. */
function safeAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return SCHEMES.has(url.protocol) ? url.href : null;
}

/** Where a reference to a footnote, or the way back from it, leads to: only within its own answer, and never to another address. */
const NOTE = /^#(user-content-fn(?:ref)?-.+)$/;

function showNote(event: Event, name: string): void {
  if (!(event.currentTarget instanceof Element)) return;
  const notes = event.currentTarget.closest(".markdown")?.querySelectorAll<HTMLElement>("[data-note]") ?? [];
  const note = [...notes].find((one) => one.dataset["note"] === name);
  note?.scrollIntoView({ block: "nearest" });
  note?.focus({ preventScroll: true });
}

function noteLink(node: Element, name: string, children: ComponentChildren): ComponentChildren {
  const isBack = node.hasAttribute("data-footnote-backref");
  return (
    <button
      type="button"
      class="link footnote"
      data-note={node.id || undefined}
      aria-label={isBack ? "Back to the text" : `Footnote ${node.textContent}`}
      onClick={(event) => showNote(event, name)}
    >
      {children}
    </button>
  );
}

function link(address: string | null, children: ComponentChildren): ComponentChildren {
  const href = safeAddress(address);
  if (href === null) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A number in a cell, with its sign, its separators and its unit. */
const NUMBER = /^[-+−]?\s?[$€£¥]?\s?\d[\d\s.,'’]*(?:\s?(?:%|[$€£¥]|[A-Z]{3}))?$/;
/** A name, number, code or date up to this length stays on one line. */
const MAX_SHORT_CELL = 24;

/** To which side a column of a table is aligned; null for the start. */
export type Alignment = string | null;

/** Aligns the columns of numbers to the right: Markdown has a notation for it, models seldom use it. `known`: as it is done already. */
function align(table: Element, known: readonly Alignment[] | undefined): Alignment[] {
  const [head = [], ...body] = Array.from(table.querySelectorAll("tr"), (row) => Array.from(row.children));
  return head.map((title, column) => {
    const cells = body.flatMap((row) => row[column] ?? []);
    const texts = cells.map((cell) => cell.textContent.trim());
    const isNumbers =
      texts.some((text) => NUMBER.test(text)) && texts.every((text) => text === "" || NUMBER.test(text));
    const written = title.getAttribute("align");
    const alignment = known?.[column] ?? written ?? (isNumbers && known === undefined ? "right" : null);
    if (alignment !== null && alignment !== written)
      for (const cell of [title, ...cells]) cell.setAttribute("align", alignment);
    return alignment;
  });
}

/** The classes of a cell, or of an item of a task list. */
function classOf(node: Element): string | undefined {
  if (node.localName === "li") return node.querySelector(":scope > input, :scope > p > input") ? "task" : undefined;
  const align = node.getAttribute("align");
  const text = node.textContent;
  const isShort = node.localName === "td" && text.length <= MAX_SHORT_CELL;
  return [align !== null && `align-${align}`, isShort && "short"].filter(Boolean).join(" ") || undefined;
}

/** The element a name becomes. The page has its own heading above an answer's, whatever level these begin at. */
function elementFor(name: string, topHeading: number): string | undefined {
  if (HEADING.test(name)) return `h${Math.min(6, Number(name.slice(1)) - topHeading + 2)}`;
  return PLAIN.has(name) ? name : undefined;
}

/** What all elements of a text have in common. */
interface ViewOptions {
  /** The level of the highest heading of the whole text. */
  topHeading: number;
  /** What becomes of text outside code and links. */
  split?: ((text: string, around: { before: string; after: string }) => ComponentChildren) | undefined;
  /** The alignments of the columns of its tables, where they are known. */
  alignments?: readonly Alignment[];
  /** What stands at the start of its tables. */
  columns?: VNode;
  /** What becomes of its tables. */
  wrapTable: (table: TableView) => ComponentChildren;
}

/** A table of a text. */
export interface TableView {
  table: VNode;
  /** Set where its text begins at the right. */
  dir: "rtl" | undefined;
  alignments: readonly Alignment[];
  /** Rows below its head. */
  rows: number;
  /** Those beyond the first of a very long table, which are not in it: tables of their own with its head, as HTML. */
  more: readonly string[];
  /** Whether it is the last block of its text. */
  isLast: boolean;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The direction of a text, by its first letter as `dir="auto"` has it: style sheets are built for browsers that cannot ask for it. */
function directionOf(text: string): "rtl" | undefined {
  return RTL.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : undefined;
}

/** A table in a box that scrolls. */
export const inScroll = ({ table, dir }: Pick<TableView, "table" | "dir">): VNode => (
  <Scroll class="scroll-x" label="Table" dir={dir}>
    {table}
  </Scroll>
);

/** More rows than this are displayed in parts of this many: all of them at once would keep the page from anything else. */
const MAX_ROWS = 200;
const PART_ROWS = 100;
const TABLE = /<table>[\s\S]*?<\/table>/g;
const TABLE_END = "</tbody></table>";

/** HTML with the first rows of its very long tables, which say where the parts with the others are. Text in it has no tags. */
function cutTables(html: string): { html: string; parts: string[][] } {
  const parts: string[][] = [];
  const cut = html.replace(TABLE, (table) => {
    const [start = "", head = "", ...rows] = table.split("<tr>");
    if (rows.length <= MAX_ROWS) return table;
    const last = rows.pop()?.replace(/<\/tbody>\s*<\/table>$/, "") ?? "";
    const lines = [...rows, last].map((row) => `<tr>${row}`);
    const made: string[] = [];
    for (let i = 0; i < lines.length; i += PART_ROWS)
      made.push(`${start}<tr>${head}${lines.slice(i, i + PART_ROWS).join("")}${TABLE_END}`);
    const [first = "", ...more] = made;
    return first.replace("<table>", `<table data-parts="${parts.push(more) - 1}">`);
  });
  return { html: cut, parts };
}

const EMPHASIS = new Set(["em", "strong", "del"]);

/** The text beside a text: that beside its emphasis, where it is all of it. */
function aroundOf(node: Node): { before: string; after: string } {
  let outer = node;
  while (
    outer.parentElement &&
    EMPHASIS.has(outer.parentElement.localName) &&
    outer.parentElement.childNodes.length === 1
  )
    outer = outer.parentElement;
  return { before: outer.previousSibling?.textContent ?? "", after: outer.nextSibling?.textContent ?? "" };
}

const AS_IT_IS = new Set(["a", "code", "pre"]);

function toView(node: Node, options: ViewOptions & { parts: readonly string[][] }): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE)
    return options.split?.(node.textContent ?? "", aroundOf(node)) ?? node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  const alignments = name === "table" ? align(node, options.alignments) : [];
  const inner = AS_IT_IS.has(name) ? { ...options, split: undefined } : options;
  const children = Array.from(node.childNodes, (child) => toView(child, inner));
  const note = name === "a" ? NOTE.exec(node.getAttribute("href") ?? "")?.[1] : undefined;
  if (note !== undefined) return noteLink(node, note, children);
  if (name === "section" && node.hasAttribute("data-footnotes"))
    return (
      <section class="footnotes" aria-label="Footnotes">
        {children.slice(node.firstElementChild?.localName === "h2" ? 1 : 0)}
      </section>
    );
  if (name === "a") return link(node.getAttribute("href"), children);
  if (name === "img") {
    const address = node.getAttribute("src");
    const label = node.getAttribute("alt") || (safeAddress(address) ?? "image");
    return link(address, `[image: ${label}]`);
  }
  if (name === "input") return node.hasAttribute("checked") ? "☑" : "☐";
  if (name === "table") {
    const table = (
      <table dir="auto">
        {options.columns}
        {children}
      </table>
    );
    const isOutside = node.parentElement?.localName === "body";
    return options.wrapTable({
      table,
      dir: directionOf(node.textContent),
      alignments,
      rows: node.querySelectorAll("tbody tr").length,
      more: options.parts[Number(node.getAttribute("data-parts") ?? -1)] ?? [],
      isLast: isOutside && node.nextElementSibling === null,
    });
  }
  if (name === "pre") {
    const language = LANGUAGE.exec(node.firstElementChild?.className ?? "")?.[1] ?? "";
    return <CodeBlock key={language} text={node.textContent} language={language} />;
  }
  const element = elementFor(name, options.topHeading);
  if (element === undefined) return children;
  // Each block of the answer has the direction of its own text.
  const dir = node.parentElement?.localName === "body" ? "auto" : undefined;
  const start = name === "ol" ? Number(node.getAttribute("start") ?? 1) : 1;
  const named = name === "li" && node.id.startsWith("user-content-fn-");
  const place: Record<string, unknown> = named ? { "data-note": node.id, tabIndex: -1 } : {};
  const attributes = { class: classOf(node), dir, start: start === 1 ? undefined : start, ...place };
  return createElement(element, attributes, ...children);
}

/** The elements of HTML that was made of Markdown. */
export function toViews(html: string, options: ViewOptions): ComponentChildren {
  // A parsed document has no window: it runs nothing and loads nothing. Only what toView returns reaches the page.
  const cut = cutTables(html);
  const { body } = new DOMParser().parseFromString(cut.html, "text/html");
  return Array.from(body.childNodes, (node) => toView(node, { ...options, parts: cut.parts }));
}
