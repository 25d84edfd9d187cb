// A JSON value as indented, coloured text. A huge one is displayed in part, with the rest a click away, so that the page stays
// usable.
import { useMemo, useState } from "preact/hooks";
import type { JsonValue } from "../../src/lib/json.js";
import { size } from "./format.js";
import { LongText } from "./long-text.js";
import { escapedJson } from "./reveal.js";
import { Scroll } from "./scroll.js";

/** Characters of JSON displayed before "Show all". */
const MAX_FIRST_CHARACTERS = 12_000;
/** JSON up to this length stays on one line. */
const MAX_ONE_LINE = 60;

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON text with keys, strings and literals in their colours. */
function Coloured({ text }: { text: string }) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon, literal] = match;
    parts.push(text.slice(from, match.index));
    const kind =
      string === undefined ? (literal === undefined ? "number" : "literal") : colon === undefined ? "string" : "key";
    parts.push(<span class={`json-${kind}`}>{string ?? all}</span>, colon ?? "");
    from = match.index + all.length;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}

/** A value as indented JSON; with `whole`, never in part. */
export function Json({ value, whole, label }: { value: JsonValue; whole?: boolean; label: string }) {
  const [all, setAll] = useState(whole ?? false);
  const text = useMemo(
    () => (typeof value === "string" && !whole ? value : escapedJson(value, MAX_ONE_LINE)),
    [value, whole],
  );
  const cut = !all && text.length > MAX_FIRST_CHARACTERS;
  const visible = cut ? text.slice(0, MAX_FIRST_CHARACTERS) : text;
  const isPlain = visible.length > MAX_FIRST_CHARACTERS || typeof value === "string";
  return (
    <>
      <Scroll class="json" label={label}>
        <pre>
          {isPlain ? <LongText text={visible} /> : <Coloured text={visible} />}
          {cut && "…"}
        </pre>
      </Scroll>
      {cut && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          Show all {size(text.length)}
        </button>
      )}
    </>
  );
}
