// A Markdown text that may grow, rendered chunk by chunk: what is final is kept, only its end is made again. Where that takes too long,
// what is left is displayed as the text it is. Knows no page: how a part is rendered is handed in.
import { type Chunk, type Chunked, type Definition, definitionsFor, type Job } from "./definitions.js";

/** Renders a part; null when that takes too long. Never rejects. */
type Render = (job: Job) => Promise<Chunked | null>;

/** As much of a text as is rendered. */
export interface Rendered {
  chunks: readonly Chunk[];
  /** Its end, which may change. */
  rest: Chunk | undefined;
  /** The characters that these are made of. */
  length: number;
  /** What follows is too hard, and stays text. */
  isHopeless: boolean;
}

/** Longer texts stay text: a book. */
const MAX_LENGTH = 2_000_000;
/** HTML of one text; its elements take some hundred bytes each. */
const MAX_HTML_LENGTH = 4_000_000;
/** What one message to the worker brings at first; twice as much each time where it is all one block. */
const FIRST_STEP = 16_000;
const MAX_STEP = 256_000;
/** The shortest time between two versions of the end. */
const MIN_PAUSE_MS = 30;
/** A large block, such as a long table, is made again as a whole: a millisecond between two versions for this much HTML. */
const HTML_PER_MS = 150;

const NOTHING: Rendered = { chunks: [], rest: undefined, length: 0, isHopeless: false };

/** Footnotes are numbered over a whole text, and stand at its end. */
const mayHaveFootnotes = (text: string): boolean => text.includes("[^") && text.includes("]:");
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a growing text needs of its page. */
interface GrowingOptions {
  render: Render;
  /** `rendered` is another one. */
  onChange(): void;
  /** What the text that comes first was rendered to before. */
  known?: Rendered | undefined;
  /** Waits between two versions of the end, for as long as making one takes. */
  pause?(ms: number): Promise<void>;
}

/** One growing text. */
export class GrowingMarkdown {
  rendered: Rendered;
  private text = "";
  private isOver = false;
  private isWorking = false;
  private isClosed = false;
  private isDone = false;
  /** The text that `rendered` is made of, as far as it was there. */
  private begun = "";
  private definitions: readonly Definition[] = [];
  /** The head of the table that the next part goes on with. */
  private head = "";
  private step = FIRST_STEP;
  private readonly options: GrowingOptions;

  constructor(options: GrowingOptions) {
    this.options = options;
    this.rendered = options.known ?? NOTHING;
    this.isDone = options.known !== undefined;
  }

  /** Whether all of a text that is over is rendered, or given up. */
  get isComplete(): boolean {
    return this.isOver && (this.isDone || this.rendered.isHopeless);
  }

  /** Takes the text as it is now. `isOver`: nothing will be appended. */
  update(text: string, isOver: boolean): void {
    // A mark of the byte order, which is none anywhere else.
    this.text = text.startsWith("\ufeff") ? text.slice(1) : text;
    this.isOver = isOver;
    if (!this.isWorking) void this.work();
  }

  close(): void {
    this.isClosed = true;
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    while (!this.isClosed && this.begin()) {
      const startedAt = performance.now();
      await this.renderNext();
      const isPassing = this.rendered.length < this.text.length && this.rendered.rest === undefined;
      if (isPassing || this.isOver || this.rendered.isHopeless) continue;
      const html = this.rendered.rest?.html.length ?? 0;
      await (this.options.pause ?? sleep)(Math.max(MIN_PAUSE_MS, performance.now() - startedAt, html / HTML_PER_MS));
    }
    this.isWorking = false;
  }

  /** Whether there is something to render. */
  private begin(): boolean {
    const hasGrown = this.isDone && this.rendered.length < this.text.length;
    if (!this.text.startsWith(this.begun) || hasGrown) {
      this.set(NOTHING);
      this.definitions = [];
      this.head = "";
      this.step = FIRST_STEP;
      this.isDone = false;
    }
    const isSame = this.text === this.begun && this.rendered.length === this.text.length;
    this.begun = this.text;
    if (this.rendered.isHopeless || this.isDone) return false;
    return !isSame || this.isOver;
  }

  private set(rendered: Rendered): void {
    this.rendered = rendered;
    this.options.onChange();
  }

  private get cut(): number {
    const { rest, length } = this.rendered;
    return length - (rest?.source.length ?? 0);
  }

  private giveUp(): void {
    this.set({ chunks: this.rendered.chunks, rest: undefined, length: this.cut, isHopeless: true });
  }

  private async renderNext(): Promise<void> {
    const { text, isOver, cut } = this;
    if (text.length > MAX_LENGTH) return this.giveUp();
    const isWhole = isOver && mayHaveFootnotes(text);
    const from = isWhole ? 0 : cut;
    const end = isWhole ? text.length : Math.min(text.length, cut + this.step);
    const isEnd = isOver && end === text.length;
    const rest = isEnd ? "end" : end < text.length ? "left out" : "growing";
    const known = isWhole ? { definitions: [], head: "" } : { definitions: this.definitions, head: this.head };
    const part = { text: text.slice(from, end), ...known };
    const made = await this.options.render(isWhole ? { ...part, rest: "none" } : { ...part, rest });
    if (this.isClosed || !this.text.startsWith(text)) return;
    if (made === null) return this.giveUp();
    const before = isWhole ? [] : this.rendered.chunks;
    const chunks = [...before, ...made.chunks];
    const isMoving = made.chunks.length > 0 || end === text.length;
    this.step = isMoving ? FIRST_STEP : this.step * 2;
    const size = chunks.reduce((sum, { html }) => sum + html.length, 0);
    if (this.step > MAX_STEP || size > MAX_HTML_LENGTH) return this.giveUp();
    const last = rest === "left out" ? undefined : made.rest;
    const length = last === undefined ? end - made.rest.source.length : end;
    this.isDone = isEnd;
    this.head = made.rest.head;
    if (isMoving) this.set({ chunks, rest: last, length, isHopeless: false });
    const added = made.definitions.slice(this.definitions.length);
    this.definitions = made.definitions;
    if (added.length > 0 && !isWhole) await this.renderAgain(added);
  }

  /** Renders chunks again that refer to what is defined only now. */
  private async renderAgain(added: readonly Definition[]): Promise<void> {
    for (let i = 0; i < this.rendered.chunks.length; i++) {
      const old = this.rendered.chunks[i];
      if (old === undefined || definitionsFor(old.source, added).length === 0) continue;
      const { definitions } = this;
      const made = await this.options.render({ text: old.source, head: old.head, definitions, rest: "none" });
      if (this.isClosed || this.rendered.chunks[i] !== old) return;
      if (made !== null) this.set({ ...this.rendered, chunks: this.rendered.chunks.with(i, made.rest) });
    }
  }
}
