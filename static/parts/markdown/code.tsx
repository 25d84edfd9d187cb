// Code in an answer: its language, its text with colours once they are made, and buttons that are always there.
import { useRef, useState } from "preact/hooks";
import { Copy } from "../copy.js";
import { Scroll } from "../scroll.js";
import { useColours } from "./highlight.js";

/** A longer name is none. */
const MAX_LANGUAGE_LENGTH = 30;

/** A block of code. `language` is what the answer calls it, "" for nothing; a component is for one language only. */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  const [isWrapped, setWrapped] = useState(false);
  const { pieces, rest } = useColours(text, language.toLowerCase());
  const newest = useRef(text);
  newest.current = text;
  return (
    <div class={isWrapped ? "code code-wrapped" : "code"}>
      <div class="code-head">
        <bdi class="code-language">{language.length <= MAX_LANGUAGE_LENGTH ? language : ""}</bdi>
        <button type="button" class="link" aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
          Wrap
        </button>
        <Copy label="Copy code" text={() => newest.current} />
      </div>
      <Scroll class="code-box" label="Code">
        <pre>
          <code>
            {pieces.map((piece) =>
              piece.class === undefined ? piece.text : <span class={piece.class}>{piece.text}</span>,
            )}
            {rest}
          </code>
        </pre>
      </Scroll>
    </div>
  );
}
