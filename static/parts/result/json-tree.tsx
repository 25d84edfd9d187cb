// A JSON value as a tree that folds. Only the lines in view are drawn, so a large one opens at once.
import { useMemo, useRef, useState } from "preact/hooks";
import { DECEPTIVE, jsonEscape } from "../../../src/lib/invisible-characters.js";
import { type JsonObject, type JsonValue, toJson } from "../../../src/lib/json.js";
import { type Folds, firstDepth, foldAll, type JsonLine, jsonLines } from "../../values/json-lines.js";
import { Copy } from "../copy.js";
import { Scroll } from "../scroll.js";
import { lineHeights } from "./sizes.js";
import { useVirtual } from "./use-virtual.js";

/** Trees of more lines draw only those in view. */
const MAX_PLAIN = 300;
/** A longer text is cut; it is copied whole. */
const MAX_TEXT = 4000;
const MAX_TEXT_VIRTUAL = 300;

const escaped = (text: string): string => text.replace(DECEPTIVE, jsonEscape);

function Literal({ value, max }: { value: JsonValue; max: number }) {
  if (typeof value === "string") {
    const text = value.length > max ? `${value.slice(0, max).toWellFormed()}…` : value;
    return <bdi class="json-string">{escaped(toJson(text))}</bdi>;
  }
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return <span class={isNumber ? "json-number" : "json-literal"}>{toJson(value)}</span>;
}

/** Characters of what a folded object begins with. */
const MAX_HINT = 70;

/** A folded list or object in a few words. */
function closedText({ value, size }: JsonLine): string {
  if (Array.isArray(value)) return size === 0 ? "[]" : `[ ${size} ]`;
  if (size === 0) return "{}";
  let hint = "";
  for (const [name, one] of Object.entries(value as JsonObject)) {
    if (hint.length > MAX_HINT) break;
    const text = typeof one === "object" && one !== null ? "…" : toJson(one).slice(0, MAX_HINT).toWellFormed();
    hint += `${hint === "" ? "" : ", "}${name}: ${text}`;
  }
  return `{ ${escaped(hint.slice(0, MAX_HINT).toWellFormed())}${hint.length > MAX_HINT ? "…" : ""} }`;
}

function Line(props: { line: JsonLine; isChosen: boolean; max: number; onToggle: () => void; onChoose: () => void }) {
  const { line, isChosen, max, onToggle, onChoose } = props;
  const isFolder = line.size > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of all lines are those of the tree
    <div
      class={isChosen ? "json-line json-chosen" : "json-line"}
      role="treeitem"
      aria-level={line.depth + 1}
      aria-expanded={isFolder ? line.isOpen : undefined}
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      data-path={line.path}
      style={{ paddingInlineStart: `${line.depth * 1.1 + 1.2}rem` }}
      onClick={() => {
        onChoose();
        if (isFolder) onToggle();
      }}
    >
      {isFolder && <span class={line.isOpen ? "json-fold json-fold-open" : "json-fold"} aria-hidden="true" />}
      {line.key !== null && (
        <>
          <bdi class="json-key">{escaped(line.key)}</bdi>
          {": "}
        </>
      )}
      {line.size < 0 ? (
        <Literal value={line.value} max={max} />
      ) : (
        <span class="quiet">{line.isOpen ? (Array.isArray(line.value) ? "[" : "{") : closedText(line)}</span>
      )}
    </div>
  );
}

/** The keys of a tree, as the practices of ARIA have them. */
function keyTarget(key: string, lines: readonly JsonLine[], at: number): { to?: number; fold?: boolean } {
  const line = lines[at];
  if (line === undefined) return {};
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(lines.length - 1, at + 1) };
    case "ArrowUp":
      return { to: Math.max(0, at - 1) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: lines.length - 1 };
    case "ArrowRight":
      return line.size > 0 && !line.isOpen ? { fold: true } : { to: Math.min(lines.length - 1, at + 1) };
    case "ArrowLeft":
      if (line.isOpen) return { fold: false };
      return { to: lines.findLastIndex((one, i) => i < at && one.depth < line.depth) };
    default:
      return {};
  }
}

/** A value as a tree, with what copies the chosen line's path and value. */
export function JsonTree({ value, label }: { value: JsonValue; label: string }) {
  const depth = useMemo(() => firstDepth(value), [value]);
  const [folds, setFolds] = useState<Folds>(new Map());
  const [chosen, setChosen] = useState("");
  const lines = useMemo(() => jsonLines(value, folds, depth), [value, folds, depth]);
  const box = useRef<HTMLDivElement>(null);
  const isVirtual = lines.length > MAX_PLAIN;
  const virtual = useVirtual({ count: lines.length, height: lineHeights().treeLine, scroll: box, head: 0 });
  const at = Math.max(
    0,
    lines.findIndex(({ path }) => path === chosen),
  );
  const line = lines[at];
  const toggle = (path: string, isOpen: boolean) => setFolds(new Map([...folds, [path, isOpen]]));
  const onKeyDown = (event: KeyboardEvent) => {
    const { to, fold } = keyTarget(event.key, lines, at);
    const next = lines[to ?? -1];
    if (next === undefined && fold === undefined) return;
    event.preventDefault();
    if (fold !== undefined && line !== undefined) toggle(line.path, fold);
    if (next === undefined) return;
    setChosen(next.path);
    if (isVirtual) virtual.scrollToIndex(to ?? 0);
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(next.path)}"]`)?.focus(),
    );
  };
  const draw = (one: JsonLine) => (
    <Line
      key={one.path}
      line={one}
      isChosen={one.path === line?.path}
      max={isVirtual ? MAX_TEXT_VIRTUAL : MAX_TEXT}
      onToggle={() => toggle(one.path, !one.isOpen)}
      onChoose={() => setChosen(one.path)}
    />
  );
  const items = isVirtual ? virtual.getVirtualItems() : [];
  return (
    <div class="json-tree">
      <Scroll class={isVirtual ? "json json-virtual" : "json"} label={label} box={box}>
        <div
          role="tree"
          aria-label={label}
          onKeyDown={onKeyDown}
          style={isVirtual ? { height: `${virtual.getTotalSize()}px` } : {}}
        >
          {isVirtual ? (
            <div role="none" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
              {items.map(({ index }) => lines[index] && draw(lines[index]))}
            </div>
          ) : (
            lines.map(draw)
          )}
        </div>
      </Scroll>
      <div class="json-foot">
        <code class="faint">
          <bdi>{escaped(line?.path || "/")}</bdi>
        </code>
        <Copy label="Copy path" text={() => line?.path ?? ""} caption="Copy path" />
        <Copy
          label="Copy value"
          caption="Copy value"
          text={() => (typeof line?.value === "string" ? line.value : toJson(line?.value ?? null, 2))}
        />
        <span class="spacer" />
        <button type="button" class="link" onClick={() => setFolds(foldAll(value, true))}>
          Unfold all
        </button>
        <button type="button" class="link" onClick={() => setFolds(foldAll(value, false))}>
          Fold all
        </button>
      </div>
    </div>
  );
}
