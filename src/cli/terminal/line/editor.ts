// The line a person types prompts in: several rows, a history, completion. It has the keyboard while a prompt is typed and while a turn
// runs; what is typed then waits for the next prompt, and is dropped by a question.
import type { ReadStream } from "node:tty";
import { columnsOf } from "../look.js";
import { makeRoom } from "../room.js";
import { wrapWords } from "../wrap-words.js";
import { type Draft, EMPTY_DRAFT, edited, erasedBy, inserted, replaced } from "./draft.js";
import { createDraftView } from "./draft-view.js";
import { createKeyReader, type Key, type KeyName, PASTE_OFF, PASTE_ON } from "./keys.js";
import type { PromptHistory } from "./prompt-history.js";
import { createRecall } from "./recall.js";
import { suspendProcess } from "./suspend.js";

/** What could stand in place of the word before the cursor. */
export interface Completion {
  /** Where that word begins. */
  from: number;
  words: readonly string[];
  /** What each is, where that helps to choose: they are listed one a row then. */
  notes?: readonly string[] | undefined;
}

/** How a prompt was ended: with a text, or by leaving. */
export type Typed = { kind: "prompt"; text: string } | { kind: "left"; how: "interrupt" | "end-of-input" };

/** The line of a terminal. */
export interface LineEditor {
  /** Reads a prompt. */
  read(): Promise<Typed>;
  /** Takes the keyboard away for something else, then gives it back; what was typed before is dropped, which it tells. */
  without<T>(work: (isDropped: boolean) => Promise<T>): Promise<T>;
  close(): void;
}

/** Candidates listed below the line. */
const MAX_LISTED = 200;

interface Parts {
  input?: ReadStream;
  output?: NodeJS.WriteStream;
  history: PromptHistory;
  complete(draft: Draft): Promise<Completion | undefined>;
}

/** The longest beginning that all words have. */
function commonStart(words: readonly string[]): string {
  const [first = ""] = words;
  let length = first.length;
  for (const word of words) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The draft with what can only be meant; undefined where there is a choice. */
function completedDraft(draft: Draft, { from, words }: Completion): Draft | undefined {
  const start = commonStart(words);
  if (words.length === 1) return replaced(draft, [from, draft.at], `${start} `);
  return start.length > draft.at - from ? replaced(draft, [from, draft.at], start) : undefined;
}

/** Candidates below the line: side by side, none of them broken, or one a row with what each is. */
function listed({ words, notes }: Completion, columns: number): string {
  const shown = words.slice(0, MAX_LISTED);
  if (!notes) return wrapWords(shown.join("  "), columns);
  const width = Math.max(...shown.map((word) => word.length));
  return shown.map((word, at) => `${word.padEnd(width)}  ${notes[at] ?? ""}`.trimEnd()).join("\n");
}

/** Edits drafts, and keeps what was erased last by a word or more at once: another prompt may want it back, too. */
function createEditing(): (draft: Draft, key: KeyName) => Draft | undefined {
  let erased = "";
  return (draft, key) => {
    const next = key === "yank" ? inserted(draft, erased) : edited(draft, key);
    if (next) erased = erasedBy(key, draft, next) || erased;
    return next;
  };
}

/** A draft that is typed, drawn, and ended as a prompt: what keys do to it. */
function createTyping({ output = process.stderr, history, complete }: Omit<Parts, "input">) {
  const view = createDraftView(output);
  const recall = createRecall(history);
  const edit = createEditing();
  let draft = EMPTY_DRAFT;
  let take: ((typed: Typed) => void) | undefined;
  const finish = (typed: Typed): void => {
    view.leave();
    output.write(PASTE_OFF);
    const taken = take;
    take = undefined;
    draft = EMPTY_DRAFT;
    taken?.(typed);
  };
  const enter = (): void => {
    if (draft.text.slice(0, draft.at).endsWith("\\")) draft = replaced(draft, [draft.at - 1, draft.at], "\n");
    else finish({ kind: "prompt", text: draft.text });
  };
  const draw = (): void => {
    if (!take) return;
    const { draft: shown, footer } = recall.shown(draft) ?? { draft, footer: undefined };
    view.draw(shown, footer);
  };
  /** Ends a search, and what it shows below the draft. */
  const takeFound = (): void => {
    if (!recall.shown(draft)) return;
    draft = recall.accept(draft);
    draw();
  };
  return {
    isOn: () => take !== undefined,
    finish,
    draw,
    begin(taker: (typed: Typed) => void): void {
      take = taker;
      recall.begin();
      output.write(PASTE_ON);
      draw();
    },
    /** Leaves the terminal as another program would have it, until it is resumed. */
    suspend(): void {
      if (take) view.leave();
      else makeRoom();
      output.write(PASTE_OFF);
    },
    resume(): void {
      if (take) output.write(PASTE_ON);
      draw();
    },
    async complete(): Promise<void> {
      takeFound();
      const asked = draft;
      const found = await complete(asked).catch(() => undefined);
      if (!take || !found || found.words.length === 0) return;
      const next = completedDraft(asked, found);
      if (!next) {
        view.leave();
        output.write(`${listed(found, columnsOf(output))}\n`);
      }
      draft = next ?? asked;
      draw();
    },
    press(key: Key): void {
      if (recall.press(key)) {
        draw();
        return;
      }
      takeFound();
      if (key.kind === "text" || key.kind === "paste") draft = inserted(draft, key.text);
      else if (key.kind === "enter") enter();
      else if (key.kind === "interrupt" || (key.kind === "end-of-input" && draft.text === "")) {
        if (draft.text === "") finish({ kind: "left", how: key.kind });
        draft = EMPTY_DRAFT;
      } else draft = edit(draft, key.kind) ?? recall.moved(draft, key.kind) ?? draft;
      draw();
    },
  };
}

/** Opens the line of this process's terminal. */
export function openLineEditor({ input = process.stdin, output = process.stderr, ...parts }: Parts): LineEditor {
  const toKeys = createKeyReader();
  const typing = createTyping({ output, ...parts });
  /** What was pressed and not taken yet. */
  let ahead: Key[] = [];
  let isPumping = false;
  let hasEnded = false;
  /** Whether what comes was typed before this line had the keyboard: the terminal has made a line break of Enter then. */
  let isTypedBefore = false;
  /** Takes keys until a prompt is complete; those behind a Tab wait until it has been answered, the others for the next prompt. */
  const pump = async (): Promise<void> => {
    if (isPumping) return;
    isPumping = true;
    for (let key = typing.isOn() && ahead.shift(); key; key = typing.isOn() && ahead.shift())
      if (key.kind === "tab") await typing.complete();
      else typing.press(key);
    isPumping = false;
  };
  const suspend = (): void => {
    typing.suspend();
    input.setRawMode(false);
    suspendProcess(() => {
      input.setRawMode(true);
      typing.resume();
    });
  };
  const onData = (chunk: Buffer | string): void => {
    const text = String(chunk);
    for (const key of toKeys(isTypedBefore ? text.replaceAll("\n", "\r") : text))
      if (key.kind === "suspend") suspend();
      else if (!typing.isOn() && key.kind === "interrupt") process.emit("SIGINT", "SIGINT");
      else ahead.push(key);
    void pump();
  };
  /** A terminal that was closed ends, or fails, at any time; also while a turn runs or a question is asked. */
  const onEnd = (): void => {
    hasEnded = true;
    if (typing.isOn()) typing.finish({ kind: "left", how: "end-of-input" });
  };
  for (const event of ["end", "close", "error"]) input.on(event, onEnd);
  const attach = (): void => {
    input.setEncoding("utf8");
    input.setRawMode(true);
    input.on("data", onData).resume();
    output.on("resize", typing.draw);
    isTypedBefore = true;
    // The first round may be at its end already; in the second the terminal is asked for what it has.
    setImmediate(() => setImmediate(() => (isTypedBefore = false)));
  };
  const detach = (): void => {
    input.off("data", onData).pause();
    input.setRawMode(false);
    output.off("resize", typing.draw);
  };
  attach();
  return {
    read: () =>
      new Promise((resolve) => {
        if (hasEnded) return resolve({ kind: "left", how: "end-of-input" });
        typing.begin(resolve);
        void pump();
      }),
    async without(work) {
      const isDropped = ahead.length > 0;
      ahead = [];
      detach();
      try {
        return await work(isDropped);
      } finally {
        attach();
      }
    },
    close: detach,
  };
}
