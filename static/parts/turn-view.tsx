// A turn on the screen: the prompt, what followed it in the order it happened, and what can be done with it afterwards.
import { Component } from "preact";
import { useState } from "preact/hooks";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { type Group, groupsOf } from "../turn/groups.js";
import type { Item, Turn } from "../turn/turn.js";
import { CallGroup } from "./call-group.js";
import { duration } from "./format.js";
import { Spinner } from "./icons.js";
import { LongText } from "./long-text.js";
import { Markdown } from "./markdown.js";
import { Seconds } from "./seconds.js";
import { PromptEdit } from "./turn-again.js";
import { TurnFoot } from "./turn-foot.js";

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

type Thoughts = Extract<Item, { kind: "thoughts" }>;

/** What the model thought aloud: folded, as text, apart from the answer. */
function Thoughts({ text, streaming, since, took }: Thoughts) {
  return (
    <details class="thoughts">
      <summary>
        <span>{streaming && took === undefined ? "Thinking…" : "Thoughts"}</span>
        {since !== undefined && took === undefined && streaming && <Seconds since={since} />}
        {took !== undefined && <span class="faint"> {duration(took)}</span>}
      </summary>
      <div class="thoughts-text" dir="auto">
        <LongText text={text} />
      </div>
    </details>
  );
}

function ItemView({ item, turn }: { item: Group["item"]; turn: Turn }) {
  switch (item.kind) {
    case "text":
      return (
        <div class={item.streaming ? "answer streaming" : "answer"} aria-busy={item.streaming}>
          <Markdown text={item.text} streaming={item.streaming} turn={turn.status === "running" ? undefined : turn} />
        </div>
      );
    case "calls":
      return <CallGroup calls={item.calls} turn={turn} />;
    case "thoughts":
      return <Thoughts {...item} />;
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

/** That the model is at work, and for how long: a slow one says nothing of itself. */
function Thinking({ turn }: { turn: Turn }) {
  const [since] = useState(() => turn.since ?? Date.now());
  const last = turn.items.at(-1);
  if (turn.status !== "running" || (last?.kind === "text" && last.streaming)) return null;
  if (turn.items.some((item) => item.kind === "call" && item.status === undefined)) return null;
  return (
    <p class="thinking">
      <Spinner /> Working…
      <Seconds since={since} />
    </p>
  );
}

function WholeTurn({ turn }: { turn: Turn }) {
  const [isEdited, setIsEdited] = useState(false);
  const isSilent = turn.status === "done" && turn.items.every(({ kind }) => kind === "notice" || kind === "thoughts");
  return (
    <article
      class={`turn turn-${turn.status}`}
      id={turn.turn_id === "" ? undefined : `turn-${turn.turn_id}`}
      aria-label={`Prompt: ${turn.prompt.slice(0, 80)}`}
    >
      {isEdited ? (
        <PromptEdit turn={turn} onEnd={() => setIsEdited(false)} />
      ) : (
        <div class="prompt" dir="auto">
          <LongText text={inItsOrder(turn.prompt)} />
        </div>
      )}
      {groupsOf(turn.items).map(({ item, at }) => (
        <ItemView key={at} item={item} turn={turn} />
      ))}
      <Thinking turn={turn} />
      {isSilent && <p class="notice">No answer.</p>}
      {turn.status === "interrupted" && turn.items.every((item) => item.kind !== "error") && (
        <p class="failure">This turn was interrupted before it ended.</p>
      )}
      {turn.status !== "running" && <TurnFoot turn={turn} isEdited={isEdited} onEdit={() => setIsEdited(true)} />}
    </article>
  );
}

/** A turn. Turns are immutable: one that did not change is not rendered again while another streams. */
export class TurnView extends Component<{ turn: Turn }> {
  override shouldComponentUpdate({ turn }: { turn: Turn }): boolean {
    return turn !== this.props.turn;
  }

  render({ turn }: { turn: Turn }) {
    return <WholeTurn turn={turn} />;
  }
}
