// Assistant text as Markdown (CommonMark with GitHub's tables), made of elements on an allow-list and nothing else. Raw HTML
// stays text. Links go to http(s) and mailto only and open only when clicked; an image becomes a link to it and is never
// loaded, because its address could carry what the model has read to somebody else's server.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type ComponentChildren, createElement } from "preact";
import { useMemo } from "preact/hooks";
import { Scroll } from "./scroll.js";

const PLAIN = new Set("p em strong del code pre ul ol li blockquote hr br table thead tbody tr th td sup".split(" "));
// The page has its own headings above an answer's.
const HEADINGS: Record<string, string> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" };
const SCHEMES = new Set(["http:", "https:", "mailto:"]);
/** Longer answers are shown as they are: laying out megabytes of Markdown would freeze the page. */
const MAX_LENGTH = 200_000;

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

function toView(node: Node): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  const children = Array.from(node.childNodes, toView);
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
        <table>{children}</table>
      </Scroll>
    );
  const align = node.getAttribute("align");
  const element = HEADINGS[name] ?? (PLAIN.has(name) ? name : undefined);
  if (element === undefined) return children;
  return createElement(element, align === null ? {} : { class: `align-${align}` }, ...children);
}

/** Markdown, shown safely. */
export function Markdown({ text }: { text: string }) {
  const view = useMemo(() => {
    if (text.length > MAX_LENGTH) return <pre class="wrap">{text}</pre>;
    const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    // A parsed document has no window: it runs nothing and loads nothing. Only what toView lets through reaches the page.
    return Array.from(new DOMParser().parseFromString(html, "text/html").body.childNodes, toView);
  }, [text]);
  return <div class="markdown">{view}</div>;
}
