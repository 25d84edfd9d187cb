// The prompts typed before, one after the other or by a search, in the place of the one that is being typed.
import { oneLine } from "../table.js";
import type { Draft } from "./draft.js";
import type { Key, KeyName } from "./keys.js";
import type { PromptHistory } from "./prompt-history.js";
import { EMPTY_SEARCH, type Search, searchOlder, searchPrompts } from "./search.js";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Without its last character. */
function shortened(text: string): string {
  const last = Array.from(segmenter.segment(text)).at(-1);
  return last ? text.slice(0, last.index) : "";
}

/** Walks through the prompts typed before; the one that is being typed stands behind the newest. */
export function createRecall(history: PromptHistory) {
  let place = 0;
  let fresh = "";
  let search: Search | undefined;
  /** What was found, with the cursor where the query begins; the draft while nothing was. */
  const found = (draft: Draft): Draft => {
    const text = search?.place === undefined ? undefined : history.list()[search.place];
    if (text === undefined || !search) return draft;
    return { text, at: Math.max(0, text.toLowerCase().indexOf(search.query.toLowerCase())) };
  };
  return {
    begin(): void {
      place = history.list().length;
      search = undefined;
    },
    /** The prompt before or behind, for a key that asks for one; undefined where there is none. */
    moved(draft: Draft, key: KeyName): Draft | undefined {
      const direction = key === "older" || key === "up" ? -1 : key === "newer" || key === "down" ? 1 : 0;
      const prompts = history.list();
      const next = place + direction;
      if (direction === 0 || next < 0 || next > prompts.length) return undefined;
      if (place === prompts.length) fresh = draft.text;
      place = next;
      const text = prompts[next] ?? fresh;
      return { text, at: text.length };
    },
    /** What a search shows: the prompt it found, and what it says below; undefined while there is none. */
    shown(draft: Draft): { draft: Draft; footer: string } | undefined {
      if (!search) return undefined;
      const footer = `search${search.isFailed ? ", nothing found" : ""}: ${oneLine(search.query)}`;
      return { draft: found(draft), footer };
    },
    /** Ends a search with what it found, which is the draft from now on. */
    accept(draft: Draft): Draft {
      const taken = found(draft);
      if (search?.place !== undefined) {
        if (place === history.list().length) fresh = draft.text;
        place = search.place;
      }
      search = undefined;
      return taken;
    },
    /** Whether a key was one of the search. Ctrl-C leaves it for the draft there was; any other key takes what was found, and does what it does. */
    press(key: Key): boolean {
      const prompts = history.list();
      if (key.kind === "search") search = search ? searchOlder(prompts, search) : EMPTY_SEARCH;
      else if (!search) return false;
      else if (key.kind === "text" || key.kind === "paste")
        search = searchPrompts(prompts, search, search.query + key.text);
      else if (key.kind === "backspace") search = searchPrompts(prompts, search, shortened(search.query));
      else if (key.kind === "interrupt" || key.kind === "cancel") search = undefined;
      else return false;
      return true;
    },
  };
}
