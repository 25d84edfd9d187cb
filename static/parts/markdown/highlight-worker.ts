// Colours code beside the page: code and its language come in, pieces of it with what they are go out. Loaded with the first code
// that names a language.
import highlighter from "highlight.js/lib/common";

/** Code and the name of its language, as the answer has it. */
export interface Code {
  text: string;
  language: string;
}

/** A piece of code and the scope it has in its language, "" for none. */
export type Token = readonly [text: string, scope: string];

const PARTS = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const decoded = (html: string): string =>
  html.replace(/&(\w+|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** The tokens of the highlighter's HTML: nested scopes become the innermost. */
function tokensOf(html: string): Token[] {
  const tokens: Token[] = [];
  const scopes: string[] = [];
  for (const [part, names] of html.matchAll(PARTS)) {
    if (names !== undefined) scopes.push(names.split(" ")[0]?.replace("hljs-", "") ?? "");
    else if (part === "</span>") scopes.pop();
    else tokens.push([decoded(part), scopes.at(-1) ?? ""]);
  }
  return tokens;
}

function highlight({ text, language }: Code): Token[] | null {
  if (highlighter.getLanguage(language) === undefined) return null;
  return tokensOf(highlighter.highlight(text, { language, ignoreIllegals: true }).value);
}

addEventListener("message", ({ data }: MessageEvent<Code>) => postMessage(highlight(data)));
postMessage("ready");
