// A turn on the screen: the prompt, what followed it in the order it happened, and what can be done with it afterwards.
import { useMemo } from "preact/hooks";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { writeAgain } from "../state/conversations.js";
import type { Item, Turn } from "../turn/turn.js";
import { CallCard } from "./call-card.js";
import { Copy } from "./copy.js";
import { tokens } from "./format.js";
import { Spinner } from "./icons.js";
import { LongText } from "./long-text.js";
import { Markdown } from "./markdown.js";

/** Characters of a notice before it is opened: a text for the model can be long. */
const MAX_NOTICE_LENGTH = 120;

function Notice({ text }: { text: string }) {
  if (text.length <= MAX_NOTICE_LENGTH) return <p class="notice">{text}</p>;
  return (
    <details class="notice">
      <summary>{text.slice(0, MAX_NOTICE_LENGTH)}…</summary>
      <LongText text={text} />
    </details>
  );
}

/** What the model thought aloud: folded, as text, apart from the answer. */
function Thoughts({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <details class="thoughts">
      <summary>{streaming ? "Thinking…" : "Thoughts"}</summary>
      <div class="thoughts-text" dir="auto">
        <LongText text={text} />
      </div>
    </details>
  );
}

function ItemView({ item, turn }: { item: Item; turn: Turn }) {
  switch (item.kind) {
    case "text":
      return (
        <div class={item.streaming ? "answer streaming" : "answer"} aria-busy={item.streaming}>
          <Markdown text={item.text} />
        </div>
      );
    case "call":
      return <CallCard call={item} turn={turn} />;
    case "thoughts":
      return <Thoughts text={item.text} streaming={item.streaming} />;
    case "notice":
      return <Notice text={item.text} />;
    case "error":
      return turn.status === "cancelled" ? (
        <p class="notice">{item.text.replace(/^cancelled/, "Stopped")}.</p>
      ) : (
        <p class="failure">
          <LongText text={item.text} />
        </p>
      );
    default: {
      const unknown: never = item;
      return unknown;
    }
  }
}

function Thinking({ turn }: { turn: Turn }) {
  const last = turn.items.at(-1);
  if (turn.status !== "running" || (last?.kind === "text" && last.streaming)) return null;
  if (last?.kind === "call" && last.status === undefined) return null;
  return (
    <p class="thinking">
      <Spinner /> Working…
    </p>
  );
}

/** Under a turn that is over: its prompt to write again unless it succeeded, its tokens, its answer to copy. */
function Foot({ turn }: { turn: Turn }) {
  const answer = turn.items.findLast((item) => item.kind === "text");
  return (
    <p class="turn-foot">
      {turn.status !== "done" && (
        <button type="button" class="link" onClick={() => writeAgain(turn.prompt)}>
          Write it again
        </button>
      )}
      {turn.usage !== undefined && (
        <span>
          {turn.usage.model} · {tokens(turn.usage)}
        </span>
      )}
      {answer !== undefined && <Copy label="Copy answer" text={() => answer.text} />}
    </p>
  );
}

function WholeTurn({ turn }: { turn: Turn }) {
  const isSilent = turn.status === "done" && turn.items.every(({ kind }) => kind === "notice" || kind === "thoughts");
  return (
    <article class={`turn turn-${turn.status}`} aria-label={`Prompt: ${turn.prompt.slice(0, 80)}`}>
      <div class="prompt" dir="auto">
        <LongText text={inItsOrder(turn.prompt)} />
      </div>
      {turn.items.map((item, i) => (
        <ItemView key={item.kind === "call" ? `call-${item.id}-${i}` : i} item={item} turn={turn} />
      ))}
      <Thinking turn={turn} />
      {isSilent && <p class="notice">No answer.</p>}
      {turn.status === "interrupted" && turn.items.every((item) => item.kind !== "error") && (
        <p class="failure">This turn was interrupted before it ended.</p>
      )}
      {turn.status !== "running" && <Foot turn={turn} />}
    </article>
  );
}

/** A turn. Turns are immutable: one that did not change is not rendered again while another streams. */
export function TurnView({ turn }: { turn: Turn }) {
  return useMemo(() => <WholeTurn turn={turn} />, [turn]);
}
