// Markdown as it comes from a model: a block that is complete is printed once and for ever, the one that grows is drawn again in its place.
// Memory and work are bounded: of a block that grows without end only what is new is printed, as it was written.
import type { RootContent } from "mdast";
import { createVisiblePieces } from "../../../lib/invisible-characters.js";
import type { LiveLines } from "../live.js";
import type { Look } from "../look.js";
import { paintBlocks, parseBlocks } from "./parse.js";

/** A growing block is drawn no more often, and a text that takes long to parse more rarely still. */
const REDRAW_MS = 50;
const REST_FACTOR = 4;
/** A block that is longer is printed as it was written: it is parsed again for as long as it grows. */
const MAX_GROWING_CHARS = 32 * 1024;
/** A text that comes at once is taken in such pieces, so that no parse is of more than a block may have. */
const PIECE_CHARS = 8 * 1024;

/** Where the text goes. */
export interface MarkdownOutput {
  /** Painted text that stays. */
  out(text: string): void;
  /** Where the growing block is drawn; nowhere, where lines cannot be drawn again. */
  live: LiveLines | undefined;
  /** Asked for each drawing: a terminal may be resized. */
  look(): Look;
}

/** Takes text piece by piece. */
export interface MarkdownStream {
  push(text: string): void;
  /** Prints what is left; the next piece begins another text. */
  end(): void;
}

const endOf = (block: RootContent | undefined): number => block?.position?.end.offset ?? 0;

/** Renders text as it comes. */
export function createMarkdownStream({ out, live, look }: MarkdownOutput): MarkdownStream {
  const pieces = createVisiblePieces();
  /** What is not printed yet, as it is displayed. */
  let pending = "";
  let isFirst = true;
  /** Set once a block was too long. */
  let isPlain = false;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;

  const print = (blocks: readonly RootContent[]): void => {
    const lines = paintBlocks(blocks, look());
    if (lines.length === 0) return;
    live?.clear();
    out(`${isFirst ? "" : "\n"}${lines.join("\n")}\n`);
    isFirst = false;
  };
  const printPlain = (isLast = false): void => {
    live?.clear();
    out(isLast && !pending.endsWith("\n") ? `${pending}\n` : pending);
    pending = "";
  };
  /** Prints the blocks that whole lines cannot change any more: all but the last. */
  const settle = (): void => {
    const at = pending.lastIndexOf("\n") + 1;
    const blocks = parseBlocks(pending.slice(0, at));
    if (blocks.length < 2) return;
    const done = blocks.slice(0, -1);
    print(done);
    pending = pending.slice(endOf(done.at(-1)), at).replace(/^\n+/, "") + pending.slice(at);
  };
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const began = performance.now();
    if (!isPlain) settle();
    if (!isPlain && pending.length > MAX_GROWING_CHARS) {
      if (!isFirst) out("\n");
      isPlain = true;
    }
    if (isPlain) printPlain();
    else if (live && pending.trim() !== "")
      live.draw([...(isFirst ? [] : [""]), ...paintBlocks(parseBlocks(pending), look())]);
    const now = performance.now();
    nextAt = now + Math.max(REDRAW_MS, REST_FACTOR * (now - began));
  };
  return {
    push(text) {
      for (let at = 0; at < text.length; at += PIECE_CHARS) {
        pending += pieces.push(text.slice(at, at + PIECE_CHARS));
        if (pending.length > MAX_GROWING_CHARS) draw();
      }
      if (timer !== undefined) return;
      const wait = nextAt - performance.now();
      if (wait <= 0) draw();
      else timer = setTimeout(draw, wait);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      pending += pieces.end();
      if (isPlain) printPlain(true);
      else {
        live?.clear();
        print(parseBlocks(pending));
      }
      pending = "";
      isFirst = true;
      isPlain = false;
    },
  };
}
