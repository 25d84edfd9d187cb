// Assistant text as Markdown (CommonMark with GitHub's tables), made of elements on an allow-list and nothing else. Raw HTML
// stays text. Links go to http(s) and mailto only and open only when clicked; an image becomes a link to it and is never
// loaded, because its address could carry what the model has read to another server.
import { type ComponentChildren, createElement } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { Copy } from "./copy.js";
import { LongText } from "./long-text.js";
import { htmlOf, knownHtml } from "./markdown-html.js";
import { Scroll } from "./scroll.js";

const PLAIN = new Set("p em strong del code pre ul ol li blockquote hr br table thead tbody tr th td sup".split(" "));
const HEADING = /^h[1-6]$/;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address if it is absolute and of a harmless scheme. */
function safeAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return SCHEMES.has(url.protocol) ? url.href : null;
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

/** Aligns the columns of numbers to the right: Markdown has a notation for it, models seldom use it. */
function alignNumbers(table: Element): void {
  const [head = [], ...body] = Array.from(table.querySelectorAll("tr"), (row) => Array.from(row.children));
  for (const [column, title] of head.entries()) {
    const cells = body.flatMap((row) => row[column] ?? []);
    const texts = cells.map((cell) => cell.textContent.trim());
    if (title.hasAttribute("align") || !texts.some((text) => NUMBER.test(text))) continue;
    if (!texts.every((text) => text === "" || NUMBER.test(text))) continue;
    for (const cell of [title, ...cells]) cell.setAttribute("align", "right");
  }
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

function toView(node: Node, topHeading: number): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === "table") alignNumbers(node);
  const children = Array.from(node.childNodes, (child) => toView(child, topHeading));
  if (name === "a") return link(node.getAttribute("href"), children);
  if (name === "img") {
    const address = node.getAttribute("src");
    const label = node.getAttribute("alt") || (safeAddress(address) ?? "image");
    return link(address, `[image: ${label}]`);
  }
  if (name === "input") return node.hasAttribute("checked") ? "☑" : "☐";
  if (name === "table")
    return (
      <Scroll class="scroll-x" label="Table">
        <table dir="auto">{children}</table>
      </Scroll>
    );
  if (name === "pre")
    return (
      <div class="code">
        <Scroll class="code-box" label="Code">
          <pre>{children}</pre>
        </Scroll>
        <Copy label="Copy code" text={() => node.textContent} />
      </div>
    );
  const element = elementFor(name, topHeading);
  if (element === undefined) return children;
  // Each block of the answer has the direction of its own text.
  const dir = node.parentElement?.localName === "body" ? "auto" : undefined;
  return createElement(element, { class: classOf(node), dir }, ...children);
}

/** The elements of a text's HTML. */
function toViews(html: string): ComponentChildren {
  // A parsed document has no window: it runs nothing and loads nothing. Only what toView returns reaches the page.
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const levels = Array.from(body.querySelectorAll("h1, h2, h3, h4, h5, h6"), (one) => Number(one.localName.slice(1)));
  return Array.from(body.childNodes, (node) => toView(node, Math.min(...levels)));
}

/** A text and its HTML; null when it has none. */
interface Made {
  text: string;
  html: string | null;
}

/** Nothing that begins with a text that was too hard is easier. */
const isHopeless = (made: Made | undefined, text: string): boolean =>
  made !== undefined && made.html === null && text.startsWith(made.text);

/** What of a growing text has not been rendered yet is displayed as text where it is more than this. */
const MAX_BEHIND = 2000;
const NOT_MADE: Made = { text: "", html: null };

/** As much of a growing text as could be made, with its HTML; nothing at first, and for one that is displayed as it is. */
function useHtml(text: string): Made {
  const [made, setMade] = useState<Made | undefined>();
  const newest = useRef(text);
  const isMaking = useRef(false);
  const isGone = useRef(false);
  const known = knownHtml(text);
  newest.current = text;
  const make = async (): Promise<void> => {
    isMaking.current = true;
    let last: Made | undefined;
    // What has grown meanwhile is made again, once: the versions between are of no use.
    while (!isGone.current && last?.text !== newest.current && !isHopeless(last, newest.current)) {
      last = { text: newest.current, html: await htmlOf(newest.current) };
      if (!isGone.current) setMade(last);
    }
    isMaking.current = false;
  };
  useEffect(() => {
    if (known === undefined && !isMaking.current && !isHopeless(made, text)) void make();
  }, [text]);
  useEffect(() => () => void (isGone.current = true), []);
  if (typeof known === "string") return { text, html: known };
  return made !== undefined && known === undefined && text.startsWith(made.text) ? made : NOT_MADE;
}

/** Markdown, rendered safely; as text while it is made, and for good where that takes too long. */
export function Markdown({ text: source }: { text: string }) {
  const text = useMemo(() => inItsOrder(source), [source]);
  const { text: madeText, html } = useHtml(text);
  const view = useMemo(() => (html === null ? undefined : toViews(html)), [html]);
  const from = view === undefined ? 0 : madeText.length;
  const isBehind = view === undefined || text.length - from > MAX_BEHIND;
  return (
    <div class="markdown">
      {view}
      {isBehind && (
        <div class="as-text" dir="auto">
          <LongText text={text.slice(from)} />
        </div>
      )}
    </div>
  );
}
