// Markdown in chunks that are rendered one by one and read as the whole: a chunk ends only where the parser closes every block, after
// a blank line, and what a later chunk defines reaches it as a definition. Pure, except for the parser; runs in the worker.
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
/** Below the lowest level. */
const NO_HEADING = 7;
const HEADING = /<h([1-6])>/g;
/** Before what is not the beginning of its text: there a byte order mark is a character like others. */
const PLAIN_START = "\n";
/** Between definitions and a text: the parser drops a line ending of the block behind a definition. Its HTML is taken off again. */
const SEPARATOR = "***\n\n";
const SEPARATOR_HTML = "<hr />";

/** What is put before a text so that it reads as it does in the whole. */
function prefixOf({ text, definitions }: Source): string {
  const used = definitionsFor(text, definitions);
  const lines = used.map(({ source }) => `${source}\n`).join("");
  if (lines !== "") return `${lines}\n${SEPARATOR}`;
  return PLAIN_START;
}

function levelOf(html: string): number {
  return Math.min(NO_HEADING, ...Array.from(html.matchAll(HEADING), ([, level]) => Number(level)));
}

/** A part of a text, rendered. */
export function renderChunk(source: Source): Chunk {
  const prefix = prefixOf(source);
  const made = micromark(prefix + source.text, { extensions: EXTENSIONS, htmlExtensions: HTML_EXTENSIONS });
  const html = prefix.endsWith(SEPARATOR) ? made.slice(SEPARATOR_HTML.length) : made;
  return { source: source.text, html, level: levelOf(html) };
}

/** Where the blocks of a text begin outside all others, and what is defined anywhere in it. */
function outline(text: string): { starts: number[]; definitions: (Definition & { end: number })[] } {
  const events = postprocess(
    parse({ extensions: EXTENSIONS })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const starts: number[] = [];
  const definitions: (Definition & { end: number })[] = [];
  let depth = 0;
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
    const isSpace = token.type === "linePrefix" || token.type.startsWith("lineEnding");
    if (depth === 0 && !isSpace) starts.push(token.start.offset);
    depth++;
  }
  return { starts, definitions };
}

const lineStart = (text: string, at: number): number =>
  Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;

const BLANK_LINE_BEFORE = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)$/;
/** Of a longer blank line no end is looked for. */
const MAX_BLANK_LENGTH = 200;

/** Where a text can be cut, from its start: before blocks that follow a blank line, and whose own first line is complete. */
function cutsIn(text: string, starts: readonly number[]): number[] {
  const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return starts
    .map((start) => lineStart(text, start))
    .filter((at) => at > 0 && at <= lastBreak)
    .filter((at) => BLANK_LINE_BEFORE.test(text.slice(Math.max(0, at - MAX_BLANK_LENGTH), at)));
}

/** The ends of chunks of a fair length. */
function endsOf(cuts: readonly number[], chunkLength: number): number[] {
  const ends: number[] = [];
  for (const cut of cuts) if (cut - (ends.at(-1) ?? 0) >= chunkLength) ends.push(cut);
  return ends;
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
  const isShort = rest === "growing" && source.text.length < chunkLength;
  if (isShort) return { chunks: [], definitions: [...source.definitions], rest: renderChunk(source) };
  const prefix = prefixOf(source);
  const { starts, definitions } = outline(prefix + source.text);
  const chunks: Chunk[] = [];
  let known = [...source.definitions];
  let from = 0;
  const part = (end?: number): Source => {
    const inside = definitions.filter((one) => end === undefined || one.end <= prefix.length + end);
    if (end !== undefined || rest === "end") known = withDefinitions(known, inside);
    return { text: source.text.slice(from, end), definitions: known };
  };
  for (const end of endsOf(
    cutsIn(
      source.text,
      starts.map((start) => start - prefix.length),
    ),
    chunkLength,
  )) {
    chunks.push(renderChunk(part(end)));
    from = end;
  }
  const last = part();
  const rendered = rest === "left out" ? { source: last.text, html: "", level: NO_HEADING } : renderChunk(last);
  return { chunks, definitions: known, rest: rendered };
}
