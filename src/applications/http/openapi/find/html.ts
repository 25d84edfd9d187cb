// The tags of an HTML page in their order, with their attributes and, for those that hold text, the text. Reads as leniently as
// browsers do, in one pass, and builds no tree: what is looked for stands in single tags.
// Source: HTML Standard, "Tokenization".

/** One opening tag. */
export interface Tag {
  /** In lower case. */
  name: string;
  /** By lower-case name, entities resolved. */
  attributes: ReadonlyMap<string, string>;
  /** What a script or a title holds, as it stands there; "" for other tags. */
  text: string;
}

/** Tags whose content is text up to their end tag. */
const TEXT_TAGS = new Set(["script", "style", "title", "textarea"]);
/** Tags and attributes kept of one page; more are not looked at. */
const MAX_TAGS = 20_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Resolves character references. */
function unescapeHtml(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = Number(name.replace("#", "").replace(/^x/i, "0x"));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/** The attributes that begin at `start`; `end` is behind the tag's ">". */
function readAttributes(html: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let i = start;
  while (i < html.length && html[i] !== ">") {
    if (isSpace(html[i]) || html[i] === "/") {
      i++;
      continue;
    }
    const from = i++;
    while (i < html.length && !isSpace(html[i]) && !"=>/".includes(html[i] ?? "")) i++;
    const name = html.slice(from, i).toLowerCase();
    while (isSpace(html[i])) i++;
    let value = "";
    if (html[i] === "=") {
      i++;
      while (isSpace(html[i])) i++;
      const quote = html[i];
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, i + 1);
        value = html.slice(i + 1, close < 0 ? html.length : close);
        i = close < 0 ? html.length : close + 1;
      } else {
        const begin = i;
        while (i < html.length && !isSpace(html[i]) && html[i] !== ">") i++;
        value = html.slice(begin, i);
      }
    }
    if (!attributes.has(name)) attributes.set(name, unescapeHtml(value));
  }
  return { attributes, end: i + 1 };
}

/** The opening tags of a page. Never throws. */
export function tagsOf(html: string): Tag[] {
  const tags: Tag[] = [];
  const lower = html.toLowerCase();
  for (let at = html.indexOf("<"); at >= 0 && tags.length < MAX_TAGS; at = html.indexOf("<", at)) {
    if (html.startsWith("<!--", at)) {
      const close = html.indexOf("-->", at + 4);
      at = close < 0 ? html.length : close + 3;
      continue;
    }
    const name = /^[a-z][^\s/>]{0,60}/i.exec(html.slice(at + 1, at + 64))?.[0].toLowerCase();
    if (name === undefined) {
      at++;
      continue;
    }
    const { attributes, end } = readAttributes(html, at + 1 + name.length);
    const close = TEXT_TAGS.has(name) ? lower.indexOf(`</${name}`, end) : end;
    const stop = close < 0 ? html.length : close;
    tags.push({ name, attributes, text: html.slice(end, stop) });
    at = stop;
  }
  return tags;
}
