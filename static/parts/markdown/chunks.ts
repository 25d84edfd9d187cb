// Markdown in chunks that are rendered one by one and read as the whole: a chunk ends only where the parser closes every block, after
// a blank line, or between two rows of a table, and what a later chunk defines reaches it as a definition. Pure, except for the
// parser; runs in the worker.
import { micromark, parse, postprocess, preprocess } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import {
  type Chunk,
  type Chunked,
  type Definition,
  definitionsFor,
  folded,
  type Rest,
  type Source,
} from "./definitions.js";

/** A chunk ends at the first possible place behind this many characters: a millisecond of parsing, and a screen of text. */
const CHUNK_LENGTH = 1500;
const EXTENSIONS = [gfm()];
const HTML_EXTENSIONS = [gfmHtml()];
/** Each part of a table is rendered with its first lines; one with longer ones is not cut. */
const MAX_HEAD_LENGTH = 1000;
/** Below the lowest level. */
const NO_HEADING = 7;
const HEADING = /<h([1-6])>/g;
/** Before what is not the beginning of its text: there a byte order mark is a character like others. */
const PLAIN_START = "\n";
/** Between definitions and a text: the parser drops a line ending of the block behind a definition. Its HTML is taken off again. */
const SEPARATOR = "***\n\n";
const SEPARATOR_HTML = "<hr />";

/** What is put before a text so that it reads as it does in the whole. */
function prefixOf({ text, definitions, head }: Source): { prefix: string; separator: string } {
  const used = definitionsFor(head + text, definitions);
  const lines = used.map(({ source }) => `${source}\n`).join("");
  if (lines !== "") return { prefix: `${lines}\n${SEPARATOR}${head}`, separator: SEPARATOR_HTML };
  return { prefix: PLAIN_START + head, separator: "" };
}

function levelOf(html: string): number {
  return Math.min(NO_HEADING, ...Array.from(html.matchAll(HEADING), ([, level]) => Number(level)));
}

/** A part of a text, rendered. */
export function renderChunk(source: Source): Chunk {
  const { prefix, separator } = prefixOf(source);
  const made = micromark(prefix + source.text, { extensions: EXTENSIONS, htmlExtensions: HTML_EXTENSIONS });
  const html = made.slice(separator.length);
  return { source: source.text, head: source.head, html, level: levelOf(html) };
}

/** A block outside all others, or a row of such a table. */
interface Start {
  at: number;
  /** The first lines of its table, for a row below them; "" for a block. */
  head: string;
  isBehindTable: boolean;
}

/** Where the blocks of a text and the rows of its tables begin, and what is defined anywhere in it. */
function outline(text: string): { starts: Start[]; definitions: (Definition & { end: number })[] } {
  const events = postprocess(
    parse({ extensions: EXTENSIONS })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const starts: Start[] = [];
  const definitions: (Definition & { end: number })[] = [];
  let depth = 0;
  let block = "";
  let head = "";
  let rows = 0;
  let label = "";
  for (const [kind, token, context] of events) {
    if (kind === "exit") {
      depth--;
      if (token.type === "definitionLabelString")
        label = folded(
          context
            .sliceSerialize(token)
            .replace(/[\t\n\r ]+/g, " ")
            .trim(),
        );
      if (token.type === "definition")
        definitions.push({ label, source: context.sliceSerialize(token), end: token.end.offset });
      continue;
    }
    const at = token.start.offset;
    const isSpace = token.type === "linePrefix" || token.type.startsWith("lineEnding");
    if (depth === 0 && !isSpace) {
      starts.push({ at, head: "", isBehindTable: block === "table" });
      block = token.type;
    }
    const type: string = token.type;
    if (depth === 1 && type === "tableHead") head = `${text.slice(lineStart(text, at), token.end.offset)}\n`;
    if (depth === 1) rows = 0;
    // The head has a row of its own, and is not displayed without the one below it.
    const isRow = depth === 2 && block === "table" && type === "tableRow" && rows++ > 0;
    if (isRow && head.length <= MAX_HEAD_LENGTH) starts.push({ at, head, isBehindTable: false });
    depth++;
  }
  return { starts, definitions };
}

const lineStart = (text: string, at: number): number =>
  Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;

const BLANK_LINE_BEFORE = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)$/;
/** Of a longer blank line no end is looked for. */
const MAX_BLANK_LENGTH = 200;

/**
 * Where a text can be cut, from its start: before blocks that follow a blank line or a table, and before rows. Their own first line is
 * complete, unless the text ends there: what follows a table and a blank line is no row whatever it becomes.
 */
function cutsIn(text: string, starts: readonly Start[], isEnd: boolean): Start[] {
  const lastBreak = isEnd ? text.length : Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return starts
    .map((start) => ({ ...start, at: lineStart(text, start.at) }))
    .filter(({ at, head, isBehindTable }) => {
      if (at <= 0) return false;
      const isBehindBlank = BLANK_LINE_BEFORE.test(text.slice(Math.max(0, at - MAX_BLANK_LENGTH), at));
      if (isBehindTable && isBehindBlank) return true;
      return at <= lastBreak && (head !== "" || isBehindTable || isBehindBlank);
    });
}

/** The cuts between chunks of a fair length. A chunk that goes on with a table has nothing else in it. */
function chosenCuts(cuts: readonly Start[], head: string, chunkLength: number): Start[] {
  const chosen: Start[] = [];
  for (const cut of cuts) {
    const last = chosen.at(-1) ?? { at: 0, head };
    if (cut.at - last.at >= chunkLength || (last.head !== "" && cut.head === "")) chosen.push(cut);
  }
  return chosen;
}

/** Adds definitions; the first of a label counts. */
function withDefinitions(known: readonly Definition[], added: readonly Definition[]): Definition[] {
  const all = new Map(known.map((one) => [one.label, one]));
  for (const { label, source } of added) if (!all.has(label)) all.set(label, { label, source });
  return [...all.values()];
}

/**
 * Renders a text that may grow. Of its rest nothing is final, so nothing it defines counts yet, unless the text ends there; it is left
 * out where more of the text is here already.
 */
export function renderGrowing(source: Source, rest: Rest, chunkLength = CHUNK_LENGTH): Chunked {
  const isShort = rest === "growing" && source.head === "" && source.text.length < chunkLength;
  if (isShort) return { chunks: [], definitions: [...source.definitions], rest: renderChunk(source) };
  const { prefix } = prefixOf(source);
  const { starts, definitions } = outline(prefix + source.text);
  const chunks: Chunk[] = [];
  let known = [...source.definitions];
  let from = { at: 0, head: source.head };
  const part = (end?: number): Source => {
    const inside = definitions.filter((one) => end === undefined || one.end <= prefix.length + end);
    if (end !== undefined || rest === "end") known = withDefinitions(known, inside);
    return { text: source.text.slice(from.at, end), definitions: known, head: from.head };
  };
  const placed = starts.map((start) => ({ ...start, at: start.at - prefix.length }));
  for (const cut of chosenCuts(cutsIn(source.text, placed, rest === "end"), source.head, chunkLength)) {
    chunks.push(renderChunk(part(cut.at)));
    from = cut;
  }
  const last = part();
  const unrendered: Chunk = { source: last.text, head: last.head, html: "", level: NO_HEADING };
  return { chunks, definitions: known, rest: rest === "left out" ? unrendered : renderChunk(last) };
}
