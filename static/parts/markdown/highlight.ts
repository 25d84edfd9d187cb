// The colours of code, made in a worker of its own: the text is there before its colours, and stays without them where they take too
// long or the language is not known.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Code, Token } from "./highlight-worker.js";
import { WorkerQueue } from "./queue.js";

const KINDS: Readonly<Record<string, readonly string[]>> = {
  keyword: ["keyword", "operator", "selector-tag", "name", "tag"],
  literal: ["literal", "number", "symbol", "bullet", "link", "char"],
  string: ["string", "regexp", "template-variable", "code", "selector-attr"],
  comment: ["comment", "quote", "doctag"],
  title: ["title", "section", "selector-id", "selector-class", "selector-pseudo"],
  type: ["type", "built_in", "class"],
  name: ["attr", "attribute", "variable", "property", "template-tag"],
  meta: ["meta", "meta-keyword"],
  added: ["addition"],
  removed: ["deletion"],
};
/** The classes of the style sheet by the scopes they stand for; other scopes have the colour of the text. */
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, scopes]) => scopes.map((scope) => [scope, `code-${kind}`] as const)),
);

/** Longer code stays plain: each token is an element. */
const MAX_LENGTH = 40_000;
/** Longer code that grows waits until it does not. */
const MAX_GROWING_LENGTH = 6_000;
const QUIET_MS = 300;
/** Between two versions of code that grows. */
const PAUSE_MS = 100;
/** Texts whose colours are kept for the next time they are displayed. */
const MAX_KEPT = 100;

const jobs = new WorkerQueue<Code, readonly Token[]>(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
  { maxMs: 2000, minMs: 250 },
);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const kept = new Map<string, readonly Token[]>();
const keyOf = ({ text, language }: Code): string => `${language}\n${text}`;

async function tokensOf(code: Code): Promise<readonly Token[] | null> {
  const known = kept.get(keyOf(code));
  const tokens = known ?? (await jobs.run(code));
  if (known === undefined && tokens !== null) kept.set(keyOf(code), tokens);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return tokens;
}

/** A piece of code and its class; undefined for none. */
interface ColouredPiece {
  text: string;
  class: string | undefined;
}

const coloured = (tokens: readonly Token[]): ColouredPiece[] =>
  tokens.map(([text, scope]) => ({ text, class: CLASSES.get(scope) }));

/** The pieces of a code that may grow, as far as they have colours, and the plain rest. The language stays the same. */
export function useColours(text: string, language: string): { pieces: readonly ColouredPiece[]; rest: string } {
  const [made, setMade] = useState(() => ({ text, tokens: kept.get(keyOf({ text, language })) }));
  const newest = useRef(text);
  const isBusy = useRef(false);
  newest.current = text;
  const make = async (): Promise<void> => {
    isBusy.current = true;
    for (let last = ""; last !== newest.current; ) {
      await sleep(newest.current === text ? 0 : PAUSE_MS);
      last = newest.current;
      if (last.length > MAX_LENGTH) break;
      if (last.length > MAX_GROWING_LENGTH) {
        await sleep(QUIET_MS);
        if (last !== newest.current) continue;
      }
      const tokens = await tokensOf({ text: last, language });
      // One that has no colours now has none when it is longer.
      if (tokens === null) return;
      setMade({ text: last, tokens });
    }
    isBusy.current = false;
  };
  useEffect(() => {
    const isMade = made.tokens !== undefined && made.text === text;
    if (language !== "" && text.length <= MAX_LENGTH && !isMade && !isBusy.current) void make();
  }, [text]);
  const { tokens } = made;
  if (tokens === undefined || !text.startsWith(made.text)) return { pieces: [], rest: text };
  return { pieces: coloured(tokens), rest: text.slice(made.text.length) };
}
