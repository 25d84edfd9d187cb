// Thoughts that a server leaves in the text, between tags at its beginning, taken out of the stream. The tags may be cut anywhere.
// A tag further on is text: the model may speak of one.

const TAGS = ["think", "thinking", "reasoning", "thought"] as const;

/** What stood between the tags, and with which tag. */
interface TaggedThought {
  tag: string;
  text: string;
}

/** Separates one reply. */
interface ThinkTags {
  /** Takes the next piece, returns what of the text is known to be no thought. */
  push(piece: string): string;
  /** At the end: text that was held back. */
  rest(): string;
  /** What of the thought came since this was last asked. */
  more(): string;
  /** Undefined when the reply did not begin with a tag. */
  thought(): TaggedThought | undefined;
}

/** The characters at the end of a text that may be the beginning of `word`. */
function startedAtEnd(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}

/** A separator for one reply. */
export function createThinkTags(): ThinkTags {
  let state: "start" | "inside" | "after" | "text" = "start";
  // What grows with the reply is only added to: looking at all of it for each piece would cost the square of their number.
  /** White space at the beginning. */
  let blank = "";
  let held = "";
  let tag = "";
  let thought = "";
  /** What of the thought nobody was told yet. */
  let fresh = "";
  let isTold = false;

  const think = (text: string): void => {
    thought += text;
    fresh += text;
  };

  const inside = (): string => {
    const close = `</${tag}>`;
    const at = held.indexOf(close);
    if (at < 0) {
      const kept = startedAtEnd(held, close);
      think(held.slice(0, held.length - kept));
      held = held.slice(held.length - kept);
      return "";
    }
    think(held.slice(0, at));
    held = held.slice(at + close.length);
    state = "after";
    return after();
  };
  const after = (): string => {
    const text = held.trimStart();
    held = "";
    if (text !== "") state = "text";
    return text;
  };
  const start = (): string => {
    const text = held.trimStart();
    blank += held.slice(0, held.length - text.length);
    held = text;
    const found = TAGS.find((name) => text.startsWith(`<${name}>`));
    if (found !== undefined) {
      [state, tag, held] = ["inside", found, text.slice(found.length + 2)];
      return inside();
    }
    if (TAGS.some((name) => `<${name}>`.startsWith(text))) return "";
    state = "text";
    const all = blank + held;
    held = "";
    return all;
  };

  return {
    push(piece) {
      if (state === "text") return piece;
      if (piece === "") return "";
      held += piece;
      if (state === "start") return start();
      return state === "inside" ? inside() : after();
    },
    rest() {
      const text = state === "start" ? blank + held : "";
      if (state === "inside") think(held);
      held = "";
      return text;
    },
    more() {
      const text = isTold ? fresh : fresh.trimStart();
      fresh = "";
      isTold ||= text !== "";
      return text;
    },
    thought: () => (tag === "" ? undefined : { tag, text: thought.trim() }),
  };
}
