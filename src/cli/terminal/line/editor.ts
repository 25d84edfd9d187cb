// The line a person types prompts in: several rows, a history, completion. It has the keyboard while a prompt is typed and while a turn
// runs; what is typed then waits for the next prompt, and is dropped by a question.
import type { ReadStream } from "node:tty";
import { columnsOf, rowsOfScreen } from "../look.js";
import { makeRoom } from "../room.js";
import { type Draft, EMPTY_DRAFT, edited, inserted, replaced } from "./draft.js";
import { type DraftRows, draftRows } from "./draw-draft.js";
import { createKeyReader, type Key, PASTE_OFF, PASTE_ON } from "./keys.js";
import type { PromptHistory } from "./prompt-history.js";

/** What could stand in place of the word before the cursor. */
export interface Completion {
  /** Where that word begins. */
  from: number;
  words: readonly string[];
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

/** Draws a draft in its place, again and again. */
function createDraftView(output: NodeJS.WriteStream) {
  let row = 0;
  let last: DraftRows | undefined;
  return {
    draw(draft: Draft): void {
      makeRoom();
      const next = draftRows(draft, columnsOf(output), Math.max(1, rowsOfScreen(output) - 1));
      const up = row > 0 ? `\u001b[${row}A` : "";
      const back = next.rows.length - 1 - next.row;
      output.write(
        `\r${up}\u001b[J${next.rows.join("\n")}${back > 0 ? `\u001b[${back}A` : ""}\r\u001b[${next.column}C`,
      );
      row = next.row;
      last = next;
    },
    /** Leaves what is drawn where it is, and begins a new line. */
    leave(): void {
      const below = (last?.rows.length ?? 1) - 1 - row;
      output.write(`${below > 0 ? `\u001b[${below}B` : ""}\n`);
      row = 0;
      last = undefined;
    },
  };
}

/** Walks through the prompts typed before; the one that is being typed stands behind the newest. */
function createRecall(history: PromptHistory) {
  let place = 0;
  let fresh = "";
  return {
    begin(): void {
      place = history.list().length;
    },
    /** The prompt before or behind; undefined where there is none. */
    move(direction: 1 | -1, typed: string): Draft | undefined {
      const prompts = history.list();
      const next = place + direction;
      if (next < 0 || next > prompts.length) return undefined;
      if (place === prompts.length) fresh = typed;
      place = next;
      const text = prompts[next] ?? fresh;
      return { text, at: text.length };
    },
  };
}

/** The draft with what can only be meant; undefined where there is a choice. */
function completedDraft(draft: Draft, { from, words }: Completion): Draft | undefined {
  const start = commonStart(words);
  if (words.length === 1) return replaced(draft, [from, draft.at], `${start} `);
  return start.length > draft.at - from ? replaced(draft, [from, draft.at], start) : undefined;
}

/** A draft that is typed, drawn, and ended as a prompt: what keys do to it. */
function createTyping({ output = process.stderr, history, complete }: Omit<Parts, "input">) {
  const view = createDraftView(output);
  const recall = createRecall(history);
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
    if (take) view.draw(draft);
  };
  return {
    isOn: () => take !== undefined,
    finish,
    draw,
    begin(taker: (typed: Typed) => void): void {
      take = taker;
      recall.begin();
      output.write(PASTE_ON);
      view.draw(draft);
    },
    async complete(): Promise<void> {
      const asked = draft;
      const found = await complete(asked).catch(() => undefined);
      if (!take || !found || found.words.length === 0) return;
      const next = completedDraft(asked, found);
      if (!next) {
        view.leave();
        output.write(`${found.words.slice(0, MAX_LISTED).join("  ")}\n`);
      }
      draft = next ?? asked;
      draw();
    },
    press(key: Key): void {
      if (key.kind === "text" || key.kind === "paste") draft = inserted(draft, key.text);
      else if (key.kind === "enter") enter();
      else if (key.kind === "interrupt" || (key.kind === "end-of-input" && draft.text === "")) {
        if (draft.text === "") finish({ kind: "left", how: key.kind });
        draft = EMPTY_DRAFT;
      } else {
        const isBack = key.kind === "older" || key.kind === "up";
        const isOn = key.kind === "newer" || key.kind === "down";
        draft =
          edited(draft, key.kind) ?? (isBack || isOn ? recall.move(isBack ? -1 : 1, draft.text) : undefined) ?? draft;
      }
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
  /** Takes keys until a prompt is complete; those behind a Tab wait until it has been answered, the others for the next prompt. */
  const pump = async (): Promise<void> => {
    if (isPumping) return;
    isPumping = true;
    for (let key = typing.isOn() && ahead.shift(); key; key = typing.isOn() && ahead.shift())
      if (key.kind === "tab") await typing.complete();
      else typing.press(key);
    isPumping = false;
  };
  const onData = (chunk: Buffer | string): void => {
    for (const key of toKeys(String(chunk)))
      if (!typing.isOn() && key.kind === "interrupt") process.emit("SIGINT", "SIGINT");
      else ahead.push(key);
    void pump();
  };
  const onEnd = (): void => {
    if (typing.isOn()) typing.finish({ kind: "left", how: "end-of-input" });
  };
  const attach = (): void => {
    input.setEncoding("utf8");
    input.setRawMode(true);
    input.on("data", onData).on("end", onEnd).resume();
    output.on("resize", typing.draw);
  };
  const detach = (): void => {
    input.off("data", onData).off("end", onEnd).pause();
    input.setRawMode(false);
    output.off("resize", typing.draw);
  };
  attach();
  return {
    read: () =>
      new Promise((resolve) => {
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
