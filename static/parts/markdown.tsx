// Assistant text as Markdown (CommonMark with GitHub's tables). It is rendered in chunks beside the page as it grows: what is there
// stays as it is, and what is out of view is not laid out. What takes too long is displayed as the text it is.
import { Component, type ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import type { Turn } from "../turn/turn.js";
import { LongText } from "./long-text.js";
import { AnswerTable } from "./markdown/answer-table.js";
import type { Chunk, Chunked, Job } from "./markdown/definitions.js";
import { GrowingMarkdown, type Rendered } from "./markdown/growing.js";
import { LongTable, type RowsPart, SlicedTable } from "./markdown/long-table.js";
import type { LinkedNumbers } from "./markdown/origins.js";
import { WorkerQueue } from "./markdown/queue.js";
import { useOrigins } from "./markdown/use-origins.js";
import { inScroll, type TableView, toViews } from "./markdown/view.js";

/** What a part may take: some 100 KB of usual Markdown. */
const DEADLINES = { maxMs: 4000, minMs: 250 };
/** Characters of texts whose chunks are kept for the next time they are displayed. */
const MAX_KEPT_CHARACTERS = 2_000_000;
/** What of a growing text has not been rendered yet is displayed as text where it is more than this… */
const MAX_BEHIND = 2000;
/** … and only as much of it while a long text passes. */
const MAX_AHEAD = 8000;
/** For the height of a chunk that was never in view: characters of a line, and its height. */
const LINE_LENGTH = 90;
const LINE_HEIGHT_REM = 1.5;

const jobs = new WorkerQueue<Job, Chunked>(
  () => new Worker(new URL("./markdown/worker.ts", import.meta.url), { type: "module" }),
  DEADLINES,
);
// Loaded with the page, so that the first answer does not wait for it.
jobs.load();

const kept = new Map<string, Rendered>();
let keptCharacters = 0;

function keep(text: string, rendered: Rendered): void {
  if (kept.has(text)) return;
  kept.set(text, rendered);
  keptCharacters += text.length;
  for (const oldest of kept.keys()) {
    if (keptCharacters <= MAX_KEPT_CHARACTERS) return;
    kept.delete(oldest);
    keptCharacters -= oldest.length;
  }
}

/** About how high chunks are. */
function heightOf(chunks: readonly Chunk[]): string {
  const lines = chunks.reduce((sum, { source }) => sum + source.split("\n").length + source.length / LINE_LENGTH, 0);
  return `auto ${Math.ceil(lines * LINE_HEIGHT_REM)}rem`;
}

interface ChunkPart extends RowsPart {
  chunk: Chunk;
}

interface ChunkProps extends ChunkPart {
  topHeading: number;
  /** What its last block goes on with, which is a table then. */
  more: readonly ChunkPart[];
}

const isSamePart = (part: RowsPart, other: RowsPart | undefined): boolean =>
  part.chunk.html === other?.chunk.html && part.split === other.split && part.isFinal === other.isFinal;

/** A chunk, which is made again only where it is another one: many stand above the end that grows. */
class ChunkView extends Component<ChunkProps> {
  /** Its elements as they were made last: while its table goes on, they stay the same. */
  private made: { props: ChunkProps; blocks: ComponentChildren; table: TableView | undefined } | undefined;

  override shouldComponentUpdate({ chunk, topHeading, isFinal, split, more }: ChunkProps): boolean {
    const { props } = this;
    const isSame = topHeading === props.topHeading && isFinal === props.isFinal && split === props.split;
    const isSameEnd = more.length === props.more.length && more.every((part, i) => isSamePart(part, props.more[i]));
    return !isSame || !isSameEnd || chunk.html !== props.chunk.html;
  }

  private makeBlocks(props: ChunkProps): NonNullable<ChunkView["made"]> {
    const { chunk, topHeading, split, more } = props;
    const { made } = this;
    const goesOn = more.length > 0;
    const isSame =
      made?.props.chunk.html === chunk.html && made.props.topHeading === topHeading && made.props.split === split;
    if (isSame && goesOn === made.props.more.length > 0) return made;
    let table: TableView | undefined;
    const blocks = toViews(chunk.html, {
      topHeading,
      split,
      wrapTable: (view) => {
        if (goesOn && view.isLast) {
          table = view;
          return null;
        }
        const written = view.more.length > 0 ? <SlicedTable view={view} split={split} /> : inScroll(view);
        return view.rows === 0 ? written : <AnswerTable more={view.more}>{written}</AnswerTable>;
      },
    });
    return { props, blocks, table };
  }

  render(props: ChunkProps) {
    const { chunk, isFinal, more } = props;
    this.made = this.makeBlocks(props);
    const { blocks, table } = this.made;
    const view = (
      <>
        {blocks}
        {table && (
          <AnswerTable more={[]}>
            <LongTable first={table.table} dir={table.dir} more={more} alignments={table.alignments} />
          </AnswerTable>
        )}
      </>
    );
    if (!isFinal) return <div class="chunk">{view}</div>;
    return (
      <div
        class="chunk chunk-final"
        style={{ containIntrinsicHeight: heightOf([chunk, ...more.map((part) => part.chunk)]) }}
      >
        {view}
      </div>
    );
  }
}

/** A growing text with what would display it in another order made visible; only what is new is looked at. */
function useInItsOrder(source: string): string {
  const before = useRef({ source: "", text: "" });
  return useMemo(() => {
    const { current } = before;
    const isLonger = source.startsWith(current.source);
    const text = isLonger ? current.text + inItsOrder(source.slice(current.source.length)) : inItsOrder(source);
    before.current = { source, text };
    return text;
  }, [source]);
}

/** A text as far as it is rendered, and whether that is all of it. */
function useRendered(text: string, isOver: boolean): Rendered & { isComplete: boolean } {
  const [, setVersion] = useState(0);
  const growing = useRef<GrowingMarkdown>(undefined);
  growing.current ??= new GrowingMarkdown({
    render: (job) => jobs.run(job),
    onChange: () => setVersion((version) => version + 1),
    known: kept.get(text),
  });
  useEffect(() => growing.current?.update(text, isOver), [text, isOver]);
  useEffect(() => () => growing.current?.close(), []);
  const { rendered, isComplete } = growing.current;
  if (isComplete) keep(text, rendered);
  return { ...rendered, isComplete };
}

/** How the numbers in each part of a text are displayed; undefined where none leads anywhere. */
function splitsOf(parts: readonly Chunk[], numbers: LinkedNumbers | undefined): (LinkedNumbers["split"] | undefined)[] {
  let end = 0;
  return parts.map(({ source }) => {
    const start = end;
    end += source.length;
    return numbers?.places.some((place) => place >= start && place < end) ? numbers.split : undefined;
  });
}

/** The parts of a text, those that go on with a table with the one it begins in. */
function grouped(parts: readonly ChunkPart[]): (ChunkPart & { more: ChunkPart[] })[] {
  const groups: (ChunkPart & { more: ChunkPart[] })[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.chunk.head !== "" && last !== undefined) last.more.push(part);
    else groups.push({ ...part, more: [] });
  }
  return groups;
}

/**
 * Markdown, rendered safely; as text while it is made, and for good where that takes too long. `streaming`: it will grow. `turn`: its
 * numbers may come from the results of this turn, which is over.
 */
export function Markdown(props: { text: string; streaming?: boolean; turn?: Turn | undefined }) {
  const { streaming = false } = props;
  const text = useInItsOrder(props.text);
  const box = useRef<HTMLDivElement>(null);
  const numbers = useOrigins(text, props.turn, box);
  const { chunks, rest, length, isHopeless, isComplete } = useRendered(text, !streaming);
  const topHeading = Math.min(...chunks.map(({ level }) => level), rest?.level ?? Number.POSITIVE_INFINITY);
  const isPassing = !isHopeless && length > 0 && rest === undefined;
  const behind = text.slice(length, isPassing ? length + MAX_AHEAD : undefined);
  const parts = rest === undefined ? chunks : [...chunks, rest];
  const splits = splitsOf(parts, numbers);
  return (
    <div ref={box} class={isComplete || isHopeless ? "markdown" : "markdown markdown-growing"}>
      {grouped(parts.map((chunk, i) => ({ chunk, split: splits[i], isFinal: i < chunks.length }))).map((group, i) => (
        <ChunkView key={i} {...group} topHeading={topHeading} />
      ))}
      {(isHopeless || length === 0 || behind.length > MAX_BEHIND) && behind !== "" && (
        <div class="as-text" dir="auto">
          <LongText text={behind} />
        </div>
      )}
    </div>
  );
}
